"""Grow and read trees, fast: numba kernels on rank-coded columns.

In the order in which data flows through them:

=======================  ==============================================================================
``columns``              columns of data frames: numbers, levels, or refused
``table``                data as trees see it: cells, declared levels, ranks
``buffers``, ``block``   the arrays of one thread; copies of small nodes that fit the cache
``grow``                 the grower: Algorithm 1 of vrtrees, without recursion
``available_features``   the features that a node may use
``rules``                how a node chooses its test, one file per rule
``packing``              number the classes of a node, pack its cases into 64-bit words
``histogram``            class histograms over ranks
``criterion``            entropy and Gini scores of all cuts
``best_split``           the best cut of a feature
``partition``            cases to branches, whole or in fractions
``nodes``                storage of grown nodes
``purely_random``        the grower of purely random trees
``forest``               the grown forest
``read``                 structure of grown trees: parents, class weights, votes of nodes
``predict_complete``     fast prediction of complete cases
``predict_missing``      prediction of cases with missing values
``votes_of_rows``        votes of one tree on some of the cases
``weighted_draws``       bootstrap samples drawn by weight
``importance``           importance of features
``prune``                collapsing, pessimistic pruning, limit on the leaves
``export``               a tree as nested dicts
=======================  ==============================================================================
"""

from arboretum.trees.columns import as_frame
from arboretum.trees.forest import (
    A_FEW,
    MISSING,
    Forest,
    concatenate,
    drawn_rows,
    grow_forest,
    grow_purely_random,
    in_threads,
)
from arboretum.trees.prune import collapse, limit_leaves, prune
from arboretum.trees.read import count_votes
from arboretum.trees.rules.c45 import C45
from arboretum.trees.rules.cart import CONSTANTS, Cart, cart_rule
from arboretum.trees.rules.extra import Extra, extra_rule
from arboretum.trees.rules.pert import Pert, pert_rule
from arboretum.trees.rules.vr import VR, vr_rule
from arboretum.trees.rules.weka import WekaTree, weka_rule
from arboretum.trees.table import CodedTable, table_of
from arboretum.trees.votes_of_rows import is_pure, votes_of_rows
from arboretum.trees.weighted_draws import weighted_draws, whole_weights

__all__ = [
    "A_FEW",
    "C45",
    "CONSTANTS",
    "MISSING",
    "VR",
    "Cart",
    "CodedTable",
    "Extra",
    "Forest",
    "Pert",
    "WekaTree",
    "as_frame",
    "cart_rule",
    "collapse",
    "concatenate",
    "count_votes",
    "drawn_rows",
    "extra_rule",
    "grow_forest",
    "grow_purely_random",
    "in_threads",
    "is_pure",
    "limit_leaves",
    "pert_rule",
    "prune",
    "table_of",
    "votes_of_rows",
    "vr_rule",
    "weighted_draws",
    "weka_rule",
    "whole_weights",
]
