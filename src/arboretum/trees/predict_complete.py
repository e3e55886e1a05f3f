"""Predict complete cases fast: 16 bytes per node, eight cases at a time, no branch that can be mispredicted.

A leaf is its own child, behind a test that always goes there. So all eight cases take the same number of steps, until
none of them moves.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC

COMPACT_NODE = np.dtype([("cut", np.float64), ("feature", np.int32), ("child", np.int32)])
ANSWER = np.dtype([("start", np.int32), ("size", np.int32)])
AT_ONCE = 8  # cases that descend together


@kernel
def compact_nodes(nodes, identity, compact):
    """Write the nodes in compact form.

    A nominal feature f is written as -1 - f, and its cut is where the branches of its levels begin in ``sides``. Nodes
    with one branch per level share the part of ``sides`` that begins at ``identity`` and holds 0, 1, 2, ...
    """
    for place in range(nodes.shape[0]):
        node = nodes[place]
        if node.kind == LEAF:
            compact[place].cut, compact[place].feature, compact[place].child = np.inf, 0, place
        else:
            compact[place].cut, compact[place].feature, compact[place].child = node.cut, node.feature, node.child
            if node.kind == NOMINAL:
                compact[place].cut = identity
            if node.kind != NUMERIC:
                compact[place].feature = -1 - node.feature


@kernel
def compact_answers(nodes, counts, answer, answers, shares):
    """What each node answers: its only class (size 0, the class in ``start``), or where its class shares are stored."""
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
def descend_numeric(compact, root, cells, first, n, places):
    """Find the leaves of n <= 8 cases from row ``first`` on; all tests must be numeric."""
    for r in range(AT_ONCE):
        places[r] = root
    moving = True
    while moving:
        moving = False
        for r in range(AT_ONCE):
            node = compact[np.uint64(places[r])]
            row = first + min(r, n - 1)
            there = np.int64(node.child) + np.int64(cells[np.uint64(row), np.uint64(node.feature)] > node.cut)
            moving |= there != places[r]
            places[r] = there


@part
def descend_mixed(compact, sides, root, cells, first, n, places):
    """The same if some tests are nominal: the branch of a level is looked up in ``sides``."""
    for r in range(AT_ONCE):
        places[r] = root
    moving = True
    while moving:
        moving = False
        for r in range(AT_ONCE):
            node = compact[np.uint64(places[r])]
            nominal = node.feature < 0
            value = cells[np.uint64(first + min(r, n - 1)), np.uint64(-1 - node.feature if nominal else node.feature)]
            side = sides[np.uint64(node.cut + value if nominal else 0.0)]
            there = np.int64(node.child) + (np.int64(side) if nominal else np.int64(value > node.cut))
            moving |= there != places[r]
            places[r] = there


@part
def descend(compact, sides, root, cells, first, n, numeric, places):
    """Find the leaves of n <= 8 cases from row ``first`` on."""
    if numeric:
        descend_numeric(compact, root, cells, first, n, places)
    else:
        descend_mixed(compact, sides, root, cells, first, n, places)


@kernel
def leaves(compact, sides, starts, cells, numeric):
    """Leaf of each case in each tree: (cases, trees), numbered within the forest."""
    found = np.empty((cells.shape[0], starts.shape[0] - 1), np.int32)
    places = np.empty(AT_ONCE, np.int64)
    for tree in range(starts.shape[0] - 1):
        for first in range(0, cells.shape[0], AT_ONCE):
            n = min(AT_ONCE, cells.shape[0] - first)
            descend(compact, sides, starts[tree], cells, first, n, numeric, places)
            for r in range(n):
                found[first + r, tree] = places[r]
    return found


@kernel
def probability(compact, sides, starts, answers, shares, counts, cells, numeric, n_classes):
    """Class probabilities summed over trees, in order of the trees; 2048 cases at a time, which stay in the cache."""
    out = np.zeros((cells.shape[0], n_classes))
    places = np.empty(AT_ONCE, np.int64)
    for block in range(0, cells.shape[0], 2048):
        end = min(block + 2048, cells.shape[0])
        for tree in range(starts.shape[0] - 1):
            for first in range(block, end, AT_ONCE):
                n = min(AT_ONCE, end - first)
                descend(compact, sides, starts[tree], cells, first, n, numeric, places)
                for r in range(n):
                    answer = answers[places[r]]
                    if answer.size == 0:
                        out[first + r, answer.start] += 1.0
                    for c in range(answer.start, answer.start + answer.size):
                        out[first + r, counts[c].klass] += shares[c]
    return out
