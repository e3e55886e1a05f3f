"""Section 4.3: margins (Table 3, Figure 4)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.paired import critical_t, paired_tests
from arboretum.measures.ties import less
from arboretum.papers.dynint.claims.runs import FOREST, WEIGHTED, cells, difference, gap, levels, own_sets
from arboretum.papers.dynint.tables.beside import named_columns
from arboretum.papers.dynint.tables.significance import LEVEL, outcomes_at_table2, sampled_wins
from arboretum.papers.dynint.tables.studies import (
    NEIGHBOURS,
    SCHEMES,
    accuracies,
    at_table2,
    drawn_sets,
    improved_in_print,
    margin_runs,
    margins,
    others,
)
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, from_samples, mean_of
from arboretum.papers.results import Results

Pairs = Sequence[tuple[str, str]]


def of_both(pairs: Pairs) -> list[tuple[str, str]]:
    """The same two schemes with DV, and with DVS."""
    return [(f"{strategy}_{one}", f"{strategy}_{other}") for strategy in ("dv", "dvs") for one, other in pairs]


def gaps(results: Results, pairs: Pairs) -> dict[str, Estimate]:
    """Margin of one method less that of another, on each of the 12 sets."""
    return {
        f"{name}, {better} less {worse}": gap(results, "table 3", [name], better, worse)
        for name in improved_in_print(results)
        for better, worse in pairs
    }


def share_of_wins(results: Results, pairs: Pairs, purpose: str) -> Estimate:
    """Share of the comparisons on the 12 sets that the paired t-test over 30 splits finds significantly larger."""
    splits, won, sampled = named_columns(at_table2(margin_runs(results))), [], []
    for name in improved_in_print(results):
        found = np.column_stack([splits.loc[(name, one)] - splits.loc[(name, other)] for one, other in pairs])
        won += [*less(critical_t(len(found), LEVEL), paired_tests(found, 0.0).t)]
        sampled.append(sampled_wins(found, name, purpose))
    samples = np.concatenate(sampled, axis=1).mean(axis=1)
    return from_samples(float(np.mean(won)), samples, f"{len(samples)} bootstrap samples of the splits")


@claim("dynint-c12", evidence=("table3", "margin_wins", "cells", "beyond", "drawings"))
def margins_rise_on_every_set(results: Results):
    """Margins of eight methods less that of voting on the 12 sets; the cells of Table 3."""
    found, drawn = cells(results, "table 3"), drawn_sets(results)
    methods = [f"{strategy}_{scheme}" for strategy in ("dv", "dvs") for scheme in SCHEMES]
    return {
        "rise of the margin": gaps(results, [(method, "sv") for method in methods]),
        "cell": {key: mean for key, (name, mean, _) in found.items() if name not in drawn},
        "cell of a generated set": {key: one for key, (name, _, one) in found.items() if name in drawn},
    }


@claim("dynint-c13", evidence=("margin_wins",))
def margins_rise_on_most_other_sets(results: Results):
    """Sets among the other 15 on which DVSrfw raises the margin significantly in a study of 30 splits."""
    found = outcomes_at_table2(results, "margin").xs(("dvs", "rfw"), level=["strategy", "scheme"]).loc[others(results)]
    return {
        "sets raised": mean_of((found == 1).sum().to_numpy()),
        "sets lowered": mean_of((found == -1).sum().to_numpy()),
    }


@claim("dynint-c14", evidence=("table3",))
def margins_by_scheme(results: Results):
    """Margins of weighted schemes less unweighted, and of forest similarity less HEOM, on each of the 12 sets."""
    return {"weighted": gaps(results, of_both(WEIGHTED)), "forest similarity": gaps(results, of_both(FOREST))}


@claim("dynint-c15", evidence=("table3",))
def weighted_forest_similarity_stands_out(results: Results):
    """Comparisons of DVrfw and DVSrfw with the other three schemes that are significant."""
    pairs = of_both([("rfw", other) for other in SCHEMES if other != "rfw"])
    return {"comparisons won": share_of_wins(results, pairs, "rfw")}


@claim("dynint-c16", evidence=("table3",))
def dvs_has_a_larger_margin_than_dv(results: Results):
    """Margin of DVS less that of DV in each scheme, on each of the 12 sets; how many are significant."""
    pairs = [(f"dvs_{scheme}", f"dv_{scheme}") for scheme in SCHEMES]
    return {"DVS less DV": gaps(results, pairs), "comparisons won": share_of_wins(results, pairs, "dvs")}


def growth(frame: pd.DataFrame, names: Sequence[str], few: int, many: int) -> dict[str, Estimate]:
    """What voting, and DVS in the mean of its schemes, gain between two ensemble sizes."""
    known = frame[frame.index.get_level_values("neighbours").isin((0, NEIGHBOURS))]
    means = known.groupby(level=["dataset", "strategy", "trees"]).mean()
    return {
        title: difference(means, names, (strategy, many), (strategy, few))
        for title, strategy in (("voting", "sv"), ("DVS", "dvs"))
    }


@claim("dynint-c17", evidence=("figure4", "figure2"))
def margins_hardly_grow_with_the_forest(results: Results):
    """Growth of margin and accuracy with the number of trees."""
    names, margin = own_sets(results), margins(results)
    least, *_, before, most = levels(margin, "trees")
    rise = growth(margin, names, least, most)
    return {
        "rise of the margin of voting": rise["voting"],
        "rise of the margin of DVS": rise["DVS"],
        "rise of accuracy": growth(100 * accuracies(results), names, least, most),
        "rise of the margin from 50 to 100 trees": growth(margin, names, before, most),
    }
