"""Neighbours of a case among the training cases: by HEOM, or by the leaves that they share in a forest.

dynint, section 3.2. Training cases come in shuffled order, and of cases equally near the first in that order are taken:
on nominal data most cases are tied, and the order of a file is often that of its classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.compiled import kernel

Array = np.ndarray
RANK_BITS = 20  # of the 64 bits of a key; a million training cases have room
MISSING = 2**32 - 2  # no level has so high a position


class Neighbours(NamedTuple):
    """Of each case the nearest training cases, nearest first: (cases, k)."""

    places: Array
    nearness: Array  # HEOM distance, or number (share) of trees in which both cases lie in one leaf


# ------------------------------------------------------------------ HEOM


class Heom(NamedTuple):
    """Training cases as the heterogeneous Euclidean/overlap metric sees them: equations 1 and 2."""

    columns: Array  # (features, training cases); codes of levels if every feature is nominal
    inverse_range: Array  # 0 for a feature that is constant in training
    nominal: Array

    @classmethod
    def of(cls, table) -> Heom:
        nominal = np.array([levels is not None for levels in table.levels])
        if nominal.all():
            return cls(np.ascontiguousarray(level_codes(table.cells, MISSING).T), np.zeros(len(nominal)), nominal)
        low, high = np.fmin.reduce(table.cells, axis=0), np.fmax.reduce(table.cells, axis=0)
        with np.errstate(over="ignore"):
            width = high - low
        usable = width > np.finfo(float).tiny  # false for a column without any value
        inverse = np.divide(1.0, width, out=np.zeros_like(width), where=usable)
        return cls(np.ascontiguousarray(table.cells.T), inverse, nominal)

    def neighbours(self, cells: Array, k: int) -> Neighbours:
        """The k training cases nearest to each of ``cells``."""
        features, n = self.columns.shape
        if self.nominal.all():  # the squared distance is the number of features that differ
            same = by_count(level_codes(cells, MISSING + 1), self.columns, [features], k)[0]
            return Neighbours(same.places, np.sqrt(features - same.nearness))
        squares = np.zeros((len(cells), n))
        add_squares(self.columns, self.inverse_range, self.nominal, cells, squares)
        places = least_of(squares, k)
        return Neighbours(places, np.sqrt(np.take_along_axis(squares, places, axis=1)))


def level_codes(cells: Array, missing: int) -> Array:
    """Positions of levels as whole numbers; a missing value is like no other, missing ones included."""
    return np.where(np.isnan(cells), missing, cells).astype(np.uint32)


@kernel
def add_squares(columns, inverse_range, nominal, cells, squares):
    """Squared distances (equations 1 and 2): overlap for nominal features, 1 where a value is missing."""
    n = columns.shape[1]
    for case in range(cells.shape[0]):
        for feature in range(columns.shape[0]):
            value, inverse = cells[case, feature], inverse_range[feature]
            if np.isnan(value):
                for j in range(n):
                    squares[case, j] += 1.0
            elif nominal[feature]:
                for j in range(n):  # a missing value differs from every level
                    squares[case, j] += 1.0 if columns[feature, j] != value else 0.0
            else:
                for j in range(n):
                    gap = (columns[feature, j] - value) * inverse
                    squares[case, j] += 1.0 if np.isnan(columns[feature, j]) else gap * gap


def least_of(values: Array, k: int) -> Array:
    """Places of the k least of each row, ascending, of equal values the first.

    The bits of a number that is not negative sort as the number does. The last ones are given to its place, so that no
    two keys are equal and values that differ by rounding only are tied.
    """
    n = values.shape[1]
    bits = max(RANK_BITS, int(n).bit_length())
    mask = np.int64((1 << bits) - 1)
    keys = ((values.view(np.int64) + (1 << (bits - 1))) & ~mask) | np.arange(n)
    if k < n:
        keys = np.partition(keys, k - 1, axis=1)[:, :k]
    return np.sort(keys, axis=1) & mask


# ------------------------------------------------------------------ leaves shared in the forest


def leaf_codes(leaves: Array, n_nodes: int) -> Array:
    """Leaves of trees with up to so many nodes, in two bytes where that is enough; the greatest code is no leaf."""
    return leaves.astype(np.uint16 if n_nodes < 2**16 else np.uint32)


@kernel
def add_equal(asked, trained, first, last, counts):
    """Add how many of the codes ``first`` .. ``last`` are equal.

    ``asked`` (cases, codes) and ``trained`` (codes, training cases) hold one code for each tree, that of the leaf, or
    for each feature, that of the level. ``counts`` is (cases, training cases).
    """
    one, none = np.uint16(1), np.uint16(0)
    for case in range(asked.shape[0]):
        for place in range(first, last):
            code = asked[case, place]
            for j in range(trained.shape[1]):
                counts[case, j] += one if trained[place, j] == code else none


@kernel
def sort_by_count(counts, greatest, places, nearness):
    """Training cases by count, greatest first, of equal ones the first: a counting sort of as many as have a place."""
    n, k = counts.shape[1], places.shape[1]
    number, other = np.empty(greatest + 1, np.int64), np.empty(greatest + 1, np.int64)
    for case in range(counts.shape[0]):
        number[:], other[:] = 0, 0
        for j in range(0, n - 1, 2):  # two histograms: equal counts need not wait for each other
            number[counts[case, j]] += 1
            other[counts[case, j + 1]] += 1
        if n % 2:
            number[counts[case, n - 1]] += 1
        before, least = 0, greatest
        while before < k:  # now the place where each count begins
            here = number[least] + other[least]
            number[least] = before
            before += here
            least -= 1
        for j in range(n):
            count = counts[case, j]
            if count > least and number[count] < k:
                places[case, number[count]] = j
                nearness[case, number[count]] = count
                number[count] += 1


def by_count(asked: Array, trained: Array, sizes, k: int) -> list[Neighbours]:
    """The k training cases with the most codes in common, among the first codes, for each of ``sizes``.

    With codes of leaves: the cases most similar in the first trees of a forest, by the number of leaves shared.
    """
    counts = np.zeros((len(asked), trained.shape[1]), np.uint16)
    found, first = [], 0
    for size in sizes:
        add_equal(asked, trained, first, size, counts)
        near = Neighbours(np.empty((len(asked), k), np.int64), np.empty((len(asked), k), np.int64))
        sort_by_count(counts, size, *near)
        found.append(near)
        first = size
    return found


def by_share(asked: Array, trained: Array, out_of_bag: Array, sizes, k: int) -> list[Neighbours]:
    """As :func:`by_count`, on the trees alone for which the training case is out of bag (trees, training cases).

    Nearness is the share of these trees; 0 where there is none.
    """
    seen = np.where(out_of_bag, trained, np.iinfo(trained.dtype).max)
    counts = np.zeros((len(asked), trained.shape[1]), np.uint16)
    found, first = [], 0
    for size in sizes:
        add_equal(asked, seen, first, size, counts)
        share = counts / np.maximum(out_of_bag[:size].sum(axis=0), 1)
        places = least_of(1.0 - share, k)
        found.append(Neighbours(places, np.take_along_axis(share, places, axis=1)))
        first = size
    return found
