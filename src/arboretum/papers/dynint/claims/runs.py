"""The runs that estimates are made of, set by set.

A run is a replication of the printed 30 splits; of a generated set it is a drawing where drawings are stored, which is
at 100 trees and 15 neighbours. Accuracies are in points, margins are not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.papers.dynint.tables.beside import printed_table
from arboretum.papers.dynint.tables.drawings import cell_runs
from arboretum.papers.dynint.tables.shared import (
    STAND_IN,
    accuracies,
    gains_over_voting,
    improved_in_print,
    printed_sets,
    without_stand_in,
)
from arboretum.papers.kit.estimate import Estimate, beside_print, difference_of, mean_of, one_run
from arboretum.papers.results import NotRun, Results

Runs = list[np.ndarray]  # one array per set
WEIGHTED = (("heomw", "heom"), ("rfw", "rf"))  # weighted, and the same unweighted
FOREST = (("rf", "heom"), ("rfw", "heomw"))  # by forest similarity, and the same by HEOM


def own_sets(results: Results, kind: str = "") -> list[str]:
    """The sets that means are taken over: those of the 12 that are the paper's own, of one kind or of both."""
    kinds = printed_sets(results).set_index("dataset")["feature_type"]
    names = [name for name in without_stand_in(improved_in_print(results)) if kind in ("", kinds[name])]
    if not names:
        raise NotRun(f"no {kind} set of the 12 is in this profile")
    return names


def column(results: Results, table: str, names: Sequence[str], name: str) -> Runs:
    """The runs of a column of Table 2 or Table 3."""
    found, unit = cell_runs(results), 100 if table == "table 2" else 1
    return [unit * found[table, dataset, name] for dataset in names]


def gap(results: Results, table: str, names: Sequence[str], better: str, worse: str) -> Estimate:
    """One column less another, in the mean over sets."""
    return difference_of(column(results, table, names, better), column(results, table, names, worse))


def rows(frame: pd.DataFrame, names: Sequence[str], *key) -> Runs:
    """The runs of one configuration, from a frame whose index begins with the set."""
    return [frame.loc[(name, *key) if key else name].to_numpy() for name in names]


def gains_of_dvs_by(results: Results, *axes: str) -> pd.DataFrame:
    """Gains of DVS over voting, one column per replication, by set and ``axes``: means of what is left."""
    gains = 100 * gains_over_voting(accuracies(results)).xs("dvs", level="strategy")
    return gains.groupby(level=["dataset", *axes]).mean()


def levels(frame: pd.DataFrame, name: str) -> list[int]:
    return sorted(set(frame.index.get_level_values(name)))


def cells(results: Results, table: str, file: str) -> dict[str, tuple[str, Estimate, Estimate]]:
    """Every cell of a printed table but those of the stand-in: its set, its mean, and what one study may give."""
    found, text = cell_runs(results), printed_table(results, file).drop(STAND_IN, errors="ignore")
    made = {}
    for (dataset, name), value in text.stack().items():
        runs, key = found[table, dataset, name], f"{dataset}, {name}"
        mean, single = (beside_print({key: one}, {key: value})[key] for one in (mean_of(runs), one_run(runs)))
        made[key] = (dataset, mean, single)
    return made
