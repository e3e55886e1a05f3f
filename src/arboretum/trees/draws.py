"""Random draws inside kernels: one splitmix64 stream a tree, held in the state record.

Tree i owns stream i, whatever thread grows it and in whatever block, so forests do not depend on either.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.compiled import kernel, part

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32, _11 = (np.uint64(shift) for shift in (30, 27, 31, 32, 11))


@part
def next_word(state):
    """The next 64 random bits (splitmix64: Steele, Lea, Flood 2014)."""
    z = state[0].stream + _STEP
    state[0].stream = z
    z = (z ^ (z >> _30)) * _MIX1
    z = (z ^ (z >> _27)) * _MIX2
    return z ^ (z >> _31)


@part
def below(state, n):
    """A whole number drawn uniformly from 0 .. n-1 (n < 2**32; the bias is below n / 2**32)."""
    return np.int64(((next_word(state) >> _32) * np.uint64(n)) >> _32)


@part
def uniform(state):
    """A number drawn uniformly from (0, 1], as Algorithm 1 of vrtrees asks."""
    return (np.float64(next_word(state) >> _11) + 1.0) * 2.0**-53


@part
def bootstrap(state, weight, drawn):
    """Draw as many rows as there are, with replacement; ``drawn`` counts how often each was drawn.

    A sample of rows without weight, of which nothing can be learnt, is drawn again.
    """
    n, weighty = drawn.shape[0], False
    while not weighty:
        for row in range(n):
            drawn[row] = 0
        for _ in range(n):
            row = below(state, n)
            drawn[row] += 1
            weighty |= weight[row] > 0


@part
def choose(state, slots, n, k):
    """Move k of the first n features in ``order``, drawn without replacement, to its front (Fisher-Yates)."""
    for i in range(k):
        j = i + below(state, n - i)
        slots[i].order, slots[j].order = slots[j].order, slots[i].order


@kernel
def drawn_by(state, weight, drawn):
    """The bootstrap sample of the tree whose stream is in ``state``."""
    bootstrap(state, weight, drawn)


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
