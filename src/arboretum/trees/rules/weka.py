"""Weka's RandomTree: the best information gain among K random features, one branch per nominal level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.available_features import remove_feature
from arboretum.trees.best_split import best_cut, multiway_gain
from arboretum.trees.class_counts import TOLERANCE, xlog2
from arboretum.trees.compiled import allocating_part, part
from arboretum.trees.packing import summarise_node
from arboretum.trees.partition import branch_of, branch_shares
from arboretum.trees.random_stream import randbelow
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.rules.vr import midpoint


class WekaTree(NamedTuple):
    """Number of features drawn in a node (more as long as none has any gain), and least weight of each branch."""

    n_tried: int
    min_leaf: float

    scans, walks = True, False


def weka_rule(n_tried, min_leaf=0.0) -> WekaTree:
    return WekaTree(int(n_tried), float(min_leaf))


@rule(WekaTree)
@part
def select_weka(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The test of greatest information gain among the features drawn; the first drawn if several tie."""
    features, slots, state = buffers.features, buffers.slots, buffers.state
    summary = summarise_node(buffers, rows, case_weight, start, end, total, None)
    n = state[0].n_features
    best, kind, best_f, best_middle = TOLERANCE, LEAF, -1, 0.0
    for i in range(n):
        if i >= rule.n_tried and kind != LEAF:
            break
        j = i + randbelow(state, n - i)
        slots[i].order, slots[j].order = slots[j].order, slots[i].order
        f = slots[i].order
        if not features[f].available:
            continue
        gain, found, cut = feature_gain(buffers, f, rows, case_weight, start, end, total, summary, rule.min_leaf)
        if found == LEAF:
            remove_feature(features, slots, state, f)
        elif gain > best + (0.0 if kind == LEAF else TOLERANCE):
            best, kind, best_f, best_middle = gain, found, f, cut
    return kind, best_f, best_middle, True


@part
def feature_gain(buffers, f, rows, case_weight, start, end, total, summary, least):
    """Gain of a feature in bits, and its test; LEAF if the feature is constant in the node.

    The gain is -1 if a branch would weigh less than ``least``.
    """
    cut, kind = 0.0, NOMINAL
    branches = buffers.features[f].n_values
    if buffers.features[f].nominal:
        gain, _, varied, large, known = multiway_gain(buffers, f, rows, case_weight, start, end, total, summary, least)
        possible = large == varied
    else:
        limits = (0.0, least, least, False)
        gain, low, high, _, varied, _, known = best_cut(
            buffers, f, rows, case_weight, start, end, total, summary, limits, TOLERANCE * total, None
        )
        kind, branches, possible = NUMERIC, 2, low >= 0
        if low >= 0:
            first = buffers.features[f].value_start
            cut = midpoint(buffers.values[first + low], buffers.values[first + high])
    if varied < 2:
        return 0.0, LEAF, 0.0
    if not possible:
        return -1.0, kind, 0.0
    if case_weight is not None and known < total - TOLERANCE:
        return spread_gain(buffers, rows, case_weight, start, end, (kind, f, cut, True), branches), kind, cut
    return gain / total, kind, cut


@allocating_part
def spread_gain(buffers, rows, case_weight, start, end, test, branches):
    """Information gain when cases with a missing value are spread over the branches in proportion to the known ones."""
    kind, f, cut, _ = test
    n_classes, sides = buffers.tally.shape[0], np.zeros(1, np.uint8)
    counts, shares, bounds = np.zeros((branches + 1, n_classes)), np.zeros(branches), np.zeros(branches + 1, np.int64)
    branch_shares(buffers.cells, rows, case_weight, start, end, test, branches, sides, shares, bounds)
    for i in range(start, end):
        value = buffers.cells[rows[i], f]
        b = branches if np.isnan(value) else branch_of(kind, value, cut, sides)
        counts[b, buffers.classes[rows[i]]] += case_weight[i]
    gain, total = 0.0, 0.0
    for k in range(n_classes):
        whole = 0.0
        for b in range(branches):
            counts[b, k] += shares[b] * counts[branches, k]
            whole += counts[b, k]
            gain += xlog2(counts[b, k])
        gain -= xlog2(whole)
        total += whole
    for b in range(branches):
        gain -= xlog2(counts[b].sum())
    return (gain + xlog2(total)) / total
