"""The studies that estimates are made of, set by set. Accuracies are in points, margins are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.papers.dynint.tables.beside import TABLES_IN_PRINT, columns_of, printed_table
from arboretum.papers.dynint.tables.studies import (
    STAND_IN,
    accuracies,
    gains_over_voting,
    improved_in_print,
    printed_sets,
    without_stand_in,
)
from arboretum.papers.kit.estimate import Estimate, beside_print, mean_of, one_run
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


def columns(results: Results, table: str) -> pd.DataFrame:
    """The columns of Table 2, in points, or those of Table 3; index dataset, column."""
    return columns_of(results, table) * (100 if table == "table 2" else 1)


def gap(results: Results, table: str, names: Sequence[str], better: str, worse: str) -> Estimate:
    """One column of a table less another, in the mean over sets."""
    return difference(columns(results, table), names, [better], [worse])


def rows(frame: pd.DataFrame, names: Sequence[str], *key) -> Runs:
    """The studies of one configuration, from a frame whose index begins with the set."""
    return [frame.loc[(name, *key) if key else name].dropna().to_numpy() for name in names]


def difference(frame: pd.DataFrame, names: Sequence[str], one: Sequence, other: Sequence) -> Estimate:
    """One configuration less another, in the mean over sets: of each set the studies that both have."""
    return mean_of([(frame.loc[(name, *one)] - frame.loc[(name, *other)]).dropna().to_numpy() for name in names])


def gains_of_dvs_by(results: Results, *axes: str) -> pd.DataFrame:
    """Gains of DVS over voting, one column per study, by set and ``axes``: means of what is left."""
    gains = 100 * gains_over_voting(accuracies(results)).xs("dvs", level="strategy")
    by_axes = gains.groupby(level=["dataset", *axes])
    return by_axes.mean().where(by_axes.count().eq(by_axes.size(), axis=0))


def levels(frame: pd.DataFrame, name: str) -> list[int]:
    return sorted(set(frame.index.get_level_values(name)))


def cells(results: Results, table: str) -> dict[str, tuple[str, Estimate, Estimate]]:
    """Every cell of a printed table but those of the stand-in: its set, its mean, and what one study may give."""
    found, text = columns_of(results, table), printed_table(results, TABLES_IN_PRINT[table])
    made = {}
    for (dataset, name), value in text.drop(STAND_IN, errors="ignore").stack().items():
        runs, key = found.loc[(dataset, name)].dropna().to_numpy(), f"{dataset}, {name}"
        mean, single = (beside_print({key: one}, {key: value})[key] for one in (mean_of(runs), one_run(runs)))
        made[key] = (dataset, mean, single)
    return made
