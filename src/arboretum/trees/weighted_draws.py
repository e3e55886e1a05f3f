"""Rows drawn with replacement by weight: the bootstrap samples of forests whose votes guide the next tree."""

from __future__ import annotations

import numpy as np

from arboretum.trees.buffers import STATE
from arboretum.trees.compiled import kernel, part
from arboretum.trees.random_stream import next_word

_11 = np.uint64(11)
UNIT = 2**30


def whole_weights(weights: np.ndarray) -> np.ndarray:
    """Weights as whole numbers up to 2^30, which can be added in any order."""
    return np.rint(weights * (UNIT / weights.max())).astype(np.int64)


def weighted_draws(seed, weights: np.ndarray) -> tuple[np.ndarray, np.uint64]:
    """As many rows as there are, drawn with replacement by whole weights, and the seed that continues the stream."""
    ends, state = np.cumsum(weights, dtype=np.int64), np.zeros(1, STATE)
    order = np.empty(len(ends), np.int64)
    state["stream"] = seed
    draw_weighted(state, ends, np.empty(len(ends), np.int64), order)
    return order, state["stream"][0]


@kernel
def draw_weighted(state, ends, first, order):
    """Fill ``order`` with rows drawn with replacement, row i with weight ends[i] - ends[i - 1], all whole numbers.

    ``first`` is scratch: the first row that a draw from each of as many equal parts of the whole weight can give.
    """
    n, parts, total = ends.shape[0], first.shape[0], ends[-1]
    row = 0
    for p in range(parts):
        while ends[row] <= part_start(p, parts, total):
            row += 1
        first[p] = row
    for i in range(order.shape[0]):
        share = np.float64(next_word(state) >> _11) * 2.0**-53
        place = min(np.int64(share * total), total - 1)
        p = min(np.int64(share * parts), parts - 1)
        while p > 0 and part_start(p, parts, total) > place:  # rounding
            p -= 1
        row = first[p]
        while row < n - 1 and ends[row] <= place:
            row += 1
        order[i] = row


@part
def part_start(p, parts, total):
    """Where the p-th of equal parts of 0 .. total - 1 begins; the product of both may not fit into a word."""
    return p * (total // parts) + (p * (total % parts)) // parts
