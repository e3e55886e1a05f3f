"""CART (Breiman and others 1984) as R's randomForest grows it: the best binary split by Gini or entropy.

A nominal feature is split by a subset of its levels. With two classes the best subset is found exactly, by ordering the
levels by class share. With more classes it is found exactly by enumeration for up to ten levels in the node. Beyond
that it is the best of 512 random subsets, as in R.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.available_features import remove_feature
from arboretum.trees.best_split import best_cut
from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.compiled import part
from arboretum.trees.criterion import class_term, node_score, split_score
from arboretum.trees.histogram import count_levels
from arboretum.trees.packing import summarise_node
from arboretum.trees.random_stream import next_word, randbelow
from arboretum.trees.rules import LEAF, NUMERIC, SUBSET, rule
from arboretum.trees.rules.vr import midpoint

MARGIN = 1e-9  # gain per case; a last-bit difference between machines must not decide a split
MOST_ENUMERATED = 10
N_SAMPLED = 512


#: What happens when a drawn feature is constant in the node. False: it counts as tried (R). True: it does not count,
#: and another one is drawn. "until_one_varies": it counts as tried, but more are drawn until one varies (scikit-learn).
CONSTANTS = {False: 0, True: 1, "until_one_varies": 2}
REDRAWN, UNTIL_ONE_VARIES = 1, 2


class Cart(NamedTuple):
    """Criterion, number of features tried in a node (mtry), and what happens to constant ones."""

    gini: bool | None  # None for entropy: numba compiles the criterion that is used, and no other
    n_tried: int
    constants: int  # a value of CONSTANTS
    min_gain: float  # gain per case that a split must exceed; if negative, any split will do
    min_leaf: float  # least weight of each side

    scans, walks = True, False


def cart_rule(gini=True, n_tried=2**31, redraw=False, min_gain=-1.0, min_leaf=0.0) -> Cart:
    """``redraw`` is a key of CONSTANTS: False, True or "until_one_varies"."""
    return Cart(True if gini else None, int(n_tried), CONSTANTS[redraw], float(min_gain), float(min_leaf))


@rule(Cart)
@part
def select_cart(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The best split by the features tried; the first if several tie."""
    features, slots, state = buffers.features, buffers.slots, buffers.state
    summary = summarise_node(buffers, rows, case_weight, start, end, total, rule.gini)
    n = state[0].n_features
    limits = (0.0, rule.min_leaf, rule.min_leaf, False)
    best, kind, best_f, low, high, tried = rule.min_gain * total, LEAF, -1, 0, 0, 0
    counted, enough = rule.constants != REDRAWN, rule.constants != UNTIL_ONE_VARIES
    for i in range(n):
        if tried >= rule.n_tried and enough:
            break
        f = next_feature(slots, state, i, n, rule.n_tried)
        if not features[f].available:
            tried += counted
            continue
        if features[f].nominal:
            least, floor = rule.min_leaf - TOLERANCE, best + MARGIN * total
            gain, varied = best_subset(
                buffers, f, rows, case_weight, start, end, total, summary, rule.gini, least, floor, sides
            )
            if gain > best + MARGIN * total:
                best, best_f, kind = gain, f, SUBSET
        else:
            gain, a, b, _, ranks, _, _ = best_cut(
                buffers, f, rows, case_weight, start, end, total, summary, limits, MARGIN * total, rule.gini
            )
            varied = ranks > 1
            if a >= 0 and gain > best + MARGIN * total:
                best, best_f, kind, low, high = gain, f, NUMERIC, a, b
        if not varied:
            remove_feature(features, slots, state, f)
        tried += varied or counted
        enough |= varied
    cut = 0.0
    if kind == NUMERIC:
        first = features[best_f].value_start
        cut = midpoint(buffers.values[first + low], buffers.values[first + high])
    return kind, best_f, cut, True


@part
def next_feature(slots, state, i, n, n_tried):
    """The i-th feature to try: in order if all are tried, otherwise drawn from those not drawn yet."""
    if n_tried >= n:
        return slots[i].feature
    j = i + randbelow(state, n - i)
    slots[i].order, slots[j].order = slots[j].order, slots[i].order
    return slots[i].order


@part
def best_subset(buffers, f, rows, case_weight, start, end, total, summary, gini, least, floor, sides):
    """Best split of the levels into two groups: (gain * weight, do two levels occur?). Each weighs at least ``least``.

    If the gain exceeds ``floor``, ``sides`` gets the branch of each level. The first level that occurs goes to the
    first branch. Levels that do not occur go with the last one that does.
    """
    n_present, _, _, whole = summary
    n_levels, third = buffers.features[f].n_values, sides.shape[0] // 3
    # side of each level that occurs, in the current and in the best grouping
    side, best = sides[third : 2 * third], sides[2 * third :]
    known = count_levels(buffers, f, rows, case_weight, start, end, total, summary)
    if case_weight is not None:
        whole = node_score(buffers.xlogs, buffers.tally, n_present, known, gini)
    n, gain = list_levels(buffers.dense_hist, n_levels, n_present, buffers.ranks), -np.inf
    if n >= 2:
        if n_present == 2:
            gain = ordered_subset(buffers, n, known, gini, least, side, best) - whole
        elif n <= MOST_ENUMERATED:
            gain = enumerated_subset(buffers, n, n_present, known, gini, least, side, best) - whole
        else:
            gain = sampled_subset(buffers, n, n_present, known, gini, least, side, best) - whole
    if gain > floor:
        set_sides(buffers.ranks, n, n_levels, best, sides)
    for i in range(n_levels * n_present):
        buffers.dense_hist[i] = 0
    return gain, n >= 2


