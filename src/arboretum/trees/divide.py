"""Divide the cases of a node among its branches.

Children take the places of their parent in ``rows``, in order, so that the last child lies on top. With missing values
a case goes down every branch in part (C4.5): children may then need more places than the parent had, and since the
grower takes the last child first there is always room above.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import maker, part
from arboretum.trees.nodes import longer
from arboretum.trees.rules import NOMINAL, NUMERIC, SUBSET
from arboretum.trees.work import BLOCK

_1 = np.uint64(1)


@part
def divide_column(column, rows, start, end, cut, spill):
    """Values or ranks up to ``cut`` first, both sides in their order; the place where the second side begins."""
    left, right = np.uint64(start), np.uint64(0)
    for i in range(np.uint64(start), np.uint64(end)):
        row = rows[i]
        above = np.uint64(column[row] > cut)
        rows[left] = row
        spill[right] = row
        left += _1 - above
        right += above
    return put_back(rows, left, spill, right)


@part
def divide_subset(column, rows, start, end, sides, spill):
    """The same by the side of each level."""
    left, right = np.uint64(start), np.uint64(0)
    for i in range(np.uint64(start), np.uint64(end)):
        row = rows[i]
        above = np.uint64(sides[np.uint64(column[row])])
        rows[left] = row
        spill[right] = row
        left += _1 - above
        right += above
    return put_back(rows, left, spill, right)


@part
def put_back(rows, left, spill, n):
    """The n cases of the second side behind those of the first, which end at ``left``."""
    for i in range(n):
        rows[left + i] = spill[i]
    return np.int64(left)


@part
def divide_levels(column, rows, start, end, branches, bounds, spill):
    """One branch a level, each in its order: branch b lies at ``bounds[b] .. bounds[b + 1]``."""
    for b in range(branches):
        bounds[b + 1] = 0
    for i in range(np.uint64(end - start)):
        row = rows[np.uint64(start) + i]
        spill[i] = row
        bounds[np.uint64(column[row]) + _1] += 1
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    for i in range(end - start - 1, -1, -1):
        row = spill[np.uint64(i)]
        b = np.uint64(column[row]) + _1
        bounds[b] -= 1
        rows[np.uint64(bounds[b])] = row
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = end


@part
def rank_below(values, start, n, cut):
    """Greatest of n ranks whose value is not above ``cut`` (that of the first is not)."""
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
def divide_exact(work, rows, start, end, test, space):
    """No missing values: child b lies at ``bounds[b] .. bounds[b + 1]``. Levels are read from their column, which is
    short; numbers of a small node from the cells, which the cache holds for the whole subtree."""
    kind, f, cut, _ = test
    spill, bounds, column = space.spill, space.bounds, work.codes[f]
    bounds[0] = start
    if kind == NOMINAL:
        divide_levels(column, rows, start, end, work.features[f].n_values, bounds, spill)
        return
    bounds[2] = end
    if kind == SUBSET:
        bounds[1] = divide_subset(column, rows, start, end, space.sides, spill)
    elif end - start > BLOCK:
        rank = rank_below(work.values, work.features[f].value_start, work.features[f].n_values, cut)
        bounds[1] = divide_column(column, rows, start, end, rank, spill)
    else:
        bounds[1] = divide_column(work.cells[:, f], rows, start, end, cut, spill)


@part
def branch_shares(cells, rows, mass, start, end, test, branches, sides, shares, bounds):
    """Each branch's share of the known weight, and how many places each branch needs in ``bounds[b + 1]``."""
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
            shares[b] += mass[i]
            known += mass[i]
            bounds[b + 1] += 1
    for b in range(branches):
        shares[b] /= known
        if shares[b] > 0.0:
            bounds[b + 1] += n_missing


@maker
def divide_fractional(work, rows, mass, test, space):
    """Missing values go down every branch by share; the arrays, exchanged for longer ones where they must be."""
    kind, f, cut, _ = test
    start, end, cells = work.state[0].start, work.state[0].end, work.cells
    branches = work.features[f].n_values if kind == NOMINAL else 2
    sides, shares, bounds = space.sides, space.shares, space.bounds
    branch_shares(cells, rows, mass, start, end, test, branches, sides, shares, bounds)
    bounds[0] = start
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    finish = bounds[branches]
    if finish > rows.shape[0]:
        rows, mass = longer(rows, finish), longer(mass, finish)
    own_rows, own_mass = rows[start:end].copy(), mass[start:end].copy()
    for i in range(end - start - 1, -1, -1):
        value = cells[own_rows[i], f]
        if np.isnan(value):
            for b in range(branches):
                if shares[b] > 0.0:
                    bounds[b + 1] -= 1
                    rows[bounds[b + 1]] = own_rows[i]
                    mass[bounds[b + 1]] = own_mass[i] * shares[b]
        else:
            b = branch_of(kind, value, cut, sides)
            bounds[b + 1] -= 1
            rows[bounds[b + 1]] = own_rows[i]
            mass[bounds[b + 1]] = own_mass[i]
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = finish
    return rows, mass
