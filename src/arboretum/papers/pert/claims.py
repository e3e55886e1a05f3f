"""The claims of pert: what each sentence is about, as estimates; claims.yaml says what is expected of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.contract import by_name
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import (
    Estimate,
    beside_print,
    difference_of,
    exact,
    from_samples,
    mean_of,
    one_run,
    ratio_of,
)
from arboretum.papers.pert.tables.errors import runs_of_table2, sets_in_print
from arboretum.papers.pert.tables.keys import SYNTHETIC
from arboretum.papers.pert.tables.places import RIVALS, errors_by_run, place, places_of_samples, samples_of_pert
from arboretum.papers.pert.tables.strength import strength_points
from arboretum.papers.pert.tables.tree_size import SORTING, nodes_of
from arboretum.papers.results import Results

NAMES = {"adaboost": "AdaBoost", "forest_multiple": "Forest-RI multiple", "forest_single": "Forest-RI single"}
LEARNERS_OF_TABLE4 = {"bagged_cart": "bagged CART", "pert": "PERT"}
PAPER_DIMENSION = 20  # of twonorm, threenorm and ringnorm
OUTER = 1.5  # |x| / sqrt(20) beyond which class 2 of ringnorm hardly reaches


def nodes_by_cell(results: Results, tree: str) -> dict[str, Estimate]:
    """Mean number of nodes of one kind of tree, by set and sample size."""
    return {f"{name}, {cases} cases": nodes for (name, cases), nodes in nodes_of(results, tree).items()}


def printed_in_table1(results: Results, column: str) -> dict:
    table = results.printed["table1_size_time"]
    return {f"{row['dataset']}, {row['n_train']} cases": row[column] for row in table.to_dict("records")}


@claim("pert-c01", evidence=("table1",))
def trees_are_four_to_five_times_as_large(results: Results):
    """Nodes of PERT trees over nodes of CART trees."""
    cart, pert = nodes_by_cell(results, "cart"), nodes_by_cell(results, "pert")
    ratios = {cell: ratio_of(pert[cell], cart[cell]) for cell in cart}
    return {"ratio": ratios, "printed ratio": beside_print(ratios, printed_in_table1(results, "size_ratio"))}


@claim("pert-c02", evidence=("table1",))
def node_counts(results: Results):
    """Mean number of nodes of CART and of PERT trees."""
    return {
        name: beside_print(nodes_by_cell(results, tree), printed_in_table1(results, f"{tree}_nodes_printed"))
        for name, tree in (("nodes of CART", "cart"), ("nodes of PERT", "pert"))
    }


@claim("pert-c03", evidence=("table1", "tree_times"), tolerance=0.5)
def cart_takes_a_hundred_times_as_long(results: Results):
    """How much longer growing a CART tree takes: in CPU time, and in looks at the value of a feature."""
    table = results.tables["table1"].set_index(["dataset", "cases"])
    looks = {name.replace("_", " "): np.log10(table[f"look_ratio_{name}"]) for name in SORTING}
    growth = {
        f"{name}, {few} to {many} cases, {sorting}": exact(ratio[name, many] - ratio[name, few])
        for sorting, ratio in looks.items()
        for name in SYNTHETIC
        for few, many in pairwise(sorted(set(ratio[name].index)))
    }
    times = np.log10(table["time_ratio"]).groupby(level="dataset").mean()
    return {
        "CPU time": mean_of(times.to_numpy(), f"{len(times)} sets, each the mean of its sizes"),
        "looks": {sorting: exact(ratio.mean()) for sorting, ratio in looks.items()},
        "growth of looks with the sample": growth,
        "looks of scans alone": exact(np.log10(table["look_ratio_of_scans_alone"]).mean()),
    }


@claim("pert-c04", evidence=("errors_beside_print", "table2", "table2_cells", "fixed_splits"))
def errors_of_table2(results: Results):
    """Errors of PERT beside print; the large sets on fixed parts, and on random tenths as the text has it."""
    fixed, held_out = errors_by_run(results, "fixed"), errors_by_run(results, "hold-out")
    names = sets_in_print(results).set_index("dataset")["printed_as"].to_dict() | dict(
        zip(SYNTHETIC, SYNTHETIC, strict=True)
    )
    column = results.printed["table2_error"].set_index("dataset")["pert"]
    printed = {name: column[names[name]] for name in fixed}
    large = set(runs_of_table2(results).query("split == 'fixed'")["dataset"])

    def errors(runs, sets):
        found = {name: runs[name]["pert"].dropna().to_numpy() for name in sets}
        return {name: one_run(values, of=len(values)) for name, values in found.items()}

    return {
        "error": beside_print(errors(fixed, list(printed)), printed),
        "large sets on a random tenth": errors(held_out, [name for name in printed if name in large]),
    }


@claim("pert-c05", evidence=("places", "table2"))
def pert_lies_within_the_range_of_the_others(results: Results):
    """Sets on which PERT lies between the best and the worst of the three: of print's columns, and of our own runs."""
    ours, printed = places_of_samples(results), samples_of_pert(results)
    table = results.tables["places"]

    def share(value, samples):
        within = (samples == "within").mean(axis=1).to_numpy()
        return from_samples(value, within, f"{len(samples)} bootstrap samples of the runs on {samples.shape[1]} sets")

    shown = results.tables["table2"].query("status == 'available'")
    rivals = shown[[f"{rival}_printed" for rival in RIVALS]]
    beside = place(shown["pert"].round(1), rivals.min(axis=1), rivals.max(axis=1))
    return {
        "sets within the printed range": share(float((beside == "within").mean()), printed),
        "sets within the range of our own runs": share(float((table["place"] == "within").mean()), ours),
    }


