"""Storage of nodes: one array of records. The children of a node are adjacent; only class counts above 0 are stored."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import allocating_part, part

Array = np.ndarray

NODE = np.dtype(
    [
        ("cut", np.float64),  # NUMERIC: values <= cut go to the first child; SUBSET: where its part of ``sides`` begins
        ("feature", np.int32),  # -1 in a leaf
        ("child", np.int32),  # index of the first child, -1 in a leaf
        ("weight", np.float64),  # of the training cases
        ("count_start", np.int64),
        ("count_size", np.int32),  # 0 if the counts were not stored, and in empty branches
        ("kind", np.uint8),  # LEAF, NUMERIC, NOMINAL, SUBSET
        ("deterministic", np.uint8),  # 1 if the test was chosen, 0 if it was drawn
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


@allocating_part
def enlarged(array, least):
    """A copy with room for at least ``least`` items and at least twice as many as now."""
    copy = np.empty(max(2 * array.shape[0], least), array.dtype)
    for i in range(array.shape[0]):
        copy[i] = array[i]
    return copy


@part
def add_nodes(nodes, state, n):
    """Append n adjacent leaves that have no cases yet; returns the index of the first."""
    first = state[0].n_nodes
    state[0].n_nodes += n
    for place in range(first, first + n):
        node = nodes[place]
        node.cut, node.weight, node.feature, node.child = 0.0, 0.0, -1, -1
        node.count_start, node.count_size, node.kind, node.deterministic, node.spare = 0, 0, 0, 0, 0
    return first


@part
def store_pure_counts(nodes, counts, state, node, k, weight):
    """Store the counts of a node whose cases all have class k."""
    place = state[0].n_counts
    nodes[node].count_start = place
    nodes[node].count_size = 1
    counts[place].klass = k
    counts[place].value = weight
    state[0].n_counts += 1


@part
def store_present_counts(nodes, counts, state, node, tally):
    """Exact growth: store the counts of the classes that the node has."""
    start, n_present = state[0].n_counts, state[0].n_present
    for j in range(n_present):
        counts[start + j].klass = tally[j].present
        counts[start + j].value = tally[tally[j].present].count
    nodes[node].count_start, nodes[node].count_size = start, n_present
    state[0].n_counts += n_present


@part
def store_counts(nodes, counts, state, node, tally):
    """Store the class counts of the node that are above 0."""
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
