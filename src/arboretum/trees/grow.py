"""Grow trees: Algorithm 1 of vrtrees, with the test of a node left to a rule.

``grow_block`` grows the trees of a run of seeds; each uses its own stream only, so a forest is the same for any
number of threads and any size of block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from arboretum.trees.compiled import kernel, maker, part
from arboretum.trees.counts import TOLERANCE, count_classes, is_pure, total_weight
from arboretum.trees.divide import divide_exact, divide_fractional
from arboretum.trees.draws import bootstrap, choose
from arboretum.trees.nodes import add_nodes, keep_counts, keep_one, longer
from arboretum.trees.pool import fill, remove, rewind
from arboretum.trees.rules import LEAF, NOMINAL, SUBSET, select_test
from arboretum.trees.work import NO_BLOCK

Array = np.ndarray
WAITING = np.dtype([(name, np.int64) for name in ("node", "start", "end", "depth", "trail")])


class Limits(NamedTuple):
    """When to stop: a node of less weight than ``n_min``, or at ``max_depth``, is a leaf."""

    n_min: float
    max_depth: int


class Sample(NamedTuple):
    """How the training cases of each tree are drawn, and scratch."""

    weight: Array  # of each row: whole numbers in exact growth, real ones in fractional growth
    bootstrap: bool
    drawn: Array  # how often each row was drawn
    base: Array  # weight of each row in this tree


class Space(NamedTuple):
    """Scratch for dividing a node."""

    spill: Array
    bounds: Array  # where the cases of each child begin
    shares: Array
    sides: Array  # branch of each level of a SUBSET test, and room for two other tries


@kernel
def grow_block(rule, limits, work, sample, space, seeds, mass, nodes, counts, sides):
    """Trees of ``seeds``, one after the other: nodes, counts, sides, and where each tree ends in each of them."""
    ends = np.zeros((seeds.shape[0], 3), np.int64)
    state = work.state
    for tree in range(seeds.shape[0]):
        state[0].stream = seeds[tree]
        draw_rows(sample, state)
        draw_features(work.slots, state, work.features.shape[0])
        fill(work.features, work.slots, state)
        state[0].block_level = NO_BLOCK
        weigh(work.features, state, sample.base)
        rows = training_rows(sample.base)
        weights = row_weights(mass, rows, sample.base)
        nodes, counts, sides = grow_tree(rule, limits, work, space, sample.base, rows, weights, nodes, counts, sides)
        ends[tree, 0], ends[tree, 1], ends[tree, 2] = state[0].n_nodes, state[0].n_counts, state[0].n_sides
        if tree == 0:  # room for all trees at once, by the size of the first
            nodes = longer(nodes, seeds.shape[0] * (state[0].n_nodes + state[0].n_nodes // 8))
            counts = longer(counts, seeds.shape[0] * (state[0].n_counts + state[0].n_counts // 8))
    return nodes, counts, sides, ends


@part
def draw_rows(sample, state):
    """A bootstrap sample (Algorithm 5 of vrtrees) or all rows; ``base`` gets the weight of each row."""
    if sample.bootstrap:
        bootstrap(state, sample.weight, sample.drawn)
    for row in range(sample.base.shape[0]):
        sample.base[row] = sample.weight[row] * (sample.drawn[row] if sample.bootstrap else 1)


@part
def draw_features(slots, state, n):
    """A random subspace (Algorithm 4 of vrtrees) or all features, ascending."""
    k = state[0].n_features
    for f in range(n):
        slots[f].order = f
        slots[f].feature = f
    if k < n:
        choose(state, slots, n, k)
        for i in range(k):  # insertion sort
            f, j = slots[i].order, i
            while j > 0 and slots[j - 1].feature > f:
                slots[j].feature = slots[j - 1].feature
                j -= 1
            slots[j].feature = f


@part
def weigh(features, state, base):
    """The greatest and the whole weight of the training cases; are all rows among them?"""
    heaviest, whole, complete = 0.0, 0.0, True
    for row in range(base.shape[0]):
        heaviest = max(heaviest, np.float64(base[row]))
        whole += base[row]
        complete &= base[row] > 0
    state[0].heaviest, state[0].whole = heaviest, whole
    for f in range(features.shape[0]):
        features[f].seen = 2 if complete else 0


@maker
def training_rows(base):
    """The rows of weight above 0."""
    rows = np.empty(base.shape[0], np.uint32)
    n = 0
    for row in range(base.shape[0]):
        rows[n] = row
        n += base[row] > 0
    return rows[:n]


def row_weights(mass, rows, base):
    """Weight of each case at the root in fractional growth, None in exact growth."""
    raise NotImplementedError("kernels only")


@overload(row_weights)
def _row_weights(mass, rows, base):
    def weigh(mass, rows, base):
        weights = np.empty(rows.shape[0])
        for i in range(rows.shape[0]):
            weights[i] = base[rows[i]]
        return weights

    return (lambda mass, rows, base: None) if isinstance(mass, types.NoneType) else weigh


@maker
def grow_tree(rule, limits, work, space, base, rows, mass, nodes, counts, sides):
    """Algorithm 1, without recursion: take the last node put off and visit it, until none is left."""
    state, room, n_classes = work.state, space.bounds.shape[0], work.tally.shape[0]
    weights, waiting, n_waiting = mass, np.empty(64, WAITING), 1
    if state[0].n_nodes + 1 > nodes.shape[0]:
        nodes = longer(nodes, state[0].n_nodes + 1)
    put_off(waiting, 0, add_nodes(nodes, state, 1), 0, rows.shape[0], 0, 0)
    while n_waiting > 0:
        if state[0].n_nodes + room > nodes.shape[0]:
            nodes = longer(nodes, state[0].n_nodes + room)
        if state[0].n_counts + n_classes > counts.shape[0]:
            counts = longer(counts, state[0].n_counts + n_classes)
        if state[0].n_sides + room > sides.shape[0]:
            sides = longer(sides, state[0].n_sides + room)
        if n_waiting + room > waiting.shape[0]:
            waiting = longer(waiting, n_waiting + room)
        n_waiting -= 1
        take(waiting, n_waiting, work.features, work.slots, state)
        test = visit(rule, limits, work, space, base, rows, weights, nodes, counts)
        if test[0] != LEAF:
            if mass is not None:
                rows, weights = divide_fractional(work, rows, weights, test, space)
            n_waiting = branch_out(work, space, test, nodes, sides, waiting, n_waiting)
    return nodes, counts, sides


@part
def visit(rule, limits, work, space, base, rows, mass, nodes, counts):
    """Make the node in hand a leaf, or choose its test (and in exact growth divide its cases); the test."""
    state, tally, classes = work.state, work.tally, work.classes
    node, start, end = state[0].node, state[0].start, state[0].end
    total = node_weight(rows, base, mass, start, end, state[0].heaviest)
    nodes[node].weight = total
    pure = is_pure(rows, mass, start, end, classes, tally)
    test = (LEAF, np.int64(0), 0.0, False)
    if pure and mass is None:
        keep_one(nodes, counts, state, node, classes[rows[start]], total)
        return test
    if not (pure or total < limits.n_min - TOLERANCE or state[0].depth >= limits.max_depth or state[0].n_alive == 0):
        kind, f, cut, chosen = select_test(rule, work, space.sides, rows, base, mass, start, end, total)
        test = (kind, np.int64(f), cut, chosen)
    keep = True
    if mass is None and test[0] != LEAF:
        divide_exact(work, rows, start, end, test, space)
        keep = has_small_branch(space.bounds, n_branches(work.features, test))
    if keep:
        count_classes(rows, base, mass, start, end, classes, tally)
        keep_counts(nodes, counts, state, node, tally)
    return test


@part
def node_weight(rows, base, mass, start, end, heaviest):
    """Weight of the node: its number of cases where all weights are 1."""
    if mass is None:
        if heaviest == 1.0:
            return end - start
        return np.int64(total_weight(rows, base, mass, start, end))
    else:
        return total_weight(rows, base, mass, start, end)


@part
def n_branches(features, test):
    return features[test[1]].n_values if test[0] == NOMINAL else 2


@part
def branch_out(work, space, test, nodes, sides, waiting, n_waiting):
    """Give the node in hand its test and children, and put those with cases off; how many wait now."""
    kind, f, cut, chosen = test
    features, state, bounds = work.features, work.state, space.bounds
    branches = n_branches(features, test)
    if kind == NOMINAL:
        remove(features, work.slots, state, f)
    if kind == SUBSET:
        cut = keep_sides(sides, state, space.sides, features[f].n_values)
    node, depth = nodes[state[0].node], state[0].depth + 1
    first = add_nodes(nodes, state, branches)
    node.kind, node.deterministic, node.feature, node.cut, node.child = kind, chosen, f, cut, first
    for b in range(branches):
        if bounds[b] < bounds[b + 1]:
            put_off(waiting, n_waiting, first + b, bounds[b], bounds[b + 1], depth, state[0].n_trail)
            n_waiting += 1
    return n_waiting


@part
def put_off(waiting, place, node, start, end, depth, trail):
    item = waiting[place]
    item.node, item.start, item.end, item.depth, item.trail = node, start, end, depth, trail


@part
def take(waiting, place, features, slots, state):
    """Take a node in hand, with the features it may use."""
    item = waiting[place]
    state[0].node, state[0].start, state[0].end, state[0].depth = item.node, item.start, item.end, item.depth
    state[0].level = place
    if place < state[0].block_level:
        state[0].block_level = NO_BLOCK
    rewind(features, slots, state, item.trail)


@part
def has_small_branch(bounds, branches):
    """Has a branch fewer than two cases? Then curtailment will ask for the counts of this node."""
    for b in range(branches):  # noqa: SIM110
        if bounds[b + 1] - bounds[b] < 2:
            return True
    return False


@part
def keep_sides(sides, state, found, n_levels):
    """Keep the branch of each level of a SUBSET test; where they begin."""
    start = state[0].n_sides
    for level in range(n_levels):
        sides[start + level] = found[level]
    state[0].n_sides += n_levels
    return np.float64(start)
