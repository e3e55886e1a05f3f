"""CART (Breiman and others 1984) as R's randomForest grows it: the best binary division by Gini or entropy.

A nominal feature is divided by the best subset of its levels: exactly, by the order of class shares, for two classes;
exactly, by enumeration, for up to ten levels in the node; beyond that the best of 512 random subsets, as R does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import part
from arboretum.trees.draws import below, next_word
from arboretum.trees.pool import remove
from arboretum.trees.rules import LEAF, NUMERIC, SUBSET, rule
from arboretum.trees.rules.vr import middle
from arboretum.trees.scan import best_cut, combine, digest, gather_levels, term, whole_score

MARGIN = 1e-9  # a last-bit difference between machines must not decide
MOST_ENUMERATED = 10
N_SAMPLED = 512


#: What becomes of a drawn feature that is constant in the node: it counts as tried (R), it is replaced by another
#: draw, or it counts as tried but features are drawn until one varies (scikit-learn).
CONSTANTS = {False: 0, True: 1, "until_one_varies": 2}
REDRAWN, UNTIL_ONE_VARIES = 1, 2


class Cart(NamedTuple):
    """Criterion, features tried in a node (mtry), and what becomes of constant ones."""

    gini: bool
    n_tried: int
    constants: int  # a value of CONSTANTS
    min_gain: float  # gain (per case) that a division must exceed; negative: any division will do


def cart_rule(gini=True, n_tried=2**31, redraw=False, min_gain=-1.0) -> Cart:
    """``redraw`` is a key of CONSTANTS: False, True or "until_one_varies"."""
    return Cart(bool(gini), int(n_tried), CONSTANTS[redraw], float(min_gain))


@rule(Cart)
@part
def select_cart(rule, work, sides, rows, base, mass, start, end, total):
    """The best division by the features tried; the first of tied ones."""
    features, slots, state = work.features, work.slots, work.state
    digested = digest(work, rows, base, mass, start, end, total, rule.gini)
    n = state[0].n_features
    limits = (0.0, 0.0, 0.0, False)
    best, kind, best_f, low, high, tried = rule.min_gain * total, LEAF, -1, 0, 0, 0
    counted, enough = rule.constants != REDRAWN, rule.constants != UNTIL_ONE_VARIES
    for i in range(n):
        if tried >= rule.n_tried and enough:
            break
        f = next_feature(slots, state, i, n, rule.n_tried)
        if not features[f].alive:
            tried += counted
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
        tried += varied or counted
        enough |= varied
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


@part
def best_subset(work, f, rows, mass, start, end, total, digested, gini, floor, sides):
    """Best two-way grouping of the levels: (gain * weight, are there two levels?); ``sides`` if it exceeds ``floor``.

    The first level that occurs goes to the first branch, levels that do not occur with the last one that does.
    """
    n_present, _, _, whole = digested
    n_levels, third = work.features[f].n_values, sides.shape[0] // 3
    side, best = sides[third : 2 * third], sides[2 * third :]  # of each level that occurs: now, at best
    known = gather_levels(work, f, rows, mass, start, end, total, digested)
    if mass is not None:
        whole = whole_score(work.xlogs, work.tally, n_present, known, gini)
    n, gain = list_levels(work.dense, n_levels, n_present, work.ranks), -np.inf
    if n >= 2:
        if n_present == 2:
            gain = ordered_subset(work, n, known, gini, side, best) - whole
        elif n <= MOST_ENUMERATED:
            gain = enumerated_subset(work, n, n_present, known, gini, side, best) - whole
        else:
            gain = sampled_subset(work, n, n_present, known, gini, side, best) - whole
    if gain > floor:
        set_sides(work.ranks, n, n_levels, best, sides)
    for i in range(n_levels * n_present):
        work.dense[i] = 0
    return gain, n >= 2


@part
def list_levels(dense, n_levels, n_present, levels):
    """The levels that occur in the node, and how many."""
    n = 0
    for v in range(n_levels):
        size = 0 * dense[0]
        for k in range(n_present):
            size += dense[v * n_present + k]
        if size > 0:
            levels[n] = v
            n += 1
    return n


@part
def all_on_one_side(work, n, n_present, known, side, where):
    """Begin a search with every level left (0) or right (1); the weight on the left."""
    for i in range(n):
        side[i] = where
    for k in range(n_present):
        work.tally[k].left = 0 * work.tally[k].known if where else work.tally[k].known
    return 0 * known if where else known


@part
def change_side(work, i, n_present, side):
    """Move the i-th level that occurs to the other side; by how much the left grows."""
    tally, first, moved = work.tally, work.ranks[i] * n_present, 0 * work.dense[0]
    side[i] ^= 1
    for k in range(n_present):
        count = work.dense[first + k]
        tally[k].left += -count if side[i] else count
        moved += count
    return -moved if side[i] else moved


@part
def score_sides(work, n_present, n_left, known, gini):
    """Score of the grouping in hand."""
    tally, below, above = work.tally, 0.0, 0.0
    for k in range(n_present):
        below += term(work.xlogs, tally[k].left, gini)
        above += term(work.xlogs, tally[k].known - tally[k].left, gini)
    return combine(work.xlogs, below, above, n_left, known - n_left, gini)


@part
def keep_best(score, best_score, margin, side, best, n):
    """The better score; the first of tied groupings is kept."""
    if score <= best_score + margin:
        return best_score
    for i in range(n):
        best[i] = side[i]
    return score


@part
def ordered_subset(work, n, known, gini, side, best):
    """Two classes: the best subset is a run of the levels in order of class share (Breiman and others 1984, 4.4)."""
    dense, order, share = work.dense, work.sums, work.scores
    for i in range(n):  # insertion sort: stable, and levels are few
        first = 2 * work.ranks[i]
        own, j = dense[first] / np.float64(dense[first] + dense[first + 1]), i
        while j > 0 and share[j - 1] > own:
            share[j], order[j] = share[j - 1], order[j - 1]
            j -= 1
        share[j], order[j] = own, i
    n_left, best_score = all_on_one_side(work, n, 2, known, side, 1), -np.inf
    for j in range(n - 1):
        n_left += change_side(work, order[j], 2, side)
        score = score_sides(work, 2, n_left, known, gini)
        best_score = keep_best(score, best_score, MARGIN * known, side, best, n)
    return best_score


@part
def enumerated_subset(work, n, n_present, known, gini, side, best):
    """Every subset, the first level always left: a binary count, in which two levels a step change sides on average."""
    n_left, best_score = all_on_one_side(work, n, n_present, known, side, 0), -np.inf
    for trial in range(1, 1 << (n - 1)):
        changed = trial ^ (trial - 1)
        for i in range(1, n):
            if (changed >> (i - 1)) & 1:
                n_left += change_side(work, i, n_present, side)
        score = score_sides(work, n_present, n_left, known, gini)
        best_score = keep_best(score, best_score, MARGIN * known, side, best, n)
    return best_score


@part
def sampled_subset(work, n, n_present, known, gini, side, best):
    """Random subsets, the first level always left."""
    n_left, best_score = all_on_one_side(work, n, n_present, known, side, 0), -np.inf
    for _ in range(N_SAMPLED):
        ones = 0
        for i in range(1, n):
            if np.int64(next_word(work.state) >> np.uint64(63)) != side[i]:
                n_left += change_side(work, i, n_present, side)
            ones += side[i]
        if ones > 0:
            score = score_sides(work, n_present, n_left, known, gini)
            best_score = keep_best(score, best_score, MARGIN * known, side, best, n)
    return best_score


@part
def set_sides(levels, n, n_levels, best, sides):
    """Branch of each level: the first one to occur left, absent ones with the last one to occur, as in R."""
    for v in range(n_levels):
        sides[v] = best[n - 1] ^ best[0]
    for i in range(n):
        sides[levels[i]] = best[i] ^ best[0]
