"""AdaBoost in distribution space, exactly: sections 4 and 5 and appendix I of Breiman (2000), on a grid.

With p = P(1|x) and r = log((1-p)/p)/2, the exponential loss is, up to a constant, the integral of
cosh(r + s) dQ with dQ proportional to sqrt(p (1-p)) dP (the paper's weight has lost the root). One arcing
step takes, of *all* +-1 trees with T leaves, the tree h that minimises the integral of sinh(r + s) h dQ,
whose value is -b I with I the loss, and adds it with the step c = log((1+b)/(1-b))/2.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum.theory.completeness import indicators, partitions

Array = NDArray[np.float64]

# trees whose scores differ by less than this count as equal; the first of them is taken
EQUAL = 1e-13


class Trees(NamedTuple):
    """All trees with T leaves: indicators of their leaves (boxes, cells), and each tree's boxes (trees, T)."""

    indicators: Array
    leaves: NDArray[np.int64]


class History(NamedTuple):
    """One entry per step, from step 0 (nothing added); ``excess`` is I_M - 1, ``function`` the last s_M."""

    loss: Array
    excess: Array
    b: Array
    step: Array
    distance: Array
    error: Array
    identity: Array
    function: Array


def all_trees(shape: tuple[int, ...], leaves: int) -> Trees:
    """Every partition of the grid into T leaves."""
    found = partitions(shape, leaves)
    boxes = sorted({box for partition in found for box in partition})
    number = {box: n for n, box in enumerate(boxes)}
    return Trees(indicators(boxes, shape), np.array([[number[box] for box in tree] for tree in found]))


def half_log_odds(p: Array) -> Array:
    """r(x) = log(P(-1|x) / P(1|x)) / 2."""
    return np.log((1 - p) / p) / 2


def loss_measure(p: Array, mass: Array) -> Array:
    """Q: proportional to sqrt(p (1-p)) P, normalised to one."""
    weight = np.sqrt(p * (1 - p)) * mass
    return weight / weight.sum()


def best_tree(trees: Trees, gradient: Array) -> tuple[float, Array]:
    """The tree h of least sum(gradient * h): each leaf's sign is against the sum of the gradient in it."""
    leaf_sum = trees.indicators @ gradient
    score = np.abs(leaf_sum)[trees.leaves].sum(axis=1)
    chosen = trees.leaves[np.flatnonzero(score >= score.max() - EQUAL)[0]]
    sign = np.where(leaf_sum[chosen] > EQUAL, -1.0, 1.0)
    return float(-np.abs(leaf_sum[chosen]).sum()), sign @ trees.indicators[chosen]


def arc(p: Array, mass: Array, trees: Trees, steps: int, stop: float = 1e-12) -> History:
    """Run the arcing algorithm for at most ``steps`` steps on P(1|x) = p, P(x) = mass (one entry per cell).

    ``distance`` is ||s_M + r|| in L2(P), ``error`` the error of the sign of s_M, ``identity`` the relative
    departure from I_M^2 = I_{M-1}^2 (1 - b_M^2). Stops when b falls below ``stop``: no tree lowers the loss.
    """
    r, q = half_log_odds(p), loss_measure(p, mass)
    s = np.zeros_like(r)
    rows = [(*_loss(r, q), 0.0, 0.0, *_quality(s, r, p, mass), 0.0)]
    for _ in range(steps):
        before = rows[-1][0]
        slope, tree = best_tree(trees, np.sinh(r + s) * q)
        b = -slope / before
        if b < stop:
            break
        step = float(np.arctanh(b))
        s = s + step * tree
        loss, excess = _loss(r + s, q)
        identity = abs(loss**2 / (before**2 * (1 - b**2)) - 1)
        rows.append((loss, excess, b, step, *_quality(s, r, p, mass), identity))
    return History(*np.array(rows).T, function=s)


def _loss(off: Array, q: Array) -> tuple[float, float]:
    """I = sum cosh(r+s) q and I - 1, the latter free of cancellation."""
    return float(np.cosh(off) @ q), float(2 * np.sinh(off / 2) ** 2 @ q)


def _quality(s: Array, r: Array, p: Array, mass: Array) -> tuple[float, float]:
    distance = float(np.sqrt(((s + r) ** 2) @ mass))
    wrong = np.where(s > EQUAL, 1 - p, p)
    return distance, float(wrong @ mass)


def bayes(p: Array, mass: Array) -> float:
    """The Bayes risk of P(1|x) = p under P(x) = mass."""
    return float(np.minimum(p, 1 - p) @ mass)
