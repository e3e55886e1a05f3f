"""Read complete cases fast: sixteen bytes a node, eight cases at a time, no branch that can be mispredicted.

A leaf is its own child behind a test that always fails, so that all eight cases step together until none moves.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC

QUICK = np.dtype([("cut", np.float64), ("feature", np.int32), ("child", np.int32)])
ANSWER = np.dtype([("start", np.int32), ("size", np.int32)])
AT_ONCE = 8


@kernel
def quick_nodes(nodes, identity, quick):
    """Nodes for reading. A nominal feature f is written as -1 - f; its cut is where the branches of its levels begin in
    the array of sides, which at ``identity`` has 0, 1, 2 ... for nodes with one branch a level."""
    for place in range(nodes.shape[0]):
        node = nodes[place]
        if node.kind == LEAF:
            quick[place].cut, quick[place].feature, quick[place].child = np.inf, 0, place
        else:
            quick[place].cut, quick[place].feature, quick[place].child = node.cut, node.feature, node.child
            if node.kind == NOMINAL:
                quick[place].cut = identity
            if node.kind != NUMERIC:
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
def descend_mixed(quick, sides, root, cells, first, n, places):
    """The same with nominal tests: the branch of a level is looked up."""
    for r in range(AT_ONCE):
        places[r] = root
    moving = True
    while moving:
        moving = False
        for r in range(AT_ONCE):
            node = quick[np.uint64(places[r])]
            nominal = node.feature < 0
            value = cells[np.uint64(first + min(r, n - 1)), np.uint64(-1 - node.feature if nominal else node.feature)]
            side = sides[np.uint64(node.cut + value if nominal else 0.0)]
            there = np.int64(node.child) + (np.int64(side) if nominal else np.int64(value > node.cut))
            moving |= there != places[r]
            places[r] = there


@part
def descend(quick, sides, root, cells, first, n, numeric, places):
    if numeric:
        descend_numeric(quick, root, cells, first, n, places)
    else:
        descend_mixed(quick, sides, root, cells, first, n, places)


@kernel
def leaves(quick, sides, starts, cells, numeric):
    """Leaf of each case in each tree: (cases, trees), counted in the forest."""
    found = np.empty((cells.shape[0], starts.shape[0] - 1), np.int32)
    places = np.empty(AT_ONCE, np.int64)
    for tree in range(starts.shape[0] - 1):
        for first in range(0, cells.shape[0], AT_ONCE):
            n = min(AT_ONCE, cells.shape[0] - first)
            descend(quick, sides, starts[tree], cells, first, n, numeric, places)
            for r in range(n):
                found[first + r, tree] = places[r]
    return found


@kernel
def leaves_of_rows(quick, sides, root, cells, rows, numeric):
    """Leaf of some cases in the tree that begins at ``root``."""
    found = np.empty(rows.shape[0], np.int32)
    places, picked = np.empty(AT_ONCE, np.int64), np.empty(AT_ONCE, np.int64)
    for first in range(0, rows.shape[0], AT_ONCE):
        n = min(AT_ONCE, rows.shape[0] - first)
        for r in range(AT_ONCE):
            places[r], picked[r] = root, rows[first + min(r, n - 1)]
        moving = True
        while moving:
            moving = (
                move_numeric(quick, cells, picked, places)
                if numeric
                else move_mixed(quick, sides, cells, picked, places)
            )
        for r in range(n):
            found[first + r] = places[r]
    return found


@part
def move_numeric(quick, cells, picked, places):
    """One step of eight cases, numeric tests only; did any move?"""
    moving = False
    for r in range(AT_ONCE):
        node = quick[np.uint64(places[r])]
        there = np.int64(node.child) + np.int64(cells[np.uint64(picked[r]), np.uint64(node.feature)] > node.cut)
        moving |= there != places[r]
        places[r] = there
    return moving


@part
def move_mixed(quick, sides, cells, picked, places):
    """The same with nominal tests."""
    moving = False
    for r in range(AT_ONCE):
        node = quick[np.uint64(places[r])]
        nominal = node.feature < 0
        value = cells[np.uint64(picked[r]), np.uint64(-1 - node.feature if nominal else node.feature)]
        side = np.int64(sides[np.uint64(node.cut + value if nominal else 0.0)])
        there = np.int64(node.child) + (side if nominal else np.int64(value > node.cut))
        moving |= there != places[r]
        places[r] = there
    return moving


@kernel
def probability(quick, sides, starts, answers, shares, counts, cells, numeric, n_classes):
    """Class probabilities summed over trees, trees in order; a few thousand cases at a time stay in the cache."""
    out = np.zeros((cells.shape[0], n_classes))
    places = np.empty(AT_ONCE, np.int64)
    for block in range(0, cells.shape[0], 2048):
        end = min(block + 2048, cells.shape[0])
        for tree in range(starts.shape[0] - 1):
            for first in range(block, end, AT_ONCE):
                n = min(AT_ONCE, end - first)
                descend(quick, sides, starts[tree], cells, first, n, numeric, places)
                for r in range(n):
                    answer = answers[places[r]]
                    if answer.size == 0:
                        out[first + r, answer.start] += 1.0
                    for c in range(answer.start, answer.start + answer.size):
                        out[first + r, counts[c].klass] += shares[c]
    return out
