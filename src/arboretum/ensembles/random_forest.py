"""Random forests (Breiman 2001), as R's randomForest and as Weka grow them."""

from __future__ import annotations

import numbers
from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, tree_seeds
from arboretum.ensembles.parameters import choice, constraints
from arboretum.ensembles.weights import least_leaf, least_to_split
from arboretum.trees import cart_rule, weka_rule


class RandomForest(TreeEnsemble):
    """Bootstrap samples, and the best test among a few random features in each node.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters
    ----------
    flavour : "r" grows CART trees with binary splits (vrtrees, section 5). Missing values are filled in with the median
        or the most frequent level of the training part, and trees vote. "weka" grows RandomTrees (dynint, section 4):
        information gain, one branch per nominal level, missing values in fractions, probabilities averaged.
    max_features : number of features tried in a node (F of Algorithm 6). None is floor(sqrt(q)) for R and
        int(log2(q) + 1) for Weka; "all" is q. A whole number is that many, a float up to 1.0 a share of q.
    criterion : "gini" or "entropy" (R flavour).
    redraw_constants : what happens when a drawn feature is constant in the node. False: it counts as tried, as in R.
        True: it does not count, and another one is drawn. "until_one_varies": it counts as tried, but more are drawn
        until one varies, as in scikit-learn.
    n_min : a node whose weight is below this is a leaf; up to 2 every impure node is split.
    min_samples_leaf, min_weight_fraction_leaf : least weight of each branch of a split, in cases and as a share of the
        weight of all cases.
    combine : "votes" or "probability"; None is the default of the flavour.
    """

    kinds: ClassVar = {"forest": {}, "random_forest": {"flavour": "r"}, "random_forest_weka": {"flavour": "weka"}}

    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "max_features",
        "criterion",
        "bootstrap",
        "redraw_constants",
        "n_min",
        "min_samples_leaf",
        "min_weight_fraction_leaf",
        "ties",
        "max_depth",
        "oob_score",
        "warm_start",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        flavour=choice("r", "weka"),
        combine=[*choice("probability", "votes"), None],
    )
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        flavour="r",
        n_estimators=100,
        *,
        max_features=None,
        criterion="gini",
        bootstrap=True,
        redraw_constants=False,
        n_min=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_depth=None,
        combine=None,
        ties="first",
        oob_score=False,
        warm_start=False,
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.flavour = flavour
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.criterion = criterion
        self.bootstrap = bootstrap
        self.redraw_constants = redraw_constants
        self.n_min = n_min
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_depth = max_depth
        self.combine = combine
        self.ties = ties
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _combine(self):
        return self.combine or ("votes" if self.flavour == "r" else "probability")

    @property
    def _bootstraps(self):
        return self.bootstrap

    @property
    def _fills_missing(self):
        return self.flavour == "r"

    def _grow(self, table, classes, weights):
        tried = n_tried(self.max_features, table.shape[1], "sqrt" if self.flavour == "r" else "log2")
        least = least_leaf(self, len(table), weights)
        if self.flavour == "weka":
            rule = weka_rule(tried, least)
        else:
            rule = cart_rule(self.criterion == "gini", tried, self.redraw_constants, min_leaf=least)
        return self._grow_forest(table, classes, weights, rule, n_min=least_to_split(self.n_min, weights))

    def oob_votes(self, X) -> np.ndarray:
        """Vote shares for each training case, from the trees that did not see it (NaN if all trees saw it)."""
        votes, out = self.tree_votes(X), self.oob_mask_
        counts = np.stack([((votes == k) & out).sum(axis=0) for k in range(len(self.classes_))], axis=1)
        with np.errstate(invalid="ignore"):
            return counts / counts.sum(axis=1, keepdims=True)

    def permutation_importances(self, X, y, random_state=0) -> np.ndarray:
        """Mean decrease in out-of-bag accuracy when a feature is permuted. X and y must be the training data."""
        if self.flavour != "r":
            raise ValueError("permutation_importances: only flavour='r' fills in missing values")
        codes = {label: code for code, label in enumerate(self.classes_)}
        classes = np.array([codes[label] for label in np.asarray(y)], dtype=np.int32)
        seeds = tree_seeds(random_state, len(self.forest_))
        return self.forest_.permutation_importances(self._read(X), classes, self.oob_mask_, seeds)


def n_tried(max_features, q: int, default: str) -> int:
    """Number of features tried in a node, out of q."""
    if max_features is None:
        max_features = default
    if max_features == "sqrt":
        return max(1, int(np.floor(np.sqrt(q))))
    if max_features == "log2":
        return min(q, int(q).bit_length())  # floor(log2 q) + 1
    if max_features == "all":
        return q
    if not isinstance(max_features, numbers.Integral):
        return max(1, int(max_features * q))
    if max_features > q:
        raise ValueError(f"max_features={max_features} must be a number from 1 to {q}, the number of features")
    return int(max_features)
