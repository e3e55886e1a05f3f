"""Comparisons over splits that all learners share, as estimates; sets have 20, 5 or 1 of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.papers.diversity.tables.components import SETS, components, sets_present
from arboretum.papers.kit.estimate import Estimate, difference_of
from arboretum.papers.results import NotRun, Results

Array = np.ndarray


def sets_run(results: Results, names: tuple[str, ...] = SETS) -> list[str]:
    """Those of ``names`` on which forests were grown, in the order of print; at least one."""
    results.tables["minima"]  # says so where no forests were grown
    found = sets_present(results, names)
    if not found:
        raise NotRun("no forests on " + ", ".join(names))
    return found


def along(results: Results, column: str, dataset: str, learner: str, most: int | None = None) -> pd.DataFrame:
    """A component of one learner on one set: one row per split, one column per number of trees."""
    frame = components(results)
    frame = frame[(frame["dataset"] == dataset) & (frame["learner"] == learner)]
    return frame.pivot(index="split", columns="members", values=column).loc[:, :most]


def pair(wide: pd.DataFrame, dataset: str, *learners: str) -> Array:
    """Splits of one set by learners."""
    return wide.loc[dataset, list(learners)].to_numpy()


def less_rival(wide: pd.DataFrame, learner: str, rival: str, sets: Iterable[str]) -> dict[str, Estimate]:
    """``learner`` less ``rival`` on the same splits, for each set."""
    return {name: difference_of(*pair(wide, name, learner, rival).T) for name in sets}
