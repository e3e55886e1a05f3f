"""Storage of nodes: one array of records, children of a node side by side, class counts kept only where not 0."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import kernel, maker, part

Array = np.ndarray

NODE = np.dtype(
    [
        ("cut", np.float64),  # numeric value <= cut goes to the first child; SUBSET: where its sides begin
        ("feature", np.int32),  # -1 in a leaf
        ("child", np.int32),  # place of the first child, -1 in a leaf
        ("weight", np.float64),  # of the training cases
        ("count_start", np.int64),
        ("count_size", np.int32),  # 0 where the counts were not kept, and in empty branches
        ("kind", np.uint8),  # LEAF, NUMERIC, NOMINAL, SUBSET
        ("deterministic", np.uint8),  # the test was chosen, not drawn
        ("spare", np.uint16),
    ]
)
COUNT = np.dtype([("value", np.float64), ("klass", np.int64)])


class Nodes(NamedTuple):
    """Nodes of trees, one tree after the other."""

    nodes: Array  # NODE
    counts: Array  # COUNT
    sides: Array  # uint8: branch of each level, for all SUBSET nodes


def empty_nodes(capacity: int) -> Nodes:
    return Nodes(np.zeros(capacity, NODE), np.zeros(capacity, COUNT), np.zeros(64, np.uint8))


@maker
def longer(array, least):
    """A copy of at least twice the length."""
    copy = np.empty(max(2 * array.shape[0], least), array.dtype)
    for i in range(array.shape[0]):
        copy[i] = array[i]
    return copy


@kernel
def move_nodes(nodes, by_nodes, by_counts, by_sides, subset):
    """Nodes whose nodes, counts and sides have moved by so many places; ``subset`` is the kind that has sides."""
    for place in range(nodes.shape[0]):
        node = nodes[place]
        if node.child >= 0:
            node.child += by_nodes
        if node.count_size > 0:
            node.count_start += by_counts
        if node.kind == subset:
            node.cut += by_sides


@part
def add_nodes(nodes, state, n):
    """n new leaves side by side, with no cases yet; the place of the first."""
    first = state[0].n_nodes
    state[0].n_nodes += n
    for place in range(first, first + n):
        node = nodes[place]
        node.cut, node.weight, node.feature, node.child = 0.0, 0.0, -1, -1
        node.count_start, node.count_size, node.kind, node.deterministic, node.spare = 0, 0, 0, 0, 0
    return first


@part
def keep_one(nodes, counts, state, node, k, weight):
    """The node has cases of class k only."""
    place = state[0].n_counts
    nodes[node].count_start = place
    nodes[node].count_size = 1
    counts[place].klass = k
    counts[place].value = weight
    state[0].n_counts += 1


@part
def keep_counts(nodes, counts, state, node, tally):
    """Keep the class counts of the node that are not 0."""
    start = state[0].n_counts
    place = start
    for k in range(tally.shape[0]):
        if tally[k].count > 0:
            counts[place].klass = k
            counts[place].value = tally[k].count
            place += 1
    nodes[node].count_start = start if place > start else 0
    nodes[node].count_size = place - start
    state[0].n_counts = place
