"""Extra-Trees (Geurts, Ernst, Wehenkel 2006): a few features, one random cut each, the best of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import part
from arboretum.trees.counts import weight_of, xlog
from arboretum.trees.divide import branch_of
from arboretum.trees.draws import next_word, uniform
from arboretum.trees.pool import remove
from arboretum.trees.rules import LEAF, NUMERIC, SUBSET, rule
from arboretum.trees.rules.cart import MARGIN, next_feature
from arboretum.trees.rules.vr import rank_of
from arboretum.trees.scan import combine, term


class Extra(NamedTuple):
    """Criterion and number of features tried."""

    gini: bool
    n_tried: int


def extra_rule(gini=True, n_tried=1) -> Extra:
    return Extra(bool(gini), int(n_tried))


@rule(Extra)
@part
def select_extra(rule, work, sides, rows, base, mass, start, end, total):
    """The best of ``n_tried`` random divisions; features constant in the node do not count."""
    features, slots, state = work.features, work.slots, work.state
    n, tried, trial = state[0].n_features, 0, sides[sides.shape[0] // 2 :]
    best, kind, best_f, best_rank, best_cut = -np.inf, LEAF, -1, 0, 0.0
    for i in range(n):
        if tried >= rule.n_tried:
            break
        f = next_feature(slots, state, i, n, min(rule.n_tried, n - 1))
        if not features[f].alive:
            continue
        column, missing = work.codes[f], features[f].n_values
        low, high = extremes(column, missing, rows, start, end)
        if low >= high:
            remove(features, slots, state, f)
            continue
        tried += 1
        rank, cut, found = 0, 0.0, SUBSET
        if features[f].nominal:
            random_subset(state, column, missing, rows, start, end, trial)
        else:
            rank, cut = random_cut(state, work.values, features[f].value_start, low, high)
            found = NUMERIC
        score = 0.0
        if rule.n_tried > 1:
            score = division_score(work, column, missing, rows, base, mass, start, end, found, rank, trial, rule.gini)
        if score > best + MARGIN * total:
            best, kind, best_f, best_rank, best_cut = score, found, f, rank, cut
            for v in range(trial.shape[0]):
                sides[v] = trial[v]
    return kind, best_f, best_rank, best_cut, False


@part
def extremes(column, missing, rows, start, end):
    """Least and greatest rank in the node."""
    low, high = np.int64(missing), np.int64(-1)
    for i in range(start, end):
        code = np.int64(column[rows[i]])
        if code != missing:
            low = min(low, code)
            high = max(high, code)
    return low, high


@part
def random_cut(state, values, start, low, high):
    """A cut drawn uniformly between two values, and the rank of the greatest value not above it."""
    cut = values[start + low] + (1.0 - uniform(state)) * (values[start + high] - values[start + low])
    if cut >= values[start + high]:
        cut = values[start + low]
    return rank_of(values, start, low, high, cut), cut


@part
def random_subset(state, column, missing, rows, start, end, sides):
    """Each level left or right at random, again until both sides have cases."""
    while True:
        for v in range(missing):
            sides[v] = np.int64(next_word(state) >> np.uint64(63))
        seen = 0
        for i in range(start, end):
            code = column[rows[i]]
            if code != missing:
                seen |= 1 << np.int64(sides[code])
        if seen == 3:
            return


@part
def division_score(work, column, missing, rows, base, mass, start, end, kind, rank, sides, gini):
    """Score of a division (of the cases that know the feature), in the terms of :mod:`arboretum.trees.scan`.

    Cases with a missing value are left out of both the score and its loss, so features compete on what they know.
    """
    tally = work.tally
    for k in range(tally.shape[0]):
        tally[k].left = 0
        tally[k].known = 0
    for i in range(start, end):
        code = column[rows[i]]
        if code != missing:
            k, weight = work.classes[rows[i]], weight_of(rows, base, mass, i)
            tally[k].known += weight
            if branch_of(kind, code, rank, sides) == 0:
                tally[k].left += weight
    below, above, loss = 0.0, 0.0, 0.0
    n_left = 0 * tally[0].left
    n_right = n_left
    for k in range(tally.shape[0]):
        below += term(work.xlogs, tally[k].left, gini)
        above += term(work.xlogs, tally[k].known - tally[k].left, gini)
        loss += term(work.xlogs, tally[k].known, gini)
        n_left += tally[k].left
        n_right += tally[k].known - tally[k].left
    score = combine(work.xlogs, below, above, n_left, n_right, gini)
    return score - (loss / (n_left + n_right) if gini else loss - xlog(work.xlogs, n_left + n_right))
