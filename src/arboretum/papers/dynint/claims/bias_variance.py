"""Section 4.4: bias and variance (Table 4). Intervals come from ten replications of the study."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.dynint.claims.shared import described, near, near_all, plain, with_errors
from arboretum.papers.dynint.tables.bias_variance import (
    DECOMPOSITIONS,
    METHODS,
    average,
    decomposed,
    in_print,
    sets_of_table4,
)
from arboretum.papers.dynint.tables.shared import mean_and_error, without_stand_in
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NEGATIVE, POSITIVE, Stated, Verdict, all_parts, around, claim, decide, judge

NAMES = {"kw": "Kohavi-Wolpert", "breiman": "Breiman"}


def own_sets(results: Results) -> list[str]:
    """The sets of Table 4 that are the paper's own."""
    return without_stand_in(sets_of_table4(results))


def averages(results: Results) -> pd.DataFrame:
    """Means over these sets; index decomposition, method, part."""
    return average(decomposed(results), own_sets(results))


def printed_averages(results: Results) -> pd.Series:
    """The same of the printed numbers."""
    text = in_print(results)
    text = text[text.index.get_level_values("dataset").isin(own_sets(results))]
    return text.groupby(level=["decomposition", "method", "part"]).mean()


def averages_as_printed(results: Results, part: str, allowed: float) -> str:
    """The verdict on the averages of one part, of all methods in both decompositions."""
    ours, text = averages(results).xs(part, level="part"), printed_averages(results).xs(part, level="part")
    found = mean_and_error(ours)
    return all_parts(*(near(found.loc[key], around(text[key], allowed)) for key in ours.index))


def gaps(results: Results, part: str, methods: tuple[str, ...] = ("dv", "dvs")) -> pd.DataFrame:
    """Rows of the table of differences from voting that are about single sets."""
    table = results.tables["bias_variance_gaps"]
    table = table[(table["part"] == part) & table["method"].isin(methods)]
    return table[table["dataset"].isin(sets_of_table4(results))]


def verdicts_of(table: pd.DataFrame, inside: tuple[float, float]) -> list[str]:
    return [judge(low, high, inside) for low, high in table[["gap_low", "gap_high"]].to_numpy()]


def shown(results: Results, part: str) -> dict[str, dict[str, list[float]]]:
    """Our average of each method with print's, for each decomposition."""
    ours, text = averages(results).mean(axis=1), printed_averages(results)
    return {
        NAMES[name]: {
            method.upper(): [float(ours[name, method, part]), float(text[name, method, part])] for method in METHODS
        }
        for name in DECOMPOSITIONS
    }


@claim("dynint-c18")
def dynamic_voting_has_lower_bias(results: Results, stated: Stated) -> Verdict:
    """Bias of DV and DVS less that of voting, on every set and in both decompositions."""
    table, parts, sure = gaps(results, "bias"), {}, 0
    for name in DECOMPOSITIONS:
        found = verdicts_of(table[table["decomposition"] == name], NEGATIVE)
        parts[f"lower bias, {NAMES[name]}"] = all_parts(*found)
        sure += found.count("reproduced")
    parts["averages as printed"] = averages_as_printed(results, "bias", stated.limit("average"))
    higher = table[~less(table["gap"], 0)]
    return Verdict(
        parts,
        {
            "sure": sure,
            "comparisons": len(table),
            "higher": ", ".join(f"{row.dataset} ({row.method}, {row.decomposition})" for row in higher.itertuples())
            or "none",
            "averages": shown(results, "bias"),
        },
        "surely lower in {sure} of {comparisons} comparisons; not lower on {higher}; average bias, ours / printed: "
        "{averages:.3f}",
        "Surely: by the 95% interval of ten replications. Print does not name its test. images counts "
        "among the sets and is left out of the averages.",
    )


@claim("dynint-c19")
def variance_stays_about_equal(results: Results, stated: Stated) -> Verdict:
    """Average variance of DV and DVS against voting and against each other; the fall on parity2."""
    means, parts, changes = averages(results), {}, {}
    limits = {"about_equal": stated.limit("about_equal"), "dv_and_dvs": stated.limit("dv_and_dvs")}
    against_voting, each_other = [], []
    for name in DECOMPOSITIONS:
        rows = {method: means.loc[(name, method, "variance")] for method in METHODS}
        for method in ("dv", "dvs"):
            gap = rows[method] - rows["sv"]
            changes[f"{method.upper()}, {NAMES[name]}"] = float(gap.mean())
            against_voting.append(near(described(gap), around(0, limits["about_equal"])))
        gap = rows["dvs"] - rows["dv"]
        each_other.append(near(described(gap), around(0, limits["dv_and_dvs"])))
    table = gaps(results, "variance")
    parity = table[table["dataset"] == "parity2"]
    rises = table[table["surely"] == "more"]
    parts["about equal in the mean"] = all_parts(*against_voting)
    parts["falls on parity2"] = all_parts(*verdicts_of(parity, NEGATIVE))
    parts["DV and DVS equal in the mean"] = all_parts(*each_other)
    parts["averages as printed"] = averages_as_printed(results, "variance", stated.limit("average"))
    return Verdict(
        parts,
        {
            "changes": changes,
            "parity2": {
                f"{row.method.upper()}, {NAMES[row.decomposition]}": float(row.gap) for row in parity.itertuples()
            },
            "rises": ", ".join(f"{row.dataset} ({row.method}, {row.decomposition})" for row in rises.itertuples())
            or "none",
            "averages": shown(results, "variance"),
        },
        "average variance less that of voting: {changes:+.4f}; on parity2: {parity2:+.4f}; surely higher on {rises}; "
        "average variance, ours / printed: {averages:.3f}",
        "images is left out of the averages. Print finds a significant rise on DNAP alone (promoters, Breiman).",
    )


