"""The arrays that kernels read and write: the coded data, and the buffers of one thread.

numba passes every array as seven arguments, so many arrays make calls and compilation slow. Buffers that belong
together are therefore one array of records. ``number`` is int64 in exact growth and float64 in fractional growth.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.trees.class_counts import xlog_table

Array = np.ndarray
LARGE = 16384  # tables with more rows use blocks, see :mod:`arboretum.trees.block`
BLOCK = 4096  # most cases that a block holds
NO_BLOCK = np.iinfo(np.int64).max
CHUNK = 1024  # cuts of a presorted column scored at once: their sums and scores stay in the fastest cache

FEATURE = np.dtype(
    [
        ("n_values", np.int64),  # also the code of a missing value
        ("nominal", np.int64),
        ("value_start", np.int64),
        ("available", np.int64),  # may the current node use it?
        ("gain", np.float64),  # C4.5: gain of the best test on this feature
        ("ratio", np.float64),  # its gain ratio
        ("low", np.int64),  # ranks on both sides of its cut
        ("high", np.int64),
        ("seen_start", np.int64),  # where its bitmap of training ranks begins
        ("block_values", np.int64),  # distinct values in the block
        ("presorted", np.int64),  # which of the presorted columns it is; -1 if none
        ("seen", np.int64),  # that bitmap: 0 not made yet for this tree, 1 made, 2 not needed, all rows are used
    ]
)
STATE = np.dtype(
    [
        ("stream", np.uint64),  # the random stream of the tree
        ("n_features", np.int64),  # of the tree: all, or a subspace
        ("n_available", np.int64),
        ("n_trail", np.int64),
        ("heaviest", np.float64),  # greatest weight of a training case
        ("whole", np.float64),  # weight of all training cases
        ("cases", np.int64),  # number of training cases
        ("own_branch", np.int64),  # 1: an unknown value takes a branch (MISSING), 0: a fraction goes down every branch
        ("n_nodes", np.int64),  # how much of the node storage is in use
        ("n_counts", np.int64),
        ("n_sides", np.int64),
        ("node", np.int64),  # the current node: its index, its cases and its depth
        ("start", np.int64),
        ("end", np.int64),
        ("depth", np.int64),
        ("counted", np.int64),  # exact growth: the node whose class counts are in the tally
        ("n_present", np.int64),  # number of its classes
        ("level", np.int64),  # stack size when the current node was popped
        ("block_level", np.int64),  # stack size of the node that filled the block; NO_BLOCK if none is in use
    ]
)
SLOT = np.dtype([("feature", np.int64), ("trail", np.int64), ("order", np.int64)])


class Buffers(NamedTuple):
    """The coded data, then buffers that kernels overwrite for each node or feature."""

    cells: Array  # (rows, features): for partitioning and drawing; the rows of a small subtree stay in the cache
    codes: Array  # (features, rows): for histograms
    values: Array  # distinct values of the numeric features, one feature after the other
    classes: Array
    xlogs: Array  # n log2 n of whole numbers, exact growth
    features: Array  # FEATURE
    tally: Array  # one record per class: counts of the node, see :func:`tally_type`
    class_marks: Array  # exact growth: bitmap of the classes of the node
    row_case: Array  # exact growth: weight of each row in this tree, and its class in the lower 32 bits
    word: Array  # exact growth: each case of the node, as in ``row_case``, then as a packed count. Fractional growth:
    # the class of each event
    lane: Array  # exact growth: which word of its rank the case is counted in, if a rank has several
    local_case: Array  # if a rank has several words: each case as in ``row_case``, but with its local class
    sorted_case: Array  # the same in the order of a column
    unit: Array  # fractional growth: local class and weight of each case of the node
    hist: Array  # rank -> packed class counts; each half serves one feature
    odd_hist: Array  # nominal features: the same for every other case
    dense_hist: Array  # (level or rank, local class) -> count
    bitmap: Array  # ranks that occur; each half serves one feature
    marked_words: Array  # marks the words of the bitmap that are not 0
    ranks: Array  # ranks that occur, ascending
    sums: Array  # packed class counts up to each of them; fractional growth: where its events end
    sizes: Array  # weight up to each of them
    scores: Array  # score of the cut above each of them
    others: Array  # Gini, exact growth: sum of squares above each of them
    tables: Array  # xlog(left) + xlog(right) by size of the left side: of the node, then of each class. Fractional
    # growth: the terms of all cuts and events, see ``score_weighted_cuts``
    seen: Array  # bitmaps of the ranks that occur in training, for all features
    place: Array  # column index of each case of the node: its row, or its index in the block
    block: Array  # (features, BLOCK): codes of the cases of a small node, ranked among themselves
    block_ranks: Array  # (features, BLOCK): rank in the block -> rank in the table; presorted columns: a row
    block_place: Array  # row -> index in the block
    order: Array | None  # (presorted columns, rows): entries of the table, see :mod:`arboretum.trees.presorted`
    columns: Array  # (presorted columns, rows): entries of this tree, partitioned with its nodes
    side: Array  # row -> branch of the last two-way test, to partition presorted columns
    slots: Array  # SLOT: features of the tree; trail of removed features; permutation for random draws
    state: Array  # STATE, one record


def tally_type(number):
    """Record for one class. "By local class" means by number among the classes present in the node."""
    return np.dtype(
        [
            ("count", number),  # class weight of the node
            ("local", np.int64),  # number of the class among those present in the node
            ("known", number),  # by local class: weight of the cases whose value of the feature is known
            ("left", number),  # by local class: weight at or below the cut
            ("below", np.float64),  # by local class, fractional growth: its term of the score below the cut
            ("above", np.float64),  # and above it
            ("present", np.int64),  # by local class: the class code
            ("start", np.int64),  # by local class: where its part of ``tables`` begins
            ("lane", np.int64),  # by local class: which word of a rank counts it, and from which bit
            ("shift", np.int64),
            ("own_lane", np.int64),  # by class code: the same
            ("own_shift", np.int64),
        ]
    )


def make_buffers(cells, ranks, classes, n_classes, exact, greatest_weight, n_features, blocks=True) -> Buffers:
    """The arrays for one thread; each thread needs its own. ``ranks`` are the coded columns of ``cells``.

    ``blocks`` says whether large tables use them. A rule that searches few features has no use for a copy of all.
    """
    q, n = ranks.codes.shape
    number, blocks = np.int64 if exact else np.float64, blocks and n > LARGE
    walked = ranks.order is not None  # then a block has the widest histogram of a presorted column
    bins = int(ranks.n_values[ranks.presorted < 0].max(initial=BLOCK if walked else 1)) + 2
    # Ranks are written four at a time and scored eight at a time, possibly past the end.
    most = min(n, max(bins, CHUNK if walked else 0)) + 8
    lanes = -(-n_classes // (64 // max(1, greatest_weight.bit_length()))) if exact else 1
    levels = int(ranks.n_values[ranks.nominal].max(initial=0)) + 1
    words = (ranks.n_values.astype(np.int64) >> 6) + 1
    features = np.zeros(q, FEATURE)
    features["n_values"], features["nominal"] = ranks.n_values, ranks.nominal
    features["value_start"], features["presorted"] = ranks.value_start[:-1], ranks.presorted
    features["seen_start"] = np.concatenate([[0], np.cumsum(words)[:-1]])
    state = np.zeros(1, STATE)
    state["n_features"], state["block_level"], state["counted"] = n_features, NO_BLOCK, -1
    return Buffers(
        cells=cells,
        codes=ranks.codes,
        values=ranks.values,
        classes=np.asarray(classes, dtype=np.uint8 if walked and n_classes <= 256 else np.int32),  # read at random
        xlogs=xlog_table(greatest_weight if exact else 0),
        features=features,
        tally=np.zeros(n_classes, tally_type(number)),
        class_marks=np.zeros((n_classes + 63) >> 6, np.int64),
        row_case=np.zeros(n if exact else 1, np.int64),
        word=np.zeros(n, np.int64),
        lane=np.zeros(n if lanes > 1 else 1, np.int32),
        local_case=np.zeros(n if lanes > 1 else 1, np.int64),
        sorted_case=np.zeros(n if lanes > 1 else 1, np.int64),
        unit=np.zeros(1 if exact else n, np.dtype([("slot", np.int64), ("share", np.float64)])),
        hist=np.zeros(2 * bins * lanes if exact else 1, np.int64),
        odd_hist=np.zeros(levels * lanes if exact else 1, np.int64),
        dense_hist=np.zeros((levels if exact else bins) * n_classes, number),
        bitmap=np.zeros(2 * ((bins >> 6) + 1), np.int64),
        marked_words=np.zeros((bins >> 12) + 1, np.int64),
        ranks=np.zeros(most, np.int64),
        sums=np.zeros(most * (lanes if walked else 1), np.int64),
        sizes=np.zeros(most, number),
        scores=np.zeros(most),
        others=np.zeros(most if exact else 1),
        tables=np.zeros(2 * (greatest_weight + 1) + n_classes if exact else 2 * (n + most)),
        seen=np.zeros(int(words.sum()), np.int64),
        place=np.zeros(n, np.uint32),
        block=np.zeros((q, BLOCK if blocks else 1), ranks.codes.dtype),
        block_ranks=np.zeros((q, BLOCK + 1 if blocks else 1), np.int32),
        block_place=np.zeros(n if blocks else 1, np.uint32),
        order=ranks.order,
        columns=np.zeros(ranks.order.shape if walked else (1, 1), np.uint32),
        side=np.zeros(n if walked else 1, np.uint8),
        slots=np.zeros(q + 1, SLOT),
        state=state,
    )
