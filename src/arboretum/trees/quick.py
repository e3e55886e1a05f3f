"""Read complete cases fast: sixteen bytes a node, eight cases at a time, no branch that can be mispredicted.

A leaf is its own child behind a test that always fails, so that all eight cases step together until none moves.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part
from arboretum.trees.rules import LEAF, NOMINAL

QUICK = np.dtype([("cut", np.float64), ("feature", np.int32), ("child", np.int32)])
ANSWER = np.dtype([("start", np.int32), ("size", np.int32)])
AT_ONCE = 8


@kernel
def quick_nodes(nodes, quick):
    """Nodes of trees with numeric and nominal tests; a nominal feature f is written as -1 - f."""
    for place in range(nodes.shape[0]):
        node = nodes[place]
        if node.kind == LEAF:
            quick[place].cut, quick[place].feature, quick[place].child = np.inf, 0, place
        else:
            quick[place].cut, quick[place].feature, quick[place].child = node.cut, node.feature, node.child
            if node.kind == NOMINAL:
                quick[place].feature = -1 - node.feature


@kernel
def quick_answers(nodes, counts, answer, answers, shares):
    """What each node answers with: the one class it is sure of (size 0), or where its class shares lie."""
    for place in range(nodes.shape[0]):
        node = nodes[place]
        for c in range(node.count_start, node.count_start + node.count_size):
            shares[c] = counts[c].value / node.weight
    for place in range(nodes.shape[0]):
        node = nodes[answer[place]]
        answers[place].start, answers[place].size = node.count_start, node.count_size
        if node.count_size == 1:
            answers[place].start, answers[place].size = counts[node.count_start].klass, 0


@part
def descend_numeric(quick, root, cells, first, n, places):
    """Leaves of n <= 8 cases from ``first`` on, numeric tests only."""
    for r in range(AT_ONCE):
        places[r] = root
    moving = True
    while moving:
        moving = False
        for r in range(AT_ONCE):
            node = quick[np.uint64(places[r])]
            row = first + min(r, n - 1)
            there = np.int64(node.child) + np.int64(cells[np.uint64(row), np.uint64(node.feature)] > node.cut)
            moving |= there != places[r]
            places[r] = there


@part
def descend_mixed(quick, root, cells, first, n, places):
    """The same with nominal tests: the level is the branch."""
    for r in range(n):
        place, there = np.int64(-1), np.int64(root)
        while there != place:
            place = there
            node = quick[place]
            if node.feature < 0:
                there = np.int64(node.child) + np.int64(cells[first + r, -1 - node.feature])
            else:
                there = np.int64(node.child) + np.int64(cells[first + r, node.feature] > node.cut)
        places[r] = place


@part
def descend(quick, root, cells, first, n, numeric, places):
    if numeric:
        descend_numeric(quick, root, cells, first, n, places)
    else:
        descend_mixed(quick, root, cells, first, n, places)


@kernel
def leaves(quick, starts, cells, numeric):
    """Leaf of each case in each tree: (cases, trees), counted in the forest."""
    found = np.empty((cells.shape[0], starts.shape[0] - 1), np.int32)
    places = np.empty(AT_ONCE, np.int64)
    for tree in range(starts.shape[0] - 1):
        for first in range(0, cells.shape[0], AT_ONCE):
            n = min(AT_ONCE, cells.shape[0] - first)
            descend(quick, starts[tree], cells, first, n, numeric, places)
            for r in range(n):
                found[first + r, tree] = places[r]
    return found


@kernel
def probability(quick, starts, answers, shares, counts, cells, numeric, n_classes):
    """Class probabilities summed over trees, trees in order; a few thousand cases at a time stay in the cache."""
    out = np.zeros((cells.shape[0], n_classes))
    places = np.empty(AT_ONCE, np.int64)
    for block in range(0, cells.shape[0], 2048):
        end = min(block + 2048, cells.shape[0])
        for tree in range(starts.shape[0] - 1):
            for first in range(block, end, AT_ONCE):
                n = min(AT_ONCE, end - first)
                descend(quick, starts[tree], cells, first, n, numeric, places)
                for r in range(n):
                    answer = answers[places[r]]
                    if answer.size == 0:
                        out[first + r, answer.start] += 1.0
                    for c in range(answer.start, answer.start + answer.size):
                        out[first + r, counts[c].klass] += shares[c]
    return out
