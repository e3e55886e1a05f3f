"""Search for the best alpha by progressive training errors: vrtrees, equation 2 (Liu and Ting 2006)."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.parameters import constraints
from arboretum.ensembles.vr_forest import VRForest


class SearchedAlpha(VRForest):
    """Aggregated VR-Trees at the alpha whose ensembles of 1 .. N trees make the fewest training errors on average.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    ``alphas`` are the candidates; None is 0, 0.1, ..., 0.5. If several tie, the first is used. In section 6.2 trees
    stop at four cases or fewer, hence ``n_min=5``. After ``fit``, ``alpha_`` is the alpha found and
    ``training_errors_`` has the mean error of each candidate.
    """

    kinds: ClassVar = {"searched": {}}
    _parameter_constraints: ClassVar = constraints(
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
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        alphas=["array-like", None],
    )

    def __init__(
        self,
        alphas=None,
        n_estimators=100,
        *,
        n_min=5,
        max_depth=None,
        mdl=True,
        average_gain=True,
        min_cases=2,
        random_cut="cases",
        missing="fractions",
        curtailment="up to 1",
        combine="probability",
        ties="first",
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.alphas = alphas
        self.n_estimators = n_estimators
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
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    method, subspace, alpha = "aggregating", 1.0, 0.0

    def _rules(self):
        return self._rule(self._alpha)

    def _grow(self, table, classes, weights):
        candidates = np.arange(6) / 10 if self.alphas is None else np.asarray(self.alphas, dtype=float)
        if candidates.ndim != 1 or not len(candidates) or candidates.min() < 0 or candidates.max() > 1:
            raise ValueError(f"alphas={self.alphas!r} must be a list of numbers from 0 to 1")
        errors, best = [], None
        for alpha in candidates:
            self._alpha = float(alpha)
            forest = super()._grow(table, classes, weights)
            errors.append(self._progressive_error(forest, table, classes))
            if errors[-1] < min(errors[:-1], default=np.inf) - 1e-12:
                best, self.alpha_ = forest, float(alpha)
        self.training_errors_ = np.array(errors)
        return best

    def _progressive_error(self, forest, table, classes) -> float:
        """Mean over i of the training error of the first i trees (the sum in equation 2)."""
        shares = np.zeros((len(table), forest.n_classes))
        wrong = 0
        for tree in range(len(forest)):
            shares += forest.tree(tree).probability(table, self.curtailment)
            wrong += np.count_nonzero(np.argmax(shares >= shares.max(axis=1, keepdims=True) - 1e-9, axis=1) != classes)
        return wrong / (len(forest) * len(table))
