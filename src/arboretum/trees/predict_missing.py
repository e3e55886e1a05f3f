"""Predict cases that may have missing values: a missing value follows every branch, weighted as in C4.5.

``nodes``, ``counts`` and ``sides`` are those of :class:`arboretum.trees.nodes.Nodes`. Complete cases are predicted
faster by :mod:`arboretum.trees.predict_complete`.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.compiled import allocating_part, kernel, part
from arboretum.trees.read import n_children
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC


@part
def child_of(node, sides, value):
    """Index of the child that a known value goes to."""
    if node.kind == NUMERIC:
        return np.int64(node.child) + (value > node.cut)
    if node.kind == NOMINAL:
        return np.int64(node.child) + np.int64(value)
    return np.int64(node.child) + sides[np.int64(node.cut) + np.int64(value)]


@part
def heaviest_branch(nodes, n_values, place):
    """Index of the child of greatest weight, the first if several tie."""
    first = np.int64(nodes[place].child)
    best = first
    for b in range(1, n_children(nodes[place], n_values)):
        if nodes[first + b].weight > nodes[best].weight:
            best = first + b
    return best


@kernel
def leaves(nodes, sides, starts, n_values, cells):
    """Leaf of each case in each tree, numbered within the tree. A missing value takes the heaviest branch."""
    found = np.empty((cells.shape[0], starts.shape[0] - 1), np.int32)
    for tree in range(starts.shape[0] - 1):
        for row in range(cells.shape[0]):
            place = starts[tree]
            while nodes[place].kind != LEAF:
                value = cells[row, nodes[place].feature]
                if np.isnan(value):
                    place = heaviest_branch(nodes, n_values, place)
                else:
                    place = child_of(nodes[place], sides, value)
            found[row, tree] = place - starts[tree]
    return found


@part
def add_leaf_frequencies(nodes, counts, answer, leaf, share, out, row):
    """Add ``share`` times the class frequencies of the node that answers for a leaf."""
    node = nodes[answer[leaf]]
    scale = share / node.weight
    for c in range(node.count_start, node.count_start + node.count_size):
        out[row, counts[c].klass] += counts[c].value * scale


@part
def descend_known(nodes, sides, place, cells, row):
    """Descend while values are known; returns the leaf, or the first node whose feature is missing."""
    while nodes[place].kind != LEAF:
        value = cells[row, nodes[place].feature]
        if np.isnan(value):
            break
        place = child_of(nodes[place], sides, value)
    return place


@allocating_part
def add_mixture(nodes, counts, sides, n_values, answer, place, cells, row, out, out_row):
    """Add the class probabilities of one case below ``place``. A missing value mixes the branches by weight (C4.5)."""
    stack = [(np.int64(place), 1.0)]
    while len(stack) > 0:
        place, share = stack.pop()
        place = descend_known(nodes, sides, place, cells, row)
        if nodes[place].kind == LEAF:
            add_leaf_frequencies(nodes, counts, answer, place, share, out, out_row)
            continue
        first, branches = np.int64(nodes[place].child), n_children(nodes[place], n_values)
        known = 0.0
        for b in range(branches):
            known += nodes[first + b].weight
        for b in range(branches):
            if nodes[first + b].weight > 0.0:
                stack.append((first + b, share * nodes[first + b].weight / known))


@part
def add_tree_probability(nodes, counts, sides, n_values, answer, root, cells, row, out, out_row):
    """Add the class probabilities that one tree gives one case."""
    place = descend_known(nodes, sides, root, cells, row)
    if nodes[place].kind == LEAF:
        add_leaf_frequencies(nodes, counts, answer, place, 1.0, out, out_row)
    else:
        add_mixture(nodes, counts, sides, n_values, answer, place, cells, row, out, out_row)


@kernel
def probability(nodes, counts, sides, starts, n_values, answer, cells, n_classes):
    """Class probabilities summed over trees, trees in order."""
    out = np.zeros((cells.shape[0], n_classes))
    for first in range(0, cells.shape[0], 256):
        for tree in range(starts.shape[0] - 1):
            for row in range(first, min(first + 256, cells.shape[0])):
                add_tree_probability(nodes, counts, sides, n_values, answer, starts[tree], cells, row, out, row)
    return out


@kernel
def tree_probability(nodes, counts, sides, root, n_values, answer, cells, n_classes):
    """Class probabilities from one tree."""
    out = np.zeros((cells.shape[0], n_classes))
    for row in range(cells.shape[0]):
        add_tree_probability(nodes, counts, sides, n_values, answer, root, cells, row, out, row)
    return out


@part
def argmax_and_clear(shares):
    """The class of greatest share; a later class must win by more than the tolerance. Clears the shares."""
    best = 0
    for k in range(1, shares.shape[1]):
        if shares[0, k] > shares[0, best] + TOLERANCE:
            best = k
    for k in range(shares.shape[1]):
        shares[0, k] = 0.0
    return best


@kernel
def tree_votes(nodes, counts, sides, starts, n_values, answer, cells, n_classes):
    """The vote of each tree for each case."""
    votes = np.empty((starts.shape[0] - 1, cells.shape[0]), np.int32)
    shares = np.zeros((1, n_classes))
    for tree in range(starts.shape[0] - 1):
        for row in range(cells.shape[0]):
            add_tree_probability(nodes, counts, sides, n_values, answer, starts[tree], cells, row, shares, 0)
            votes[tree, row] = argmax_and_clear(shares)
    return votes
