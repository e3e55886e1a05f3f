"""Random trees with T leaves on a grid of cells with known class masses (section 8 of Breiman 2000).

A forest is an integer array (trees, T, 4): each leaf is a rectangle of cells [i0, i1) x [j0, j1). Every tree
cuts, T-1 times, a leaf chosen uniformly. Where it cuts is the ``regime``:

- ``uniform``: a random variable, any grid line inside the leaf;
- ``triangular``: a random variable, a triangular density with its peak at the optimal cut, zero at the ends;
- ``optimal``: a random variable, the optimal cut;
- ``variable-random``: with probability alpha the optimal cut over both variables, else as ``uniform``
  (the deterministic node of VR-Trees, in distribution space).

The optimal cut minimises the misclassified mass; among equal cuts one is drawn uniformly, so that a pure leaf
under ``triangular`` has a peak anywhere. A leaf of one cell's width is cut on the other variable.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arboretum.theory.population import Masses

Array = NDArray[np.float64]
Forest = NDArray[np.int32]

REGIMES = {"uniform": 0, "triangular": 1, "optimal": 2, "variable-random": 3}
EQUAL = 1e-12


def grow(masses: Masses, leaves: int, trees: int, regime: str, rng: np.random.Generator, alpha: float = 0.0) -> Forest:
    """Grow ``trees`` independent trees of ``leaves`` leaves each."""
    if regime not in REGIMES:
        raise ValueError(f"unknown regime {regime!r}; known: {', '.join(REGIMES)}")
    uniforms = rng.random((trees, leaves - 1, 5))
    return _grow(_prefix(masses.plus), _prefix(masses.minus), leaves, REGIMES[regime], alpha, uniforms)


def _prefix(mass: Array) -> Array:
    out = np.zeros((mass.shape[0] + 1, mass.shape[1] + 1))
    out[1:, 1:] = mass.cumsum(axis=0).cumsum(axis=1)
    return out


@njit(cache=True)
def _mass(prefix, i0, i1, j0, j1):
    return prefix[i1, j1] - prefix[i0, j1] - prefix[i1, j0] + prefix[i0, j0]


@njit(cache=True)
def _cut_error(plus, minus, leaf, variable, line):
    """The misclassified mass of a leaf cut at a grid line."""
    i0, i1, j0, j1 = leaf[0], leaf[1], leaf[2], leaf[3]
    if variable == 0:
        a, b = _mass(plus, i0, line, j0, j1), _mass(minus, i0, line, j0, j1)
    else:
        a, b = _mass(plus, i0, i1, j0, line), _mass(minus, i0, i1, j0, line)
    c, d = _mass(plus, i0, i1, j0, j1) - a, _mass(minus, i0, i1, j0, j1) - b
    return min(a, b) + min(c, d)


@njit(cache=True)
def _best_cut(plus, minus, leaf, first, last, u):
    """The variable in first..last and the grid line of least misclassified mass; ``u`` settles ties."""
    least, ties = np.inf, 0
    for variable in range(first, last + 1):
        for line in range(leaf[2 * variable] + 1, leaf[2 * variable + 1]):
            value = _cut_error(plus, minus, leaf, variable, line)
            if value < least - EQUAL:
                least, ties = value, 1
            elif value <= least + EQUAL:
                ties += 1
    pick = min(int(u * ties), ties - 1)
    for variable in range(first, last + 1):
        for line in range(leaf[2 * variable] + 1, leaf[2 * variable + 1]):
            if _cut_error(plus, minus, leaf, variable, line) <= least + EQUAL:
                if pick == 0:
                    return variable, line
                pick -= 1
    return first, leaf[2 * first] + 1


@njit(cache=True)
def _triangular(low, high, peak, u):
    """The u-quantile of the triangular law on [low, high] with its peak inside, put on an inner grid line."""
    share = (peak - low) / (high - low)
    if u < share:
        at = low + np.sqrt(u * (high - low) * (peak - low))
    else:
        at = high - np.sqrt((1 - u) * (high - low) * (high - peak))
    return min(max(int(np.floor(at + 0.5)), low + 1), high - 1)


@njit(cache=True)
def _choose_cut(plus, minus, leaf, regime, alpha, u):
    wide = (leaf[1] - leaf[0] > 1, leaf[3] - leaf[2] > 1)
    variable = int(u[1] * 2)
    if not wide[variable]:
        variable = 1 - variable
    low, high = leaf[2 * variable], leaf[2 * variable + 1]
    if regime == 0 or (regime == 3 and u[4] >= alpha):
        return variable, low + 1 + min(int(u[2] * (high - low - 1)), high - low - 2)
    if regime == 3:
        return _best_cut(plus, minus, leaf, 0, 1, u[3])
    variable, line = _best_cut(plus, minus, leaf, variable, variable, u[3])
    if regime == 1:
        line = _triangular(low, high, line, u[2])
    return variable, line


@njit(cache=True)
def _grow(plus, minus, leaves, regime, alpha, uniforms):
    trees = uniforms.shape[0]
    forest = np.zeros((trees, leaves, 4), dtype=np.int32)
    for t in range(trees):
        forest[t, 0, 1], forest[t, 0, 3] = plus.shape[0] - 1, plus.shape[1] - 1
        for n in range(1, leaves):
            u = uniforms[t, n - 1]
            leaf = forest[t, min(int(u[0] * n), n - 1)]
            if leaf[1] - leaf[0] < 2 and leaf[3] - leaf[2] < 2:
                continue
            variable, line = _choose_cut(plus, minus, leaf, regime, alpha, u)
            forest[t, n] = leaf
            forest[t, n, 2 * variable] = line
            leaf[2 * variable + 1] = line
    return forest


def leaf_masses(forest: Forest, mass: Array) -> Array:
    """The mass in each leaf: shape (trees, T)."""
    prefix = _prefix(mass)
    i0, i1, j0, j1 = np.moveaxis(forest, -1, 0)
    return prefix[i1, j1] - prefix[i0, j1] - prefix[i1, j0] + prefix[i0, j0]


def mean_field(forest: Forest, leaf_values: Array, cells: int) -> Array:
    """The average over trees of the value of the leaf that holds each cell."""
    corners = np.zeros((cells + 1, cells + 1))
    i0, i1, j0, j1 = np.moveaxis(forest, -1, 0)
    for rows, columns, sign in ((i0, j0, 1), (i1, j0, -1), (i0, j1, -1), (i1, j1, 1)):
        np.add.at(corners, (rows, columns), sign * leaf_values)
    return corners.cumsum(axis=0).cumsum(axis=1)[:cells, :cells] / len(forest)


def combine(forest: Forest, masses: Masses, rule: str) -> Array:
    """The field whose sign is the forest's prediction.

    - ``kernel``: the mean signed mass of the leaf, the integral of K(x, z) D(z) P(dz) (section 6);
    - ``vote``: the mean label, +1 where the leaf's signed mass is not negative (the labelling rule);
    - ``proportion``: the mean of P(1|leaf) - P(-1|leaf), as in averaged class probabilities.
    """
    plus, minus = leaf_masses(forest, masses.plus), leaf_masses(forest, masses.minus)
    signed, total = plus - minus, plus + minus
    if rule == "kernel":
        values = signed
    elif rule == "vote":
        values = np.where(signed >= -EQUAL, 1.0, -1.0)
    elif rule == "proportion":
        values = signed / np.maximum(total, EQUAL)
    else:
        raise ValueError(f"the rule is 'kernel', 'vote' or 'proportion', not {rule!r}")
    return mean_field(forest, values, masses.plus.shape[0])


def strength(forest: Forest, masses: Masses) -> float:
    """The average correct classification rate of the trees (section 8)."""
    plus, minus = leaf_masses(forest, masses.plus), leaf_masses(forest, masses.minus)
    return float(np.maximum(plus, minus).sum(axis=1).mean())


def correlation(forest: Forest, masses: Masses) -> float:
    """The mean correlation of two trees' margins y h(x): var(y H) / (mean sd of a tree's margin)^2.

    H is the mean vote; the variance over (x, y) of y H is the mean covariance of two trees, corrected for the
    pairs of a tree with itself.
    """
    trees = len(forest)
    vote = combine(forest, masses, "vote")
    mean = float((masses.signed * vote).sum())
    variance_of_mean = float(((masses.plus + masses.minus) * vote**2).sum()) - mean**2
    plus, minus = leaf_masses(forest, masses.plus), leaf_masses(forest, masses.minus)
    tree_mean = np.abs(plus - minus).sum(axis=1)
    tree_variance = np.maximum(1 - tree_mean**2, 0.0)
    covariance = (trees * variance_of_mean - tree_variance.mean()) / (trees - 1)
    return float(covariance / np.mean(np.sqrt(tree_variance)) ** 2)


@njit(cache=True)
def _gram(forest, rows, columns):
    trees, leaves = forest.shape[0], forest.shape[1]
    points = rows.shape[0]
    together = np.zeros((points, points))
    member = np.empty(points, dtype=np.int64)
    for t in range(trees):
        for k in range(leaves):
            n = 0
            for p in range(points):
                if forest[t, k, 0] <= rows[p] < forest[t, k, 1] and forest[t, k, 2] <= columns[p] < forest[t, k, 3]:
                    member[n] = p
                    n += 1
            for a in range(n):
                for b in range(n):
                    together[member[a], member[b]] += 1.0
    return together / trees


def gram(forest: Forest, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Array:
    """K(x, z) between cells: the share of trees that hold both in one leaf (equation 6)."""
    return _gram(forest, rows, columns)


def share_with(forest: Forest, row: int, column: int, cells: int) -> Array:
    """K(x, .) over the whole grid for the cell x at (row, column)."""
    holds = (forest[..., 0] <= row) & (row < forest[..., 1]) & (forest[..., 2] <= column) & (column < forest[..., 3])
    return mean_field(forest, holds.astype(float), cells)
