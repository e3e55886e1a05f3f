"""Grow trees: Algorithm 1 of vrtrees, with the test of a node left to a rule.

``grow_block`` grows the trees of a run of seeds; each uses its own stream only, so a forest is the same for any
number of threads and any size of block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numba.extending import overload

from arboretum.trees.compiled import kernel, part
from arboretum.trees.counts import TOLERANCE, count_classes, is_pure, total_weight
from arboretum.trees.divide import divide_exact, divide_fractional
from arboretum.trees.draws import bootstrap, choose
from arboretum.trees.nodes import add_nodes, keep_counts, keep_one, longer
from arboretum.trees.pool import fill, remove, rewind
from arboretum.trees.rules import LEAF, NOMINAL, SUBSET, select_test

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
    sides: Array  # branch of each level of a SUBSET test


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
        weigh(work.features, state, sample.base)
        rows = training_rows(sample.base)
        weights = row_weights(mass, rows, sample.base)
        nodes, counts, sides = grow_tree(rule, limits, work, space, sample.base, rows, weights, nodes, counts, sides)
        ends[tree, 0], ends[tree, 1], ends[tree, 2] = state[0].n_nodes, state[0].n_counts, state[0].n_sides
    return nodes, counts, sides, ends


@part
def draw_rows(sample, state):
    """A bootstrap sample (Algorithm 5 of vrtrees) or all rows; ``base`` gets the weight of each row."""
    if sample.bootstrap:
        bootstrap(state, sample.drawn)
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


@part
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


@part
def grow_tree(rule, limits, work, space, base, rows, mass, nodes, counts, sides):
    """Algorithm 1, without recursion: take the last node put off, make it a leaf or divide it."""
    state, features, tally, classes = work.state, work.features, work.tally, work.classes
    room, n_classes = space.bounds.shape[0], tally.shape[0]
    weights = mass
    waiting = np.empty(64, WAITING)
    if state[0].n_nodes + 1 > nodes.shape[0]:
        nodes = longer(nodes, state[0].n_nodes + 1)
    put_off(waiting, 0, add_nodes(nodes, state, 1), 0, rows.shape[0], 0, 0)
    n_waiting = 1
    while n_waiting > 0:
        n_waiting -= 1
        node, start, end = waiting[n_waiting].node, waiting[n_waiting].start, waiting[n_waiting].end
        depth = waiting[n_waiting].depth
        rewind(features, work.slots, state, waiting[n_waiting].trail)
        if state[0].n_nodes + room > nodes.shape[0]:
            nodes = longer(nodes, state[0].n_nodes + room)
        if state[0].n_counts + n_classes > counts.shape[0]:
            counts = longer(counts, state[0].n_counts + n_classes)
        if n_waiting + room > waiting.shape[0]:
            waiting = longer(waiting, n_waiting + room)
        total = total_weight(rows, base, weights, start, end)
        nodes[node].weight = total
        pure = is_pure(rows, weights, start, end, classes, tally)
        if pure and mass is None:
            keep_one(nodes, counts, state, node, classes[rows[start]], total)
            continue
        kind, f, rank, cut, chosen = LEAF, 0, 0, 0.0, False
        if not (pure or total < limits.n_min - TOLERANCE or depth >= limits.max_depth or state[0].n_alive == 0):
            kind, f, rank, cut, chosen = select_test(rule, work, space.sides, rows, base, weights, start, end, total)
        if kind == LEAF:
            count_classes(rows, base, weights, start, end, classes, tally)
            keep_counts(nodes, counts, state, node, tally)
            continue
        branches = features[f].n_values if kind == NOMINAL else 2
        test = (kind, rank, branches)
        if mass is None:
            divide_exact(work.codes[f], rows, start, end, test, space.sides, space.spill, space.bounds)
            keep = has_small_branch(space.bounds, branches)
        else:
            keep = True
        if keep:
            count_classes(rows, base, weights, start, end, classes, tally)
            keep_counts(nodes, counts, state, node, tally)
        if mass is not None:
            column, missing = work.codes[f], features[f].n_values
            rows, weights = divide_fractional(column, missing, rows, weights, start, end, test, space)
        if kind == NOMINAL:
            remove(features, work.slots, state, f)
        if kind == SUBSET:
            if state[0].n_sides + room > sides.shape[0]:
                sides = longer(sides, state[0].n_sides + room)
            cut = keep_sides(sides, state, space.sides, features[f].n_values)
        first = branch_out(nodes, state, node, kind, f, cut, chosen, branches)
        for b in range(branches):
            if space.bounds[b] < space.bounds[b + 1]:
                put_off(
                    waiting, n_waiting, first + b, space.bounds[b], space.bounds[b + 1], depth + 1, state[0].n_trail
                )
                n_waiting += 1
    return nodes, counts, sides


@part
def put_off(waiting, place, node, start, end, depth, trail):
    item = waiting[place]
    item.node, item.start, item.end, item.depth, item.trail = node, start, end, depth, trail


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


@part
def branch_out(nodes, state, place, kind, f, cut, chosen, branches):
    """Turn a leaf into an inner node with new leaves as children; the place of the first child."""
    node = nodes[place]
    node.kind, node.deterministic, node.feature, node.cut = kind, chosen, f, cut
    node.child = add_nodes(nodes, state, branches)
    return np.int64(node.child)
