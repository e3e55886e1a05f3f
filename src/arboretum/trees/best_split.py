"""The best cut of a numeric feature, and the gain of a nominal feature with one branch per level."""

from __future__ import annotations

import numpy as np

from arboretum.trees.block import code_count, in_block
from arboretum.trees.class_counts import TOLERANCE, xlog
from arboretum.trees.compiled import part
from arboretum.trees.criterion import (
    node_score,
    score_cuts,
    score_cuts_of_many,
    score_gini_cuts,
    score_sorted_cuts,
    score_weighted_cuts,
)
from arboretum.trees.histogram import (
    accumulate,
    column_of,
    count_feature,
    count_levels,
    count_weights,
    half_start,
    is_sparse,
    list_marked_ranks,
    list_ranks,
    remove_missing,
    sort_cases,
)
from arboretum.trees.packing import n_lanes


@part
def best_cut(buffers, f, rows, case_weight, start, end, total, summary, limits, margin, gini):
    """Count numeric feature f and find its best cut; returns what :func:`best_counted_cut` does."""
    if case_weight is None:
        count_feature(buffers, f, end - start, n_lanes(summary))
    return best_counted_cut(buffers, f, 0, case_weight, end - start, total, summary, limits, margin, gini)


@part
def best_counted_cut(buffers, f, half, case_weight, n_cases, total, summary, limits, margin, gini):
    """Best cut of numeric feature f, whose histogram is in ``half`` (exact growth; fractional growth counts here).

    Returns (gain * weight, rank below, rank above, admissible cuts, ranks, weight below, known weight). The rank below
    is -1 if no cut qualifies.

    ``summary`` comes from :func:`arboretum.trees.packing.summarise_node`. ``limits`` is (share, least, most, positive):
    each side needs ``share`` of the known weight, clamped to least .. most; with ``positive`` the gain must exceed
    ``margin``.
    """
    n_present, _, _, whole = summary
    positive = limits[3]
    ranks, known, lanes = buffers.ranks, total, n_lanes(summary)
    if case_weight is None:
        sparse = is_sparse(buffers, f, n_cases, lanes)
        n = sort_cases(buffers, f, n_cases) if sparse else list_ranks(buffers, f, half, n_cases, lanes)
    else:
        n_values, column = code_count(buffers, f), column_of(buffers, f)
        count_weights(column, buffers.place, n_cases, buffers.unit, n_present, buffers.dense_hist, buffers.bitmap)
        known = remove_missing(buffers.dense_hist, buffers.tally, n_values, n_present, total)
        whole = node_score(buffers.xlogs, buffers.tally, n_present, known, gini)
        n = list_marked_ranks(buffers, column, n_values, n_cases, 0)
        if n > 0 and ranks[n - 1] == n_values:
            n -= 1
        score_weighted_cuts(buffers, n, n_present, known, gini)
    least = least_weight(limits, known) - TOLERANCE
    floor, first = whole if positive else -np.inf, half_start(buffers.hist, half)
    if case_weight is None:
        if sparse:
            score_sorted_cuts(buffers, n, summary, total, gini)
        elif lanes > 1:
            score_cuts_of_many(buffers, first, n, lanes, summary, total, gini)
        else:
            accumulate(buffers.hist, first, ranks, n, buffers.sums)
            if gini is None:
                score_cuts(buffers, n, summary)
            else:
                score_gini_cuts(buffers, n, summary, total)
    best, place, cuts, below = best_scored_cut(buffers.sizes, buffers.scores, n, known, least, floor, margin)
    if place < 0:
        return -1.0, -1, -1, cuts, n, 0.0, np.float64(known)
    low, high = ranks[place], ranks[place + 1]
    if in_block(buffers):
        low, high = np.int64(buffers.block_ranks[f, low]), np.int64(buffers.block_ranks[f, high])
    return best - whole, low, high, cuts, n, np.float64(below), np.float64(known)


@part
def least_weight(limits, known):
    """The weight that each side of a cut needs: a share of the known weight, clamped."""
    share, least, most, _ = limits
    return min(max(share * known, least), most)


@part
def best_scored_cut(sizes, scores, n, total, least, floor, margin):
    """The best cut: (score, index, admissible cuts, size below). A later cut wins only by more than ``margin``.

    A cut is admissible if each side has a weight of at least ``least``. Only scores above ``floor + margin`` count.
    """
    first, last = 0, n - 1
    while first < last and sizes[first] < least:
        first += 1
    while last > first and total - sizes[last - 1] < least:
        last -= 1
    best, place = floor, -1
    for eight in range(first, last, 8):
        end = min(eight + 8, last)
        if maximum(scores, eight, end) > best + margin:
            for j in range(eight, end):
                if scores[j] > best + margin:
                    best, place = scores[j], j
    return best, place, last - first, sizes[max(place, 0)]


@part
def maximum(scores, start, end):
    """The greatest of up to eight scores. Usually none of the eight is a new best, and the caller skips them all."""
    most = scores[start]
    if end - start == 8:
        one, two = max(most, scores[start + 1]), max(scores[start + 2], scores[start + 3])
        three, four = max(scores[start + 4], scores[start + 5]), max(scores[start + 6], scores[start + 7])
        return max(max(one, two), max(three, four))
    for j in range(start + 1, end):
        most = max(most, scores[j])
    return most


@part
def multiway_gain(buffers, f, rows, case_weight, start, end, total, summary, least):
    """Nominal feature f, one branch per level: (gain * weight, split information * weight, branches, large, known).

    ``branches`` counts the levels that occur, ``large`` those with a weight of at least ``least``. For the split
    information the missing cases are one more branch; ``known`` is the weight of the others.
    """
    n_present, _, _, whole = summary
    n_values = buffers.features[f].n_values
    known = count_levels(buffers, f, rows, case_weight, start, end, total, summary)
    if case_weight is not None:
        whole = node_score(buffers.xlogs, buffers.tally, n_present, known, None)
    score, division, branches, large = sum_level_terms(
        buffers.dense_hist, buffers.xlogs, n_values, n_present, least - TOLERANCE
    )
    division = xlog(buffers.xlogs, total) - division - xlog(buffers.xlogs, total - known)
    return score - whole, division, branches, large, np.float64(known)


@part
def sum_level_terms(dense_hist, xlogs, n_values, n_present, least):
    """The sums over levels that :func:`multiway_gain` needs. Clears the counts."""
    score, division, branches, large = 0.0, 0.0, 0, 0
    for level in range(n_values):
        size = 0 * dense_hist[0]
        for k in range(n_present):
            count = dense_hist[level * n_present + k]
            if count > 0:
                dense_hist[level * n_present + k] = 0
                score += xlog(xlogs, count)
                size += count
        if size > 0:
            term = xlog(xlogs, size)
            score -= term
            division += term
            branches += 1
            large += size >= least
    return score, division, branches, large
