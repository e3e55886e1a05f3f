"""Section 4.2, Figures 1 and 2: strategies, schemes and neighbourhoods in the mean over the sets improved in print."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from arboretum.papers.dynint.claims.shared import (
    near,
    near_all,
    one,
    percent,
    plain,
    sets_of_means,
    with_errors,
)
from arboretum.papers.dynint.tables.shared import (
    SCHEMES,
    accuracies,
    gains_over_voting,
    improved_in_print,
    mean_and_error,
    mean_over_sets,
)
from arboretum.papers.dynint.tables.significance import sets_in_order
from arboretum.papers.results import Results
from arboretum.papers.verdicts import POSITIVE, Stated, Verdict, all_parts, around, claim

WEIGHTED = (("heomw", "heom"), ("rfw", "rf"))  # weighted, and the same unweighted
FOREST = (("rf", "heom"), ("rfw", "heomw"))  # by forest similarity, and the same by HEOM


def gains(results: Results) -> pd.DataFrame:
    """Accuracy less that of voting, one column per replication."""
    return gains_over_voting(accuracies(results))


def levels(runs: pd.DataFrame, name: str) -> list:
    return sorted(set(runs.index.get_level_values(name)) - {0})


@claim("dynint-c03")
def dvs_is_slightly_better_than_dv(results: Results, stated: Stated) -> Verdict:
    """DVS less DV in the mean over sets and all configurations."""

    def difference(names: list[str]) -> pd.Series:
        runs = mean_over_sets(gains(results), names).groupby(level="strategy").mean()
        return runs.loc["dvs"] - runs.loc["dv"]

    found = with_errors({"own": difference(sets_of_means(results)), "all": difference(sets_in_order(results))})
    points = 100 * found
    return Verdict(
        near(found.loc["own"], stated.limit("difference")),
        {
            "difference": points.loc["own", "mean"],
            "error": points.loc["own", "se"],
            "everywhere": points.loc["all", "mean"],
            "everywhere_error": points.loc["all", "se"],
            "sets": len(sets_of_means(results)),
            "all_sets": len(sets_in_order(results)),
        },
        "DVS less DV in the mean over {sets} sets, all schemes, ensemble sizes and neighbourhoods: {difference:+.3f} "
        "points (standard error {error:.3f}); over all {all_sets} sets: {everywhere:+.3f} ({everywhere_error:.3f})",
        "The sets are those improved in print without images.",
    )


@claim("dynint-c04")
def accuracy_falls_slowly_with_the_neighbourhood(results: Results, stated: Stated) -> Verdict:
    """Steps of Figure 1 at every ensemble size, mean over four schemes."""
    means = mean_over_sets(gains(results), sets_of_means(results)).loc["dvs"]
    means = means.groupby(level=["trees", "neighbours"]).mean()
    numbers = levels(means, "neighbours")
    steps = {
        (size, first, second): means.loc[(size, first)] - means.loc[(size, second)]
        for size in levels(means, "trees")
        for first, second in pairwise(numbers)
    }
    found = with_errors(steps)
    begins = found.index.get_level_values(1) == numbers[0]
    slack = stated.limit("nearly_equal")
    last = mean_and_error(means.xs(numbers[-1], level="neighbours"))
    return Verdict(
        {
            "15 and 31 nearly equal": near_all(found[begins], (-slack, slack)),
            "falls from 31 to 63 to 127": near_all(found[~begins], POSITIVE),
            "still above voting at 127": near_all(last, POSITIVE),
        },
        {
            "falls": by_trees(found),
            "error": float(100 * found["se"].max()),
            "above_voting": {f"{size} trees": gain for size, gain in percent(last).items()},
        },
        "falls in points from 15 to 31 / to 63 / to 127: {falls:.2f}; standard errors up to {error:.2f}; above "
        "voting with 127 neighbours: {above_voting:.2f}",
        "DVS, mean over the sets improved in print without images and the four schemes.",
    )


def by_trees(found: pd.DataFrame) -> dict[str, list[float]]:
    """Means in points by number of trees, the first level of the index."""
    return {f"{size} trees": (100 * rows["mean"]).tolist() for size, rows in found.groupby(level=0)}


@claim("dynint-c05")
def weighted_schemes_are_less_sensitive(results: Results, stated: Stated) -> Verdict:
    """The fall from 15 to 127 neighbours of unweighted schemes less that of weighted ones, mean over sizes."""
    means = mean_over_sets(gains(results), sets_of_means(results)).loc["dvs"]
    means = means.groupby(level=["scheme", "neighbours"]).mean()
    numbers = levels(means, "neighbours")
    falls = {scheme: means.loc[(scheme, numbers[0])] - means.loc[(scheme, numbers[-1])] for scheme in SCHEMES}
    gaps = with_errors({weighted: falls[unweighted] - falls[weighted] for weighted, unweighted in WEIGHTED})
    return Verdict(
        {
            "HEOM": near(gaps.loc["heomw"], POSITIVE),
            "forest similarity": near(gaps.loc["rfw"], POSITIVE),
        },
        {"falls": percent(with_errors(falls)), "gaps": percent(gaps), "errors": percent(gaps, "se")},
        "fall from 15 to 127 neighbours, points: {falls:.2f}; weighted falls less by: {gaps:+.2f} (standard errors "
        "{errors:.2f})",
        "DVS, mean over the sets improved in print without images and the four ensemble sizes.",
    )


@claim("dynint-c06")
def every_scheme_gains_and_rfw_is_best(results: Results, stated: Stated) -> Verdict:
    """Means of Table 2 without images, gains of the four schemes, and the best of them."""
    names = sets_of_means(results)
    runs = mean_over_sets(accuracies(results), names)
    columns = {"sv": one(runs, "sv"), **{f"dvs_{scheme}": one(runs, "dvs", scheme) for scheme in SCHEMES}}
    found = with_errors(columns)
    printed = printed_means(results, names)
    above = with_errors({scheme: columns[f"dvs_{scheme}"] - columns["sv"] for scheme in SCHEMES})
    leads = with_errors({scheme: columns["dvs_rfw"] - columns[f"dvs_{scheme}"] for scheme in SCHEMES[:-1]})
    allowed = stated.limit("mean")
    return Verdict(
        {
            "means as printed": all_parts(*(near(found.loc[name], around(printed[name], allowed)) for name in columns)),
            "every scheme gains": near_all(above, (stated.limit("gain"), np.inf)),
            "rfw is best": near_all(leads, POSITIVE),
        },
        {
            "means": plain(found),
            "printed": printed,
            "gains": percent(above),
            "errors": percent(above, "se"),
            "leads": percent(leads),
            "lead_errors": percent(leads, "se"),
            "sets": len(names),
        },
        "means over {sets} sets: {means:.4f}; print on the same sets: {printed:.4f}; gains in points: {gains:.2f} "
        "(standard errors {errors:.2f}); rfw ahead of: {leads:+.2f} ({lead_errors:.2f})",
        "images is left out on both sides.",
    )


def printed_means(results: Results, names: list[str]) -> dict[str, float]:
    """Means of the printed accuracies over the same sets."""
    text = results.printed["table2_accuracy"].set_index("dataset").loc[names]
    return {name: float(text[name].mean()) for name in ("sv", *(f"dvs_{scheme}" for scheme in SCHEMES))}


@claim("dynint-c07")
def weighted_and_forest_schemes_are_better(results: Results, stated: Stated) -> Verdict:
    """Orders of Figure 2 at every ensemble size."""
    means = mean_over_sets(gains(results), sets_of_means(results))
    allowed = (-stated.limit("slack"), np.inf)
    parts, every, errors = {}, {}, []
    for part, pairs in (("weighted beats unweighted", WEIGHTED), ("forest similarity beats HEOM", FOREST)):
        gaps = with_errors(
            {
                (f"{better} less {worse}", size): one(means, "dvs", better, size) - one(means, "dvs", worse, size)
                for better, worse in pairs
                for size in levels(means, "trees")
            }
        )
        parts[part] = near_all(gaps, allowed)
        every |= {pair: (100 * rows["mean"]).tolist() for pair, rows in gaps.groupby(level=0, sort=False)}
        errors.append(float(100 * gaps["se"].max()))
    printed = printed_means(results, improved_in_print(results))
    return Verdict(
        parts,
        {"gaps": every, "error": max(errors), "printed_rf": printed["dvs_rf"], "printed_heom": printed["dvs_heom"]},
        "points with 10 / 25 / 50 / 100 trees: {gaps:+.2f}; standard errors up to {error:.2f}",
        "DVS with 15 neighbours, mean over the sets improved in print without images. Print's own averages of 100 "
        "trees are {printed_rf:.4f} for rf and {printed_heom:.4f} for heom.",
    )
