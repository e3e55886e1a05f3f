"""Grow and read trees, fast: numba kernels on rank-coded columns.

=============  ========================================================================================
``table``      data as trees see it: cells, declared levels, ranks
``grow``       the grower: Algorithm 1 of vrtrees, without recursion
``rules``      how a node chooses its test, one file a rule
``scan``       exact split search by class histograms over ranks
``divide``     cases to branches, whole or in fractions
``forest``     the grown forest, and all that is read from it
=============  ========================================================================================
"""

from arboretum.trees.forest import (
    Forest,
    concatenate,
    drawn_rows,
    grow_forest,
    grow_purely_random,
    in_threads,
    weighted_draws,
)
from arboretum.trees.prune import collapse, limit_leaves, prune
from arboretum.trees.read import count_votes
from arboretum.trees.rules.c45 import C45
from arboretum.trees.rules.cart import CONSTANTS, Cart, cart_rule
from arboretum.trees.rules.extra import Extra, extra_rule
from arboretum.trees.rules.pert import Pert, pert_rule
from arboretum.trees.rules.vr import VR, vr_rule
from arboretum.trees.rules.weka import WekaTree, weka_rule
from arboretum.trees.table import Table, table_of

__all__ = [
    "C45",
    "CONSTANTS",
    "VR",
    "Cart",
    "Extra",
    "Forest",
    "Pert",
    "Table",
    "WekaTree",
    "cart_rule",
    "collapse",
    "concatenate",
    "count_votes",
    "drawn_rows",
    "extra_rule",
    "grow_forest",
    "grow_purely_random",
    "in_threads",
    "limit_leaves",
    "pert_rule",
    "prune",
    "table_of",
    "vr_rule",
    "weighted_draws",
    "weka_rule",
]
