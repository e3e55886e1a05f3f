"""Partitioning the cases of a node."""

import numba
import numpy as np
import pandas as pd
import pytest

from arboretum.trees import CodedTable
from arboretum.trees.buffers import make_buffers
from arboretum.trees.grow import PartitionBuffers
from arboretum.trees.partition import partition_exact
from arboretum.trees.rules import NOMINAL, NUMERIC, SUBSET


@numba.njit
def _partition(buffers, rows, kind, f, cut, partition):
    partition_exact(buffers, rows, 0, rows.shape[0], (kind, f, cut, True), partition)


@pytest.mark.parametrize("kind", [NUMERIC, NOMINAL, SUBSET])
@pytest.mark.parametrize("n", [1, 2, 700, 5000])
def test_a_partition_keeps_the_order_of_cases(kind, n):
    rng = np.random.default_rng(n)
    column = rng.integers(0, 6, n).astype(float)
    levels = None if kind == NUMERIC else pd.Index(list("abcdef"))
    table = CodedTable(np.column_stack([rng.normal(size=n), column]), (None, levels))
    sides = np.array([0, 1, 1, 0, 1, 0], np.uint8)
    branch = {NUMERIC: column > 2.5, NOMINAL: column, SUBSET: sides[column.astype(int)]}[kind].astype(int)
    rows = rng.permutation(n).astype(np.uint32)
    expected = [rows[branch[rows] == b] for b in range(6 if kind == NOMINAL else 2)]
    buffers = make_buffers(table.cells, table.ranks, rng.integers(0, 2, n), 2, True, n, 2)
    bounds, ends = np.zeros(8, np.int64), np.zeros(12, np.int64)
    partition = PartitionBuffers(np.zeros(n, np.uint32), bounds, ends, np.zeros(6), np.resize(sides, 18))
    _partition(buffers, rows, kind, 1, 2.5, partition)
    bounds = partition.bounds[: len(expected) + 1]
    assert bounds[0] == 0 and bounds[-1] == n
    for b, cases in enumerate(expected):
        assert np.array_equal(rows[bounds[b] : bounds[b + 1]], cases)
