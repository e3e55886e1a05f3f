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


@part
def divide_numeric(cells, f, rows, start, end, cut, spill):
    """Values up to ``cut`` first, both sides in their order; the place where the second side begins."""
    left, right = start, 0
    for i in range(start, end):
        row = rows[i]
        above = np.int64(cells[row, np.uint64(f)] > cut)
        rows[left] = row
        spill[right] = row
        left += 1 - above
        right += above
    for i in range(right):
        rows[left + i] = spill[i]
    return left


@part
def divide_ranked(column, rows, start, end, rank, spill):
    """The same by ranks: a column of a large set is far smaller than its rows."""
    left, right = start, 0
    for i in range(start, end):
        row = rows[i]
        above = np.int64(column[row] > rank)
        rows[left] = row
        spill[right] = row
        left += 1 - above
        right += above
    for i in range(right):
        rows[left + i] = spill[i]
    return left


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
    """No missing values: child b lies at ``bounds[b] .. bounds[b + 1]``."""
    kind, f, cut, _ = test
    cells, spill, bounds, sides = work.cells, space.spill, space.bounds, space.sides
    bounds[0] = start
    if kind == NUMERIC:
        if end - start > BLOCK:
            rank = rank_below(work.values, work.features[f].value_start, work.features[f].n_values, cut)
            bounds[1] = divide_ranked(work.codes[f], rows, start, end, rank, spill)
        else:
            bounds[1] = divide_numeric(cells, f, rows, start, end, cut, spill)
        bounds[2] = end
        return
    branches = work.features[f].n_values if kind == NOMINAL else 2
    for b in range(branches):
        bounds[b + 1] = 0
    for i in range(start, end):
        spill[i - start] = rows[i]
        bounds[branch_of(kind, cells[rows[i], f], cut, sides) + 1] += 1
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    for i in range(end - start - 1, -1, -1):
        b = branch_of(kind, cells[spill[i], f], cut, sides)
        bounds[b + 1] -= 1
        rows[bounds[b + 1]] = spill[i]
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = end


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
