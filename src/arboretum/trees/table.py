"""Data as trees see it: cells, declared levels, and the ranks that make split search need no sort.

A :class:`CodedTable` holds one float64 cell per value: numbers as they are, nominal values as the position of their
level among the *declared* levels, missing values as NaN. :attr:`CodedTable.ranks` codes every column once: a number by
its rank among the distinct values of its column, a nominal value by its level, a missing value by the code after the
last. Estimators accept a CodedTable wherever they accept a data frame, so many forests can share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from arboretum.trees.buffers import BLOCK, LARGE
from arboretum.trees.columns import as_frame, nominal_columns, read_column
from arboretum.trees.compiled import kernel, part
from arboretum.trees.median import medians
from arboretum.trees.presorted import TIED
from arboretum.trees.sort import sorted_rows

Array = np.ndarray
AT_ONCE = 100_000  # cells coded at once: several small columns, whose copy stays in the cache
SHORT = 65_000  # if every column has fewer distinct values, two bytes hold a code
NEARLY = 0.9  # a column of at least so many distinct values per row is presorted; with more ties histograms are faster


class Ranks(NamedTuple):
    """Rank-coded columns. ``codes[f, row] == n_values[f]`` means missing."""

    codes: Array  # (features, rows), uint16, or uint32 where a column has 65,000 values or more
    n_values: Array  # distinct values of a numeric column, declared levels of a nominal one
    nominal: Array  # one bool per feature
    values: Array  # the distinct values of all numeric columns, one column after the other, each ascending
    value_start: Array  # where the values of each feature begin
    presorted: Array  # which of the presorted columns a feature is, -1 if none; such a one has neither codes nor values
    order: Array | None = None  # (presorted columns, rows): see :mod:`arboretum.trees.presorted`


@dataclass(frozen=True, eq=False)
class CodedTable:
    """A table of cases; :func:`table_of` makes one."""

    cells: Array
    levels: tuple
    names: tuple | None = None

    @property
    def shape(self) -> tuple[int, int]:
        return self.cells.shape

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def ranks(self) -> Ranks:
        presorted = self.__dict__.get("presorted")
        coded = presorted is not None and presorted.order is None  # no column was presorted, so all are coded
        return presorted if coded else rank_code(self.cells, self.levels)

    @cached_property
    def presorted(self) -> Ranks:
        ranks = self.__dict__.get("ranks")
        coded = ranks is not None and not nearly_distinct(ranks, len(self)).any()
        return ranks if coded else rank_code(self.cells, self.levels, presort=True)

    def codes_for(self, scans: bool, walks: bool = False) -> Ranks:
        """What a rule needs: all columns coded if it scans columns, otherwise nominal ones only.

        Partitioning reads the numbers of a node of more than BLOCK cases by rank, so a large table is coded for every
        rule. With ``walks``, columns of nearly distinct values are presorted instead where the table is large.
        """
        if walks and len(self) > LARGE:
            return self.presorted
        if scans or len(self) > BLOCK or "ranks" in self.__dict__:
            return self.ranks
        return level_code(self.cells, self.levels)

    @cached_property
    def has_missing(self) -> bool:
        return bool(np.isnan(self.cells).any())

    def take(self, rows) -> CodedTable:
        """The rows given (indices or mask), with the same declared levels."""
        return CodedTable(np.ascontiguousarray(self.cells[rows]), self.levels, self.names)

    def fill_values(self) -> Array:
        """Median of each numeric and most frequent level of each nominal column (R's na.roughfix)."""
        values = medians(self.cells)
        for f, levels in enumerate(self.levels):
            if levels is not None:
                values[f] = _most_frequent(self.cells[:, f])
        return values

    def filled(self, values) -> CodedTable:
        """Missing cells replaced by ``values``: one value per column, always from the training part."""
        if not self.has_missing:
            return self
        return CodedTable(np.where(np.isnan(self.cells), values, self.cells), self.levels, self.names)

    def with_branches(self) -> CodedTable:
        """Unknown values turned into what leads to their branches: a level after the last, or less than any number."""
        branch = np.where([lv is None for lv in self.levels], -np.inf, level_counts(self.levels))
        return self.filled(branch)

    def as_numbers(self) -> CodedTable:
        """Every nominal column turned into a numeric one, with the positions of its levels as numbers."""
        if not any(lv is not None for lv in self.levels):
            return self
        return CodedTable(self.cells, (None,) * len(self.levels), self.names)


def _most_frequent(column) -> float:
    known = column[~np.isnan(column)]
    return float(np.bincount(known.astype(np.int64)).argmax()) if len(known) else 0.0


def table_of(X, levels=None, unknown="error") -> CodedTable:
    """A CodedTable from a data frame or a float array; ``levels`` are the levels declared in training, if any.

    Categorical columns keep their declared levels; text columns get the values that occur, sorted
    (:mod:`arboretum.trees.columns`). ``unknown`` says what becomes of a nominal value that ``levels`` do not hold:
    "error" raises ValueError, "missing" makes it missing, and a sequence has a code for each column.
    """
    X = as_frame(X)
    if isinstance(X, CodedTable):
        return X
    if not isinstance(X, pd.DataFrame):
        cells = np.ascontiguousarray(X, dtype=np.float64)
        _refuse_array(cells, levels)
        return CodedTable(cells, levels or (None,) * cells.shape[1])
    wanted = (None,) * X.shape[1] if levels is None else levels
    nominal = nominal_columns(X)
    if not any(nominal) and all(lv is None for lv in wanted):
        cells, found = np.ascontiguousarray(X.to_numpy(dtype=np.float64, na_value=np.nan)), wanted
    else:
        cells, found = np.empty(X.shape), []
        for f, (name, column) in enumerate(X.items()):
            if levels is not None and wanted[f] is None and nominal[f] and column.notna().any():
                raise ValueError(f"column {name!r} was numeric in training and is nominal now; convert it to numbers")
            other = unknown if isinstance(unknown, str) else unknown[f]
            numbers = levels is not None and wanted[f] is None
            cells[:, f], lv = read_column(column, nominal[f] and not numbers, wanted[f], other)
            found.append(lv)
    _refuse_infinite(cells, X.columns)
    return CodedTable(cells, tuple(found), tuple(X.columns.tolist()))


def _refuse_array(cells, levels):
    """An array holds numbers: it cannot be asked where training had levels."""
    nominal = [f for f, lv in enumerate(levels or ()) if lv is not None]
    if nominal:
        raise ValueError(
            f"X is an array of numbers, but column {nominal[0]} was nominal in training ({len(nominal)} of "
            f"{cells.shape[1]} columns were); pass a data frame with the columns of the training data"
        )


def _refuse_infinite(cells, names):
    infinite = np.isinf(cells).any(axis=0)
    if infinite.any():
        name = names[int(infinite.argmax())]
        raise ValueError(f"Input X contains infinity in column {name!r}; make such cells missing or finite")


def level_counts(levels) -> Array:
    """The number of declared levels of each nominal column, 0 for a numeric one."""
    return np.array([0 if lv is None else len(lv) for lv in levels], dtype=np.int32)


def level_code(cells, levels) -> Ranks:
    """Code the nominal columns only; numeric ones seem to have no values. Nothing is sorted."""
    counts = level_counts(levels)
    codes = np.zeros((len(levels), len(cells)), np.uint32 if counts.max(initial=0) >= SHORT else np.uint16)
    nominal = np.array([lv is not None for lv in levels], dtype=np.bool_)
    for f in np.flatnonzero(nominal):
        codes[f] = np.where(np.isnan(cells[:, f]), counts[f], cells[:, f])
    start, none = np.zeros(len(levels) + 1, np.int64), np.full(len(levels), -1)
    return Ranks(codes, counts, nominal, np.zeros(0), start, none)


def nearly_distinct(ranks, n) -> Array:
    """Which columns of a table of n rows are worth presorting."""
    return ~ranks.nominal & (ranks.n_values >= NEARLY * n)


def rank_code(cells, levels, presort=False) -> Ranks:
    """Code every column. Histograms over these codes make exact split search possible.

    With ``presort``, numeric columns of nearly distinct values are sorted instead; no value may be missing then.
    """
    n, q = cells.shape
    nominal = np.array([lv is not None for lv in levels], dtype=np.bool_)
    n_values, start = level_counts(levels), np.zeros(q + 1, np.int64)
    step = max(1, AT_ONCE // max(n, 1))
    codes = np.empty((q, n), np.uint32 if n_values.max(initial=0) >= SHORT else np.uint16)
    # Pages of the next two that are never written take no memory.
    values = np.empty(n * np.count_nonzero(~nominal))
    order, presorted, n_sorted = np.empty((q if presort else 0, n), np.uint32), np.full(q, -1), 0
    for first in range(0, q, step):
        columns = np.ascontiguousarray(cells[:, first : first + step].T)
        found = np.empty(columns.shape, np.uint32)
        least = NEARLY * n if presort else np.inf
        rank_columns(columns, sorted_rows(columns), first, least, nominal, n_values, found, values, start)
        here = slice(first, first + len(columns))
        is_sorted = ~nominal[here] & (n_values[here] >= least)
        if n_values[here][~is_sorted].max(initial=0) >= SHORT and codes.dtype == np.uint16:
            narrow, codes = codes, np.empty((q, n), np.uint32)
            codes[:first] = narrow[:first]
        if not is_sorted.any():
            codes[here] = found  # thousands of columns at once
            continue
        for f in range(first, first + len(columns)):
            if is_sorted[f - first]:
                order[n_sorted], presorted[f], n_sorted = found[f - first], n_sorted, n_sorted + 1
            else:
                codes[f] = found[f - first]
    used = values[: start[q]] if 2 * start[q] > len(values) else values[: start[q]].copy()
    return Ranks(codes, n_values, nominal, used, start, presorted, order[:n_sorted] if n_sorted else None)


@kernel
def rank_columns(columns, order, first, least, nominal, n_values, found, values, start):
    """Code some columns: a number by its rank, a level by itself, a missing value by the code after the last.

    ``columns`` are those from feature ``first`` on, and ``order`` sorts each of them (NaN last). Their distinct values
    are written to ``values``, beginning at ``start[first]``. A numeric column of at least ``least`` distinct values is
    not coded: ``found`` gets its entries instead (:mod:`arboretum.trees.presorted`), and its values are not kept.
    """
    for i in range(columns.shape[0]):
        f, at = first + i, start[first + i]
        if nominal[f]:
            for row in range(columns.shape[1]):
                value = columns[i, row]
                found[i, row] = n_values[f] if np.isnan(value) else np.int64(value)
        else:
            n = rank_column(columns[i], order[i], found[i], values[at:])
            n_values[f] = n
            if n >= least:
                write_entries(columns[i], order[i], found[i])
            else:
                at += n
        start[f + 1] = at


@part
def rank_column(column, order, found, values):
    """Rank of each number among the distinct ones, which are written to ``values``; returns how many there are.

    No branch depends on the data, except where the missing values begin.
    """
    n, known, before = np.uint64(0), np.uint64(0), np.nan
    while known < np.uint64(order.shape[0]):
        row = np.uint64(order[known])
        value = column[row]
        if np.isnan(value):
            break
        n += np.uint64(value != before)
        values[n - np.uint64(1)] = value + 0.0  # -0.0 becomes 0.0
        found[row] = n - np.uint64(1)
        before = value
        known += np.uint64(1)
    for j in range(known, np.uint64(order.shape[0])):
        found[np.uint64(order[j])] = n
    return np.int64(n)


@part
def write_entries(column, order, entries):
    """The rows in order; those whose value occurs more than once are marked."""
    n = order.shape[0]
    for j in range(n):
        value = column[order[j]]
        marked = (j > 0 and column[order[j - 1]] == value) or (j + 1 < n and column[order[j + 1]] == value)
        entries[j] = order[j] | (TIED if marked else np.uint32(0))