@part
def list_levels(dense_hist, n_levels, n_present, levels):
    """List the levels that occur in the node; returns how many."""
    n = 0
    for v in range(n_levels):
        size = 0 * dense_hist[0]
        for k in range(n_present):
            size += dense_hist[v * n_present + k]
        if size > 0:
            levels[n] = v
            n += 1
    return n


@part
def all_on_one_side(buffers, n, n_present, known, side, where):
    """Start a search with every level left (0) or right (1); returns the weight on the left."""
    for i in range(n):
        side[i] = where
    for k in range(n_present):
        buffers.tally[k].left = 0 * buffers.tally[k].known if where else buffers.tally[k].known
    return 0 * known if where else known


@part
def change_side(buffers, i, n_present, side):
    """Move the i-th level that occurs to the other side; returns the change of the weight on the left."""
    tally, first, moved = buffers.tally, buffers.ranks[i] * n_present, 0 * buffers.dense_hist[0]
    side[i] ^= 1
    for k in range(n_present):
        count = buffers.dense_hist[first + k]
        tally[k].left += -count if side[i] else count
        moved += count
    return -moved if side[i] else moved


@part
def score_sides(buffers, n_present, n_left, known, gini, least):
    """Score of the current grouping; minus infinity if a side weighs less than ``least``."""
    if n_left < least or known - n_left < least:
        return -np.inf
    tally, below, above = buffers.tally, 0.0, 0.0
    for k in range(n_present):
        below += class_term(buffers.xlogs, tally[k].left, gini)
        above += class_term(buffers.xlogs, tally[k].known - tally[k].left, gini)
    return split_score(buffers.xlogs, below, above, n_left, known - n_left, gini)


@part
def keep_best(score, best_score, margin, side, best, n):
    """The better score. The first of several tied groupings is kept."""
    if score <= best_score + margin:
        return best_score
    for i in range(n):
        best[i] = side[i]
    return score


@part
def ordered_subset(buffers, n, known, gini, least, side, best):
    """Two classes: order the levels by class share; the best subset is a prefix (Breiman and others 1984, 4.4)."""
    dense_hist, order, share = buffers.dense_hist, buffers.sums, buffers.scores
    for i in range(n):
        first = 2 * buffers.ranks[i]
        share[i], order[i] = dense_hist[first] / np.float64(dense_hist[first] + dense_hist[first + 1]), i
    sort_pairs(share, order, n)
    n_left, best_score, prefix = all_on_one_side(buffers, n, 2, known, side, 1), -np.inf, 0
    for j in range(n - 1):
        n_left += change_side(buffers, order[j], 2, side)
        score = score_sides(buffers, 2, n_left, known, gini, least)
        if score > best_score + MARGIN * known:  # the first of several tied prefixes is kept
            best_score, prefix = score, j + 1
    for j in range(n):
        best[order[j]] = 0 if j < prefix else 1
    return best_score


@part
def sort_pairs(key, item, n):
    """Sort pairs by key, then by item: Shell's sort, which is insertion sort where there are few."""
    gap = 1
    while 3 * gap < n:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            own, own_item, j = key[i], item[i], i
            while j >= gap and (key[j - gap] > own or (key[j - gap] == own and item[j - gap] > own_item)):
                key[j], item[j] = key[j - gap], item[j - gap]
                j -= gap
            key[j], item[j] = own, own_item
        gap //= 3


@part
def enumerated_subset(buffers, n, n_present, known, gini, least, side, best):
    """Try every subset with the first level left. Counting in binary, two levels per step change sides on average."""
    n_left, best_score = all_on_one_side(buffers, n, n_present, known, side, 0), -np.inf
    for trial in range(1, 1 << (n - 1)):
        changed = trial ^ (trial - 1)
        for i in range(1, n):
            if (changed >> (i - 1)) & 1:
                n_left += change_side(buffers, i, n_present, side)
        score = score_sides(buffers, n_present, n_left, known, gini, least)
        best_score = keep_best(score, best_score, MARGIN * known, side, best, n)
    return best_score


@part
def sampled_subset(buffers, n, n_present, known, gini, least, side, best):
    """Try random subsets with the first level left."""
    n_left, best_score = all_on_one_side(buffers, n, n_present, known, side, 0), -np.inf
    for _ in range(N_SAMPLED):
        ones = 0
        for i in range(1, n):
            if np.int64(next_word(buffers.state) >> np.uint64(63)) != side[i]:
                n_left += change_side(buffers, i, n_present, side)
            ones += side[i]
        if ones > 0:
            score = score_sides(buffers, n_present, n_left, known, gini, least)
            best_score = keep_best(score, best_score, MARGIN * known, side, best, n)
    return best_score


@part
def set_sides(levels, n, n_levels, best, sides):
    """Branch of each level: the first that occurs goes left, absent levels go with the last that occurs, as in R."""
    for v in range(n_levels):
        sides[v] = best[n - 1] ^ best[0]
    for i in range(n):
        sides[levels[i]] = best[i] ^ best[0]
