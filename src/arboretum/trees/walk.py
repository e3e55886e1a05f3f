"""Split search along presorted columns (:mod:`arboretum.trees.presorted`), and their partition."""

from __future__ import annotations

import numpy as np

from arboretum.trees.best_split import best_scored_cut, least_weight
from arboretum.trees.block import in_block
from arboretum.trees.buffers import CHUNK
from arboretum.trees.class_counts import TOLERANCE
from arboretum.trees.compiled import part
from arboretum.trees.criterion import score_cuts
from arboretum.trees.packing import n_lanes
from arboretum.trees.partition import partition_by_cut, partition_by_level
from arboretum.trees.presorted import ROW, tied
from arboretum.trees.rules import NOMINAL

_ONE = np.int64(1)


@part
def walks(order, buffers, f):
    """Does the current node walk along its part of a presorted column f?"""
    if order is None:
        return False
    return buffers.features[f].presorted >= 0 and not in_block(buffers)


@part
def best_walked_cut(order, buffers, f, row_weight, start, n_cases, total, summary, limits, margin):
    """Best cut of presorted column f by entropy: what ``best_counted_cut`` returns, with rows in place of ranks."""
    if order is None:
        return -1.0, -1, -1, 0, 0, 0.0, np.float64(total)
    else:
        whole, positive, least = summary[3], limits[3], least_weight(limits, total) - TOLERANCE
        column, tally, lanes = buffers.columns[buffers.features[f].presorted], buffers.tally, n_lanes(summary)
        best, place, cuts, ranks, below = whole if positive else -np.inf, -1, 0, 1, np.int64(0)
        for v in range(lanes):
            tally[v].left = 0
        for at in range(start, start + n_cases - 1, CHUNK):
            end = min(at + CHUNK, start + n_cases - 1)
            n = sum_up(buffers, column, f, at, end, row_weight, lanes)
            score_cuts(buffers, n, summary)
            score, j, admissible, size = best_scored_cut(
                buffers.sizes, buffers.scores, n + 1, total, least, best, margin
            )
            ranks, cuts = ranks + n, cuts + admissible
            if j >= 0:
                best, place, below = score, buffers.ranks[j], size
        if place < 0:
            return -1.0, -1, -1, cuts, ranks, 0.0, np.float64(total)
        low, high = np.int64(column[place] & ROW), np.int64(column[place + 1] & ROW)
        return best - whole, low, high, cuts, ranks, np.float64(below), np.float64(total)


@part
def sum_up(buffers, column, f, start, end, row_weight, lanes):
    """Packed class counts up to each cut above the entries ``start .. end``, and their places; returns how many cuts.

    ``tally[v].left`` is the sum of lane v so far.
    """
    sums, ranks, tally, classes, cells = buffers.sums, buffers.ranks, buffers.tally, buffers.classes, buffers.cells
    if lanes == 1 and buffers.state[0].heaviest == 1.0 and buffers.features[f].n_values == classes.shape[0]:
        left = np.int64(tally[0].left)  # no weights, no ties: every entry has a cut above it
        for i in range(np.uint64(end - start)):
            left += _ONE << tally[np.uint64(classes[column[np.uint64(start) + i]])].own_shift
            sums[i], ranks[i] = left, np.uint64(start) + i
        tally[0].left = left
        return end - start
    n = np.uint64(0)
    for i in range(np.uint64(start), np.uint64(end)):
        ranks[n] = i
        n += np.uint64(not tied(column, i, cells, f))
    for v in range(lanes):
        left, at = np.int64(tally[v].left), np.uint64(0)
        for i in range(np.uint64(start), np.uint64(end)):
            row = column[i] & ROW
            own = tally[np.uint64(classes[row])]
            left += (np.int64(row_weight[row]) << own.own_shift) * np.int64(own.own_lane == v)
            if at < n:
                sums[np.uint64(v) * n + at] = left
                at += np.uint64(ranks[at] == i)
        tally[v].left = left
    return np.int64(n)


@part
def value_at_midpoint(order, buffers, f, row_weight):
    """The greatest training value of column f that is not above the midpoint of the two rows around the cut."""
    if order is None:
        return 0.0
    else:
        feature, cells = buffers.features[f], buffers.cells
        column, above = order[feature.presorted], cells[feature.high, f]
        middle = min((cells[feature.low, f] + above) / 2 + TOLERANCE, above)
        rank, n = 0, np.int64(column.shape[0])
        while n > 1:  # bisection: the last value below the middle
            half = n >> 1
            rank += half * np.int64(cells[column[rank + half] & ROW, f] < middle)
            n -= half
        while row_weight[column[rank] & ROW] == 0:
            rank -= 1
        return cells[column[rank] & ROW, f] + 0.0  # -0.0 becomes 0.0


@part
def partition_columns(order, buffers, rows, start, end, test, partition):
    """Partition the presorted columns, if any, as the cases of the node were partitioned."""
    if order is not None:
        partition_presorted(buffers, rows, start, end, test[0], test[1], partition)


@part
def partition_presorted(buffers, rows, start, end, kind, tested, partition):
    """The same. Inside a block nothing reads the presorted columns any more, so they are left as they are."""
    if in_block(buffers):
        return
    features, slots, bounds, side = buffers.features, buffers.slots, partition.bounds, buffers.side
    if kind != NOMINAL:
        for i in range(start, end):
            side[rows[i]] = i >= bounds[1]
    for j in range(buffers.state[0].n_features):
        s = features[slots[j].feature].presorted
        if s >= 0 and kind == NOMINAL:
            branches, levels = features[tested].n_values, buffers.codes[tested]
            partition_by_level(levels, buffers.columns[s], start, end, branches, partition)
        elif s >= 0:
            partition_by_cut(side, buffers.columns[s], start, end, 0, partition.spill)
