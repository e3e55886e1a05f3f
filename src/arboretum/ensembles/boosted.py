"""AdaBoost of trees: the open stand-in for C5.0's boosting, and CART boosting for pert and infinity."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import TreeEnsemble, check_choice, check_number
from arboretum.trees import cart_rule, concatenate, grow_forest, prune, vr_rule


class BoostedTrees(TreeEnsemble):
    """AdaBoost.M1 (Freund and Schapire 1996) or SAMME (Zhu and others 2009) by reweighting.

    Parameters
    ----------
    base : "c45" (pruned by ``prune``, fractions for missing values) or "cart" (Gini, missing values filled in).
    algorithm : "M1" stops when a tree errs on half of the weight; "SAMME" adds log(K - 1) and stops at 1 - 1/K.
    prune : confidence of C4.5's pruning, or None.
    max_depth : limit of each tree; 1 gives stumps.

    The vote of a tree weighs log((1 - e) / e) for its weighted training error e. A tree without training error ends the
    boosting and outweighs nothing before it: its e is taken as 1e-10.
    """

    kinds: ClassVar = {"boosting": {}}

    def __init__(
        self,
        base="c45",
        n_estimators=100,
        *,
        algorithm="M1",
        prune=0.25,
        max_depth=None,
        n_jobs=1,
        random_state=None,
    ):
        self.base = base
        self.n_estimators = n_estimators
        self.algorithm = algorithm
        self.prune = prune
        self.max_depth = max_depth
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("base", self.base, ("c45", "cart"))
        check_choice("algorithm", self.algorithm, ("M1", "SAMME"))
        check_number("n_estimators", self.n_estimators, 1, whole=True)

    def _prepare(self, table, fit):
        if self.base == "c45":
            return table
        if fit:
            self.fill_values_ = table.fill_values()
        return table.filled(self.fill_values_)

    def _one_tree(self, table, classes, weights, seed):
        if self.base == "cart":
            rule, n_min = cart_rule(), 0
        else:
            rule, n_min = vr_rule(1.0), 4
        settings = {"weights": weights, "n_min": n_min, "max_depth": self.max_depth}
        tree = grow_forest(table, classes, len(self.classes_), rule, [seed], **settings)
        if self.base == "c45" and self.prune is not None:
            tree = prune(tree, self.prune)
        return tree

    def _grow(self, table, classes, weights):
        k = len(self.classes_)
        weights = np.ones(len(table)) if weights is None else weights
        total = weights.sum()  # C4.5 counts cases by weight, so the sum is kept
        most = 0.5 if self.algorithm == "M1" else 1 - 1 / k
        trees, votes = [], []
        for seed in self._seeds():
            tree = self._one_tree(table, classes, weights, seed)
            wrong = tree.tree_votes(table)[0] != classes
            error = float(weights[wrong].sum() / total)
            if error >= most - 1e-12 and trees:
                break
            trees.append(tree)
            vote = np.log((1 - error) / error) if error > 1e-10 else np.log(1e10)
            votes.append(max(vote + (np.log(k - 1) if self.algorithm == "SAMME" else 0.0), 1e-10))
            if error <= 1e-10 or error >= most - 1e-12:
                break
            weights = weights * np.exp(votes[-1] * wrong)
            weights *= total / weights.sum()
        self.estimator_weights_ = np.array(votes)
        return concatenate(trees)

    def predict_proba(self, X) -> np.ndarray:
        """Each class's share of the weighted votes."""
        votes = self.tree_votes(X)
        weight = self.estimator_weights_[: len(votes)]
        shares = np.stack([((votes == k) * weight[:, None]).sum(axis=0) for k in range(len(self.classes_))], axis=1)
        return shares / weight.sum()
