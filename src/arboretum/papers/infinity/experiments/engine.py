"""Purely random trees of the engine on points of the unit cube: what the formulas of section 7 are held against."""

from __future__ import annotations

import numpy as np

from arboretum.ensembles import PurelyRandomForest
from arboretum.papers.infinity.experiments.axes import PAPER
from arboretum.seeds import random_state


def grown_leaves(points: np.ndarray, leaves: int, trees: int, axes: dict, labels: int = 0) -> np.ndarray:
    """The leaf of each point in each of ``trees`` purely random trees of the engine: (points, trees).

    The trees need classes to fill their leaves with: every other point has the other class, from ``labels`` on.
    """
    seed = random_state(paper=PAPER, **axes)
    forest = PurelyRandomForest(n_estimators=trees, n_leaves=leaves, box="unit", random_state=seed)
    return forest.fit(points, (np.arange(len(points)) + labels) % 2).apply(points)
