"""C4.5 release 8 (Quinlan 1993, 1996): gain ratio among the tests of at least average gain."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.available_features import remove_feature
from arboretum.trees.best_split import best_counted_cut, least_weight, multiway_gain
from arboretum.trees.bits import leading_zeros
from arboretum.trees.block import code_count
from arboretum.trees.class_counts import TOLERANCE, xlog2
from arboretum.trees.compiled import part, spliced_part
from arboretum.trees.elementary import log2
from arboretum.trees.histogram import column_of, count_feature, count_two_features, is_sparse
from arboretum.trees.packing import n_lanes, summarise_node
from arboretum.trees.rules import LEAF, NOMINAL, NUMERIC, rule
from arboretum.trees.walk import best_walked_cut, value_at_midpoint, walks


class C45(NamedTuple):
    """Parameters of C4.5.

    A weight stands for so many equal cases, and limits are compared with weights. Weka's J48 compares two of them with
    numbers of cases, and so does ``by_cases``: a cut needs twice as many known cases as each side needs weight, and
    whether a nominal feature has many levels depends on the number of training cases. Without weights nothing changes.
    """

    min_cases: float  # MINOBJS: at least two branches must hold this many cases
    mdl: bool  # release 8: subtract log2(number of cuts) / weight from the gain of a numeric feature
    average: bool  # consider only tests of at least average gain
    by_cases: bool = False  # as Weka's J48: two limits count cases, whatever their weight (see above)

    scans, walks, branches = True, True, True


@rule(C45)
@part
def select_c45(rule, buffers, sides, rows, row_weight, case_weight, start, end, total):
    """The C4.5 test of the node, or LEAF if no test qualifies."""
    features, slots = buffers.features, buffers.slots
    summary = summarise_node(buffers, rows, case_weight, start, end, total, None)
    paired = -1  # the feature that was counted together with an earlier one
    for j in range(buffers.state[0].n_features):
        f = slots[j].feature
        features[f].gain = -1.0
        if features[f].available:
            if features[f].nominal:
                nominal_gain(rule, buffers, f, rows, case_weight, start, end, total, summary)
            else:
                half = 1 if f == paired else 0
                if case_weight is None and half == 0 and is_counted(buffers, f, end - start, summary):
                    paired = count_with_next(buffers, j, end - start, summary)
                numeric_gain(rule, buffers, f, half, row_weight, case_weight, start, end - start, total, summary)
    f = best_ratio(features, slots, buffers.state, rule)
    if f < 0:
        return LEAF, f, 0.0, True
    if features[f].nominal:
        return NOMINAL, f, 0.0, True
    if features[f].presorted >= 0:
        return NUMERIC, f, value_at_midpoint(buffers.order, buffers, f, row_weight), True
    rank = rank_at_midpoint(features, buffers.values, f)
    if rank > features[f].low and features[f].seen != 2:
        rank = last_training_rank(features, buffers.seen, buffers.codes[f], row_weight, f, rank)
    return NUMERIC, f, buffers.values[features[f].value_start + rank], True


@spliced_part
def nominal_gain(rule, buffers, f, rows, case_weight, start, end, total, summary):
    """Gain and gain ratio of a nominal feature, one branch per level. Two branches must hold ``min_cases``."""
    gain, division, _, large, _ = multiway_gain(
        buffers, f, rows, case_weight, start, end, total, summary, rule.min_cases
    )
    if large >= 2:
        buffers.features[f].gain = max(gain / total, 0.0)
        buffers.features[f].ratio = gain / division if division > TOLERANCE else 0.0


@part
def is_counted(buffers, f, n_cases, summary):
    """Does numeric feature f need its histogram? Not if the node walks along the column or sorts its cases."""
    return not walks(buffers.order, buffers, f) and not is_sparse(buffers, f, n_cases, n_lanes(summary))


@part
def count_with_next(buffers, j, n_cases, summary):
    """Count the j-th feature together with the next numeric one. Returns that one, or -1 if there is none."""
    features, slots, lanes = buffers.features, buffers.slots, n_lanes(summary)
    for k in range(j + 1, buffers.state[0].n_features):
        g = slots[k].feature
        if features[g].available and not features[g].nominal and is_counted(buffers, g, n_cases, summary):
            count_two_features(buffers, slots[j].feature, g, n_cases, lanes)
            return g
    count_feature(buffers, slots[j].feature, n_cases, lanes)
    return -1


@spliced_part
def numeric_gain(rule, buffers, f, half, row_weight, case_weight, start, n_cases, total, summary):
    """Gain and gain ratio of the best cut. Each side must hold clamp(0.1 * known / classes, min_cases, 25) cases."""
    limits = (0.1 / buffers.tally.shape[0], rule.min_cases, max(25.0, rule.min_cases), True)
    if walks(buffers.order, buffers, f):
        gain, low, high, cuts, ranks, below, known = best_walked_cut(
            buffers.order, buffers, f, row_weight, start, n_cases, total, summary, limits, TOLERANCE * total
        )
    else:
        gain, low, high, cuts, ranks, below, known = best_counted_cut(
            buffers, f, half, case_weight, n_cases, total, summary, limits, TOLERANCE * total, None
        )
    if ranks <= 1:
        remove_feature(buffers.features, buffers.slots, buffers.state, f)
    if low < 0 or (rule.by_cases and too_few_cases(buffers, f, case_weight, n_cases, known, limits)):
        return
    if rule.mdl:
        gain -= log2(np.float64(cuts))
    if gain <= TOLERANCE * total:
        return
    division = xlog2(total) - xlog2(below) - xlog2(known - below) - xlog2(total - known)
    feature = buffers.features[f]
    feature.gain, feature.low, feature.high = gain / total, low, high
    feature.ratio = gain / division if division > TOLERANCE else 0.0


@part
def too_few_cases(buffers, f, case_weight, n_cases, known, limits):
    """Are there fewer known cases than twice the weight that each side of a cut needs?"""
    if case_weight is not None:
        column, missing, n = column_of(buffers, f), code_count(buffers, f), 0
        for i in range(n_cases):
            n += np.int64(column[buffers.place[i]] != missing)
        n_cases = n
    return n_cases < 2 * least_weight(limits, known) - TOLERANCE


@part
def best_ratio(features, slots, state, rule):
    """The feature of best gain ratio among those with gain >= average gain - 1e-3; the first if several tie."""
    whole, n = np.float64(state[0].cases) if rule.by_cases else state[0].whole, state[0].n_features
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
    least = average / tests - 1e-3 if rule.average else 0.0
    best, best_f = 0.0, -1
    for j in range(n):
        feature = features[slots[j].feature]
        if feature.gain >= max(least, 0.0) and feature.ratio > best + TOLERANCE:
            best, best_f = feature.ratio, slots[j].feature
    return best_f


@part
def has_many_levels(feature, whole):
    """Is the feature nominal with at least 0.3 levels per training case? Then it is left out of the average."""
    return feature.nominal and feature.n_values >= 0.3 * whole - TOLERANCE


@part
def rank_at_midpoint(features, values, f):
    """Rank of the greatest value in the table that is not above the midpoint of the two neighbours in the node."""
    start, rank, above = features[f].value_start, features[f].low, features[f].high
    middle = (values[start + rank] + values[start + above]) / 2 + TOLERANCE
    while rank + 1 < above and values[start + rank + 1] < middle:
        rank += 1
    return rank


@part
def last_training_rank(features, seen, column, row_weight, f, rank):
    """The greatest rank up to ``rank`` that occurs in the training cases of this tree."""
    start = features[f].seen_start
    if features[f].seen == 0:
        features[f].seen = 1
        for w in range((features[f].n_values >> 6) + 1):
            seen[start + w] = 0
        for row in range(row_weight.shape[0]):
            if row_weight[row] > 0:
                code = np.int64(column[row])
                seen[start + (code >> 6)] |= np.int64(1) << (code & 63)
    word = rank >> 6
    occupied = seen[start + word] & (np.int64(-1) if rank & 63 == 63 else (np.int64(2) << (rank & 63)) - 1)
    while occupied == 0:
        word -= 1
        occupied = seen[start + word]
    return word * 64 + 63 - leading_zeros(occupied)
