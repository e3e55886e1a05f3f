"""Comparing computed numbers: values that differ by rounding alone are equal, on every processor.

Two processors may round the last bit of a sum differently. Whatever ranks, orders or picks by computed numbers does
it through these functions, so that such a residue never becomes a rank, an order or a verdict.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

TOLERANCE = 1e-9  # far above rounding (1e-13 of the values compared here), far below any difference that matters


def less(one: ArrayLike, other: ArrayLike, tolerance: float = TOLERANCE) -> Any:
    """Whether ``one`` is smaller than ``other`` by more than rounding; elementwise."""
    return np.asarray(one) < np.asarray(other) - tolerance


def at_most(one: ArrayLike, other: ArrayLike, tolerance: float = TOLERANCE) -> Any:
    """Whether ``one`` is smaller than ``other`` or equal to it up to rounding; elementwise."""
    return np.asarray(one) <= np.asarray(other) + tolerance


def equal(one: ArrayLike, other: ArrayLike, tolerance: float = TOLERANCE) -> Any:
    """Whether ``one`` and ``other`` are the same up to rounding; elementwise."""
    return np.abs(np.asarray(one) - np.asarray(other)) <= tolerance


def first_least(values: ArrayLike, axis: int = -1, tolerance: float = TOLERANCE) -> Any:
    """The position of the least value; of several that are least up to rounding, the first. NaN is never least."""
    values = np.asarray(values, dtype=float)
    return np.argmax(values <= np.nanmin(values, axis=axis, keepdims=True) + tolerance, axis=axis)


def first_greatest(values: ArrayLike, axis: int = -1, tolerance: float = TOLERANCE) -> Any:
    """The position of the greatest value; of several that are greatest up to rounding, the first."""
    return first_least(-np.asarray(values, dtype=float), axis, tolerance)


def rank(values: np.ndarray, tolerance: float = TOLERANCE) -> np.ndarray:
    """Ranks along the last axis, 1 for the least; values that are equal up to rounding share the mean of their ranks.

    Sorted neighbours no farther apart than ``tolerance`` belong to one group; a group may span more than that.
    """
    values = np.asarray(values, dtype=float)
    order = np.argsort(values, axis=-1, kind="stable")
    steps = np.diff(np.take_along_axis(values, order, axis=-1), axis=-1) > tolerance
    groups = np.concatenate([np.zeros((*values.shape[:-1], 1)), np.cumsum(steps, axis=-1)], axis=-1)
    codes = np.empty_like(groups)
    np.put_along_axis(codes, order, groups, axis=-1)
    return stats.rankdata(codes, axis=-1)


def order(values: ArrayLike, *keys: ArrayLike, tolerance: float = TOLERANCE) -> np.ndarray:
    """Positions from the least value to the greatest; values that are equal up to rounding stand in order of ``keys``.

    Without keys they keep the order in which they are given.
    """
    ranks = rank(np.asarray(values, dtype=float), tolerance)
    return np.lexsort((*reversed([np.unique(np.asarray(key), return_inverse=True)[1] for key in keys]), ranks))
