"""Sections 2 and 3: how large the trees are, what growing them takes, and how they fit."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import less
from arboretum.papers.pert.claims.shared import by_set, near
from arboretum.papers.pert.tables.tree_size import SORTING
from arboretum.papers.results import Results
from arboretum.papers.verdicts import INCONCLUSIVE, Stated, Verdict, all_parts, around, claim, decide, judge


@claim("pert-c01")
def trees_are_four_to_five_times_as_large(results: Results, stated: Stated) -> Verdict:
    """Nodes of PERT trees over nodes of CART trees: by the sentence, and by the printed table, which contradicts it."""
    table = results.tables["table1"]
    low, high = stated.limit("ratio")
    ratios = stated.printed("ratios")
    contradicted = [name for name, printed in ratios.items() if not all(low <= ratio <= high for ratio in printed)]
    sentence = [judge(row.size_ratio_low, row.size_ratio_high, (low, high)) for row in table.itertuples()]
    against = table["dataset"].isin(contradicted)
    known = table.dropna(subset="size_ratio_printed")
    values = [
        judge(row.size_ratio_low, row.size_ratio_high, around(row.size_ratio_printed, stated.limit("difference")))
        for row in known.itertuples()
    ]
    return Verdict(
        {
            "sentence, where print's own table bears it out": all_parts(*np.array(sentence)[~against]),
            "sentence, where print's own table contradicts it": all_parts(*np.array(sentence)[against]),
            "ratios of print's own table": all_parts(*values),
        },
        {
            "ratios": by_set(table, "size_ratio"),
            "contradicted": ", ".join(contradicted),
            "printed": {name: ratios[name] for name in contradicted},
            "largest_difference": float((known["size_ratio"] - known["size_ratio_printed"]).abs().max()),
        },
        "PERT over CART: {ratios:.2f}",
        "Print contradicts itself: its own table ({printed:.2f}) does not bear its sentence out on {contradicted}. "
        "Ours agrees with the table, for the same reason: there CART needs few nodes. No ratio differs from the "
        "printed one by more than {largest_difference:.2f}.",
    )


@claim("pert-c02")
def node_counts(results: Results, stated: Stated) -> Verdict:
    """Mean number of nodes, of CART and of PERT trees, beside the printed ones."""
    table = results.tables["table1"].dropna(subset="cart_nodes_printed")
    parts, worst = {}, {}
    for name, tree in (("CART", "cart"), ("PERT", "pert")):
        printed = table[f"{tree}_nodes_printed"]
        worst[name] = float((100 * table[f"{tree}_nodes_difference"] / printed).abs().max())
        ours = zip(table[f"{tree}_nodes"], table[f"{tree}_nodes_standard_error"], printed, strict=True)
        parts[name] = all_parts(
            *(near(nodes, error, around(said, stated.limit("share") * said)) for nodes, error, said in ours)
        )
    return Verdict(
        parts,
        {
            "largest_difference": worst,
            "above_cases": int((table["pert_nodes_printed"] > table["cases"]).sum()),
            "counts": len(table),
        },
        "largest difference in per cent of the printed number: {largest_difference:.1f}",
        "All nodes are counted: {above_cases} of {counts} printed PERT counts exceed the number of cases, which no "
        "count of leaves can do.",
    )


@claim("pert-c03")
def cart_takes_a_hundred_times_as_long(results: Results, stated: Stated) -> Verdict:
    """How often growing looks at a value, CART over PERT; seconds change from run to run and decide nothing.

    Print does not say whether its CART sorts once or in every node. What holds for both is reproduced, what holds for
    neither is not.
    """
    table = results.tables["table1"].set_index(["dataset", "cases"])
    ratios = table[[f"look_ratio_{sorting}" for sorting in SORTING]]
    ratios = ratios.rename(columns=lambda name: name.removeprefix("look_ratio_").replace("_", " "))
    orders, orders_of_scans = np.log10(ratios).mean(), np.log10(table["look_ratio_of_scans_alone"]).mean()
    wanted = around(stated.printed("orders_of_magnitude"), stated.limit("orders_of_magnitude"))
    grows = {grows_with_the_sample(ratios[sorting]) for sorting in ratios}
    by_size = 10 ** np.log10(ratios).groupby(level="cases").mean()
    return Verdict(
        {
            "about two orders of magnitude": judge(orders.min(), orders.max(), wanted),
            "grows with the sample": decide(all(grows)) if len(grows) == 1 else INCONCLUSIVE,
        },
        {
            "mean_ratio": (10**orders).to_dict(),
            "sizes": by_size.index.tolist(),
            "mean_by_size": by_size.to_dict("list"),
            "scans_alone": float(10**orders_of_scans),
            "verdict_on_scans_alone": judge(orders_of_scans, orders_of_scans, wanted),
            "printed_mean": stated.printed("geometric_mean"),
        },
        "looks at a value, CART over PERT, geometric mean: {mean_ratio:.0f}; with {sizes} cases: {mean_by_size:.0f}",
        "Counted is how often growing looks at the value of a feature, which follows from the trees alone; the two "
        "counts differ in how CART sorts, which print does not say. Its geometric mean of CPU times is {printed_mean}. "
        "Were sorting free, the scans alone would come to {scans_alone:.0f} ({verdict_on_scans_alone} so): all that is "
        "left to an engine that ranks the columns once for all trees, like this one. Seconds measured here, which "
        "change from run to run and decide nothing, stand in Table 1. What to count was chosen knowing the printed "
        "ratios.",
    )


def grows_with_the_sample(ratio: pd.Series) -> bool:
    """Whether on every set the ratio is larger for a larger sample."""
    wide = ratio.unstack("cases").sort_index(axis=1).to_numpy()
    return bool(less(wide[:, :-1], wide[:, 1:]).all())


@claim("pert-c12")
def trees_fit_the_training_data(results: Results, stated: Stated) -> Verdict:
    """Training errors of the PERT trees of Table 1, whose data are continuous."""
    wrong = int(results.tables["tree_times"].query("tree == 'PERT'")["training_errors"].sum())
    return Verdict(
        decide(wrong == 0),
        {"errors": wrong},
        "{errors} training errors of the PERT trees of Table 1, on continuous data",
    )
