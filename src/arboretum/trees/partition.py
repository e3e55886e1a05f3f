"""Partition the cases of a node among its branches.

Children use the part of ``rows`` that their parent had, in order of the branches. With missing values a fraction of a
case goes down every branch (C4.5), so children may need more room than the parent had. The grower pops the last child
first, so everything behind it in ``rows`` is free. Where unknown values take a branch no case is divided.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.buffers import BLOCK
from arboretum.trees.compiled import allocating_part, part
from arboretum.trees.nodes import enlarged
from arboretum.trees.presorted import ROW
from arboretum.trees.rules import NOMINAL, NUMERIC, SUBSET

_1, _2 = np.uint64(1), np.uint64(2)


@part
def partition_by_cut(column, rows, start, end, cut, spill):
    """Stable partition: values or ranks up to ``cut`` first. Returns where the second side begins.

    ``rows`` may be entries of a presorted column, whose highest bit does not belong to the row number: hence ROW.
    """
    left, right = np.uint64(start), np.uint64(0)
    for i in range(np.uint64(start), np.uint64(end)):
        row = rows[i]
        above = np.uint64(column[row & ROW] > cut)
        rows[left] = row
        spill[right] = row
        left += _1 - above
        right += above
    return append_second_side(rows, left, spill, right)


@part
def partition_by_side(column, rows, start, end, sides, spill):
    """The same, by the side of each level."""
    left, right = np.uint64(start), np.uint64(0)
    for i in range(np.uint64(start), np.uint64(end)):
        row = rows[i]
        above = np.uint64(sides[np.uint64(column[row])])
        rows[left] = row
        spill[right] = row
        left += _1 - above
        right += above
    return append_second_side(rows, left, spill, right)


@part
def append_second_side(rows, left, spill, n):
    """Copy the n cases of the second side behind those of the first, which end at ``left``."""
    for i in range(n):
        rows[left + i] = spill[i]
    return np.int64(left)


@part
def partition_by_level(column, rows, start, end, branches, partition):
    """Stable partition with one branch per level: branch b is at ``bounds[b] .. bounds[b + 1]``. ROW as above.

    The first and the second half of the cases are moved side by side, each with its own ends: consecutive cases often
    have the same level, and then the second would have to wait for the first.
    """
    bounds, ends, spill = partition.bounds, partition.ends, partition.spill
    half = np.uint64((end - start) >> 1)
    for b in range(2 * branches):
        ends[b] = 0
    for i in range(half):
        one, two = rows[np.uint64(start) + i], rows[np.uint64(start) + half + i]
        spill[i], spill[half + i] = one, two
        ends[_2 * np.uint64(column[one & ROW])] += 1
        ends[_2 * np.uint64(column[two & ROW]) + _1] += 1
    last = rows[np.uint64(end - 1)]  # the odd one, if there is one
    odd = (end - start) & 1
    ends[_2 * np.uint64(column[last & ROW]) + _1] += odd
    at = start
    for b in range(branches):
        bounds[b] = at
        first, second = ends[2 * b], ends[2 * b + 1]
        ends[2 * b], ends[2 * b + 1] = at, at + first
        at += first + second
    bounds[branches] = end
    for i in range(half):
        one, two = spill[i], spill[half + i]
        here, there = _2 * np.uint64(column[one & ROW]), _2 * np.uint64(column[two & ROW]) + _1
        rows[np.uint64(ends[here])], rows[np.uint64(ends[there])] = one, two
        ends[here] += 1
        ends[there] += 1
    if odd:
        rows[np.uint64(ends[_2 * np.uint64(column[last & ROW]) + _1])] = last


@part
def last_rank_up_to(values, start, n, cut):
    """The greatest of n ranks whose value is not above ``cut``, by bisection. The first value must not be above it."""
    rank = 0
    while n > 1:
        half = n >> 1
        rank += half * np.int64(values[start + rank + half] <= cut)
        n -= half
    return rank


@part
def branch_of(kind, value, cut, sides):
    """The branch that a known value goes to."""
    if kind == NUMERIC:
        return np.int64(value > cut)
    if kind == SUBSET:
        return np.int64(sides[np.int64(value)])
    return np.int64(value)


@part
def n_branches(buffers, test):
    """Number of children of a node with this test."""
    return buffers.features[test[1]].n_values + buffers.state[0].own_branch if test[0] == NOMINAL else 2


@part
def partition_exact(buffers, rows, start, end, test, partition):
    """Partition a node without missing values: child b is at ``bounds[b] .. bounds[b + 1]``.

    Levels are read from the column of codes, which is small. Numbers of a small node are read from the cells, whose
    rows stay in the cache for the whole subtree.
    """
    kind, f, cut, _ = test
    spill, bounds, column = partition.spill, partition.bounds, buffers.codes[f]
    bounds[0] = start
    if kind == NOMINAL:
        partition_by_level(column, rows, start, end, buffers.features[f].n_values, partition)
        return
    bounds[2] = end
    if kind == SUBSET:
        bounds[1] = partition_by_side(column, rows, start, end, partition.sides, spill)
    elif end - start > BLOCK and buffers.features[f].presorted < 0:
        rank = last_rank_up_to(buffers.values, buffers.features[f].value_start, buffers.features[f].n_values, cut)
        bounds[1] = partition_by_cut(column, rows, start, end, rank, spill)
    else:
        bounds[1] = partition_by_cut(buffers.cells[:, f], rows, start, end, cut, spill)


@part
def branch_shares(cells, rows, case_weight, start, end, test, branches, sides, shares, bounds):
    """Share of each branch in the known weight; ``bounds[b + 1]`` gets the number of cases of branch b."""
    kind, f, cut, _ = test
    for b in range(branches):
        shares[b] = 0.0
        bounds[b + 1] = 0
    n_missing, known = 0, 0.0
    for i in range(start, end):
        value = cells[rows[i], f]
        if np.isnan(value):
            n_missing += 1
        else:
            b = branch_of(kind, value, cut, sides)
            shares[b] += case_weight[i]
            known += case_weight[i]
            bounds[b + 1] += 1
    for b in range(branches):
        shares[b] /= known
        if shares[b] > 0.0:
            bounds[b + 1] += n_missing


@allocating_part
def partition_fractional(buffers, rows, case_weight, test, partition):
    """Partition a node with missing values: such cases go down every branch, weighted by its share.

    Returns ``rows`` and ``case_weight``, enlarged if the children need more room.
    """
    kind, f, cut, _ = test
    start, end, cells = buffers.state[0].start, buffers.state[0].end, buffers.cells
    branches = buffers.features[f].n_values if kind == NOMINAL else 2
    sides, shares, bounds = partition.sides, partition.shares, partition.bounds
    branch_shares(cells, rows, case_weight, start, end, test, branches, sides, shares, bounds)
    bounds[0] = start
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    finish = bounds[branches]
    if finish > rows.shape[0]:
        rows, case_weight = enlarged(rows, finish), enlarged(case_weight, finish)
    own_rows, own_weight = rows[start:end].copy(), case_weight[start:end].copy()
    for i in range(end - start - 1, -1, -1):
        value = cells[own_rows[i], f]
        if np.isnan(value):
            for b in range(branches):
                if shares[b] > 0.0:
                    bounds[b + 1] -= 1
                    rows[bounds[b + 1]] = own_rows[i]
                    case_weight[bounds[b + 1]] = own_weight[i] * shares[b]
        else:
            b = branch_of(kind, value, cut, sides)
            bounds[b + 1] -= 1
            rows[bounds[b + 1]] = own_rows[i]
            case_weight[bounds[b + 1]] = own_weight[i]
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = finish
    return rows, case_weight


@part
def whole_branch(buffers, row, test, sides):
    """The branch of a case if an unknown value takes one: a nominal one the last branch, a numeric one the lower."""
    kind, f, cut, _ = test
    value = buffers.cells[row, f]
    if np.isnan(value):
        return np.int64(buffers.features[f].n_values if kind == NOMINAL else 0)
    return branch_of(kind, value, cut, sides)


@allocating_part
def partition_whole(buffers, rows, case_weight, test, partition):
    """Partition a node with missing values where no case is divided: child b is at ``bounds[b] .. bounds[b + 1]``."""
    start, end, sides, bounds = buffers.state[0].start, buffers.state[0].end, partition.sides, partition.bounds
    branches = n_branches(buffers, test)
    for b in range(branches + 1):
        bounds[b] = 0
    for i in range(start, end):
        bounds[whole_branch(buffers, rows[i], test, sides)] += 1
    at = start
    for b in range(branches + 1):  # where each branch ends
        at += bounds[b]
        bounds[b] = at
    own_rows, own_weight = rows[start:end].copy(), case_weight[start:end].copy()
    for i in range(end - start - 1, -1, -1):  # backwards: in the end each bound is where its branch begins
        b = whole_branch(buffers, own_rows[i], test, sides)
        bounds[b] -= 1
        rows[bounds[b]], case_weight[bounds[b]] = own_rows[i], own_weight[i]
