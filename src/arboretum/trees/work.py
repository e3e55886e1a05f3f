"""What a kernel works on: the coded data and the scratch of one thread.

Scratch is grouped into arrays of records, because numba passes every array as seven arguments: few arrays keep both
calls and compilation short. ``number`` is int64 in exact and float64 in fractional growth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.counts import xlog_table

Array = np.ndarray
LARGE = 16384  # sets with more rows work in blocks
BLOCK = 4096
NO_BLOCK = np.iinfo(np.int64).max

FEATURE = np.dtype(
    [
        ("n_values", np.int64),  # also the code of a missing value
        ("nominal", np.int64),
        ("value_start", np.int64),
        ("alive", np.int64),  # may the node in hand use it?
        ("gain", np.float64),  # scratch of C4.5: best test on this feature
        ("ratio", np.float64),
        ("low", np.int64),
        ("high", np.int64),
        ("seen_start", np.int64),  # bitmap of the ranks in training
        ("block_values", np.int64),  # distinct values in the block
        ("seen", np.int64),  # 0 not made yet for this tree, 1 made, 2 every rank is in training
    ]
)
STATE = np.dtype(
    [
        ("stream", np.uint64),  # the random stream of the tree
        ("n_features", np.int64),  # of the tree: all, or a subspace
        ("n_alive", np.int64),
        ("n_trail", np.int64),
        ("heaviest", np.float64),  # greatest weight of a training case
        ("whole", np.float64),  # weight of all
        ("n_nodes", np.int64),  # storage in use
        ("n_counts", np.int64),
        ("n_sides", np.int64),
        ("node", np.int64),  # the node in hand: its place, cases and depth
        ("start", np.int64),
        ("end", np.int64),
        ("depth", np.int64),
        ("level", np.int64),  # how many nodes wait below it
        ("block_level", np.int64),  # the block serves nodes above which so many wait
    ]
)
SLOT = np.dtype([("feature", np.int64), ("trail", np.int64), ("order", np.int64)])


class Work(NamedTuple):
    """Coded data, then scratch."""

    cells: Array  # (rows, features): for dividing and drawing, a node and its subtree stay in the cache
    codes: Array  # (features, rows): for scanning
    values: Array  # distinct values of the numeric features, end to end
    classes: Array
    xlogs: Array  # n log2 n, exact growth
    features: Array  # FEATURE
    tally: Array  # a class: counts of the node, see :func:`tally_type`
    word: Array  # exact: packed unit of each case of the node
    lane: Array  # exact: the word of its rank that the unit belongs to
    unit: Array  # fractional: local class and weight of each case of the node
    hist: Array  # rank -> packed class counts, of one feature in each half
    odd: Array  # the same for every other case, where the feature is nominal
    dense: Array  # level or rank, local class -> count
    bitmap: Array  # ranks that occur, of one feature in each half
    above: Array  # words of the bitmap that hold marks
    ranks: Array  # ranks that occur, ascending
    sums: Array  # packed class counts up to each of them
    sizes: Array  # weight up to each of them
    scores: Array  # of the cut above each of them
    others: Array
    tables: Array  # xlog of both sides: by size, then class by class
    seen: Array  # bitmaps of the training ranks
    place: Array  # column place of each case of the node: its row, or its place in the block
    block: Array  # (features, BLOCK): codes of the cases of a small node of a large set, ranked among themselves
    block_ranks: Array  # (features, BLOCK): their ranks in the set
    block_place: Array  # row -> place in the block
    slots: Array  # SLOT: features of the tree; those removed, in order; a permutation
    state: Array  # STATE, one record


def tally_type(number):
    return np.dtype(
        [
            ("count", number),  # class weight of the node
            ("local", np.int64),  # number of the class among those present
            ("known", number),  # by local class: weight of the cases that know the feature
            ("left", number),  # by local class: the same below the cut
            ("below", np.float64),  # by local class, fractional growth: its part of the score below and above the cut
            ("above", np.float64),
            ("present", np.int64),  # by local class: the class
            ("start", np.int64),  # by local class: its part of ``tables``
            ("lane", np.int64),  # by local class: its word among those of a rank, and its place in there
            ("shift", np.int64),
            ("own_lane", np.int64),  # by class: the same
            ("own_shift", np.int64),
        ]
    )


def make_work(table, classes, n_classes, exact, greatest_weight, n_features) -> Work:
    """The work of one thread."""
    ranks = table.ranks
    q, n = ranks.codes.shape
    number = np.int64 if exact else np.float64
    bins = int(ranks.n_values.max(initial=1)) + 2
    most = min(n, bins) + 4  # ranks are listed four at a time
    lanes = -(-n_classes // (64 // max(1, greatest_weight.bit_length()))) if exact else 1
    levels = int(ranks.n_values[ranks.nominal].max(initial=0)) + 1
    words = (ranks.n_values.astype(np.int64) >> 6) + 1
    features = np.zeros(q, FEATURE)
    features["n_values"], features["nominal"] = ranks.n_values, ranks.nominal
    features["value_start"] = ranks.value_start[:-1]
    features["seen_start"] = np.concatenate([[0], np.cumsum(words)[:-1]])
    state = np.zeros(1, STATE)
    state["n_features"], state["block_level"] = n_features, NO_BLOCK
    return Work(
        cells=table.cells,
        codes=ranks.codes,
        values=ranks.values,
        classes=np.asarray(classes, dtype=np.int32),
        xlogs=xlog_table(greatest_weight if exact else 0),
        features=features,
        tally=np.zeros(n_classes, tally_type(number)),
        word=np.zeros(n if exact else 1, np.int64),
        lane=np.zeros(n if exact else 1, np.int32),
        unit=np.zeros(1 if exact else n, np.dtype([("slot", np.int64), ("share", np.float64)])),
        hist=np.zeros(2 * bins * lanes if exact else 1, np.int64),
        odd=np.zeros(levels * lanes if exact else 1, np.int64),
        dense=np.zeros((levels if exact else bins) * n_classes, number),
        bitmap=np.zeros(2 * ((bins >> 6) + 1), np.int64),
        above=np.zeros((bins >> 12) + 1, np.int64),
        ranks=np.zeros(most, np.int64),
        sums=np.zeros(most * lanes, np.int64),
        sizes=np.zeros(most, number),
        scores=np.zeros(most),
        others=np.zeros(most),
        tables=np.zeros(2 * (greatest_weight + 1) + n_classes if exact else 1),
        seen=np.zeros(int(words.sum()), np.int64),
        place=np.zeros(n, np.uint32),
        block=np.zeros((q, BLOCK if n > LARGE else 1), ranks.codes.dtype),
        block_ranks=np.zeros((q, BLOCK + 1 if n > LARGE else 1), np.int32),
        block_place=np.zeros(n if n > LARGE else 1, np.uint32),
        slots=np.zeros(q + 1, SLOT),
        state=state,
    )
