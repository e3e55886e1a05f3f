"""Ensembles of VR-Trees: vrtrees, section 4, Algorithms 3 to 5."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.trees import grow_forest, vr_rule

METHODS = ("aggregating", "bagging", "subspacing", "bagging+subspacing")


class VRForest(TreeEnsemble):
    """Variable-random trees, combined by averaged probabilities (vrtrees, equation 1).

    Parameters
    ----------
    method : "aggregating" (all data, Algorithm 3), "subspacing" (a random share of the features for each tree,
        Algorithm 4), "bagging" (a bootstrap sample for each tree, Algorithm 5) or "bagging+subspacing".
    alpha : probability of a deterministic node; 1 is C4.5, 0 the complete-random tree.
    subspace : share of the features of a tree (gamma); ``max(1, floor(subspace * features))`` are used.
    n_min : a node of less weight is a leaf.
    mdl, average_gain, min_cases : rules of C4.5 release 8 at deterministic nodes.
    random_cut : draw the two values of Algorithm 2 from the "cases" or from the distinct "values" of the node.
    curtailment : a leaf of weight below 2 answers with its nearest larger ancestor (may be changed after fit).
    """

    kinds: ClassVar = {"vr": {}, **{method: {"method": method} for method in METHODS}}

    _curtails = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        method="aggregating",
        alpha=0.5,
        n_estimators=100,
        *,
        subspace=0.5,
        n_min=4,
        max_depth=None,
        mdl=True,
        average_gain=True,
        min_cases=2,
        random_cut="cases",
        curtailment=True,
        combine="probability",
        n_jobs=1,
        random_state=None,
    ):
        self.method = method
        self.alpha = alpha
        self.n_estimators = n_estimators
        self.subspace = subspace
        self.n_min = n_min
        self.max_depth = max_depth
        self.mdl = mdl
        self.average_gain = average_gain
        self.min_cases = min_cases
        self.random_cut = random_cut
        self.curtailment = curtailment
        self.combine = combine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("method", self.method, METHODS)
        check_choice("random_cut", self.random_cut, ("cases", "values"))
        check_choice("combine", self.combine, ("probability", "votes"))
        check_number("alpha", self.alpha, 0, 1)
        check_number("n_estimators", self.n_estimators, 1, whole=True)
        check_number("subspace", self.subspace, 0, 1)
        check_number("n_min", self.n_min, 0)

    @property
    def _bootstraps(self):
        return "bagging" in self.method

    def _rule(self, alpha):
        return vr_rule(
            alpha,
            from_values=self.random_cut == "values",
            min_cases=self.min_cases,
            mdl=self.mdl,
            average=self.average_gain,
        )

    def _rules(self):
        return self._rule(self.alpha)

    def _grow(self, table, classes, weights):
        n_features = table.shape[1]
        if "subspacing" in self.method:
            n_features = max(1, int(np.floor(self.subspace * n_features)))
        return grow_forest(
            table,
            classes,
            len(self.classes_),
            self._rules(),
            self._seeds(),
            weights=weights,
            bootstrap=self._bootstraps,
            n_features=n_features,
            n_min=self.n_min,
            max_depth=self.max_depth,
            n_jobs=self._jobs(),
        )
