"""One VR-Tree: vrtrees, Algorithm 1. With alpha = 1 it is C4.5."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_number, tree_seeds
from arboretum.trees import collapse, grow_forest, limit_leaves, prune, vr_rule


class VRTree(TreeEnsemble):
    """A single variable-random tree; by default the C4.5 tree, unpruned.

    Parameters as in :class:`VRForest`, and

    collapse : a subtree that does not lower the training error becomes a leaf (J48 does so even unpruned).
    prune : confidence of pessimistic pruning (C4.5: 0.25), or None.
    max_leaves : keep the divisions that lower entropy most, up to so many leaves, or None.
    """

    kinds: ClassVar = {"vr_tree": {}}

    _curtails = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        alpha=1.0,
        *,
        n_min=4,
        max_depth=None,
        max_leaves=None,
        mdl=True,
        average_gain=True,
        min_cases=2,
        random_cut="cases",
        collapse=False,
        prune=None,
        curtailment=False,
        n_jobs=1,
        random_state=None,
    ):
        self.alpha = alpha
        self.n_min = n_min
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.mdl = mdl
        self.average_gain = average_gain
        self.min_cases = min_cases
        self.random_cut = random_cut
        self.collapse = collapse
        self.prune = prune
        self.curtailment = curtailment
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_number("alpha", self.alpha, 0, 1)
        check_number("n_min", self.n_min, 0)
        if self.prune is not None:
            check_number("prune", self.prune, 1e-9, 0.5)
        if self.max_leaves is not None:
            check_number("max_leaves", self.max_leaves, 1, whole=True)

    def _grow(self, table, classes, weights):
        rule = vr_rule(
            self.alpha,
            from_values=self.random_cut == "values",
            min_cases=self.min_cases,
            mdl=self.mdl,
            average=self.average_gain,
        )
        seeds = tree_seeds(self.random_state, 1)
        settings = {"weights": weights, "n_min": self.n_min, "max_depth": self.max_depth}
        tree = grow_forest(table, classes, len(self.classes_), rule, seeds, **settings)
        if self.collapse:
            tree = collapse(tree)
        if self.prune is not None:
            tree = prune(tree, self.prune)
        if self.max_leaves is not None:
            tree = limit_leaves(tree, self.max_leaves)
        return tree
