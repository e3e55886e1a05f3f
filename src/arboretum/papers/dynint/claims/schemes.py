"""Section 4.2, Figures 1 to 3: strategies, schemes and neighbourhoods, in the mean over the sets improved in print."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from arboretum.papers.dynint.claims.runs import (
    FOREST,
    WEIGHTED,
    columns,
    difference,
    gains_of_dvs_by,
    levels,
    own_sets,
    rows,
)
from arboretum.papers.dynint.holm import signs
from arboretum.papers.dynint.tables.studies import NEIGHBOURS, SCHEMES, accuracies, whole, without_stand_in
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, exact, mean_of
from arboretum.papers.results import Results


@claim("dynint-c03", evidence=("wins", "figure2"))
def dvs_is_slightly_better_than_dv(results: Results):
    """DVS less DV in the mean of all configurations, and of the four schemes with 100 trees and 15 neighbours."""
    names, ours = own_sets(results), columns(results, "table 2").drop(index="sv", level="column")
    frame = 100 * whole(accuracies(results)).groupby(level=["dataset", "strategy"]).mean()
    strategies = ours.index.get_level_values("column").str.split("_").str[0]
    here = ours.groupby([ours.index.get_level_values("dataset"), strategies])
    return {
        "DVS less DV": difference(frame, names, ["dvs"], ["dv"]),
        "DVS less DV, 100 trees and 15 neighbours": difference(here.mean(), names, ["dvs"], ["dv"]),
        "DVS less DV, all sets": difference(frame, without_stand_in(levels(frame, "dataset")), ["dvs"], ["dv"]),
    }


@claim("dynint-c04", evidence=("figure1",))
def accuracy_falls_slowly_with_the_neighbourhood(results: Results):
    """Falls of the accuracy of DVS from one neighbourhood to the next, mean of four schemes; gain that is left."""
    names, frame = own_sets(results), gains_of_dvs_by(results, "trees", "neighbours")
    sizes, numbers = levels(frame, "trees"), levels(frame, "neighbours")

    def falls(few: int, many: int) -> dict[str, Estimate]:
        return {f"{size} trees, {few} to {many}": difference(frame, names, (size, few), (size, many)) for size in sizes}

    near, *far = (falls(few, many) for few, many in pairwise(numbers))
    return {
        "fall from 15 to 31": near,
        "fall from 31 to 63 to 127": {cell: fall for step in far for cell, fall in step.items()},
        "gain with 127 neighbours": {f"{size} trees": mean_of(rows(frame, names, size, numbers[-1])) for size in sizes},
    }


@claim("dynint-c05", evidence=("figure1",))
def weighted_schemes_are_less_sensitive(results: Results):
    """How much less a weighted scheme falls from the smallest neighbourhood to the largest, mean of ensemble sizes."""
    names, frame = own_sets(results), gains_of_dvs_by(results, "scheme", "neighbours")
    few, *_, many = levels(frame, "neighbours")
    falls = frame.xs(few, level="neighbours") - frame.xs(many, level="neighbours")
    return {
        "fall of unweighted less that of weighted": {
            title: difference(falls, names, [unweighted], [weighted])
            for title, (weighted, unweighted) in zip(("HEOM", "forest similarity"), WEIGHTED, strict=True)
        }
    }


def orders(results: Results, names: Sequence[str], pairs: Sequence[tuple[str, str]]) -> dict[str, Estimate]:
    """One scheme of DVS less another at every ensemble size."""
    frame = gains_of_dvs_by(results, "scheme", "trees", "neighbours")
    return {
        f"{better} less {worse}, {size} trees": difference(
            frame, names, (better, size, NEIGHBOURS), (worse, size, NEIGHBOURS)
        )
        for (better, worse), size in product(pairs, levels(frame, "trees"))
    }


@claim("dynint-c07", evidence=("figure2",))
def weighted_and_forest_schemes_are_better(results: Results):
    """Weighted less unweighted, and forest similarity less HEOM, at every ensemble size."""
    names = own_sets(results)
    return {"weighted": orders(results, names, WEIGHTED), "forest similarity": orders(results, names, FOREST)}


@claim("dynint-c23", evidence=("figure3",))
def orders_hold_on_numeric_sets(results: Results):
    """Gains and orders of the schemes on the numeric sets, at every ensemble size."""
    names, frame = own_sets(results, "numeric"), gains_of_dvs_by(results, "scheme", "trees", "neighbours")
    weighted, forest = (orders(results, names, pairs) for pairs in (WEIGHTED, FOREST))
    return {
        "gain": {
            f"{scheme}, {size} trees": mean_of(rows(frame, names, scheme, size, NEIGHBOURS))
            for scheme, size in product(SCHEMES, levels(frame, "trees"))
        },
        "weighted": weighted,
        "forest similarity": forest,
        "orders reversed": exact(sum(sign < 0 for sign in signs(weighted | forest).values())),
        "orders": exact(len(weighted | forest)),
    }