@claim("pert-c06", evidence=("places", "table2"))
def better_on_two_sets_and_worse_on_two(results: Results):
    """PERT less each of the three, on the hold-outs that both have."""
    errors = errors_by_run(results, "fixed")

    def less_each(*sets):
        found = {}
        for name in sets:
            for rival in RIVALS:
                both = errors[name][["pert", rival]].dropna() if name in errors else pd.DataFrame()
                if len(both):
                    found[f"{name}, {NAMES[rival]}"] = difference_of(both["pert"].to_numpy(), both[rival].to_numpy())
        return found

    return {
        "PERT less the other, better": less_each("vowel", "twonorm"),
        "PERT less the other, worse": less_each("vehicle"),
        "PERT less the other, strikingly worse": less_each("ringnorm"),
    }


def curves(results: Results) -> dict[str, pd.DataFrame]:
    """For each set the error in per cent: one row per sample, one column per number of trees."""
    frame = results.raw["larger"].assign(error=lambda rows: 100 * rows["errors"] / rows["cases"])
    wide = frame.pivot(index=["dataset", "repetition"], columns="trees", values="error")
    return {name: wide.loc[name] for name in SYNTHETIC}


@claim("pert-c07", evidence=("table3", "tree_curve", "errors_by_trees"))
def more_trees_lower_the_error(results: Results):
    """The falls from size to size, paired, and the levels of Table 3."""
    text = results.printed["table3_ensemble_size"].set_index("dataset")
    printed = {f"{name}, {c[1:]} trees": text.at[name, c] for name in text.index for c in text if c.startswith("n")}
    falls, levels = {}, {}
    for name, errors in curves(results).items():
        sizes = [size for size in errors if size >= 100]
        for few, many in pairwise(sizes):
            falls[f"{name}, {few} to {many} trees"] = difference_of(errors[few].to_numpy(), errors[many].to_numpy())
        levels |= {f"{name}, {size} trees": mean_of(errors[size].to_numpy()) for size in sizes}
    known = beside_print(levels, printed)
    return {
        "fall of the error": falls,
        "error": {cell: one for cell, one in known.items() if not cell.startswith("ringnorm")},
        "error on ringnorm": {cell: one for cell, one in known.items() if cell.startswith("ringnorm")},
    }


@claim("pert-c08", evidence=("tree_curve", "ringnorm_tails", "ringnorm", "ringnorm_rings"))
def ringnorm_fails_in_the_tails(results: Results):
    """The error with most trees, the share of class 1 in it, and where those cases lie."""
    runs = results.raw["larger"].query("dataset == 'ringnorm'")
    runs = runs[runs["trees"] == runs["trees"].max()]
    rings = results.raw["ringnorm"].query(f"dimension == {PAPER_DIMENSION} and `class` == 1 and learner == 'pert'")
    outer = rings["errors"].where(at_most(OUTER, rings["from"]), 0).groupby(rings["repetition"]).sum()
    above = results.tables["ringnorm"].set_index(["learner", "dimension"])["above_bayes"]
    return {
        "error with most trees": mean_of((100 * runs["errors"] / runs["cases"]).to_numpy()),
        "share of class 1 in the errors": mean_of((runs["errors_class_1"] / runs["errors"]).to_numpy()),
        "share of these errors in the outer region": mean_of(
            (outer / rings.groupby("repetition")["errors"].sum()).to_numpy()
        ),
        "points above the Bayes error, PERT": {f"{size} dimensions": exact(x) for size, x in above["pert"].items()},
        "points above the Bayes error, Forest-RI": {
            f"{size} dimensions": exact(x) for size, x in above["forest_single"].items()
        },
    }


