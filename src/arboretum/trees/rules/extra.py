"""Extra-Trees (Geurts, Ernst, Wehenkel 2006): draw one random cut for each of a few features, use the best one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.available_features import remove_feature
from arboretum.trees.class_counts import TOLERANCE, weight_of, xlog
from arboretum.trees.compiled import part
from arboretum.trees.criterion import class_term, split_score
from arboretum.trees.partition import branch_of
from arboretum.trees.random_stream import next_word, uniform
from arboretum.trees.rules import LEAF, NUMERIC, SUBSET, rule
from arboretum.trees.rules.cart import MARGIN, next_feature


class Extra(NamedTuple):
    """Criterion, number of features tried, and least weight of each side of a split."""

    gini: bool | None  # None for entropy
    n_tried: int
    min_leaf: float

    scans, walks = False, False


def extra_rule(gini=True, n_tried=1, min_leaf=0.0) -> Extra:
    return Extra(True if gini else None, int(n_tried), float(min_leaf))


@rule(Extra)
@part
def select_extra(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The best of ``n_tried`` random splits. Features that are constant in the node do not count."""
    features, slots, state, cells = buffers.features, buffers.slots, buffers.state, buffers.cells
    n, tried, trial = state[0].n_features, 0, sides[sides.shape[0] // 3 :]
    best, kind, best_f, best_cut = -np.inf, LEAF, np.int64(-1), 0.0
    for i in range(n):
        if tried >= rule.n_tried:
            break
        f = next_feature(slots, state, i, n, min(rule.n_tried, n - 1))
        if not features[f].available:
            continue
        low, high = value_range(cells, f, rows, start, end)
        if not low < high:
            remove_feature(features, slots, state, f)
            continue
        tried += 1
        found, cut, score = SUBSET, 0.0, 0.0
        if features[f].nominal:
            random_subset(state, cells, f, features[f].n_values, rows, start, end, trial)
        else:
            found, cut = NUMERIC, random_cut(state, low, high)
        if rule.n_tried > 1 or rule.min_leaf > 0.0:
            score = division_score(
                buffers, f, rows, row_weight, case_weight, start, end, found, cut, trial, rule.gini, rule.min_leaf
            )
        if score > best + MARGIN * total:
            best, kind, best_f, best_cut = score, found, f, cut
            for v in range(trial.shape[0]):
                sides[v] = trial[v]
    return kind, best_f, best_cut, False


@part
def value_range(cells, f, rows, start, end):
    """Least and greatest known value in the node."""
    low, high = np.inf, -np.inf
    for i in range(start, end):
        value = cells[rows[i], np.uint64(f)]
        low = value if value < low else low
        high = value if value > high else high
    return low, high


@part
def random_cut(state, low, high):
    """A cut drawn uniformly from low .. high, ``high`` excluded."""
    cut = low + (1.0 - uniform(state)) * (high - low)
    return cut if cut < high else low


@part
def random_subset(state, cells, f, n_levels, rows, start, end, sides):
    """Each level goes left or right at random; repeated until both sides have cases."""
    while True:
        for v in range(n_levels):
            sides[v] = np.int64(next_word(state) >> np.uint64(63))
        seen = 0
        for i in range(start, end):
            value = cells[rows[i], f]
            if not np.isnan(value):
                seen |= 1 << np.int64(sides[np.int64(value)])
        if seen == 3:
            return


@part
def division_score(buffers, f, rows, row_weight, case_weight, start, end, kind, cut, sides, gini, least):
    """Gain * weight of a split (see :mod:`arboretum.trees.criterion`), over the cases whose value is known.

    Minus infinity if a side weighs less than ``least``.
    """
    tally = buffers.tally
    for k in range(tally.shape[0]):
        tally[k].left = 0
        tally[k].known = 0
    for i in range(start, end):
        value = buffers.cells[rows[i], f]
        if not np.isnan(value):
            k, weight = buffers.classes[rows[i]], weight_of(rows, row_weight, case_weight, i)
            tally[k].known += weight
            if branch_of(kind, value, cut, sides) == 0:
                tally[k].left += weight
    below, above, loss = 0.0, 0.0, 0.0
    n_left = 0 * tally[0].left
    n_right = n_left
    for k in range(tally.shape[0]):
        below += class_term(buffers.xlogs, tally[k].left, gini)
        above += class_term(buffers.xlogs, tally[k].known - tally[k].left, gini)
        loss += class_term(buffers.xlogs, tally[k].known, gini)
        n_left += tally[k].left
        n_right += tally[k].known - tally[k].left
    if min(n_left, n_right) < least - TOLERANCE:
        return -np.inf
    score = split_score(buffers.xlogs, below, above, n_left, n_right, gini)
    return score - (loss - xlog(buffers.xlogs, n_left + n_right) if gini is None else loss / (n_left + n_right))
