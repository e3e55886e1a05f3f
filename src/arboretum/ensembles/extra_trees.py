"""Extra-Trees (Geurts, Ernst, Wehenkel 2006)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.ensembles.random_forest import n_tried
from arboretum.trees import extra_rule, grow_forest


class ExtraTrees(TreeEnsemble):
    """All training data; in each node one uniform cut for each of a few random features, and the best of them.

    Nominal features are divided by a random subset of their levels. Missing values are filled in with the median or the
    most frequent level of the training part. ``max_features`` as in :class:`RandomForest`, "sqrt" by default.
    """

    kinds: ClassVar = {"extra_trees": {}}

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

    def _prepare(self, table, fit):
        if fit:
            self.fill_values_ = table.fill_values()
        return table.filled(self.fill_values_)

    def _grow(self, table, classes, weights):
        rule = extra_rule(self.criterion == "gini", n_tried(self.max_features, table.shape[1], "sqrt"))
        return grow_forest(
            table,
            classes,
            len(self.classes_),
            rule,
            self._seeds(),
            weights=weights,
            bootstrap=self.bootstrap,
            n_min=self.n_min if weights is None else 0,
            max_depth=self.max_depth,
            n_jobs=self._jobs(),
        )
