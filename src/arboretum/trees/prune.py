"""Cut a grown tree back: C4.5's collapsing and pessimistic pruning, and a limit on the number of leaves."""

from __future__ import annotations

import heapq
import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from arboretum.trees.counts import TOLERANCE
from arboretum.trees.nodes import COUNT, NODE
from arboretum.trees.rules import LEAF, NOMINAL


def collapse(forest):
    """From the root down: a subtree that makes no fewer training errors than its root as a leaf becomes one."""
    errors = _errors(forest.class_weights)
    below = _sum_over_leaves(forest, errors)
    return _cut_back(forest, np.flatnonzero(below >= errors - 1e-3))


def prune(forest, confidence: float = 0.25):
    """Pessimistic pruning (Quinlan 1993, chapter 4), from the leaves up, without subtree raising."""
    pessimistic = np.array([_pessimistic(weights, confidence) for weights in forest.class_weights])
    below = pessimistic.copy()
    cut = []
    for place in range(len(forest.nodes) - 1, -1, -1):
        children = _children(forest, place)
        if len(children):
            below[place] = below[children].sum()
            if pessimistic[place] <= below[place] + 0.1 + TOLERANCE:
                below[place] = pessimistic[place]
                cut.append(place)
    return _cut_back(forest, cut)


def limit_leaves(forest, most: int):
    """Keep the divisions that lower entropy most, best first from the root, up to ``most`` leaves a tree."""
    weights = forest.class_weights
    impurity = np.array([_entropy(row) for row in weights])
    cut = []
    for root in forest.starts[:-1]:
        waiting, leaves = [(-_decrease(forest, impurity, int(root)), int(root))], 1
        while waiting:
            _, place = heapq.heappop(waiting)
            children = _children(forest, place)
            if not len(children):
                continue
            if leaves + len(children) - 1 > most:
                cut.append(place)
                continue
            leaves += len(children) - 1
            for child in children:
                heapq.heappush(waiting, (-_decrease(forest, impurity, int(child)), int(child)))
    return _cut_back(forest, cut)


def _children(forest, place):
    node = forest.nodes[place]
    if node["kind"] == LEAF:
        return range(0)
    n = int(forest.n_values[node["feature"]]) if node["kind"] == NOMINAL else 2
    return range(int(node["child"]), int(node["child"]) + n)


def _errors(weights):
    return weights.sum(axis=1) - weights.max(axis=1)


def _entropy(weights) -> float:
    """Weight times entropy."""
    known = weights[weights > 0]
    return float(known.sum() * np.log2(known.sum()) - (known * np.log2(known)).sum()) if len(known) else 0.0


def _decrease(forest, impurity, place) -> float:
    return impurity[place] - sum(impurity[child] for child in _children(forest, place))


def _sum_over_leaves(forest, amount):
    total = amount.copy()
    for place in range(len(forest.nodes) - 1, -1, -1):
        children = _children(forest, place)
        if len(children):
            total[place] = sum(total[child] for child in children)
    return total


def _pessimistic(weights, confidence) -> float:
    """Errors of a leaf and those that the upper confidence limit adds."""
    total = float(weights.sum())
    errors = total - float(weights.max())
    return errors + added_errors(total, errors, confidence) if total > TOLERANCE else 0.0


def added_errors(total: float, errors: float, confidence: float) -> float:
    """How many errors the upper limit of the binomial at ``confidence`` has above those observed (C4.5's AddErrs)."""
    if errors < 1:
        none = total * (1 - confidence ** (1 / total))
        return none if errors == 0 else none + errors * (added_errors(total, 1.0, confidence) - none)
    if errors + 0.5 >= total:
        return max(total - errors, 0.0)
    z = NormalDist().inv_cdf(1 - confidence)
    rate = (errors + 0.5) / total
    spread = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    upper = (rate + z * z / (2 * total) + spread) / (1 + z * z / total)
    return upper * total - errors


def _cut_back(forest, places):
    """The forest with ``places`` made leaves and all below them dropped."""
    nodes, weights = forest.nodes.copy(), forest.class_weights
    for place in places:
        nodes[place]["kind"], nodes[place]["feature"] = LEAF, -1
    cut = replace(forest, nodes=nodes)
    kept, starts, counts, n_counts = [], [0], [], 0
    for root in forest.starts[:-1]:
        queue, child_at = [int(root)], len(kept) + 1
        for place in queue:
            node, children = nodes[place].copy(), _children(cut, place)
            node["child"] = child_at if len(children) else -1
            child_at += len(children)
            queue.extend(children)
            present = np.flatnonzero(weights[place])
            node["count_start"], node["count_size"] = n_counts, len(present)
            counts.extend((weights[place][k], k) for k in present)
            n_counts += len(present)
            kept.append(tuple(node))
        starts.append(len(kept))
    return replace(
        forest, nodes=np.array(kept, NODE), counts=np.array(counts, COUNT), starts=np.array(starts, dtype=np.int64)
    )
