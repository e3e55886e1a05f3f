"""Claims on strength and correlation: Table 2, Figures 4 and 9, Breiman's bound."""

from __future__ import annotations

import pandas as pd

from arboretum.measures import ties
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import beside_print, exact, mean_of
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.curves import shapes_by_repetition
from arboretum.papers.vrtrees.estimates import mean_over_sets, redrawn
from arboretum.papers.vrtrees.rates import METHODS, measures_by_repetition
from arboretum.papers.vrtrees.tables.strength import ranges_by_repetition

GAINED_BY_HALF = {"strength": 0.5, "correlation": 0.35}  # of the range: more than this, less than this
NEAR_HALF = (0.3, 0.7)  # alphas near 0.5


@claim("vrtrees-c11", evidence=("table2", "figure4"))
def ranges_of_strength_and_correlation(results: Results):
    """Ranges over alpha, mean over sets, and how many times that of bagging the range of aggregating is."""
    curves = measures_by_repetition(results).groupby(level=["method", "dataset", "repetition"])
    ranges, text = curves.max() - curves.min(), results.printed["table2_ranges"].set_index("method")
    spans = pd.DataFrame({method: ranges.loc[method]["correlation"] for method in METHODS})
    found = {"correlation, aggregating over bagging": redrawn(spans, lambda mean: mean[..., 0] / mean[..., 1])}
    for measure in ("strength", "correlation"):
        means = {method: mean_over_sets(ranges.loc[method][measure]) for method in METHODS}
        printed = {method: text.at[key, f"{measure}_range"] for method, key in METHODS.items()}
        found[f"range of {measure}"] = beside_print(means, printed)
    return found


@claim("vrtrees-c12", evidence=("figure4", "curve_shapes"))
def strength_first_then_correlation(results: Results):
    """Share of the sets on which strength is gained early, correlation late, and is greatest at 1: in one run."""
    shapes = shapes_by_repetition(results)
    holds = {
        "strength gained by 0.5": ties.less(GAINED_BY_HALF["strength"], shapes["strength_gained_by_half"]),
        "correlation gained after 0.5": ties.less(shapes["correlation_gained_by_half"], GAINED_BY_HALF["correlation"]),
        "correlation greatest at 1": ties.equal(shapes["greatest_correlation_at"], 1),
    }
    flags = pd.DataFrame(holds, index=shapes.index)
    return {
        "sets with all three": mean_over_sets(flags.all(axis=1)),
        "sets with each": {name: mean_over_sets(flags[name]) for name in flags},
    }


@claim("vrtrees-c13", evidence=("figure4", "curve_shapes"))
def corner_at_half(results: Results):
    """Share of the sets whose curve has its corner near alpha 0.5: in one run."""
    corners, (low, high) = shapes_by_repetition(results)["corner_at"], NEAR_HALF
    near = pd.Series(ties.at_most(low, corners) & ties.at_most(corners, high), index=corners.index)
    return {"sets with the corner near 0.5": mean_over_sets(near)}


@claim("vrtrees-c26", evidence=("figure9", "forest_ranges"))
def forests_span_less_correlation(results: Results):
    """Range of correlation of random forests over F as a share of that of aggregating over alpha, by run."""
    ratios = ranges_by_repetition(results)["correlation_ratio"].groupby(level="dataset")
    return {"range over F as a share of that over alpha": {name: mean_of(runs.to_numpy()) for name, runs in ratios}}


@claim("vrtrees-c29", evidence=("bound_check",))
def breiman_bounds_the_error(results: Results):
    """Forests of positive strength that break the inequality as printed, and in Breiman's direction."""
    counts = results.tables["bound_check"][["with_positive_strength", "error_below_bound", "error_above_bound"]].sum()
    forests, below, above = counts
    return {
        "forests below the expression": exact(forests - above),
        "forests above the expression": exact(forests - below),
        "forests": exact(forests),
    }
