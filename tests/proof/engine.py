"""The engine's trees in the nested form, from the tables of the reference growers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.trees.forest import Forest, grow_forest
from arboretum.trees.rules.c45 import C45
from arboretum.trees.rules.cart import cart_rule
from arboretum.trees.rules.extra import extra_rule
from arboretum.trees.rules.pert import pert_rule
from arboretum.trees.rules.vr import VR
from arboretum.trees.rules.weka import weka_rule
from arboretum.trees.table import Table


def engine_table(cases) -> Table:
    levels = [
        pd.Index([f"v{k}" for k in range(count)]) if kind == "nominal" else None
        for kind, count in zip(cases.kinds, cases.levels, strict=True)
    ]
    return Table(np.ascontiguousarray(np.column_stack(cases.columns)), tuple(levels))


def grow(cases, rule, seeds=(0,), **settings) -> Forest:
    """A forest of the engine on the cases."""
    weights = None if (cases.weights == 1).all() else cases.weights
    return grow_forest(engine_table(cases), cases.y, cases.n_classes, rule, seeds, weights=weights, **settings)


def c45_rule(mdl=True):
    return C45(2.0, mdl, True)


def vr_rule(alpha):
    return VR(alpha, False, c45_rule())


__all__ = ["c45_rule", "cart_rule", "engine_table", "extra_rule", "grow", "pert_rule", "vr_rule", "weka_rule"]
