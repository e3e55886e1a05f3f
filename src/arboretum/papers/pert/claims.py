"""The claims of pert: one small function each, from tables to a verdict.

A number is judged by its interval of two standard errors; a statement with several parts holds when all parts hold.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.pert.tables import ALLOWED
from arboretum.papers.shape import INCONCLUSIVE, REPRODUCED, Claim, Frames, Verdict, decide, judge
from arboretum.papers.verdicts import around, together

BELOW_ZERO, ABOVE_ZERO = (-np.inf, 0.0), (0.0, np.inf)


def near(value: float, error: float, inside: tuple[float, float]) -> str:
    """The verdict of a value with its standard error."""
    return judge(value - 2 * error, value + 2 * error, inside)


def c01(frames: Frames) -> Verdict:
    table = frames["table1"]
    parts = [judge(row.size_ratio_low, row.size_ratio_high, (3.5, 5.5)) for row in table.itertuples()]
    ratios = ", ".join(f"{name} {_range(group['size_ratio'])}" for name, group in table.groupby("dataset", sort=False))
    known = table.dropna(subset="size_ratio_printed")
    off = (known["size_ratio"] - known["size_ratio_printed"]).abs().max()
    return Verdict(
        together(*parts),
        f"PERT over CART: {ratios}",
        f"The printed table contradicts the sentence on ringnorm (4.89, 5.75, 6.21), and so does ours, for the same "
        f"reason: there CART needs few nodes. No ratio differs from the printed one by more than {off:.2f}.",
    )


def _range(values: pd.Series) -> str:
    return f"{values.min():.2f} to {values.max():.2f}"


def c02(frames: Frames) -> Verdict:
    table = frames["table1"].dropna(subset="cart_nodes_printed")
    parts, worst = [], {}
    for tree in ("cart", "pert"):
        said = table[f"{tree}_nodes_printed"]
        worst[tree] = float((100 * table[f"{tree}_nodes_difference"] / said).abs().max())
        parts += [
            near(row[f"{tree}_nodes"], row[f"{tree}_nodes_standard_error"], around(value, 0.05 * value))
            for (_, row), value in zip(table.iterrows(), said, strict=True)
        ]
    leaves = int((table["pert_nodes_printed"] > table["cases"]).sum())
    return Verdict(
        together(*parts),
        f"largest difference: CART {worst['cart']:.1f}%, PERT {worst['pert']:.1f}% of the printed number",
        f"All nodes are counted: {leaves} of {len(table)} printed PERT counts exceed the number of cases, which no "
        "count of leaves can do.",
    )


def c03(frames: Frames) -> Verdict:
    """Seconds change from run to run, so nothing measured is told here but on which side of the tolerance it lies."""
    table = frames["table1"]
    by_size = table.groupby("cases")["time_ratio"].mean()
    grows = "grows" if by_size.is_monotonic_increasing else "does not always grow"
    ours, other = (decide(abs(np.log10(table[name]).mean() - 2) <= 0.7) for name in ("time_ratio", "scikit_time_ratio"))
    return Verdict(
        together(ours, decide(grows == "grows")),
        f"the ratio of the two trees of this engine {grows} with the sample, and its geometric mean is "
        f"{'within' if ours == REPRODUCED else 'not within'} a factor of five of 100; with scikit-learn's CART it "
        f"{'is' if other == REPRODUCED else 'is not'} (measured ratios: Table 1)",
        "Print compares two programs of 2001; here both trees come from one engine that ranks the columns once for all "
        "trees, which takes most of CART's sorting away.",
    )


def c04(frames: Frames) -> Verdict:
    """The text holds out a tenth of every set; Breiman, whose procedure it follows, trained on fixed parts of some."""
    cells = frames["table2_cells"].query("learner == 'pert'").set_index("dataset")
    beyond = cells[cells["beyond"]]
    splits = frames["fixed_splits"].query("learner == 'pert'").set_index("dataset")
    inside = splits["fixed_difference"].abs() <= 2 * splits["fixed_standard_error"].fillna(0) + ALLOWED
    told = ", ".join(f"{name} {row['error']:.1f} ({row['error_printed']:.1f})" for name, row in beyond.iterrows())
    fixed = ", ".join(f"{name} {row['fixed']:.1f} ({row['fixed_printed']:.1f})" for name, row in splits.iterrows())
    return Verdict(
        decide(beyond.empty),
        f"{len(cells) - len(beyond)} of {len(cells)} sets within two standard errors and half a point; mean difference "
        f"{cells['error_difference'].mean():+.2f}; beyond (printed): {told or 'none'}",
        f"On fixed splits, as Breiman had them (printed): {fixed}; {int(inside.sum())} of {len(splits)} within.",
    )


def c05(frames: Frames) -> Verdict:
    table = frames["places"]
    inside = int((table["place"] == "within").sum())
    printed = int((table["place_printed"] == "within").sum())
    half_best, half_worst = 2 * table["less_best_standard_error"], 2 * table["less_worst_standard_error"]
    sure = int(((table["less_best"] - half_best > 0) & (table["less_worst"] + half_worst < 0)).sum())
    possible = int(((table["less_best"] + half_best >= 0) & (table["less_worst"] - half_worst <= 0)).sum())
    least = 12 * len(table) / 20
    return Verdict(
        judge(sure, possible, (least, len(table))),
        f"within the range on {inside} of {len(table)} sets (surely {sure}, possibly {possible}); printed: {printed} "
        f"of these; better than all on {_named(table, 'better')}; worse on {_named(table, 'worse')}",
        "Print sets PERT beside runs on other hold-outs, whose noise widens the range of the three; here all four "
        "share their hold-outs, and a set counts as sure when both ends of the range are two standard errors away.",
    )


def _named(table: pd.DataFrame, place: str) -> str:
    return ", ".join(table.loc[table["place"] == place, "dataset"]) or "none"


def c06(frames: Frames) -> Verdict:
    table = frames["places"].set_index("dataset")
    parts, told = [], []
    for name, gap, wanted in (
        ("vowel", "less_best", BELOW_ZERO),
        ("twonorm", "less_best", BELOW_ZERO),
        ("vehicle", "less_worst", ABOVE_ZERO),
        ("ringnorm", "less_worst", (4.0, np.inf)),
    ):
        if name not in table.index:
            parts.append(INCONCLUSIVE)
            continue
        row = table.loc[name]
        parts.append(near(row[gap], row[f"{gap}_standard_error"], wanted))
        other = row["best_of_three" if gap == "less_best" else "worst_of_three"]
        told.append(f"{name} {row[gap]:+.2f} (± {2 * row[f'{gap}_standard_error']:.2f}) against {other}: {parts[-1]}")
    return Verdict(
        together(*parts),
        f"PERT less the best (vowel, twonorm) or the worst (vehicle, ringnorm) of three: {'; '.join(told)}",
        "Differences on the same hold-outs; print sets PERT beside Breiman's runs, which had others.",
    )


def c07(frames: Frames) -> Verdict:
    curve = frames["tree_curve"]
    steps = curve[curve["trees"] > 100]
    falls = [near(row.fall, row.fall_standard_error, ABOVE_ZERO) for row in steps.itertuples()]
    values = [
        near(row.error, row.error_standard_error, around(row.error_printed, 1.0 if row.dataset == "ringnorm" else 0.4))
        for row in curve.dropna(subset="error_printed").itertuples()
    ]
    told = "; ".join(
        f"{name} {' / '.join(f'{error:.1f}' for error in group.dropna(subset='error_printed')['error'])}"
        for name, group in curve.groupby("dataset", sort=False)
    )
    far = curve.assign(off=curve["error"] - curve["error_printed"]).dropna(subset="off")
    far = far.loc[far["off"].abs().idxmax()]
    return Verdict(
        together(*falls, *values),
        f"{told}; falls at {falls.count('reproduced')} of {len(falls)} steps; largest difference from print "
        f"{far['off']:+.2f} ({far['dataset']}, {far['trees']:g} trees)",
        f"All sizes come from one forest, so the falls are paired; the standard error of a level is "
        f"{curve.loc[curve['dataset'] != 'ringnorm', 'error_standard_error'].max():.2f} at most, on ringnorm "
        f"{curve.loc[curve['dataset'] == 'ringnorm', 'error_standard_error'].max():.2f}, as its samples differ most.",
    )


def c08(frames: Frames) -> Verdict:
    curve = frames["tree_curve"].query("dataset == 'ringnorm'")
    last = curve.loc[curve["trees"].idxmax()]
    high = near(last["error"], last["error_standard_error"], (4.9 + 3, np.inf))
    share = last["share_of_errors_on_class_1"]
    rings = frames["ringnorm_rings"].query("dimension == 20 and `class` == 1")
    pert, outer = rings[rings["learner"] == "pert"], rings[(rings["from"] >= 1.5)]
    outside = outer.loc[outer["learner"] == "pert", "errors"].sum() / pert["errors"].sum()
    rate = outer.groupby("learner")[["errors", "cases"]].sum()
    rate = 100 * rate["errors"] / rate["cases"]
    table = frames["ringnorm"].set_index(["learner", "dimension"])["above_bayes"]
    grows = {name: " / ".join(f"{value:.1f}" for value in table[name]) for name in ("pert", "forest_single")}
    sizes = " / ".join(str(size) for size in table["pert"].index)
    return Verdict(
        together(high, decide(bool(share > 0.8))),
        f"error {last['error']:.1f} with {last['trees']:g} trees; {100 * share:.0f}% of the errors are class-1 cases; "
        f"of those {100 * outside:.0f}% lie beyond 1.5 in |x| / sqrt(20), where class 2 hardly reaches: PERT errs on "
        f"{rate['pert']:.1f}% of class 1 there, Forest-RI on {rate['forest_single']:.1f}%",
        f"Points above the Bayes error in {sizes} dimensions: PERT {grows['pert']}, Forest-RI "
        f"{grows['forest_single']}.",
    )


def c09(frames: Frames) -> Verdict:
    """Order and values; the values also with all wrong votes in place of those for the strongest rival."""
    table = frames["table4"].set_index(["dataset", "learner"])
    orders = []
    for name in table.index.unique("dataset"):
        cart, pert = table.loc[(name, "bagged_cart")], table.loc[(name, "pert")]
        for measure in ("strength", "correlation"):
            error = np.hypot(cart[f"{measure}_standard_error"], pert[f"{measure}_standard_error"])
            orders.append(near(cart[measure] - pert[measure], error, ABOVE_ZERO))
    values = table.dropna(subset="strength_printed")
    verdicts, far = {}, {}
    for reading in ("", "_right_less_wrong"):
        parts = []
        for measure, tolerance in (("strength", 0.04), ("correlation", 0.03)):
            off = values[measure + reading] - values[f"{measure}_printed"]
            errors = values[f"{measure}_standard_error"]
            parts += [near(gap, error, (-tolerance, tolerance)) for gap, error in zip(off, errors, strict=True)]
            far[measure + reading] = f"{measure} {off[off.abs().idxmax()]:+.3f} ({', '.join(off.abs().idxmax())})"
        verdicts[reading] = together(*parts)
    infinite = (values["correlation_of_infinitely_many"] - values["correlation_printed"]).abs().max()
    return Verdict(
        together(*orders, verdicts[""]),
        f"order holds surely in {orders.count(REPRODUCED)} of {len(orders)} comparisons; largest differences from "
        f"print: {far['strength']}, {far['correlation']}",
        f"With all wrong votes counted, not those for the strongest rival alone, they are "
        f"{far['strength_right_less_wrong']} and {far['correlation_right_less_wrong']} "
        f"({verdicts['_right_less_wrong']} so): print seems to have done so "
        f"for the three classes of waveform. Without the spread that a finite forest leaves, no correlation is farther "
        f"from print than {infinite:.3f}.",
    )


def c10(frames: Frames) -> Verdict:
    table = frames["table4"]
    above, forests = int(table["forests_above_bound"].sum()), int(table["forests"].sum())
    vacuous = int((table["bound"] > 1).sum())
    return Verdict(
        decide(above == 0),
        f"error above the bound in {above} of {forests} forests",
        f"Loose: the mean bound exceeds 1 and says nothing in {vacuous} of {len(table)} rows, and it is never less "
        f"than {(table['bound'] / table['error']).min():.1f} times the error.",
    )


def c11(frames: Frames) -> Verdict:
    table = frames["posterior"]
    label = table["largest_departure_from_the_labels"].max()
    jumps = table[[name for name in table if name.startswith("largest_jump_at_")]].max()
    bend, across = table["largest_bend_within_a_block"].max(), table["largest_bend_across_a_border"].max()
    falling = bool(jumps.is_monotonic_increasing)  # the smallest shift comes first
    z = table[["forest_largest_z", "forest_bend_largest_z"]].max().max()
    exact = label < 1e-9 and falling and jumps.iloc[0] < 1e-6 and bend < 1e-9
    tests = int(table[["forest_tests", "forest_bend_tests"]].sum().sum())
    return Verdict(
        decide(bool(exact and z < 5 and (table["training_errors_of_trees"] == 0).all())),
        f"exact recursion: departure from the labels {_below(label, 1e-9)}, jump at the smallest shift "
        f"{_below(jumps.iloc[0], 1e-6)}, bend within a block {_below(bend, 1e-9)} (across borders {across:.2f}); "
        f"forests: largest |z| {z:.1f} in {tests} tests",
        "Decided by the exact recursion; |z| below 5 allows for the number of tests.",
    )


def _below(value: float, limit: float) -> str:
    """Rounding noise differs from machine to machine: only what matters of it is told."""
    return f"below {limit:.0e}" if value < limit else f"{value:.2g}"


def c12(frames: Frames) -> Verdict:
    table = frames["tree_times"].query("tree == 'PERT'")
    wrong = int(table["training_errors"].sum())
    return Verdict(
        decide(wrong == 0),
        f"{wrong} training errors of the PERT trees of Table 1, on continuous data",
    )


CLAIMS: dict[str, Claim] = {
    f"pert-c{number:02d}": claim
    for number, claim in enumerate((c01, c02, c03, c04, c05, c06, c07, c08, c09, c10, c11, c12), start=1)
}
