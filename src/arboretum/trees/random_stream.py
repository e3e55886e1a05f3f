"""Random numbers inside kernels: each tree has its own splitmix64 stream, kept in the state record.

Tree i uses stream i only. So a forest does not depend on the number of threads or on how trees are grouped into blocks.
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
def randbelow(state, n):
    """A whole number drawn uniformly from 0 .. n-1 (n < 2**32; the bias is below n / 2**32)."""
    return np.int64(((next_word(state) >> _32) * np.uint64(n)) >> _32)


@part
def uniform(state):
    """A number drawn uniformly from (0, 1], as Algorithm 1 of vrtrees requires."""
    return (np.float64(next_word(state) >> _11) + 1.0) * 2.0**-53


@part
def bootstrap(state, weight, drawn):
    """Draw as many rows as there are, with replacement; ``drawn`` counts how often each was drawn.

    A sample whose rows all have weight 0 teaches nothing and is drawn again.
    """
    n, weighty = drawn.shape[0], False
    while not weighty:
        for row in range(n):
            drawn[row] = 0
        for _ in range(n):
            drawn[np.uint64(randbelow(state, n))] += 1
        for row in range(n):
            weighty |= drawn[row] * weight[row] > 0


@part
def sample_without_replacement(state, slots, n, k):
    """Draw k of the first n features in ``order`` and move them to its front (Fisher-Yates)."""
    for i in range(k):
        j = i + randbelow(state, n - i)
        slots[i].order, slots[j].order = slots[j].order, slots[i].order


@kernel
def draw_bootstrap(state, weight, drawn):
    """The bootstrap sample of the tree whose stream is in ``state``."""
    bootstrap(state, weight, drawn)
