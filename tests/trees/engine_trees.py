"""Grow forests with the engine, for tests: from tables of the reference growers, and small examples."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.trees import (
    C45,
    VR,
    CodedTable,
    Forest,
    cart_rule,
    extra_rule,
    grow_forest,
    pert_rule,
    table_of,
    weka_rule,
)


def engine_table(cases) -> CodedTable:
    """The engine's table of a reference table."""
    levels = [
        pd.Index([f"v{k}" for k in range(count)]) if kind == "nominal" else None
        for kind, count in zip(cases.kinds, cases.levels, strict=True)
    ]
    return CodedTable(np.ascontiguousarray(np.column_stack(cases.columns)), tuple(levels))


def grow(cases, rule, seeds=(0,), **settings) -> Forest:
    """A forest of the engine, grown on a reference table."""
    weights = None if (cases.weights == 1).all() else cases.weights
    return grow_forest(engine_table(cases), cases.y, cases.n_classes, rule, seeds, weights=weights, **settings)


def c45_rule(mdl=True, by_cases=False) -> C45:
    return C45(2.0, mdl, True, by_cases)


def vr_rule(alpha) -> VR:
    return VR(alpha, False, c45_rule())


#: One rule of each kind, with the least weight of a node that is split.
RULES = {
    "vr": (vr_rule(0.5), 4),
    "c45": (vr_rule(1.0), 4),
    "cart": (cart_rule(n_tried=2), 2),
    "weka": (weka_rule(2), 2),
    "pert": (pert_rule(), 0),
}


def three_classes(missing):
    """300 cases with five numeric columns and three classes, optionally with missing values: (table, classes)."""
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(300, 5)), 1)
    y = (X[:, 0] + X[:, 1] > rng.normal(scale=0.5, size=300)).astype(int) + (X[:, 2] > 1)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return table_of(X), y


__all__ = [
    "RULES",
    "c45_rule",
    "cart_rule",
    "engine_table",
    "extra_rule",
    "grow",
    "pert_rule",
    "three_classes",
    "vr_rule",
    "weka_rule",
]
