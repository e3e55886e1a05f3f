"""Coalescence: vrtrees, section 5.3."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from arboretum.ensembles.parameters import constraints, number
from arboretum.ensembles.vr_forest import VRForest


class Coalescence(VRForest):
    """One aggregated VR-Tree for each alpha at a fixed interval of the random half: 0, 0.005, ..., 0.495 for 100 trees.

    Parameters that mean the same in all estimators: see :mod:`arboretum.ensembles.base`.

    Parameters are as in :class:`VRForest`. ``alpha_end`` is the end of the interval, which is excluded. ``bagged``
    grows each tree on a bootstrap sample; the paper does not. After ``fit``, ``alphas_`` has the alpha of each tree.
    """

    kinds: ClassVar = {"coalescence": {}}
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
        "bagged",
        "oob_score",
        "class_weight",
        "unknown",
        "n_jobs",
        "random_state",
        alpha_end=number(0, 1),
    )

    def __init__(
        self,
        n_estimators=100,
        *,
        alpha_end=0.5,
        bagged=False,
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
        class_weight=None,
        unknown="missing",
        n_jobs=1,
        random_state=None,
    ):
        self.n_estimators = n_estimators
        self.alpha_end = alpha_end
        self.bagged = bagged
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
        self.class_weight = class_weight
        self.unknown = unknown
        self.n_jobs = n_jobs
        self.random_state = random_state

    alpha, subspace = 0.0, 1.0

    @property
    def method(self) -> str:
        """The method in the terms of :class:`VRForest`."""
        return "bagging" if self.bagged else "aggregating"

    def _rules(self):
        self.alphas_ = np.arange(self.n_estimators) * (self.alpha_end / self.n_estimators)
        return [self._rule(alpha) for alpha in self.alphas_]
