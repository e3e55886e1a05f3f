"""PERT: perfect random tree ensembles (pert, section 2)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble
from arboretum.ensembles.parameters import constraints
from arboretum.trees import pert_rule


class PERT(TreeEnsemble):
    """Each node is cut at random between two random cases of different classes, until the tree fits the training data.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    ``bagged`` grows each tree on a bootstrap sample. The paper has numeric features only, so nominal values are read as
    the numbers of their levels. Missing values are filled in with the median or the most frequent level.
    """

    kinds: ClassVar = {"pert": {}}

    _parameter_constraints: ClassVar = constraints(
        "n_estimators",
        "bagged",
        "tries",
        "combine",
        "ties",
        "max_depth",
        "oob_score",
        "warm_start",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
    )
    _fills_missing = True
    _reads_levels_as_numbers = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self,
        n_estimators=100,
        *,
        bagged=False,
        tries=10,
        combine="votes",
        ties="first",
        max_depth=None,
        oob_score=False,
        warm_start=False,
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.bagged = bagged
        self.tries = tries
        self.combine = combine
        self.ties = ties
        self.max_depth = max_depth
        self.oob_score = oob_score
        self.warm_start = warm_start
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _bootstraps(self):
        return self.bagged

    def _grow(self, table, classes, weights):
        return self._grow_forest(table, classes, weights, pert_rule(self.tries), n_min=0)
