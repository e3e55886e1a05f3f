"""The median of each column of a table, for missing values.

A median is found by bisection: how many values are not above the middle of a range? Counting them is a loop that the
processor does for eight values at a time, so twenty rounds cost less than selection, which moves the values.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import bits_of, from_bits
from arboretum.trees.compiled import kernel, part, vector_part

AT_ONCE = 100_000  # cells copied at once: several small columns, whose copy stays in the cache
_SIGN, _LAST = np.int64(-(2**63)), np.int64(2**63 - 1)


def medians(cells):
    """Median of the known values of each column, 0 if there are none."""
    found, step = np.zeros(cells.shape[1]), max(1, AT_ONCE // max(len(cells), 1))
    for first in range(0, len(found), step):
        columns = np.ascontiguousarray(cells[:, first : first + step].T)
        column_medians(columns, np.empty(len(cells), np.int64), found[first : first + step])
    return found


@kernel
def column_medians(columns, keys, found):
    """:func:`medians` of some columns, one after the other."""
    for f in range(columns.shape[0]):
        for row in range(columns.shape[1]):
            keys[row] = key_of(columns[f, row])
        known = count_up_to(keys, _LAST - 1)
        if known > 0:
            low = smallest(keys, (known - 1) // 2)
            high = low
            if known & 1 == 0 and count_up_to(keys, low) == known // 2:
                high = least_above(keys, low)
            found[f] = (value_of(low) + value_of(high)) / 2 if low != high else value_of(low)


@part
def key_of(value):
    """A whole number in the order of the values; the last one is for missing values. 0.0 and -0.0 have the same."""
    bits = bits_of(value + 0.0)
    return _LAST if np.isnan(value) else bits ^ ((bits >> 63) & _LAST)


@part
def value_of(key):
    """The value that has this key."""
    return from_bits(key ^ ((key >> 63) & _LAST))


@vector_part
def count_up_to(keys, bound):
    """How many keys are not above ``bound``."""
    n = 0
    for i in range(keys.shape[0]):
        n += np.int64(keys[i] <= bound)
    return n


@vector_part
def smallest(keys, rank):
    """The key that has ``rank`` keys before it."""
    low, high, rounds = least_above(keys, _SIGN), greatest_up_to(keys, _LAST - 1), 0  # the key is in low .. high
    while low < high:
        middle = (low >> 1) + (high >> 1) + (low & high & 1)
        n = count_up_to(keys, middle)
        if n == rank + 1:
            return greatest_up_to(keys, middle)
        if n > rank:
            high = middle
        else:
            low = middle + 1
        rounds += 1
        if rounds % 16 == 0:  # many values are equal: go on from those that are there
            low, high = least_above(keys, low - 1), greatest_up_to(keys, high)
    return low


@vector_part
def greatest_up_to(keys, bound):
    """The greatest key that is not above ``bound``."""
    found = _SIGN
    for i in range(keys.shape[0]):
        found = max(found, keys[i] if keys[i] <= bound else _SIGN)
    return found


@vector_part
def least_above(keys, bound):
    """The least key above ``bound``."""
    found = _LAST
    for i in range(keys.shape[0]):
        found = min(found, keys[i] if keys[i] > bound else _LAST)
    return found
