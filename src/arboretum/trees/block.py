"""Blocks: in a large table, a small node copies its codes, ranked among its own cases.

A histogram over all ranks of a large table is wide. The few cases of a small node are scattered over it and over the
columns, so nearly every access misses the cache. The first small node on a path therefore copies its codes to a block,
as ranks among its own cases. The grower visits the whole subtree next, and the subtree reads the block, which fits the
cache.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import set_bits, trailing_zeros
from arboretum.trees.buffers import BLOCK, NO_BLOCK
from arboretum.trees.compiled import part
from arboretum.trees.presorted import ROW, tied


@part
def place_cases(buffers, rows, start, end):
    """Column index of each case of the node, in the block or in the table; fills the block if it is time to."""
    state, n, place = buffers.state, end - start, buffers.place
    if buffers.block_place.shape[0] > 1 and n <= BLOCK:
        if state[0].block_level == NO_BLOCK:
            state[0].block_level = state[0].level
            fill_block(buffers, rows, start, n)
        for i in range(n):
            place[i] = buffers.block_place[rows[start + i]]
    else:
        for i in range(n):
            place[i] = rows[start + i]


@part
def fill_block(buffers, rows, start, n):
    """Copy the codes of the node's cases. Numeric codes become ranks among those cases."""
    features, slots = buffers.features, buffers.slots
    for i in range(n):
        buffers.block_place[rows[start + i]] = i
    for j in range(buffers.state[0].n_features):
        f = slots[j].feature
        if features[f].available:
            if features[f].presorted >= 0:
                rank_presorted(buffers.order, buffers, f, start, n)
                continue
            for i in range(n):
                buffers.block[f, i] = buffers.codes[f, rows[start + i]]
            if not features[f].nominal:
                rank_block(buffers, f, n)


@part
def rank_presorted(order, buffers, f, start, n):
    """Ranks within the block of a presorted column: its part of the column is in order already."""
    if order is not None:
        column, cells, rank = buffers.columns[buffers.features[f].presorted], buffers.cells, 0
        for i in range(np.uint64(start), np.uint64(start + n)):
            row = column[i] & ROW
            buffers.block[f, buffers.block_place[row]] = rank
            buffers.block_ranks[f, rank] = row
            rank += i + np.uint64(1) < np.uint64(start + n) and not tied(column, i, cells, f)
        buffers.features[f].block_values = rank + 1


@part
def rank_block(buffers, f, n):
    """Replace the codes of one feature by ranks within the block. Missing values still have the code after the last."""
    bitmap, offsets, n_words = buffers.bitmap, buffers.ranks, (buffers.features[f].n_values >> 6) + 1
    for i in range(n):
        code = np.int64(buffers.block[f, i])
        bitmap[code >> 6] |= np.int64(1) << (code & 63)
    rank = 0
    for w in range(n_words):
        offsets[w] = rank
        marked = bitmap[w]
        while marked != 0:
            buffers.block_ranks[f, rank] = w * 64 + trailing_zeros(marked)
            marked &= marked - 1
            rank += 1
    for i in range(n):
        code = np.int64(buffers.block[f, i])
        lower = bitmap[code >> 6] & ((np.int64(1) << (code & 63)) - 1)
        buffers.block[f, i] = offsets[code >> 6] + set_bits(lower)
    for w in range(n_words):
        bitmap[w] = 0
    missing = rank > 0 and buffers.block_ranks[f, rank - 1] == buffers.features[f].n_values
    buffers.features[f].block_values = rank - missing


@part
def in_block(buffers):
    """Does the current node read its codes from the block?"""
    return buffers.state[0].block_level != NO_BLOCK


@part
def code_count(buffers, f):
    """Number of distinct values of feature f, in the block or in the table. It is also the code of a missing value."""
    if in_block(buffers) and not buffers.features[f].nominal:
        return buffers.features[f].block_values
    return buffers.features[f].n_values