@claim("dynint-c20")
def selection_has_far_larger_variance(results: Results, stated: Stated) -> Verdict:
    """Variance of DS against voting on every set, and the ratio of the averages."""
    table, means = gaps(results, "variance", ("ds",)), averages(results)
    parts = {}
    ratios = with_errors(
        {
            NAMES[name]: means.loc[(name, "ds", "variance")] / means.loc[(name, "sv", "variance")]
            for name in DECOMPOSITIONS
        }
    )
    parts["larger on every set"] = all_parts(*verdicts_of(table, POSITIVE))
    parts["ratio of the averages"] = near_all(ratios, (stated.limit("ratio"), float("inf")))
    bias = gaps(results, "bias", ("ds",))
    rises = bias[bias["surely"] == "more"]
    parts["bias rises on some sets"] = decide(len(rises) > 0)
    return Verdict(
        parts,
        {
            "ratios": plain(ratios),
            "errors": plain(ratios, "se"),
            "printed": {"Kohavi-Wolpert": stated.printed("avg_ratio_kw"), "Breiman": stated.printed("avg_ratio_b")},
            "sets": len(own_sets(results)),
            "rises": ", ".join(f"{row.dataset} ({row.decomposition})" for row in rises.itertuples()) or "none",
        },
        "average variance of DS over that of voting: {ratios:.2f} (standard errors {errors:.2f}; printed {printed}); "
        "bias surely higher on {rises}",
        "images is left out of the ratio. Print names DNAP, images, tic-tac-toe and zoo for a rise of bias in both "
        "decompositions.",
    )


@claim("dynint-c21")
def decompositions_agree(results: Results, stated: Stated) -> Verdict:
    """Pearson's correlation between the two decompositions over sets, of bias and variance of each method."""
    frame = decomposed(results)
    own = frame[frame.index.get_level_values("dataset").isin(own_sets(results))]
    found = mean_and_error(correlations(own))
    text = correlations(in_print(results).to_frame("printed"))["printed"]
    threshold = stated.printed("threshold")
    below = found.index[less(found["mean"], threshold)]
    return Verdict(
        near_all(found, (stated.limit("correlation"), float("inf"))),
        {
            "correlations": plain(found),
            "errors": plain(found, "se"),
            "threshold": threshold,
            "below": ", ".join(below) or "none",
            "printed_below": text[less(text, threshold)].to_dict(),
            "sets": len(own_sets(results)),
        },
        "{correlations:.3f}; standard errors {errors:.3f}; below {threshold}: {below}",
        "Over {sets} sets, images left out. In print's own table below its threshold: {printed_below:.3f}.",
    )


def correlations(frame: pd.DataFrame) -> pd.DataFrame:
    """Correlation between the decompositions over sets, column by column; index bias or variance of each method."""
    wide = frame.unstack("dataset")
    rows = {}
    for part in ("bias", "variance"):
        for method in METHODS:
            one, other = (wide.loc[(name, method, part)].unstack("dataset") for name in DECOMPOSITIONS)
            rows[f"{part} of {method.upper()}"] = one.corrwith(other, axis=1)
    return pd.DataFrame(rows).T


@claim("dynint-c22")
def bias_and_variance_make_the_error(results: Results, stated: Stated) -> Verdict:
    """Bias + variance = error in both decompositions, here and in the printed table."""
    ours = decomposed(results).stack().unstack("part")
    gap = float((ours["bias"] + ours["variance"] - ours["error"]).abs().max())
    both = ours["error"].unstack("decomposition")
    gap = max(gap, float((both["kw"] - both["breiman"]).abs().max()))
    text = in_print(results).xs("error", level="part").unstack("decomposition")
    printed = float((text["kw"] - text["breiman"]).abs().max())
    return Verdict(
        {
            "here": decide(gap < stated.limit("gap")),
            "in print, within rounding": decide(bool(at_most(printed, stated.limit("gap_in_print")))),
        },
        {"gap": gap, "printed_gap": printed},
        "largest gap {gap:below 1e-12}; between the two sums in print: {printed_gap:.4f}",
    )
