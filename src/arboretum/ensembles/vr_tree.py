"""One VR-Tree: vrtrees, Algorithm 1. With alpha = 1 it is C4.5."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import TreeEnsemble, tree_seeds
from arboretum.ensembles.parameters import CONFIDENCE, constraints, whole
from arboretum.ensembles.vr_forest import rule_of
from arboretum.trees import collapse, grow_forest, limit_leaves, prune


class VRTree(TreeEnsemble):
    """A single variable-random tree; by default the C4.5 tree, unpruned.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters are as in :class:`VRForest`, and

    collapse : a subtree that does not lower the training error becomes a leaf (J48 does so even without pruning).
    prune : confidence of pessimistic pruning (C4.5: 0.25), or None.
    max_leaves : keep the splits that lower entropy most, up to this many leaves; None keeps all.
    """

    kinds: ClassVar = {"vr_tree": {}}

    _parameter_constraints: ClassVar = constraints(
        "alpha",
        "n_min",
        "max_depth",
        "mdl",
        "average_gain",
        "min_cases",
        "random_cut",
        "missing",
        "curtailment",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        max_leaves=[*whole(1), None],
        collapse=["boolean"],
        prune=CONFIDENCE,
    )
    _curtails = True

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
        missing="fractions",
        collapse=False,
        prune=None,
        curtailment=False,
        class_weight=None,
        unknown="missing",
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
        self.missing = missing
        self.collapse = collapse
        self.prune = prune
        self.curtailment = curtailment
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, table, classes, weights):
        seeds = tree_seeds(self.random_state, 1)
        settings = {"weights": weights, "n_min": self.n_min, "max_depth": self.max_depth, "missing": self.missing}
        tree = grow_forest(table, classes, len(self.classes_), rule_of(self, self.alpha), seeds, **settings)
        if self.collapse:
            tree = collapse(tree)
        if self.prune is not None:
            tree = prune(tree, self.prune)
        if self.max_leaves is not None:
            tree = limit_leaves(tree, self.max_leaves)
        return tree

    def apply(self, X):
        """Leaf that each case reaches: (cases,)."""
        return super().apply(X)[:, 0]

    def decision_path(self, X):
        """Nodes that each case passes: a sparse indicator (cases, nodes)."""
        return super().decision_path(X)[0]
