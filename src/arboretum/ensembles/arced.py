"""Boosting by resampling: Breiman's arc-fs, the AdaBoost that pert sets its own errors beside."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, check_number, tree_seeds
from arboretum.ensembles.boosted import BoostedTrees
from arboretum.trees import cart_rule, concatenate, grow_forest


class ArcedTrees(BoostedTrees):
    """AdaBoost of CART trees grown to purity, each on a sample drawn by the current weights (Breiman 1998, section 5).

    A tree grown to purity on reweighted cases makes no error, and boosting would end at once; a sample drawn with
    replacement leaves cases out on which it can err. With e the weighted error of a tree on all training cases, the
    weights of its errors are multiplied by (1 - e) / e, and its vote weighs log((1 - e) / e). At e >= 1/2 the tree
    is dropped and the weights are made equal again; at e = 0 they are made equal too, and its e is taken as half a
    case.
    """

    kinds: ClassVar = {"arced": {}}

    base = "cart"
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(self, n_estimators=50, *, max_depth=None, n_jobs=1, random_state=None):
        self.n_estimators = n_estimators
        self.max_depth = max_depth
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_number("n_estimators", self.n_estimators, 1, whole=True)

    def _grow(self, table, classes, weights):
        start = np.ones(len(table)) if weights is None else weights
        start = start / start.sum()
        chance, trees, votes = start, [], []
        seeds = self._seeds()
        draws = np.random.Generator(np.random.PCG64(tree_seeds(int(seeds[0] % 2**32), 1)[0]))
        for seed in seeds:
            drawn = draws.multinomial(len(table), chance).astype(float)
            tree = self._tree(table, classes, drawn, seed)
            wrong = tree.tree_votes(table)[0] != classes
            error = float(chance[wrong].sum())
            if error >= 0.5:
                chance = start
                continue
            trees.append(tree)
            votes.append(np.log((1 - error) / error) if error > 0 else np.log(2 * len(table) - 1))
            chance = chance * np.exp(votes[-1] * wrong) if error > 0 else start
            chance = chance / chance.sum()
        if not trees:  # weak beyond use: one tree on all cases still gives an answer
            trees, votes = [self._tree(table, classes, np.ones(len(table)), seeds[0])], [1.0]
        self.estimator_weights_ = np.array(votes)
        return concatenate(trees)

    def _tree(self, table, classes, drawn, seed):
        k = len(self.classes_)
        return grow_forest(table, classes, k, cart_rule(), [seed], weights=drawn, n_min=0, max_depth=self.max_depth)
