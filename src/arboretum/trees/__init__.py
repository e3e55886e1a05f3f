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

from arboretum.trees.forest import Forest, drawn_rows, grow_forest
from arboretum.trees.prune import collapse, limit_leaves, prune
from arboretum.trees.rules.c45 import C45
from arboretum.trees.rules.vr import VR, vr_rule
from arboretum.trees.table import Table, table_of

__all__ = [
    "C45",
    "VR",
    "Forest",
    "Table",
    "collapse",
    "drawn_rows",
    "grow_forest",
    "limit_leaves",
    "prune",
    "table_of",
    "vr_rule",
]
