"""Sort the columns of a table: the one step of rank-coding that costs more than a pass."""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import bits_of
from arboretum.trees.compiled import kernel, part

LONG = 1024  # from so many rows on, a radix sort is 2 to 3.5 times as fast as NumPy's argsort
DIGIT, DIGITS = np.uint64(8), 8  # bits per digit, and digits per key
_MASK, _LAST = np.uint64(255), np.uint64(2**64 - 1)


def sorted_rows(columns):
    """The rows in ascending order of each column, NaN last: (columns, rows), uint32."""
    if columns.shape[1] < LONG:
        return np.argsort(columns, axis=1).astype(np.uint32)
    order = np.empty(columns.shape, np.uint32)
    radix_sort(columns, order)
    return order


@kernel
def radix_sort(columns, order):
    """Sort by the last of eight digits, then stably by the one before it, and so on."""
    n = columns.shape[1]
    counts = np.empty((DIGITS, 256), np.int64)
    keys, to_keys = np.empty(n, np.uint64), np.empty(n, np.uint64)
    rows, to_rows = np.empty(n, np.uint32), np.empty(n, np.uint32)
    for c in range(columns.shape[0]):
        count_digits(columns[c], keys, rows, counts)
        for d in range(DIGITS):
            if counts[d, np.uint64((keys[0] >> (np.uint64(d) * DIGIT)) & _MASK)] < n:  # otherwise all are equal
                move(keys, rows, to_keys, to_rows, counts[d], np.uint64(d) * DIGIT)
                keys, to_keys = to_keys, keys
                rows, to_rows = to_rows, rows
        for i in range(n):
            order[c, i] = rows[i]


@part
def count_digits(column, keys, rows, counts):
    """A key for each cell, unsigned and in the order of the values, and how often each digit has each value."""
    for d in range(DIGITS):
        for value in range(256):
            counts[d, value] = 0
    for i in range(column.shape[0]):
        bits = bits_of(column[i])  # a negative number has all bits turned over, any other one the sign only
        key = _LAST if np.isnan(column[i]) else np.uint64(bits ^ ((bits >> 63) | np.int64(-(2**63))))
        keys[i], rows[i] = key, i
        for d in range(DIGITS):
            counts[d, np.uint64((key >> (np.uint64(d) * DIGIT)) & _MASK)] += 1


@part
def move(keys, rows, to_keys, to_rows, counts, shift):
    """Move all keys to their places by one digit. Keys with the same digit stay in order."""
    at = 0
    for value in range(256):
        at, counts[value] = at + counts[value], at
    for i in range(keys.shape[0]):
        digit = np.uint64((keys[i] >> shift) & _MASK)
        place = np.uint64(counts[digit])
        counts[digit] += 1
        to_keys[place], to_rows[place] = keys[i], rows[i]