@claim("pert-c09", evidence=("table4", "strength_correlation"))
def lower_strength_and_much_lower_correlation(results: Results):
    """Bagged CART less PERT, sample by sample; values by Breiman's raw margin, and with all wrong votes counted."""
    points = strength_points(results).sort_index()
    text = results.printed["table4_strength_correlation"].set_index("dataset")

    def runs(name, learner, measure):
        return points.loc[(name, learner), measure].to_numpy()

    def values(measure, reading=""):
        cells = [(name, *one) for name in SYNTHETIC for one in LEARNERS_OF_TABLE4.items()]
        ours = {f"{name}, {title}": mean_of(runs(name, learner, measure + reading)) for name, learner, title in cells}
        printed = {f"{name}, {title}": text.at[name, f"{measure}_{learner}"] for name, learner, title in cells}
        return beside_print(ours, printed)

    gaps = {
        f"{measure}, bagged CART less PERT": {
            name: difference_of(runs(name, "bagged_cart", measure), runs(name, "pert", measure)) for name in SYNTHETIC
        }
        for measure in ("strength", "correlation")
    }
    infinite = points["correlation_infinite"].groupby(level=["dataset", "learner"]).mean()
    return gaps | {
        "strength": values("strength"),
        "correlation": values("correlation"),
        "strength, all wrong votes": values("strength", "_right_less_wrong"),
        "correlation, all wrong votes": values("correlation", "_right_less_wrong"),
        "correlation of infinitely many trees, farthest from print": exact(
            max(
                abs(infinite[name, learner] - text.at[name, f"correlation_{learner}"])
                for name in SYNTHETIC
                for learner in LEARNERS_OF_TABLE4
            )
        ),
    }


@claim("pert-c10", evidence=("table4",))
def error_is_below_the_bound(results: Results):
    """Breiman's bound holds for every forest."""
    table = results.tables["table4"]
    return {
        "forests above the bound": exact(table["forests_above_bound"].sum()),
        "forests": exact(table["forests"].sum()),
        "rows where the mean bound exceeds 1": exact(less(1.0, table["bound"]).sum()),
        "rows": exact(len(table)),
        "least bound over error": exact((table["bound"] / table["error"]).min()),
    }


@claim("pert-c11", evidence=("surface", "approach_to_surface", "posterior", "convergence"))
def surface_is_continuous_and_multilinear(results: Results):
    """Decided by the exact recursion; forests must agree with it."""
    table = results.tables["posterior"]
    jumps = table[[name for name in table if name.startswith("largest_jump_at_")]].max()  # the smallest shift first
    return {
        "departure from the labels at the training cases": exact(table["largest_departure_from_the_labels"].max()),
        "training errors of the trees": exact(table["training_errors_of_trees"].sum()),
        "jump at the smallest shift": exact(jumps.iloc[0]),
        "larger jumps at smaller shifts": exact(
            (~at_most(jumps.iloc[:-1].to_numpy(), jumps.iloc[1:].to_numpy())).sum()
        ),
        "bend within a block": exact(table["largest_bend_within_a_block"].max()),
        "bend across a border": exact(table["largest_bend_across_a_border"].max()),
        "forests against the surface, largest |z|": exact(
            table[["forest_largest_z", "forest_bend_largest_z"]].max().max()
        ),
        "tests of forests": exact(table[["forest_tests", "forest_bend_tests"]].sum().sum()),
    }


@claim("pert-c12", evidence=("tree_times",))
def trees_fit_the_training_data(results: Results):
    """Training errors of the PERT trees of Table 1, whose data are continuous."""
    return {"training errors": exact(results.tables["tree_times"].query("tree == 'PERT'")["training_errors"].sum())}


CLAIMS = by_name(
    trees_are_four_to_five_times_as_large,
    node_counts,
    cart_takes_a_hundred_times_as_long,
    errors_of_table2,
    pert_lies_within_the_range_of_the_others,
    better_on_two_sets_and_worse_on_two,
    more_trees_lower_the_error,
    ringnorm_fails_in_the_tails,
    lower_strength_and_much_lower_correlation,
    error_is_below_the_bound,
    surface_is_continuous_and_multilinear,
    trees_fit_the_training_data,
)
