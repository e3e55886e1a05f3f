"""PERT: perfect random tree ensembles (pert, section 2)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.trees import pert_rule


class PERT(TreeEnsemble):
    """Each node is cut at random between two random cases of different classes, until the tree fits the training data.

    ``bagged`` grows each tree on a bootstrap sample. The paper has numeric features only, so nominal values are read as
    the numbers of their levels. Missing values are filled in with the median or the most frequent level.
    """

    kinds: ClassVar = {"pert": {}}

    _fills_missing = True
    _reads_levels_as_numbers = True
    expected_failed_checks = WEIGHT_CHECKS

    def __init__(
        self, n_estimators=100, *, bagged=False, tries=10, combine="votes", max_depth=None, n_jobs=1, random_state=None
    ):
        self.n_estimators = n_estimators
        self.bagged = bagged
        self.tries = tries
        self.combine = combine
        self.max_depth = max_depth
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_parameters(self):
        check_choice("combine", self.combine, ("votes", "probability"))
        check_number("n_estimators", self.n_estimators, 1, whole=True)
        check_number("tries", self.tries, 1, whole=True)

    @property
    def _bootstraps(self):
        return self.bagged

    def _grow(self, table, classes, weights):
        return self._grow_forest(table, classes, weights, pert_rule(self.tries), n_min=0)
