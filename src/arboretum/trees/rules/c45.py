"""C4.5 release 8 (Quinlan 1993, 1996): gain ratio among the tests of at least average gain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.bits import leading_zeros
from arboretum.trees.compiled import part, step
from arboretum.trees.counts import TOLERANCE
from arboretum.trees.pool import remove
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.scan import branch_gain, count_one, count_pair, cut_of, digest, n_lanes


class C45(NamedTuple):
    """Parameters of C4.5."""

    min_cases: float  # MINOBJS: at least two branches hold so many cases
    mdl: bool  # release 8: a continuous gain pays log2(number of cuts) / weight
    average: bool  # only tests of at least average gain


@rule(C45)
@part
def select_c45(rule, work, sides, rows, base, mass, start, end, total):
    """The C4.5 test of the node, or none."""
    features, slots = work.features, work.slots
    digested = digest(work, rows, base, mass, start, end, total, False)
    along = -1  # the feature counted along with an earlier one
    for j in range(work.state[0].n_features):
        f = slots[j].feature
        features[f].gain = -1.0
        if features[f].alive:
            if features[f].nominal:
                nominal_gain(rule, work, f, rows, mass, start, end, total, digested)
            else:
                half = 1 if f == along else 0
                if mass is None and half == 0:
                    along = count_with_next(work, j, end - start, digested)
                numeric_gain(rule, work, f, half, mass, end - start, total, digested)
    f = best_ratio(features, slots, work.state, rule.average)
    if f < 0:
        return LEAF, f, 0.0, True
    if features[f].nominal:
        return NOMINAL, f, 0.0, True
    rank = training_rank(features, work.values, f)
    if rank > features[f].low and features[f].seen != 2:
        rank = last_seen(features, work.seen, work.codes[f], base, f, rank)
    return NUMERIC, f, work.values[features[f].value_start + rank], True


@step
def nominal_gain(rule, work, f, rows, mass, start, end, total, digested):
    """Gain and gain ratio of one branch a level; two branches must hold ``min_cases``."""
    gain, division, _, large, _ = branch_gain(work, f, rows, mass, start, end, total, digested, rule.min_cases)
    if large >= 2:
        work.features[f].gain = max(gain / total, 0.0)
        work.features[f].ratio = gain / division if division > TOLERANCE else 0.0


@part
def count_with_next(work, j, n_cases, digested):
    """Class counts of the j-th feature, and of the next numeric one where there is one; that one, or -1."""
    features, slots, lanes = work.features, work.slots, n_lanes(digested)
    for k in range(j + 1, work.state[0].n_features):
        g = slots[k].feature
        if features[g].alive and not features[g].nominal:
            count_pair(work, slots[j].feature, g, n_cases, lanes)
            return g
    count_one(work, slots[j].feature, n_cases, lanes)
    return -1


@step
def numeric_gain(rule, work, f, half, mass, n_cases, total, digested):
    """Gain and gain ratio of the best cut; each side holds clamp(0.1 * known / classes, min_cases, 25) cases."""
    limits = (0.1 / work.tally.shape[0], rule.min_cases, max(25.0, rule.min_cases), True)
    gain, low, high, cuts, ranks, below, known = cut_of(
        work, f, half, mass, n_cases, total, digested, limits, TOLERANCE * total, False
    )
    if ranks <= 1:
        remove(work.features, work.slots, work.state, f)
    if low < 0:
        return
    if rule.mdl:
        gain -= np.log2(cuts)
    if gain <= TOLERANCE * total:
        return
    division = xlog2(total) - xlog2(below) - xlog2(known - below) - xlog2(total - known)
    feature = work.features[f]
    feature.gain, feature.low, feature.high = gain / total, low, high
    feature.ratio = gain / division if division > TOLERANCE else 0.0


@part
def xlog2(x):
    return x * np.log2(x) if x > 0.0 else 0.0


@part
def best_ratio(features, slots, state, average_only):
    """Best gain ratio among the tests of at least average gain, less 1e-3; the first of tied features."""
    whole, n = state[0].whole, state[0].n_features
    crowded = True  # are all features nominal with very many levels?
    for j in range(n):
        crowded &= has_many_levels(features[slots[j].feature], whole)
    average, tests = 0.0, 0
    for j in range(n):
        feature = features[slots[j].feature]
        if feature.gain >= 0.0 and (crowded or not has_many_levels(feature, whole)):
            average += feature.gain
            tests += 1
    if tests == 0:
        return -1
    least = average / tests - 1e-3 if average_only else 0.0
    best, best_f = 0.0, -1
    for j in range(n):
        feature = features[slots[j].feature]
        if feature.gain >= max(least, 0.0) and feature.ratio > best + TOLERANCE:
            best, best_f = feature.ratio, slots[j].feature
    return best_f


@part
def has_many_levels(feature, whole):
    """Nominal with at least 0.3 levels a training case: left out of the average."""
    return feature.nominal and feature.n_values >= 0.3 * whole - TOLERANCE


@part
def training_rank(features, values, f):
    """Rank of the greatest value that is not above the middle of the two neighbours in the node."""
    start, rank, above = features[f].value_start, features[f].low, features[f].high
    middle = (values[start + rank] + values[start + above]) / 2 + TOLERANCE
    while rank + 1 < above and values[start + rank + 1] < middle:
        rank += 1
    return rank


@part
def last_seen(features, seen, column, base, f, rank):
    """The greatest rank up to ``rank`` that occurs in the training cases of this tree."""
    start = features[f].seen_start
    if features[f].seen == 0:
        features[f].seen = 1
        for w in range((features[f].n_values >> 6) + 1):
            seen[start + w] = 0
        for row in range(base.shape[0]):
            if base[row] > 0:
                code = np.int64(column[row])
                seen[start + (code >> 6)] |= np.int64(1) << (code & 63)
    word = rank >> 6
    occupied = seen[start + word] & (np.int64(-1) if rank & 63 == 63 else (np.int64(2) << (rank & 63)) - 1)
    while occupied == 0:
        word -= 1
        occupied = seen[start + word]
    return word * 64 + 63 - leading_zeros(occupied)
