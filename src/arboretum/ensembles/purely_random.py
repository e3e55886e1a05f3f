"""Purely random forests: infinity, sections 7 and 8."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.trees import grow_purely_random


class PurelyRandomForest(TreeEnsemble):
    """Random node, random variable, random cut, T terminal nodes; the data only fill the nodes.

    Parameters
    ----------
    n_leaves : terminal nodes of a tree (T).
    cut : "uniform" on the side of the node (section 7), or "triangular" with its peak at the cut of fewest training
        errors (section 8).
    box : "data" is the range of each training feature, "unit" the unit cube.
    """

    kinds: ClassVar = {"purely_random": {}}

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
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.n_leaves = n_leaves
        self.cut = cut
        self.box = box
        self.bootstrap = bootstrap
        self.combine = combine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("cut", self.cut, ("uniform", "triangular"))
        check_choice("box", self.box, ("data", "unit"))
        check_choice("combine", self.combine, ("votes", "probability"))
        check_number("n_estimators", self.n_estimators, 1, whole=True)
        check_number("n_leaves", self.n_leaves, 1, whole=True)

    def _prepare(self, table, fit):
        if fit:
            self.fill_values_ = table.fill_values()
        return table.filled(self.fill_values_).as_numbers()

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
        tags.classifier_tags.poor_score = True  # nothing in the construction looks for good cuts
        return tags
