"""Extra-Trees (Geurts, Ernst, Wehenkel 2006)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.parameters import constraints
from arboretum.ensembles.random_forest import n_tried
from arboretum.ensembles.weights import least_leaf, least_to_split
from arboretum.trees import extra_rule


class ExtraTrees(TreeEnsemble):
    """Trees on all training data; each node draws one uniform cut for each of a few random features and uses the best.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Nominal features are split by a random subset of their levels. Missing values are filled in with the median or the
    most frequent level of the training part. ``max_features`` is as in :class:`RandomForest`, "sqrt" by default.
    """

    kinds: ClassVar = {"extra_trees": {}}

    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "max_features",
        "criterion",
        "bootstrap",
        "n_min",
        "min_samples_leaf",
        "min_weight_fraction_leaf",
        "max_depth",
        "combine",
        "ties",
        "oob_score",
        "warm_start",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
    )
    _fills_missing = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        n_estimators=100,
        *,
        max_features="sqrt",
        criterion="gini",
        bootstrap=False,
        n_min=2,
        min_samples_leaf=1,
        min_weight_fraction_leaf=0.0,
        max_depth=None,
        combine="probability",
        ties="first",
        oob_score=False,
        warm_start=False,
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.criterion = criterion
        self.bootstrap = bootstrap
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
    def _bootstraps(self):
        return self.bootstrap

    def _grow(self, table, classes, weights):
        tried = n_tried(self.max_features, table.shape[1], "sqrt")
        rule = extra_rule(self.criterion == "gini", tried, least_leaf(self, len(table), weights))
        return self._grow_forest(table, classes, weights, rule, n_min=least_to_split(self.n_min, weights))
