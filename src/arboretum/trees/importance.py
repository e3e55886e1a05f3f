"""How much each feature matters: decrease of impurity, and accuracy lost when its values are permuted."""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part
from arboretum.trees.elementary import log2
from arboretum.trees.predict_missing import child_of
from arboretum.trees.random_stream import randbelow
from arboretum.trees.read import n_children
from arboretum.trees.rules import LEAF


@part
def impurity(table, place, gini):
    """Weight times impurity: n - sum c^2 / n (Gini) or n log2 n - sum c log2 c (entropy)."""
    n, total = 0.0, 0.0
    for k in range(table.shape[1]):
        c = table[place, k]
        n += c
        if c > 0.0:
            total += c * c if gini else c * log2(c)
    if n <= 0.0:
        return 0.0
    return n - total / n if gini else n * log2(n) - total


@kernel
def impurities(table, gini):
    """Weight times impurity of each node, from its class weights (nodes, classes)."""
    found = np.empty(table.shape[0])
    for place in range(table.shape[0]):
        found[place] = impurity(table, place, gini)
    return found


@kernel
def impurity_decreases(nodes, starts, n_values, table, n_features, gini):
    """Weighted decrease of impurity by each feature in each tree: (trees, features)."""
    decrease = np.zeros((starts.shape[0] - 1, n_features))
    for tree in range(starts.shape[0] - 1):
        for place in range(starts[tree], starts[tree + 1]):
            node = nodes[place]
            if node.kind != LEAF:
                lost = impurity(table, place, gini)
                for b in range(n_children(node, n_values)):
                    lost -= impurity(table, node.child + b, gini)
                decrease[tree, node.feature] += lost
    return decrease


@part
def vote_with_value_of(nodes, sides, vote, root, cells, row, other, f):
    """Vote for ``row`` if its value of feature f is replaced by that of row ``other``."""
    place = root
    while nodes[place].kind != LEAF:
        g = nodes[place].feature
        place = child_of(nodes[place], sides, cells[other if g == f else row, g])
    return vote[place]


@kernel
def accuracy_lost(nodes, sides, vote, root, cells, classes, rows, state):
    """Accuracy on ``rows`` that one tree loses when the values of a feature are permuted; one value per feature."""
    n = rows.shape[0]
    lost = np.zeros(cells.shape[1])
    permuted = rows.copy()
    for f in range(cells.shape[1]):
        for i in range(n - 1):
            j = i + randbelow(state, n - i)
            permuted[i], permuted[j] = permuted[j], permuted[i]
        for i in range(n):
            row = rows[i]
            lost[f] += vote_with_value_of(nodes, sides, vote, root, cells, row, row, f) == classes[row]
            lost[f] -= vote_with_value_of(nodes, sides, vote, root, cells, row, permuted[i], f) == classes[row]
    for f in range(cells.shape[1]):
        lost[f] /= max(n, 1)
    return lost
