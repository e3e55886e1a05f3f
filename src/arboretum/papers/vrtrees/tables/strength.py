"""Strength and correlation: Table 2, the shapes of Figure 4, Breiman's bound, and Figure 9 in numbers."""

from __future__ import annotations

import pandas as pd

from arboretum.measures import ties
from arboretum.measures.margins import breiman_bound
from arboretum.papers.contract import table
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.curves import shape_of
from arboretum.papers.vrtrees.rates import (
    METHODS,
    available_sets,
    bootstrap_weights,
    forests_by_repetition,
    measures_by_repetition,
    over_repetitions,
    set_means,
    spectrum_measures,
)
from arboretum.papers.vrtrees.tables.performance import spread


@table(
    title="Table 2: ranges of strength and correlation",
    keys=("method",),
    sources=("spectrum",),
    caption=(
        "Greatest less least value over alpha, averaged over the data sets and repetitions. low, high: 95%, the sets "
        "fixed and the repetitions drawn anew; over sets: bootstrap over data sets. "
        "The held-out cases of the ten folds are taken together; by fold: the mean of the ten folds' own "
        "correlations; equation 5: the formula as printed, var(s) / mean sd, without the square."
    ),
)
def table2(results: Results) -> pd.DataFrame:
    """Table 2: ranges of strength and correlation over alpha, averaged over sets."""
    names = available_sets(results)
    weights = bootstrap_weights(names)
    text = results.printed["table2_ranges"].set_index("method")
    curves = measures_by_repetition(results).groupby(level=["method", "dataset", "repetition"])
    ranges = curves.max() - curves.min()
    rows = []
    for method, key in METHODS.items():
        spans = ranges.loc[method].loc[names]
        repeated, row = over_repetitions(spans), {"method": method}
        for measure in ("strength", "correlation"):
            name, place = f"{measure}_range", spans.columns.get_loc(measure)
            row |= {f"{name}_printed": text.loc[key, name], name: repeated.mean[place]}
            row |= spread(name, repeated.draws[:, place])
            row |= spread(name, weights @ set_means(spans)[measure].to_numpy(), "_over_sets")
            row |= {f"{name}_difference": repeated.mean[place] - text.loc[key, name]}
        row["correlation_range_by_fold"] = set_means(spans)["correlation_by_fold"].mean()
        row["correlation_range_equation_5"] = set_means(spans)["correlation_as_printed"].mean()
        rows.append(row)
    return pd.DataFrame(rows)


@table(
    title="Strength-correlation curves of aggregating, set by set",
    keys=("dataset",),
    sources=("spectrum",),
    caption=(
        "Means over repetitions. gained by half: the share of the range (strength) or of the rise from alpha 0 to 1 "
        "(correlation) that is reached at alpha 0.5. corner: the point farthest from the chord, both axes scaled."
    ),
)
def curve_shapes(results: Results) -> pd.DataFrame:
    """The strength-correlation curve of aggregating on every set: how far it spans and where its corner is."""
    curves = spectrum_measures(results).loc["aggregating"]
    return pd.DataFrame([{"dataset": name} | shape_of(curves.loc[name]) for name in available_sets(results)])


@table(
    title="Breiman's inequality on every forest",
    keys=("method",),
    sources=("spectrum",),
    caption=(
        "Error against rho (1 - s^2) / s^2, all data sets, alphas and repetitions. Section 5.2 prints the inequality "
        "the wrong way round; the bound says something only where the strength s is positive."
    ),
)
def bound_check(results: Results) -> pd.DataFrame:
    """Breiman's inequality on every forest of the spectrum, in his direction and in the printed one."""
    measures = measures_by_repetition(results)
    strong = measures[ties.less(0, measures["strength"])]
    error, bound = strong["error"] / 100, breiman_bound(strong["strength"], strong["correlation"])
    below, above = ties.at_most(error, bound), ties.at_most(bound, error)
    frame = pd.DataFrame(
        {"error_below_bound": below, "error_above_bound": above, "bound": bound, "error": error}, index=strong.index
    )
    grouped = frame.groupby(level="method")
    counts = grouped[["error_below_bound", "error_above_bound"]].sum()
    counts.insert(0, "forests", measures.groupby(level="method").size())
    counts.insert(1, "with_positive_strength", grouped.size())
    return counts.assign(median_bound=grouped["bound"].median(), median_error=grouped["error"].median()).reset_index()


@table(
    title="Figure 9 in numbers: F of random forests against alpha",
    keys=("dataset",),
    sources=("forests",),
    caption="Greatest less least value over all F and over all alpha in one repetition; means over repetitions.",
)
def forest_ranges(results: Results) -> pd.DataFrame:
    """How far strength, correlation and error move over all F and over all alpha."""
    return ranges_by_repetition(results).groupby(level="dataset").mean().reset_index()


@once
def ranges_by_repetition(results: Results) -> pd.DataFrame:
    """Ranges of strength, correlation and error over F and over alpha, and their ratio; index dataset, repetition."""
    curves = forests_by_repetition(results).groupby(level=["dataset", "repetition", "learner"])
    wide = (curves.max() - curves.min()).unstack("learner")
    frame = pd.DataFrame(
        {
            f"{measure}_range_{learner}": wide[measure, learner]
            for measure in ("strength", "correlation", "error")
            for learner in ("random_forest", "aggregating")
        }
    )
    return frame.assign(
        correlation_ratio=frame["correlation_range_random_forest"] / frame["correlation_range_aggregating"]
    )
