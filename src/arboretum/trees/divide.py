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


@part
def divide_numeric(column, rows, start, end, rank, spill):
    """Ranks up to ``rank`` first, both sides in their order; the place where the second side begins."""
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
def branch_of(kind, code, rank, sides):
    if kind == NUMERIC:
        return np.int64(code > rank)
    if kind == SUBSET:
        return np.int64(sides[code])
    return np.int64(code)


@part
def divide_exact(work, rows, start, end, test, space):
    """No missing values: child b lies at ``bounds[b] .. bounds[b + 1]``."""
    kind, f, rank, _, _ = test
    column, spill, bounds, sides = work.codes[f], space.spill, space.bounds, space.sides
    bounds[0] = start
    if kind == NUMERIC:
        bounds[1] = divide_numeric(column, rows, start, end, rank, spill)
        bounds[2] = end
        return
    branches = work.features[f].n_values if kind == NOMINAL else 2
    for b in range(branches):
        bounds[b + 1] = 0
    for i in range(start, end):
        spill[i - start] = rows[i]
        bounds[branch_of(kind, column[rows[i]], rank, sides) + 1] += 1
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    for i in range(end - start - 1, -1, -1):
        b = branch_of(kind, column[spill[i]], rank, sides)
        bounds[b + 1] -= 1
        rows[bounds[b + 1]] = spill[i]
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = end


@part
def branch_shares(column, missing, rows, mass, start, end, test, sides, shares, bounds):
    """Each branch's share of the known weight, and how many places each branch needs in ``bounds[b + 1]``."""
    kind, rank, branches = test
    for b in range(branches):
        shares[b] = 0.0
        bounds[b + 1] = 0
    n_missing, known = 0, 0.0
    for i in range(start, end):
        code = column[rows[i]]
        if code == missing:
            n_missing += 1
        else:
            b = branch_of(kind, code, rank, sides)
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
    kind, f, rank, _, _ = test
    start, end = work.state[0].start, work.state[0].end
    column, missing = work.codes[f], work.features[f].n_values
    branches = missing if kind == NOMINAL else 2
    sides, shares, bounds = space.sides, space.shares, space.bounds
    branch_shares(column, missing, rows, mass, start, end, (kind, rank, branches), sides, shares, bounds)
    bounds[0] = start
    for b in range(branches):
        bounds[b + 1] += bounds[b]
    finish = bounds[branches]
    if finish > rows.shape[0]:
        rows, mass = longer(rows, finish), longer(mass, finish)
    own_rows, own_mass = rows[start:end].copy(), mass[start:end].copy()
    for i in range(end - start - 1, -1, -1):
        code = column[own_rows[i]]
        if code == missing:
            for b in range(branches):
                if shares[b] > 0.0:
                    bounds[b + 1] -= 1
                    rows[bounds[b + 1]] = own_rows[i]
                    mass[bounds[b + 1]] = own_mass[i] * shares[b]
        else:
            b = branch_of(kind, code, rank, sides)
            bounds[b + 1] -= 1
            rows[bounds[b + 1]] = own_rows[i]
            mass[bounds[b + 1]] = own_mass[i]
    for b in range(branches):
        bounds[b] = bounds[b + 1]
    bounds[branches] = finish
    return rows, mass
