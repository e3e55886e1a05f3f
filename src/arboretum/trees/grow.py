"""Grow trees: Algorithm 1 of vrtrees. A rule chooses the test of each node.

``grow_trees`` grows one tree per seed. Each tree uses its own random stream only, so a forest is the same for any
number of threads and any grouping of the trees.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from arboretum.trees.available_features import make_all_available, remove_feature, restore_features
from arboretum.trees.buffers import NO_BLOCK
from arboretum.trees.class_counts import TOLERANCE, count_cases, count_fractions, is_pure, write_row_cases
from arboretum.trees.compiled import allocating_part, kernel, part, uncached
from arboretum.trees.nodes import add_nodes, enlarged, store_counts, store_present_counts, store_pure_counts
from arboretum.trees.partition import n_branches, partition_exact, partition_fractional, partition_whole
from arboretum.trees.presorted import start_columns
from arboretum.trees.random_stream import bootstrap, sample_without_replacement
from arboretum.trees.rules import LEAF, NOMINAL, SUBSET, select_test
from arboretum.trees.walk import partition_columns

Array = np.ndarray
STACK_ITEM = np.dtype([(name, np.int64) for name in ("node", "start", "end", "depth", "trail")])


class Limits(NamedTuple):
    """When to stop: a node whose weight is below ``n_min``, or at ``max_depth``, is a leaf."""

    n_min: float
    max_depth: int


class Sample(NamedTuple):
    """How the training cases of each tree are drawn, and buffers for it."""

    weight: Array  # of each row: whole numbers in exact growth, real ones in fractional growth
    bootstrap: bool
    drawn: Array  # how often each row was drawn
    row_weight: Array  # weight of each row in this tree


class PartitionBuffers(NamedTuple):
    """Buffers for partitioning the cases of a node."""

    spill: Array  # cases of the second side
    bounds: Array  # where the cases of each child begin
    ends: Array  # one branch per level: where the cases moved so far end, for both halves of the cases
    shares: Array  # fractional growth: each child's share of the known weight
    sides: Array  # branch of each level of a SUBSET test, and room for two other candidates


@kernel
def grow_trees(rule, limits, buffers, sample, partition, seeds, case_weight, nodes, counts, sides):
    """Grow one tree per seed: returns nodes, counts, sides, and where each tree ends in each of them."""
    ends = np.zeros((seeds.shape[0], 3), np.int64)
    state = buffers.state
    for tree in range(seeds.shape[0]):
        state[0].stream = seeds[tree]
        draw_rows(sample, state)
        draw_features(buffers.slots, state, buffers.features.shape[0])
        make_all_available(buffers.features, buffers.slots, state)
        state[0].block_level = NO_BLOCK
        measure_sample(buffers.features, state, sample.row_weight)
        if case_weight is None:
            write_row_cases(buffers, sample.row_weight)
        start_columns(buffers.order, buffers, sample.row_weight)
        rows = training_rows(sample.row_weight)
        weights = root_case_weights(case_weight, rows, sample.row_weight)
        nodes, counts, sides = grow_tree(
            rule, limits, buffers, partition, sample.row_weight, rows, weights, nodes, counts, sides
        )
        ends[tree, 0], ends[tree, 1], ends[tree, 2] = state[0].n_nodes, state[0].n_counts, state[0].n_sides
        if tree == 0:  # reserve room for all trees, by the size of the first one
            nodes = enlarged(nodes, seeds.shape[0] * (state[0].n_nodes + state[0].n_nodes // 8))
            counts = enlarged(counts, seeds.shape[0] * (state[0].n_counts + state[0].n_counts // 8))
    return nodes, counts, sides, ends


@cache
def _grow_trees_uncached():
    return uncached(grow_trees)


def grower_for(rule):
    """``grow_trees``. By a rule from outside this package, the same, compiled in each process.

    What is kept is found by the name of the rule's type, not by what the rule does: once edited, it would meet the
    machine code of its former self.
    """
    ours = type(rule).__module__.startswith(f"{__package__}.")
    return grow_trees if ours else _grow_trees_uncached()


@part
def draw_rows(sample, state):
    """A bootstrap sample (Algorithm 5 of vrtrees) or all rows; ``row_weight`` gets the weight of each row."""
    if sample.bootstrap:
        bootstrap(state, sample.weight, sample.drawn)
    for row in range(sample.row_weight.shape[0]):
        sample.row_weight[row] = sample.weight[row] * (sample.drawn[row] if sample.bootstrap else 1)


@part
def draw_features(slots, state, n):
    """A random subspace (Algorithm 4 of vrtrees) or all features, ascending."""
    k = state[0].n_features
    for f in range(n):
        slots[f].order = f
        slots[f].feature = f
    if k < n:
        sample_without_replacement(state, slots, n, k)
        for i in range(k):  # insertion sort
            f, j = slots[i].order, i
            while j > 0 and slots[j - 1].feature > f:
                slots[j].feature = slots[j - 1].feature
                j -= 1
            slots[j].feature = f


@part
def measure_sample(features, state, row_weight):
    """Greatest and total weight of the training cases, their number, and whether every row is one of them."""
    heaviest, whole, cases = 0 * row_weight[0], 0 * row_weight[0], 0  # whole numbers in exact growth: their sum is fast
    for row in range(row_weight.shape[0]):
        heaviest = max(heaviest, row_weight[row])
        whole += row_weight[row]
        cases += row_weight[row] > 0
    state[0].heaviest, state[0].whole, state[0].cases = heaviest, whole, cases
    seen = 2 if cases == row_weight.shape[0] else 0
    if seen == 0 or features[0].seen != seen:
        for f in range(features.shape[0]):
            features[f].seen = seen


@allocating_part
def training_rows(row_weight):
    """The rows with a weight above 0."""
    rows = np.empty(row_weight.shape[0], np.uint32)
    n = 0
    for row in range(row_weight.shape[0]):
        rows[n] = row
        n += row_weight[row] > 0
    return rows[:n]


def root_case_weights(case_weight, rows, row_weight):
    """Weights of the cases at the root: an array in fractional growth, None in exact growth."""
    raise NotImplementedError("kernels only")


@overload(root_case_weights)
def _root_case_weights(case_weight, rows, row_weight):
    def copy_weights(case_weight, rows, row_weight):
        weights = np.empty(rows.shape[0])
        for i in range(rows.shape[0]):
            weights[i] = row_weight[rows[i]]
        return weights

    return (lambda case_weight, rows, row_weight: None) if isinstance(case_weight, types.NoneType) else copy_weights


@allocating_part
def grow_tree(rule, limits, buffers, partition, row_weight, rows, case_weight, nodes, counts, sides):
    """Algorithm 1 with a stack instead of recursion: pop a node, visit it, push its children."""
    state, room, n_classes = buffers.state, partition.bounds.shape[0], buffers.tally.shape[0]
    weights, stack, stack_size = case_weight, np.empty(64, STACK_ITEM), 1
    if state[0].n_nodes + 1 > nodes.shape[0]:
        nodes = enlarged(nodes, state[0].n_nodes + 1)
    push(stack, 0, add_nodes(nodes, state, 1), 0, rows.shape[0], 0, 0)
    while stack_size > 0:
        if state[0].n_nodes + room > nodes.shape[0]:
            nodes = enlarged(nodes, state[0].n_nodes + room)
        if state[0].n_counts + n_classes > counts.shape[0]:
            counts = enlarged(counts, state[0].n_counts + n_classes)
        if state[0].n_sides + room > sides.shape[0]:
            sides = enlarged(sides, state[0].n_sides + room)
        if stack_size + room > stack.shape[0]:
            stack = enlarged(stack, stack_size + room)
        stack_size -= 1
        pop(stack, stack_size, buffers.features, buffers.slots, state)
        test = visit_node(rule, limits, buffers, partition, row_weight, rows, weights, nodes, counts)
        if test[0] != LEAF:
            if case_weight is not None:
                if state[0].own_branch:
                    partition_whole(buffers, rows, weights, test, partition)
                else:
                    rows, weights = partition_fractional(buffers, rows, weights, test, partition)
            stack_size = add_children(buffers, partition, test, nodes, sides, stack, stack_size)
    return nodes, counts, sides


@part
def visit_node(rule, limits, buffers, partition, row_weight, rows, case_weight, nodes, counts):
    """Make the current node a leaf or choose its test (and, in exact growth, partition its cases); returns the test."""
    state, classes = buffers.state, buffers.classes
    node, start, end = state[0].node, state[0].start, state[0].end
    total, pure = weigh_node(buffers, rows, case_weight, start, end)
    nodes[node].weight = total
    test = (LEAF, np.int64(0), 0.0, False)
    if pure and case_weight is None:
        store_pure_counts(nodes, counts, state, node, classes[rows[start]], total)
        return test
    small, deep = total < limits.n_min - TOLERANCE, state[0].depth >= limits.max_depth
    if not (pure or small or deep or state[0].n_available == 0):
        kind, f, cut, chosen = select_test(
            rule, buffers, partition.sides, rows, row_weight, case_weight, start, end, total
        )
        test = (kind, np.int64(f), cut, chosen)
    keep = True
    if case_weight is None and test[0] != LEAF:
        partition_exact(buffers, rows, start, end, test, partition)
        partition_columns(buffers.order, buffers, rows, start, end, test, partition)
        branches = n_branches(buffers, test)
        partition.bounds[branches] = end  # also where unknown values have a branch, in which there are none
        keep = has_small_branch(partition.bounds, branches)
    if keep:
        store_node_counts(buffers, rows, case_weight, start, end, nodes, counts, node)
    return test


@part
def store_node_counts(buffers, rows, case_weight, start, end, nodes, counts, node):
    """Store the class counts of the node. Its cases may have been partitioned since they were counted."""
    if case_weight is None:
        if buffers.state[0].counted != node:
            count_cases(buffers, rows, start, end)
        store_present_counts(nodes, counts, buffers.state, node, buffers.tally)
    else:
        store_counts(nodes, counts, buffers.state, node, buffers.tally)


@part
def weigh_node(buffers, rows, case_weight, start, end):
    """Weight of the node, which is its number of cases if all weights are 1, and whether all have the same class."""
    if case_weight is None:
        if buffers.state[0].heaviest == 1.0:
            return end - start, is_pure(rows, start, end, buffers.classes)
        return count_cases(buffers, rows, start, end)
    else:
        return count_fractions(buffers, rows, case_weight, start, end)


@part
def add_children(buffers, partition, test, nodes, sides, stack, stack_size):
    """Store the test of the current node, add its children and push those with cases; returns the stack size."""
    kind, f, cut, chosen = test
    features, state, bounds = buffers.features, buffers.state, partition.bounds
    branches = n_branches(buffers, test)
    if kind == NOMINAL:
        remove_feature(features, buffers.slots, state, f)
    if kind == SUBSET:
        cut = store_sides(sides, state, partition.sides, features[f].n_values)
    node, depth = nodes[state[0].node], state[0].depth + 1
    first = add_nodes(nodes, state, branches)
    node.kind, node.deterministic, node.feature, node.cut, node.child = kind, chosen, f, cut, first
    for b in range(branches):
        if bounds[b] < bounds[b + 1]:
            push(stack, stack_size, first + b, bounds[b], bounds[b + 1], depth, state[0].n_trail)
            stack_size += 1
    return stack_size


@part
def push(stack, place, node, start, end, depth, trail):
    """Write a node to ``stack[place]``."""
    item = stack[place]
    item.node, item.start, item.end, item.depth, item.trail = node, start, end, depth, trail


@part
def pop(stack, place, features, slots, state):
    """Make the node at ``stack[place]`` the current one, and restore the features it may use."""
    item = stack[place]
    state[0].node, state[0].start, state[0].end, state[0].depth = item.node, item.start, item.end, item.depth
    state[0].level = place
    if place < state[0].block_level:
        state[0].block_level = NO_BLOCK
    restore_features(features, slots, state, item.trail)


@part
def has_small_branch(bounds, branches):
    """Has a branch fewer than two cases? Then curtailment may need the counts of this node."""
    for b in range(branches):  # noqa: SIM110
        if bounds[b + 1] - bounds[b] < 2:
            return True
    return False


@part
def store_sides(sides, state, found, n_levels):
    """Store the branch of each level of a SUBSET test; returns where they begin."""
    start = state[0].n_sides
    for level in range(n_levels):
        sides[start + level] = found[level]
    state[0].n_sides += n_levels
    return np.float64(start)
