"""CART (Breiman and others 1984) as R's randomForest grows it: the best binary division by Gini or entropy.

A nominal feature is divided by the best subset of its levels: exactly, by the order of class shares, for two classes;
exactly, by enumeration, for up to ten levels in the node; beyond that the best of 512 random subsets, as R does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import maker, part
from arboretum.trees.draws import below, next_word
from arboretum.trees.pool import remove
from arboretum.trees.rules import LEAF, NUMERIC, SUBSET, rule
from arboretum.trees.rules.vr import middle
from arboretum.trees.scan import best_cut, combine, digest, gather_levels, term, whole_score

MARGIN = 1e-9  # a last-bit difference between machines must not decide
MOST_ENUMERATED = 10
N_SAMPLED = 512


class Cart(NamedTuple):
    """Criterion, features tried in a node (mtry), and whether constant features are drawn again."""

    gini: bool
    n_tried: int
    redraw: bool  # scikit-learn: constant features do not count as tried; R: they do
    min_gain: float  # gain (per case) that a division must exceed; negative: any division will do


def cart_rule(gini=True, n_tried=2**31, redraw=False, min_gain=-1.0) -> Cart:
    return Cart(bool(gini), int(n_tried), bool(redraw), float(min_gain))


@rule(Cart)
@part
def select_cart(rule, work, sides, rows, base, mass, start, end, total):
    """The best division by the features tried; the first of tied ones."""
    features, slots, state = work.features, work.slots, work.state
    digested = digest(work, rows, base, mass, start, end, total, rule.gini)
    n = state[0].n_features
    limits = (0.0, 0.0, 0.0, False)
    best, kind, best_f, low, high, tried = rule.min_gain * total, LEAF, -1, 0, 0, 0
    for i in range(n):
        if tried >= rule.n_tried:
            break
        f = next_feature(slots, state, i, n, rule.n_tried)
        if not features[f].alive:
            tried += not rule.redraw
            continue
        if features[f].nominal:
            gain, varied = best_subset(
                work, f, rows, mass, start, end, total, digested, rule.gini, best + MARGIN * total, sides
            )
            if gain > best + MARGIN * total:
                best, best_f, kind = gain, f, SUBSET
        else:
            gain, a, b, _, ranks, _, _ = best_cut(
                work, f, rows, mass, start, end, total, digested, limits, MARGIN * total, rule.gini
            )
            varied = ranks > 1
            if a >= 0 and gain > best + MARGIN * total:
                best, best_f, kind, low, high = gain, f, NUMERIC, a, b
        if not varied:
            remove(features, slots, state, f)
        tried += varied or not rule.redraw
    cut = 0.0
    if kind == NUMERIC:
        first = features[best_f].value_start
        cut = middle(work.values[first + low], work.values[first + high])
    return kind, best_f, cut, True


@part
def next_feature(slots, state, i, n, n_tried):
    """The i-th feature to try: in order if all are tried, else drawn from those not yet drawn."""
    if n_tried >= n:
        return slots[i].feature
    j = i + below(state, n - i)
    slots[i].order, slots[j].order = slots[j].order, slots[i].order
    return slots[i].order


@maker
def best_subset(work, f, rows, mass, start, end, total, digested, gini, floor, sides):
    """Best two-way grouping of the levels: (gain * weight, are there two levels?); ``sides`` if it exceeds ``floor``.

    The first level that occurs goes to the first branch, levels that do not occur with the last one that does.
    """
    n_present, _, _, whole = digested
    n_levels = work.features[f].n_values
    known = gather_levels(work, f, rows, mass, start, end, total, digested)
    if mass is not None:
        whole = whole_score(work.xlogs, work.tally, n_present, known, gini)
    level, n = occurring(work.dense, n_levels, n_present)
    best, best_gain = np.zeros(n, np.uint8), -np.inf
    if n >= 2:
        if n_present == 2:
            best_gain = ordered_subset(work, level, n, known, gini, best)
        else:
            best_gain = searched_subset(work, level, n, n_present, known, gini, best)
        best_gain -= whole
    if best_gain > floor:
        set_sides(level, n, n_levels, best, sides)
    for i in range(n_levels * n_present):
        work.dense[i] = 0
    return best_gain, n >= 2


@maker
def occurring(dense, n_levels, n_present):
    """The levels that occur in the node, and how many."""
    level, n = np.empty(n_levels, np.int64), 0
    for v in range(n_levels):
        size = 0.0
        for k in range(n_present):
            size += dense[v * n_present + k]
        if size > 0.0:
            level[n] = v
            n += 1
    return level, n


@maker
def ordered_subset(work, level, n, known, gini, best):
    """Two classes: the best subset is a run of the levels in order of class share (Breiman and others 1984, 4.4)."""
    share, dense = np.empty(n), work.dense
    for i in range(n):
        share[i] = dense[2 * level[i]] / (dense[2 * level[i]] + dense[2 * level[i] + 1])
    order = np.argsort(share, kind="mergesort")
    side, best_score = np.ones(n, np.uint8), -np.inf
    for i in range(n - 1):
        side[order[i]] = 0
        score = subset_score(work, level, n, 2, known, gini, side)
        if score > best_score + MARGIN * known:
            best_score = score
            for j in range(n):
                best[j] = side[j]
    return best_score


@maker
def searched_subset(work, level, n, n_present, known, gini, best):
    """Enumerate all subsets, the first level always left; with many levels sample some."""
    enumerated = n <= MOST_ENUMERATED
    side, best_score = np.zeros(n, np.uint8), -np.inf
    for trial in range(1, (1 << (n - 1)) if enumerated else N_SAMPLED + 1):
        ones = 0
        for i in range(1, n):
            side[i] = (trial >> (i - 1)) & 1 if enumerated else np.int64(next_word(work.state) >> np.uint64(63))
            ones += side[i]
        if ones == 0:
            continue
        score = subset_score(work, level, n, n_present, known, gini, side)
        if score > best_score + MARGIN * known:
            best_score = score
            for j in range(n):
                best[j] = side[j]
    return best_score


@part
def subset_score(work, level, n, n_present, known, gini, side):
    """Score of a grouping of the levels."""
    tally, dense = work.tally, work.dense
    n_left = 0 * known
    below, above = 0.0, 0.0
    for k in range(n_present):
        left = 0 * tally[k].known
        for i in range(n):
            if side[i] == 0:
                left += dense[level[i] * n_present + k]
        n_left += left
        below += term(work.xlogs, left, gini)
        above += term(work.xlogs, tally[k].known - left, gini)
    return combine(work.xlogs, below, above, n_left, known - n_left, gini)


@part
def set_sides(level, n, n_levels, best, sides):
    """Branch of each level: the first one to occur left, absent ones with the last one to occur, as in R."""
    for v in range(n_levels):
        sides[v] = best[n - 1] ^ best[0]
    for i in range(n):
        sides[level[i]] = best[i] ^ best[0]
