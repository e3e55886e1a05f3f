"""Prune grown trees: C4.5's collapsing and pessimistic pruning, and a limit on the number of leaves."""

from __future__ import annotations

import heapq
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.compiled import kernel
from arboretum.trees.elementary import exp_of, log_of
from arboretum.trees.importance import impurities
from arboretum.trees.nodes import COUNT, NODE
from arboretum.trees.read import n_children
from arboretum.trees.rules import LEAF, NOMINAL


def collapse(forest):
    """From the root down: a node becomes a leaf if that makes no more training errors than its subtree."""
    errors = _errors(forest.class_weights)
    return _with_leaves_at(forest, sum_over_leaves(forest.nodes, forest.n_values, errors) >= errors - 1e-3)


def prune(forest, confidence: float = 0.25):
    """Pessimistic pruning (Quinlan 1993, chapter 4), from the leaves up, without subtree raising."""
    return _with_leaves_at(forest, better_as_leaf(forest.nodes, forest.n_values, _pessimistic(forest, confidence)))


def limit_leaves(forest, most: int):
    """Keep the splits that lower entropy most, best first from the root, up to ``most`` leaves per tree."""
    impurity = impurities(forest.class_weights, False)
    cut = np.zeros(len(forest.nodes), np.bool_)
    for root in forest.starts[:-1]:
        queue, leaves = [(-_decrease(forest, impurity, int(root)), int(root))], 1
        while queue:
            _, place = heapq.heappop(queue)
            children = _children(forest, place)
            if not len(children):
                continue
            if leaves + len(children) - 1 > most:
                cut[place] = True
                continue
            leaves += len(children) - 1
            for child in children:
                heapq.heappush(queue, (-_decrease(forest, impurity, int(child)), int(child)))
    return _with_leaves_at(forest, cut)


def _children(forest, place):
    node = forest.nodes[place]
    if node["kind"] == LEAF:
        return range(0)
    n = int(forest.n_values[node["feature"]]) if node["kind"] == NOMINAL else 2
    return range(int(node["child"]), int(node["child"]) + n)


def _errors(weights):
    """Training errors of each node as a leaf."""
    return weights.sum(axis=1) - weights.max(axis=1)


def _decrease(forest, impurity, place) -> float:
    left = impurity[place]
    for child in _children(forest, place):
        left -= impurity[child]
    return left


def _pessimistic(forest, confidence):
    """Errors of each node as a leaf, plus those that the upper confidence limit adds."""
    weights = forest.class_weights
    total, errors = weights.sum(axis=1), _errors(weights)
    some = total > TOLERANCE
    return np.where(some, errors + added_errors(np.where(some, total, 1.0), errors, confidence), 0.0)


def added_errors(total, errors, confidence: float):
    """Upper limit of the binomial errors at ``confidence``, minus the observed errors (C4.5's AddErrs).

    With no errors it is total (1 - confidence^(1 / total)). From one error on it is the normal approximation with the
    rate (errors + 1/2) / total. In between it is linear.
    """
    none = total * (1 - exp_of(float(log_of(confidence)) / np.asarray(total)))
    return np.where(
        errors < 1,
        none + errors * (_normal_limit(total, 1.0, confidence) - none),
        _normal_limit(total, errors, confidence),
    )


def _normal_limit(total, errors, confidence):
    z = NormalDist().inv_cdf(1 - confidence)
    rate = np.minimum((errors + 0.5) / total, 1.0)
    spread = z * np.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    upper = (rate + z * z / (2 * total) + spread) / (1 + z * z / total)
    return np.where(errors + 0.5 >= total, np.maximum(total - errors, 0.0), upper * total - errors)


@kernel
def sum_over_leaves(nodes, n_values, amount):
    """The sum of ``amount`` over the leaves below each node."""
    total = amount.copy()
    for place in range(nodes.shape[0] - 1, -1, -1):
        if nodes[place].kind != LEAF:
            total[place] = 0.0
            for b in range(n_children(nodes[place], n_values)):
                total[place] += total[nodes[place].child + b]
    return total


@kernel
def better_as_leaf(nodes, n_values, pessimistic):
    """From the leaves up: which inner nodes expect, as a leaf, at most 0.1 errors more than their pruned subtree."""
    below, cut = pessimistic.copy(), np.zeros(nodes.shape[0], np.bool_)
    for place in range(nodes.shape[0] - 1, -1, -1):
        if nodes[place].kind != LEAF:
            expected = 0.0
            for b in range(n_children(nodes[place], n_values)):
                expected += below[nodes[place].child + b]
            cut[place] = pessimistic[place] <= expected + 0.1 + TOLERANCE
            below[place] = pessimistic[place] if cut[place] else expected
    return cut


def _with_leaves_at(forest, cut):
    """The forest with the nodes in ``cut`` turned into leaves and everything below them dropped."""
    trees = forest.nodes, forest.n_values, forest.class_weights, forest.starts
    nodes, counts, starts = copy_kept_nodes(
        *trees, cut, np.empty(len(forest.nodes), NODE), _empty_counts(forest.class_weights)
    )
    return replace(forest, nodes=nodes, counts=counts, starts=starts)


def _empty_counts(weights):
    """Room for all class counts above 0."""
    return np.empty(np.count_nonzero(weights), COUNT)


@kernel
def copy_kept_nodes(nodes, n_values, weights, starts, cut, kept, counts):
    """Copy the nodes that are not below a cut, breadth first in each tree: (nodes, counts, starts of the trees)."""
    origin, begins = np.empty(nodes.shape[0], np.int64), np.zeros(starts.shape[0], np.int64)
    n, n_counts = 0, 0
    for tree in range(starts.shape[0] - 1):
        place, origin[n] = n, starts[tree]
        n += 1
        while place < n:
            node = nodes[origin[place]]
            new, first = kept[place], n
            new.cut, new.weight, new.kind, new.feature = node.cut, node.weight, node.kind, node.feature
            new.deterministic, new.spare, new.child = node.deterministic, node.spare, -1
            if cut[origin[place]]:
                new.kind, new.feature = LEAF, -1
            for b in range(n_children(new, n_values)):
                new.child = first
                origin[n] = node.child + b
                n += 1
            new.count_start = n_counts
            for k in range(weights.shape[1]):
                if weights[origin[place], k] > 0:
                    counts[n_counts].value, counts[n_counts].klass = weights[origin[place], k], k
                    n_counts += 1
            new.count_size = n_counts - new.count_start
            place += 1
        begins[tree + 1] = n
    return kept[:n].copy(), counts[:n_counts].copy(), begins
