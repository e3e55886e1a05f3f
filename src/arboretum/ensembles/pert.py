"""PERT: perfect random tree ensembles (pert, section 2)."""

from __future__ import annotations

from typing import ClassVar

from arboretum.ensembles.base import WEIGHT_CHECKS, TreeEnsemble, check_choice, check_number
from arboretum.trees import grow_forest, pert_rule


class PERT(TreeEnsemble):
    """Each node is cut at random between two random cases of different classes, until the training data fit perfectly.

    ``bagged`` grows each tree on a bootstrap sample. Nominal values are read as the numbers of their levels and missing
    values filled in with the median or the most frequent level, since the paper knows numeric features only.
    """

    kinds: ClassVar = {"pert": {}}

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

    def _prepare(self, table, fit):
        if fit:
            self.fill_values_ = table.fill_values()
        return table.filled(self.fill_values_).as_numbers()

    def _grow(self, table, classes, weights):
        return grow_forest(
            table,
            classes,
            len(self.classes_),
            pert_rule(self.tries),
            self._seeds(),
            weights=weights,
            bootstrap=self.bagged,
            n_min=0,
            max_depth=self.max_depth,
            n_jobs=self._jobs(),
        )
