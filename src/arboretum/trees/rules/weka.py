"""Weka's RandomTree: the best information gain among K random features, nominal features one branch a level."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import maker, part
from arboretum.trees.counts import TOLERANCE
from arboretum.trees.divide import branch_of, branch_shares
from arboretum.trees.draws import below
from arboretum.trees.pool import remove
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.rules.vr import middle
from arboretum.trees.scan import best_cut, branch_gain, digest


class WekaTree(NamedTuple):
    """Number of features drawn in a node; more are drawn while none of them has any gain."""

    n_tried: int


def weka_rule(n_tried) -> WekaTree:
    return WekaTree(int(n_tried))


@rule(WekaTree)
@part
def select_weka(rule, work, sides, rows, base, mass, start, end, total):
    """The greatest information gain among the features drawn; the first drawn of tied ones."""
    features, slots, state = work.features, work.slots, work.state
    digested = digest(work, rows, base, mass, start, end, total, False)
    n = state[0].n_features
    best, kind, best_f, best_middle = TOLERANCE, LEAF, -1, 0.0
    for i in range(n):
        if i >= rule.n_tried and kind != LEAF:
            break
        j = i + below(state, n - i)
        slots[i].order, slots[j].order = slots[j].order, slots[i].order
        f = slots[i].order
        if not features[f].alive:
            continue
        gain, found, cut = feature_gain(work, f, rows, mass, start, end, total, digested)
        if found == LEAF:
            remove(features, slots, state, f)
        elif gain > best + (0.0 if kind == LEAF else TOLERANCE):
            best, kind, best_f, best_middle = gain, found, f, cut
    return kind, best_f, best_middle, True


@part
def feature_gain(work, f, rows, mass, start, end, total, digested):
    """Gain of a feature in bits, with its test; LEAF where the feature is constant in the node."""
    cut, kind = 0.0, NOMINAL
    branches = work.features[f].n_values
    if work.features[f].nominal:
        gain, _, varied, _, known = branch_gain(work, f, rows, mass, start, end, total, digested, 0.0)
    else:
        limits = (0.0, 0.0, 0.0, False)
        gain, low, high, _, varied, _, known = best_cut(
            work, f, rows, mass, start, end, total, digested, limits, TOLERANCE * total, False
        )
        kind, branches = NUMERIC, 2
        if low >= 0:
            first = work.features[f].value_start
            cut = middle(work.values[first + low], work.values[first + high])
    if varied < 2:
        return 0.0, LEAF, 0.0
    if mass is not None and known < total - TOLERANCE:
        return spread_gain(work, rows, mass, start, end, (kind, f, cut, True), branches), kind, cut
    return gain / total, kind, cut


@maker
def spread_gain(work, rows, mass, start, end, test, branches):
    """Information gain with the missing cases spread over the branches in proportion to the known ones."""
    kind, f, cut, _ = test
    n_classes, sides = work.tally.shape[0], np.zeros(1, np.uint8)
    counts, shares, bounds = np.zeros((branches + 1, n_classes)), np.zeros(branches), np.zeros(branches + 1, np.int64)
    branch_shares(work.cells, rows, mass, start, end, test, branches, sides, shares, bounds)
    for i in range(start, end):
        value = work.cells[rows[i], f]
        b = branches if np.isnan(value) else branch_of(kind, value, cut, sides)
        counts[b, work.classes[rows[i]]] += mass[i]
    gain, total = 0.0, 0.0
    for k in range(n_classes):
        whole = 0.0
        for b in range(branches):
            counts[b, k] += shares[b] * counts[branches, k]
            whole += counts[b, k]
            gain += bits(counts[b, k])
        gain -= bits(whole)
        total += whole
    for b in range(branches):
        gain -= bits(counts[b].sum())
    return (gain + bits(total)) / total


@part
def bits(x):
    return x * np.log2(x) if x > 0.0 else 0.0
