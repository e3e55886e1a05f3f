"""Class counts of a node, and n log2 n of a count.

Exact growth has whole weights (1, or how often a bootstrap drew the row), found by row in ``base``; ``mass`` is
None. Fractional growth (missing values, real weights) has one float64 weight a case of the node in ``mass``.
Tests ``mass is None`` are decided when a kernel is compiled, so each kind of growth has code of its own. Loops over
cases count in uint64: an index that cannot be negative needs no check for one.
"""

from __future__ import annotations

import numpy as np
from numba import types
from numba.extending import overload

from arboretum.trees.compiled import part

TOLERANCE = 1e-6  # C4.5 and Weka: a > b means a - b > 1e-6


def xlog(table, count):
    """count * log2(count): from ``table`` for whole counts, computed for real ones."""
    raise NotImplementedError("kernels only")


@overload(xlog)
def _xlog(table, count):
    if isinstance(count, types.Integer):
        return lambda table, count: table[count]
    return lambda table, count: count * np.log2(count) if count > 0.0 else 0.0


def xlog_table(n: int) -> np.ndarray:
    """n log2 n for 0 .. n."""
    numbers = np.arange(n + 1, dtype=np.float64)
    return numbers * np.log2(np.maximum(numbers, 1.0))


@part
def weight_of(rows, base, mass, i):
    """Weight of the case at place i."""
    if mass is None:
        return base[rows[i]]
    else:
        return mass[i]


@part
def total_weight(rows, base, mass, start, end):
    """Weight of all cases of the node."""
    total = 0 * weight_of(rows, base, mass, start)
    for i in range(np.uint64(start), np.uint64(end)):
        total += weight_of(rows, base, mass, i)
    return total


@part
def count_classes(rows, base, mass, start, end, classes, tally):
    """Class weights of the node, into ``tally``."""
    for k in range(tally.shape[0]):
        tally[k].count = 0
    for i in range(np.uint64(start), np.uint64(end)):
        tally[np.uint64(classes[rows[i]])].count += weight_of(rows, base, mass, i)


@part
def is_pure(rows, mass, start, end, classes, tally):
    """Do all cases share one class? With real weights: all but a negligible part of the weight."""
    if mass is None:
        first = classes[rows[start]]
        for i in range(np.uint64(start + 1), np.uint64(end)):  # noqa: SIM110
            if classes[rows[i]] != first:
                return False
        return True
    else:
        count_classes(rows, mass, mass, start, end, classes, tally)
        total, greatest = 0.0, 0.0
        for k in range(tally.shape[0]):
            total += tally[k].count
            greatest = max(greatest, tally[k].count)
        return total - greatest <= TOLERANCE
