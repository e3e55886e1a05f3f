"""Blocks: in a large set, a small node takes its codes along, ranked among its own cases.

A histogram over all ranks of a large set is wide, and the few cases of a small node are scattered over it and over the
columns: nearly every access misses the cache. So the first small node on a path copies its codes to a block, as ranks
among its own cases; its whole subtree, which the grower visits before anything else, then works inside the cache.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import set_bits, trailing_zeros
from arboretum.trees.compiled import part
from arboretum.trees.work import BLOCK, NO_BLOCK


@part
def place_cases(work, rows, start, end):
    """The place of each case of the node in the columns of the block or of the set."""
    state, n, place = work.state, end - start, work.place
    if work.block_place.shape[0] > 1 and n <= BLOCK:
        if state[0].block_level == NO_BLOCK:
            state[0].block_level = state[0].level
            fill_block(work, rows, start, n)
        for i in range(n):
            place[i] = work.block_place[rows[start + i]]
    else:
        for i in range(n):
            place[i] = rows[start + i]


@part
def fill_block(work, rows, start, n):
    """Copy the codes of the node's cases; numeric ones become ranks among those cases."""
    features, slots = work.features, work.slots
    for i in range(n):
        work.block_place[rows[start + i]] = i
    for j in range(work.state[0].n_features):
        f = slots[j].feature
        if features[f].alive:
            for i in range(n):
                work.block[f, i] = work.codes[f, rows[start + i]]
            if not features[f].nominal:
                rank_block(work, f, n)


@part
def rank_block(work, f, n):
    """Codes of one feature to ranks among the block; the code of missing values stays one past the last."""
    bitmap, offsets, n_words = work.bitmap, work.ranks, (work.features[f].n_values >> 6) + 1
    for i in range(n):
        code = np.int64(work.block[f, i])
        bitmap[code >> 6] |= np.int64(1) << (code & 63)
    rank = 0
    for w in range(n_words):
        offsets[w] = rank
        marked = bitmap[w]
        while marked != 0:
            work.block_ranks[f, rank] = w * 64 + trailing_zeros(marked)
            marked &= marked - 1
            rank += 1
    for i in range(n):
        code = np.int64(work.block[f, i])
        lower = bitmap[code >> 6] & ((np.int64(1) << (code & 63)) - 1)
        work.block[f, i] = offsets[code >> 6] + set_bits(lower)
    for w in range(n_words):
        bitmap[w] = 0
    missing = rank > 0 and work.block_ranks[f, rank - 1] == work.features[f].n_values
    work.features[f].block_values = rank - missing


@part
def in_block(work):
    return work.state[0].block_level != NO_BLOCK


@part
def code_count(work, f):
    """Distinct values of feature f in the columns now in use, which is also their code of missing values."""
    if in_block(work) and not work.features[f].nominal:
        return work.features[f].block_values
    return work.features[f].n_values
