"""AdaBoost of trees: an open substitute for C5.0's boosting, and boosted CART for pert and infinity."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import TreeEnsemble
from arboretum.ensembles.parameters import CONFIDENCE, choice, constraints
from arboretum.trees import cart_rule, collapse, concatenate, grow_forest, prune, vr_rule
from arboretum.trees.elementary import log_of, total


class BoostedTrees(TreeEnsemble):
    """AdaBoost.M1 (Freund and Schapire 1996) or SAMME (Zhu and others 2009) by reweighting.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters
    ----------
    base : "c45" (pruned by ``prune``, missing values in fractions), "j48" (Weka's J48 without subtree raising, -S, or
        unpruned, -U; two limits count cases instead of weight, see :class:`arboretum.trees.C45`) or "cart" (Gini,
        missing values filled in).
    algorithm : "M1" stops when a tree errs on half of the weight. "SAMME" adds log(K - 1) to the vote of a tree and
        stops at an error of 1 - 1/K. "C5.0" moves the weights only half as far and averages the class frequencies of
        the leaves (see below).
    prune : confidence of C4.5's pruning, or None to leave trees unpruned.
    max_depth : greatest depth of a tree; 1 gives stumps.

    The vote of a tree weighs log((1 - e) / e) for its weighted training error e. A tree without training error ends the
    boosting; its e is set to 1e-10, so that its weight is finite.

    C5.0 (Quinlan; read in the source that RuleQuest published under the GPL, and in Kuhn and Johnson 2013, section
    14.6) differs from AdaBoost where it matters on noisy data. Let W be the weight of all cases and E that of the
    errors: the weights of right cases are multiplied by (W - M) / (W - E) and each wrong case gains (M - E) divided by
    the number of errors, where M = (E + W / 2) / 2 lies half way between E and half of the weight. Every tree has one
    vote, which is its class frequencies. Boosting ends before a tree that errs on half of the weight, and after one
    that errs on less than a tenth of a case.
    """

    kinds: ClassVar = {"boosting": {}}
    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "max_depth",
        "unknown",
        "n_jobs",
        "random_state",
        base=choice("c45", "j48", "cart"),
        algorithm=choice("M1", "SAMME", "C5.0"),
        prune=CONFIDENCE,
    )

    def __init__(
        self,
        base="c45",
        n_estimators=100,
        *,
        algorithm="M1",
        prune=0.25,
        max_depth=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.base = base
        self.n_estimators = n_estimators
        self.algorithm = algorithm
        self.prune = prune
        self.max_depth = max_depth
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _fills_missing(self):
        return self.base == "cart"

    def _one_tree(self, table, classes, weights, seed):
        if self.base == "cart":
            rule, n_min = cart_rule(), 0
        else:
            rule, n_min = vr_rule(1.0, by_cases=self.base == "j48"), 4
        settings = {"weights": weights, "n_min": n_min, "max_depth": self.max_depth}
        tree = grow_forest(table, classes, len(self.classes_), rule, [seed], **settings)
        if self.base != "cart" and self.prune is not None:
            return prune(tree, self.prune)
        if self.base == "j48":  # which collapses subtrees even without pruning
            return collapse(tree)
        return tree

    def _grow(self, table, classes, weights):
        weights = np.ones(len(table)) if weights is None else weights
        whole = total(weights)  # C4.5 has limits in numbers of cases, so the sum of the weights stays the same
        trees, votes = [], []
        for seed in self._seeds():
            tree = self._one_tree(table, classes, weights, seed)
            wrong = tree.tree_votes(table)[0] != classes
            error = total(weights[wrong]) / whole
            vote, weights, last = self._boost(weights, wrong, error, whole)
            if last and trees and error >= self._most() - 1e-12:
                break
            trees.append(tree)
            votes.append(vote)
            if last:
                break
        self.estimator_weights_ = np.array(votes)
        return concatenate(trees)

    def _most(self) -> float:
        """The weighted error at which boosting stops."""
        return 1 - 1 / len(self.classes_) if self.algorithm == "SAMME" else 0.5

    def _boost(self, weights, wrong, error, whole):
        """The vote of a tree, the weights for the next one, and whether there is no next one."""
        if self.algorithm == "C5.0":
            last = error * whole < 0.1 or error >= self._most() - 1e-12
            return 1.0, weights if last else self._half_way(weights, wrong, error, whole), last
        odds = (1 - error) / error if error > 1e-10 else 1e10
        odds = max(odds * (len(self.classes_) - 1 if self.algorithm == "SAMME" else 1), 1 + 1e-10)
        last = error <= 1e-10 or error >= self._most() - 1e-12
        if not last:
            weights = np.where(wrong, weights * odds, weights)
            weights = weights * (whole / total(weights))
        return float(log_of(odds)), weights, last

    def _half_way(self, weights, wrong, error, whole):
        """C5.0's weights: the wrong cases get half of what AdaBoost would give them, the same for each."""
        aim = (error * whole + whole / 2) / 2
        right = weights * (whole - aim) / (whole - error * whole)
        return np.where(wrong, weights + (aim - error * whole) / np.count_nonzero(wrong), right)

    @property
    def _combine(self):
        return "probability" if self.algorithm == "C5.0" else "votes"

    def _leaf_shares(self):
        shares = super()._leaf_shares()
        if self.algorithm == "C5.0":
            return shares
        weight = self.estimator_weights_ / self.estimator_weights_.mean()
        return shares * np.repeat(weight, self.n_nodes_)[:, None]

    def predict_proba(self, X) -> np.ndarray:
        """Each class's share of the weighted votes; for C5.0 the mean of the trees' class frequencies."""
        if self.algorithm == "C5.0":
            return super().predict_proba(X)
        votes = self.tree_votes(X)
        weight = self.estimator_weights_[: len(votes)]
        shares = np.stack([((votes == k) * weight[:, None]).sum(axis=0) for k in range(len(self.classes_))], axis=1)
        return shares / weight.sum()
