"""Data as trees see it: cells, declared levels, and the ranks that make split search need no sort.

A :class:`Table` holds one float64 cell a value: numbers as they are, nominal values as the position of their
level among the *declared* levels, missing as NaN. :attr:`Table.ranks` codes every column once: a number by its
rank among the distinct values of its column, a nominal value by its level, missing by the code one past the last.
Estimators take a Table wherever they take a data frame, so many forests can share one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd

from arboretum.trees.compiled import kernel

Array = np.ndarray
AT_ONCE = 1_000_000  # cells that are coded at once: enough for many small columns, few enough to copy


class Ranks(NamedTuple):
    """Rank-coded columns. ``codes[f, row] == n_values[f]`` means missing."""

    codes: Array  # (features, rows), uint16, or uint32 where a column has more than 65000 values
    n_values: Array  # distinct values of a numeric column, declared levels of a nominal one
    nominal: Array  # bool a feature
    values: Array  # the distinct values of all numeric columns, ascending in each, end to end
    value_start: Array  # where the values of each feature begin


@dataclass(frozen=True, eq=False)
class Table:
    """A table of cases; make one by :func:`table_of`."""

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
        return rank_code(self.cells, self.levels)

    @cached_property
    def has_missing(self) -> bool:
        return bool(np.isnan(self.cells).any())

    def take(self, rows) -> Table:
        """The rows given (indices or mask), with the same declared levels."""
        return Table(np.ascontiguousarray(self.cells[rows]), self.levels, self.names)

    def fill_values(self) -> Array:
        """Median of each numeric and most frequent level of each nominal column (R's na.roughfix)."""
        if all(lv is None for lv in self.levels) and not self.has_missing:
            return np.median(self.cells, axis=0)
        return np.array([_fill_value(self.cells[:, f], lv) for f, lv in enumerate(self.levels)])

    def filled(self, values) -> Table:
        """Missing cells replaced by ``values``, one a column (from the training part, whatever this table is)."""
        if not self.has_missing:
            return self
        return Table(np.where(np.isnan(self.cells), values, self.cells), self.levels, self.names)

    def as_numbers(self) -> Table:
        """Every nominal column read as a numeric one, its level positions as numbers."""
        if not any(lv is not None for lv in self.levels):
            return self
        return Table(self.cells, (None,) * len(self.levels), self.names)


def _fill_value(column, levels) -> float:
    known = column[~np.isnan(column)]
    if not len(known):
        return 0.0
    return float(np.median(known)) if levels is None else float(np.bincount(known.astype(np.int64)).argmax())


def table_of(X, levels=None) -> Table:
    """A Table of a data frame or a float array; ``levels`` are the training levels, where there are such.

    Categorical columns keep their declared levels; string and object columns get the values that occur, sorted.
    With ``levels`` given, every nominal value must be one of them, else ValueError.
    """
    if isinstance(X, Table):
        return X
    if not isinstance(X, pd.DataFrame):
        cells = np.ascontiguousarray(X, dtype=np.float64)
        return Table(cells, levels or (None,) * cells.shape[1])
    wanted = (None,) * X.shape[1] if levels is None else levels
    nominal = [_is_nominal(dtype) for dtype in X.dtypes]
    if not any(nominal) and all(lv is None for lv in wanted):
        cells, found = np.ascontiguousarray(X.to_numpy(dtype=np.float64, na_value=np.nan)), wanted
    else:
        cells, found = np.empty(X.shape), []
        for f, (name, column) in enumerate(X.items()):
            if levels is not None and wanted[f] is None and nominal[f]:
                raise ValueError(f"column {name!r} was numeric in training and is nominal now; convert it to numbers")
            cells[:, f], lv = _column(column, wanted[f], nominal[f])
            found.append(lv)
    _refuse_infinite(cells, X.columns)
    return Table(cells, tuple(found), tuple(X.columns))


def _refuse_infinite(cells, names):
    infinite = np.isinf(cells).any(axis=0)
    if infinite.any():
        name = names[int(infinite.argmax())]
        raise ValueError(f"Input X contains infinity in column {name!r}; make such cells missing or finite")


def _is_nominal(dtype) -> bool:
    if isinstance(dtype, pd.CategoricalDtype):
        return True
    return not (pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype))


def _column(column, wanted, is_nominal):
    """Cells and levels of one column of a data frame."""
    if wanted is None and not is_nominal:
        return column.to_numpy(dtype=np.float64, na_value=np.nan), None
    nominal = column if isinstance(column.dtype, pd.CategoricalDtype) else column.astype("category")
    have = nominal.cat.categories
    codes = nominal.cat.codes.to_numpy().astype(np.float64)
    codes[codes < 0] = np.nan
    if wanted is None:
        return codes, have
    if have.equals(wanted):
        return codes, wanted
    place = wanted.get_indexer(have).astype(np.float64)
    known = ~np.isnan(codes)
    codes[known] = place[codes[known].astype(np.int64)]
    if (codes < 0).any():
        strange = have[np.flatnonzero(place < 0)[0]]
        raise ValueError(
            f"column {column.name!r} has the level {strange!r}, which training did not declare; "
            f"declared: {', '.join(map(str, wanted))}"
        )
    return codes, wanted


def rank_code(cells, levels) -> Ranks:
    """Code every column once; histograms over codes then give exact split search."""
    n, q = cells.shape
    nominal = np.array([lv is not None for lv in levels], dtype=np.bool_)
    n_values = np.array([0 if lv is None else len(lv) for lv in levels], dtype=np.int32)
    runs = [slice(f, f + max(1, AT_ONCE // n)) for f in range(0, q, max(1, AT_ONCE // n))]
    values = []
    for run in runs:
        ordered = np.sort(cells[:, run].T, axis=1)  # NaN last
        keep_distinct(ordered, nominal[run], n_values[run])
        values += [ordered[i, : 0 if nominal[f] else n_values[f]] for i, f in enumerate(range(q)[run])]
    start = np.concatenate([[0], np.cumsum(np.where(nominal, 0, n_values))]).astype(np.int64)
    values = np.concatenate([*values, np.empty(0)])
    codes = np.empty((q, n), dtype=np.uint16 if n_values.max(initial=0) < 65000 else np.uint32)
    for run in runs:
        code_columns(np.ascontiguousarray(cells[:, run].T), nominal[run], n_values[run], values, start[run], codes[run])
    return Ranks(codes, n_values, nominal, values, start)


@kernel
def keep_distinct(ordered, nominal, n_values):
    """The distinct known values of each sorted numeric column to its front, and how many they are."""
    for f in range(ordered.shape[0]):
        if not nominal[f]:
            n = 0
            for i in range(ordered.shape[1]):
                value = ordered[f, i]
                if np.isnan(value):
                    break
                if n == 0 or value != ordered[f, n - 1]:
                    ordered[f, n] = value
                    n += 1
            n_values[f] = n


@kernel
def code_columns(columns, nominal, n_values, values, start, codes):
    """Rank of each number, by a binary search that has no branch to mispredict; a level is its own code."""
    for f in range(columns.shape[0]):
        for row in range(columns.shape[1]):
            value = columns[f, row]
            if np.isnan(value):
                codes[f, row] = n_values[f]
            elif nominal[f]:
                codes[f, row] = np.int64(value)
            else:
                rank, length = start[f], n_values[f]
                while length > 1:
                    half = length >> 1
                    rank += half * np.int64(values[np.uint64(rank + half)] <= value)
                    length -= half
                codes[f, row] = rank - start[f]
