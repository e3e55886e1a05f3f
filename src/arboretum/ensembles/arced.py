"""Boosting by resampling: Breiman's arc-fs, the AdaBoost that pert compares its errors with."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS
from arboretum.ensembles.boosted import BoostedTrees
from arboretum.ensembles.parameters import constraints
from arboretum.trees import cart_rule, concatenate, grow_forest, weighted_draws, whole_weights
from arboretum.trees.elementary import log_of, total


class ArcedTrees(BoostedTrees):
    """AdaBoost of CART trees grown to purity, each on a sample drawn by the current weights (Breiman 1998, section 5).

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    A tree grown to purity on reweighted cases makes no error, and boosting would end at once. A sample drawn with
    replacement leaves out cases on which the tree can err. Let e be the weighted error of a tree on all training cases.
    The weights of the cases it gets wrong are multiplied by (1 - e) / e, and its vote weighs log((1 - e) / e). If
    e >= 1/2 the tree is dropped and the weights start again. If e = 0 the weights start again too, and e is set to half
    a case for the vote.
    """

    kinds: ClassVar = {"arced": {}}
    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "max_depth",
        "unknown",
        "n_jobs",
        "random_state",
    )

    base, algorithm = "cart", "M1"  # fixed parameters of BoostedTrees: grow CART trees, count weighted votes
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        n_estimators=50,
        *,
        max_depth=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _grow(self, table, classes, weights):
        start = np.ones(len(table)) if weights is None else weights
        start = start / total(start)
        chance, trees, votes = start, [], []
        seeds = self._seeds()
        for seed in seeds:
            rows, stream = weighted_draws(seed, whole_weights(chance))
            drawn = np.bincount(rows, minlength=len(table)).astype(float)
            tree = self._tree(table, classes, drawn, stream)
            wrong = tree.tree_votes(table)[0] != classes
            error = total(chance[wrong])
            if error >= 0.5 - 1e-12:
                chance = start
                continue
            odds = (1 - error) / error if error > 0 else 2 * len(table) - 1
            trees.append(tree)
            votes.append(float(log_of(odds)))
            chance = np.where(wrong, chance * odds, chance) if error > 0 else start
            chance = chance / total(chance)
        if not trees:  # every tree was dropped: one tree on all cases still gives an answer
            trees, votes = [self._tree(table, classes, np.ones(len(table)), seeds[0])], [1.0]
        self.estimator_weights_ = np.array(votes)
        return concatenate(trees)

    def _tree(self, table, classes, drawn, seed):
        k = len(self.classes_)
        return grow_forest(table, classes, k, cart_rule(), [seed], weights=drawn, n_min=0, max_depth=self.max_depth)
