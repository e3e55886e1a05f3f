"""Purely random forests: infinity, sections 7 and 8."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.parameters import choice, constraints, whole
from arboretum.trees import grow_purely_random


class PurelyRandomForest(TreeEnsemble):
    """Trees with a random node, variable and cut at each step, up to T terminal nodes; the data only fill the nodes.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters
    ----------
    n_leaves : number of terminal nodes of a tree (T).
    cut : "uniform" on the side of the node (section 7), or "triangular" with its peak at the cut of fewest training
        errors (section 8).
    box : "data" is the range of each training feature, "unit" the unit cube.
    """

    kinds: ClassVar = {"purely_random": {}}

    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "bootstrap",
        "combine",
        "ties",
        "oob_score",
        "warm_start",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        n_leaves=whole(1),
        cut=choice("uniform", "triangular"),
        box=choice("data", "unit"),
    )
    _fills_missing = True
    _reads_levels_as_numbers = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        n_estimators=100,
        n_leaves=16,
        *,
        cut="uniform",
        box="data",
        bootstrap=False,
        combine="probability",
        ties="first",
        oob_score=False,
        warm_start=False,
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.n_leaves = n_leaves
        self.cut = cut
        self.box = box
        self.bootstrap = bootstrap
        self.combine = combine
        self.ties = ties
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _bootstraps(self):
        return self.bootstrap

    def _grow(self, table, classes, weights):
        q = table.shape[1]
        unit = np.stack([np.zeros(q), np.ones(q)])
        box = unit if self.box == "unit" else np.stack([table.cells.min(axis=0), table.cells.max(axis=0)])
        return grow_purely_random(
            table,
            classes,
            len(self.classes_),
            self._seeds(),
            n_leaves=self.n_leaves,
            box=box,
            triangular=self.cut == "triangular",
            weights=weights,
            bootstrap=self.bootstrap,
            n_jobs=self._jobs(),
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # the construction does not look for good cuts
        return tags
