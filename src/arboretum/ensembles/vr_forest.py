"""Ensembles of VR-Trees: vrtrees, section 4, Algorithms 3 to 5."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.parameters import choice, constraints, number
from arboretum.trees import vr_rule

METHODS = ("aggregating", "bagging", "subspacing", "bagging+subspacing")


class VRForest(TreeEnsemble):
    """Variable-random trees, combined by averaged probabilities (vrtrees, equation 1).

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters
    ----------
    method : "aggregating" (all data, Algorithm 3), "subspacing" (a random share of the features for each tree,
        Algorithm 4), "bagging" (a bootstrap sample for each tree, Algorithm 5) or "bagging+subspacing".
    alpha : probability of a deterministic node; 1 is C4.5, 0 the complete-random tree.
    subspace : share of the features that a tree may use (gamma): ``max(1, floor(subspace * features))`` of them.
    n_min : a node whose weight is below this is a leaf.
    mdl, average_gain, min_cases : rules of C4.5 release 8 at deterministic nodes.
    random_cut : draw the two values of Algorithm 2 from the "cases" or from the distinct "values" of the node.
    missing : where a case goes whose value is not known. "fractions": a share of it down every branch (C4.5). "branch":
        a nominal unknown down a branch of its own, a numeric one down the lower branch, in training and in prediction;
        a nominal unknown that no training case of the node had gets the answer of the node. Both score tests as C4.5
        does: on the known cases, times their share.
    curtailment : "up to 1": a leaf of weight 1 or less answers with its nearest larger ancestor; True: so does one of
        weight below 2, which differs where missing values make weights fractions; False: every leaf answers for
        itself. May be changed after fit.
    """

    kinds: ClassVar = {"vr": {}, **{method: {"method": method} for method in METHODS}}

    _parameter_constraints: ClassVar = constraints(
        "alpha",
        "n_estimators",
        "n_min",
        "max_depth",
        "mdl",
        "average_gain",
        "min_cases",
        "random_cut",
        "missing",
        "curtailment",
        "combine",
        "ties",
        "oob_score",
        "warm_start",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        method=choice(*METHODS),
        subspace=number(0, 1, "right"),
    )
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
        missing="fractions",
        curtailment="up to 1",
        combine="probability",
        ties="first",
        oob_score=False,
        warm_start=False,
        class_weight=None,
        unknown="missing",
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
        self.missing = missing
        self.curtailment = curtailment
        self.combine = combine
        self.ties = ties
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _bootstraps(self):
        return "bagging" in self.method

    def _rule(self, alpha):
        return rule_of(self, alpha)

    def _rules(self):
        return self._rule(self.alpha)

    def _grow(self, table, classes, weights):
        n_features = table.shape[1]
        if "subspacing" in self.method:
            n_features = max(1, int(np.floor(self.subspace * n_features)))
        return self._grow_forest(
            table, classes, weights, self._rules(), n_features=n_features, n_min=self.n_min, missing=self.missing
        )


def rule_of(estimator, alpha):
    """The rule for ``alpha``, with the other parameters of a VRForest or VRTree."""
    return vr_rule(
        alpha,
        from_values=estimator.random_cut == "values",
        min_cases=estimator.min_cases,
        mdl=estimator.mdl,
        average=estimator.average_gain,
    )
