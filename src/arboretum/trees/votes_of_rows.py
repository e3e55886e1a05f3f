"""Votes of one tree on some of the cases, for forests that look up only what they cannot know."""

from __future__ import annotations

import numpy as np

from arboretum.trees import read
from arboretum.trees.compiled import kernel, part
from arboretum.trees.forest import Forest
from arboretum.trees.predict_complete import AT_ONCE
from arboretum.trees.rules import LEAF


def is_pure(forest: Forest) -> bool:
    """Does every leaf that has cases hold those of one class?"""
    leaf = (forest.nodes["kind"] == LEAF) & (forest.nodes["weight"] > 0)
    return bool((forest.nodes["count_size"][leaf] == 1).all())


def votes_of_rows(forest: Forest, table, rows: np.ndarray) -> np.ndarray:
    """Votes of the first tree on some complete cases: class codes, in the order of ``rows``."""
    vote = read.node_votes(forest.nodes, forest.counts, forest.answers(False))
    compact, sides, numeric = forest._compact
    return vote[leaves_of_rows(compact, sides, forest.starts[0], table.cells, rows, numeric)]


@kernel
def leaves_of_rows(compact, sides, root, cells, rows, numeric):
    """Leaf of some cases in the tree that begins at ``root``; see ``predict_complete`` for the nodes."""
    found = np.empty(rows.shape[0], np.int32)
    places, picked = np.empty(AT_ONCE, np.int64), np.empty(AT_ONCE, np.int64)
    for first in range(0, rows.shape[0], AT_ONCE):
        n = min(AT_ONCE, rows.shape[0] - first)
        for r in range(AT_ONCE):
            places[r], picked[r] = root, rows[first + min(r, n - 1)]
        moving = True
        while moving:
            if numeric:
                moving = step_numeric(compact, cells, picked, places)
            else:
                moving = step_mixed(compact, sides, cells, picked, places)
        for r in range(n):
            found[first + r] = places[r]
    return found


@part
def step_numeric(compact, cells, picked, places):
    """Move eight cases one node down; all tests must be numeric. Returns whether any moved."""
    moving = False
    for r in range(AT_ONCE):
        node = compact[np.uint64(places[r])]
        there = np.int64(node.child) + np.int64(cells[np.uint64(picked[r]), np.uint64(node.feature)] > node.cut)
        moving |= there != places[r]
        places[r] = there
    return moving


@part
def step_mixed(compact, sides, cells, picked, places):
    """The same if some tests are nominal."""
    moving = False
    for r in range(AT_ONCE):
        node = compact[np.uint64(places[r])]
        nominal = node.feature < 0
        value = cells[np.uint64(picked[r]), np.uint64(-1 - node.feature if nominal else node.feature)]
        side = np.int64(sides[np.uint64(node.cut + value if nominal else 0.0)])
        there = np.int64(node.child) + (side if nominal else np.int64(value > node.cut))
        moving |= there != places[r]
        places[r] = there
    return moving
