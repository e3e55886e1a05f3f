"""Extra-Trees (Geurts, Ernst, Wehenkel 2006)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.ensembles.random_forest import n_tried
from arboretum.trees import extra_rule


class ExtraTrees(TreeEnsemble):
    """Trees on all training data; each node draws one uniform cut for each of a few random features and uses the best.

    Nominal features are split by a random subset of their levels. Missing values are filled in with the median or the
    most frequent level of the training part. ``max_features`` is as in :class:`RandomForest`, "sqrt" by default.
    """

    kinds: ClassVar = {"extra_trees": {}}

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
        max_depth=None,
        combine="probability",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.max_features = max_features
        self.criterion = criterion
        self.bootstrap = bootstrap
        self.n_min = n_min
        self.max_depth = max_depth
        self.combine = combine
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("criterion", self.criterion, ("gini", "entropy"))
        check_choice("combine", self.combine, ("votes", "probability"))
        check_number("n_estimators", self.n_estimators, 1, whole=True)

    @property
    def _bootstraps(self):
        return self.bootstrap

    def _grow(self, table, classes, weights):
        rule = extra_rule(self.criterion == "gini", n_tried(self.max_features, table.shape[1], "sqrt"))
        return self._grow_forest(table, classes, weights, rule, n_min=self.n_min if weights is None else 0)
