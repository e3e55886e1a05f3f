"""Presorted columns: in a large table, numeric columns of (nearly) distinct values are sorted once and stay sorted.

The histogram of such a column is as wide as the table is long, and the cases of a node are scattered over it. So the
rows are kept in the order of each column, and every node partitions that order along with its cases (stably, so both
children are in order too). The cuts of a node are then met in one walk, without a histogram. From the first small node
of a path on, its block takes over (:mod:`arboretum.trees.block`).

An entry is a row number. Its highest bit, TIED, says that its value occurs more than once in the table: only if two
neighbours both have it are their values compared.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import part

TIED, ROW = np.uint32(1 << 31), np.uint32((1 << 31) - 1)


@part
def start_columns(order, buffers, row_weight):
    """Start a tree: the rows of its sample in the order of each presorted column."""
    if order is not None:
        features, slots, columns = buffers.features, buffers.slots, buffers.columns
        for j in range(buffers.state[0].n_features):
            s = features[slots[j].feature].presorted
            if s >= 0:
                n = np.uint64(0)
                for i in range(order.shape[1]):
                    columns[s, n] = order[s, i]
                    n += np.uint64(row_weight[order[s, i] & ROW] > 0)


@part
def tied(column, i, cells, f):
    """Do entry i and the next one have the same value?"""
    if column[i] & column[i + np.uint64(1)] & TIED == 0:
        return False
    return cells[column[i] & ROW, f] == cells[column[i + np.uint64(1)] & ROW, f]
