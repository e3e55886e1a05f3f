"""Claims on strength and correlation: Table 2, Figures 4 and 9, Breiman's bound."""

from __future__ import annotations

import pandas as pd

from arboretum.measures import ties
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, around, claim, decide, judge
from arboretum.papers.vrtrees.claims.shared import most_sets
from arboretum.papers.vrtrees.curves import shapes_by_repetition


@claim("vrtrees-c11")
def ranges_of_strength_and_correlation(results: Results, stated: Stated) -> Verdict:
    """The ranges of strength are as printed, and aggregating spans far more correlation than bagging."""
    table = results.tables["table2"].set_index("method")
    parts = {
        f"strength of {row.Index}": judge(
            row.strength_range_low,
            row.strength_range_high,
            around(row.strength_range_printed, stated.limit("strength")),
        )
        for row in table.itertuples()
    }
    ratio = table.loc["aggregating", "correlation_range"] / table.loc["bagging", "correlation_range"]
    parts["order of correlation"] = decide(ties.at_most(stated.limit("correlation_ratio"), ratio))
    ranges = {row.Index: [row.strength_range, row.correlation_range] for row in table.itertuples()}
    ends = {row.Index: [row.strength_range_low, row.strength_range_high] for row in table.itertuples()}
    over_sets = {
        row.Index: [row.strength_range_low_over_sets, row.strength_range_high_over_sets] for row in table.itertuples()
    }
    return Verdict(
        parts,
        {"ranges": ranges, "strength_95": ends, "strength_95_over_sets": over_sets, "correlation_ratio": ratio},
        "strength / correlation: {ranges:.3f}; aggregating spans {correlation_ratio:.1f} times the correlation of "
        "bagging; strength, 95% over repetitions: {strength_95:.3f}; over sets: {strength_95_over_sets:.3f}",
    )


def strength_then_correlation(shapes: pd.DataFrame, stated: Stated) -> pd.DataFrame:
    """The three statements of the claim on each curve."""
    gained = {name: shapes[f"{name}_gained_by_half"] for name in ("strength", "correlation")}
    holds = {
        "strength": ties.less(stated.limit("strength_gained_by_half"), gained["strength"]),
        "correlation": ties.less(gained["correlation"], stated.limit("correlation_gained_by_half")),
        "peak at 1": ties.equal(shapes["greatest_correlation_at"], 1),
    }
    return pd.DataFrame(holds, index=shapes.index)


@claim("vrtrees-c12")
def strength_first_then_correlation(results: Results, stated: Stated) -> Verdict:
    """On most sets strength is gained in the first half, correlation in the second, where it is greatest at 1."""
    of_means = strength_then_correlation(results.tables["curve_shapes"], stated)
    return most_sets(
        strength_then_correlation(shapes_by_repetition(results), stated).all(axis=1),
        stated.limit("share_of_sets"),
        {"all_three": int(of_means.all(axis=1).sum()), "each": of_means.sum().to_dict()},
        "all three on {share:.0%} of {sets} sets ({low:.0%} to {high:.0%}, repetitions; {low_over_sets:.0%} to "
        "{high_over_sets:.0%}, over sets); curves of means: on {all_three} sets ({each})",
    )


@claim("vrtrees-c13")
def corner_at_half(results: Results, stated: Stated) -> Verdict:
    """On most sets the corner of the strength-correlation curve is near alpha 0.5."""
    median = results.tables["curve_shapes"]["corner_at"].median()
    low, high = around(stated.printed("alpha"), stated.limit("corner"))
    corners = shapes_by_repetition(results)["corner_at"]
    return most_sets(
        pd.Series(ties.at_most(low, corners) & ties.at_most(corners, high), index=corners.index),
        stated.limit("share_of_sets"),
        {"from": low, "to": high, "median": median},
        "corner within {from:g} to {to:g} on {share:.0%} of {sets} sets ({low:.0%} to {high:.0%}, repetitions; "
        "{low_over_sets:.0%} to {high_over_sets:.0%}, over sets), median {median:g}",
    )


@claim("vrtrees-c26")
def forests_span_less_correlation(results: Results, stated: Stated) -> Verdict:
    """Random forests over all F span a much smaller range of correlation than aggregating over alpha."""
    ratios = results.tables["forest_ranges"].set_index("dataset")["correlation_ratio"]
    return Verdict(
        {name: decide(ties.less(ratio, stated.limit("correlation_ratio"))) for name, ratio in ratios.items()},
        {"ratios": ratios.to_dict()},
        "range of correlation over F as a share of that over alpha: {ratios:.2f}",
    )


@claim("vrtrees-c29")
def breiman_bounds_the_error(results: Results, stated: Stated) -> Verdict:
    """No forest errs more often than Breiman's bound allows."""
    counts = results.tables["bound_check"][["with_positive_strength", "error_below_bound", "error_above_bound"]].sum()
    forests, below, above = map(int, counts)
    return Verdict(
        decide(below == forests),
        {"forests": forests, "below": below, "above": above},
        "error at most the bound in {below} of {forests} forests with positive strength; at least the bound in {above}",
        "Section 5.2 prints the inequality the wrong way round; judged in Breiman's direction.",
    )
