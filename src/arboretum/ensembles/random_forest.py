"""Random forests (Breiman 2001), as R's randomForest and as Weka grow them."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number, tree_seeds
from arboretum.trees import CONSTANTS, cart_rule, grow_forest, weka_rule


class RandomForest(TreeEnsemble):
    """Bootstrap samples, and the best test among a few random features in each node.

    Parameters
    ----------
    flavour : "r" grows CART trees with binary divisions (vrtrees, section 5), missing values filled in with the median
        or the most frequent level of the training part; trees vote. "weka" grows RandomTrees (dynint, section 4):
        information gain, nominal features one branch a level, missing values in fractions; probabilities averaged.
    max_features : features tried in a node (F of Algorithm 6); None is floor(sqrt(q)) in R, int(log2(q) + 1) in Weka;
        "all" is every one; a number below 1 a share.
    criterion : "gini" or "entropy" (R flavour).
    redraw_constants : what becomes of a drawn feature that is constant in the node. False: it counts as tried, as in R.
        True: another one is drawn in its place. "until_one_varies": it counts as tried, but features are drawn until
        one varies, as in scikit-learn.
    n_min : a node of less weight is a leaf (with real sample weights every impure node is divided).
    combine : "votes" or "probability"; None is what the flavour does.
    """

    kinds: ClassVar = {"forest": {}, "random_forest": {"flavour": "r"}, "random_forest_weka": {"flavour": "weka"}}

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
        max_depth=None,
        combine=None,
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
        self.max_depth = max_depth
        self.combine = combine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("flavour", self.flavour, ("r", "weka"))
        check_choice("criterion", self.criterion, ("gini", "entropy"))
        check_choice("redraw_constants", self.redraw_constants, tuple(CONSTANTS))
        if self.combine is not None:
            check_choice("combine", self.combine, ("votes", "probability"))
        check_number("n_estimators", self.n_estimators, 1, whole=True)

    @property
    def _combine(self):
        return self.combine or ("votes" if self.flavour == "r" else "probability")

    @property
    def _bootstraps(self):
        return self.bootstrap

    def _prepare(self, table, fit):
        if self.flavour != "r":
            return table
        if fit:
            self.fill_values_ = table.fill_values()
        return table.filled(self.fill_values_)

    def _rule(self, q):
        tried = n_tried(self.max_features, q, "sqrt" if self.flavour == "r" else "log2")
        if self.flavour == "weka":
            return weka_rule(tried)
        return cart_rule(self.criterion == "gini", tried, self.redraw_constants)

    def _grow(self, table, classes, weights):
        real = weights is not None and (weights != np.floor(weights)).any()
        return grow_forest(
            table,
            classes,
            len(self.classes_),
            self._rule(table.shape[1]),
            self._seeds(),
            weights=weights,
            bootstrap=self.bootstrap,
            n_min=0 if real else self.n_min,
            max_depth=self.max_depth,
            n_jobs=self._jobs(),
        )

    def oob_votes(self, X) -> np.ndarray:
        """Shares of the votes of the trees that did not see each training case (NaN if all saw it)."""
        votes, out = self.tree_votes(X), self.oob_mask_
        counts = np.stack([((votes == k) & out).sum(axis=0) for k in range(len(self.classes_))], axis=1)
        with np.errstate(invalid="ignore"):
            return counts / counts.sum(axis=1, keepdims=True)

    def permutation_importances(self, X, y, random_state=0) -> np.ndarray:
        """Mean decrease in out-of-bag accuracy when a feature is permuted; X and y are the training data."""
        if self.flavour != "r":
            raise ValueError("permutation_importances: only flavour='r' fills in missing values")
        codes = {label: code for code, label in enumerate(self.classes_)}
        classes = np.array([codes[label] for label in np.asarray(y)], dtype=np.int32)
        seeds = tree_seeds(random_state, len(self.forest_))
        return self.forest_.permutation_importances(self._read(X), classes, self.oob_mask_, seeds)


def n_tried(max_features, q: int, default: str) -> int:
    """Features tried in a node."""
    if max_features is None:
        max_features = default
    if max_features == "sqrt":
        return max(1, int(np.floor(np.sqrt(q))))
    if max_features == "log2":
        return min(q, int(np.log2(q) + 1))
    if max_features == "all":
        return q
    if isinstance(max_features, str):
        check_choice("max_features", max_features, ("sqrt", "log2", "all"))
    if isinstance(max_features, (float, np.floating)) and 0 < max_features < 1:
        return max(1, int(max_features * q))
    check_number("max_features", max_features, 1, q, whole=True)
    return int(max_features)
