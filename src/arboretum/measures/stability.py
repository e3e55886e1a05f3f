"""Pointwise hypothesis stability of complete-random trees on one real attribute (vrtrees, appendix B).

The assumptions (i) to (v) of the appendix: one attribute, unique values, non-empty branches, one case a leaf. The
ensemble of infinitely many trees is then known exactly, by a recursion over the intervals that nodes can hold.
"""

from __future__ import annotations

import numpy as np


def transitions(x: np.ndarray, y: np.ndarray) -> int:
    """mu_S: neighbouring cases of different class."""
    ordered = np.asarray(y)[np.argsort(x, kind="stable")]
    return int(np.count_nonzero(ordered[1:] != ordered[:-1]))


def infinite_output(x: np.ndarray, y: np.ndarray, place: float) -> float:
    """f(place), in [-1, 1], of infinitely many complete-random trees grown on cases ``x`` with classes ``y``.

    A node holds the ordered cases first..last. Its cut is the middle of two different cases drawn at random
    (Algorithm 2). A cut inside the gap that holds ``place`` decides: ``place`` then shares its leaf with the case
    nearest on its side. Any other cut leads to the smaller node that still holds the gap.
    """
    order = np.argsort(x, kind="stable")
    x, y = np.asarray(x, dtype=float)[order], np.asarray(y, dtype=float)[order]
    below = int(np.searchsorted(x, place, side="right")) - 1  # the case at or below place
    if below < 0 or below == len(x) - 1:
        return float(y[0] if below < 0 else y[-1])
    if x[below] == place or y[below] == y[below + 1]:
        return float(y[below])
    return _recursion(x, y, place, below)


def _recursion(x: np.ndarray, y: np.ndarray, place: float, below: int) -> float:
    """f of the node 0..len(x)-1, from the smallest nodes about the gap upwards."""
    size = len(x)
    output = np.empty((below + 1, size))  # output[first, last]
    for first in range(below, -1, -1):
        for last in range(below + 1, size):
            cuts = (x[first : last + 1, None] + x[None, first : last + 1]) / 2
            cuts = cuts[np.triu_indices(last - first + 1, 1)]  # every pair is equally likely
            inside = (cuts >= x[below]) & (cuts < x[below + 1])
            total = np.sum(np.where(place <= cuts[inside], y[below], y[below + 1]))
            # A cut below the gap sends place to the cases above the cut, and the other way round.
            lower = np.searchsorted(x, cuts[cuts < x[below]], side="right")
            upper = np.searchsorted(x, cuts[cuts >= x[below + 1]], side="right") - 1
            total += output[lower, last].sum() + output[first, upper].sum()
            output[first, last] = total / len(cuts)
    return float(output[0, size - 1])


def loss(output: np.ndarray | float, truth: np.ndarray | float) -> np.ndarray:
    """l(y1, y2): 1 where they differ by more than 1, 0.5 where by exactly 1, else 0."""
    distance = np.abs(np.asarray(output, dtype=float) - truth)
    tied = np.isclose(distance, 1.0, rtol=0, atol=1e-12)
    return np.where(tied, 0.5, (distance > 1).astype(float))


def left_out_losses(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """l(f of S without case i at x_i, y_i) for each i; with case i the loss is 0, so this is the instability."""
    x, y = np.asarray(x, dtype=float), np.asarray(y)
    keep = ~np.eye(len(x), dtype=bool)
    return np.array([loss(infinite_output(x[keep[i]], y[keep[i]], x[i]), y[i]) for i in range(len(x))], dtype=float)


def error_bound(changes: float, cases: int, confidence: float) -> float:
    """sqrt((1 + 12 mu) / (2 k delta)): the bound on the error that appendix B ends with, delta = 1 - confidence."""
    return float(np.sqrt((1 + 12 * changes) / (2 * cases * (1 - confidence))))
