"""The best cut from class histograms, compared with trying every cut."""

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum.trees import table_of
from arboretum.trees.available_features import make_all_available
from arboretum.trees.best_split import best_cut
from arboretum.trees.buffers import make_buffers
from arboretum.trees.class_counts import write_row_cases
from arboretum.trees.packing import summarise_node


@numba.njit
def _cut(buffers, rows, row_weight, total, least, gini):
    make_all_available(buffers.features, buffers.slots, buffers.state)
    write_row_cases(buffers, row_weight)
    summary = summarise_node(buffers, rows, None, 0, rows.shape[0], total, gini)
    limits = (0.0, least, least, True)
    return best_cut(buffers, 0, rows, None, 0, rows.shape[0], total, summary, limits, 1e-9 * total, gini)


def plain_cut(values, classes, weights, least, gini):
    """Best (gain * weight, below, above, admissible cuts) by trying every cut."""

    def impurity(mask):
        counts = [weights[mask & (classes == k)].sum() for k in range(classes.max() + 1)]
        n = sum(counts)
        if n == 0:
            return 0.0
        if gini:
            return n - sum(c * c for c in counts) / n
        return -sum(c * math.log2(c / n) for c in counts if c > 0)

    best, found, cuts = 0.0, None, 0
    distinct = np.unique(values)
    for low, high in itertools.pairwise(distinct):
        left = values <= low
        if weights[left].sum() < least or weights[~left].sum() < least:
            continue
        cuts += 1
        gain = impurity(np.ones(len(values), bool)) - impurity(left) - impurity(~left)
        if gain > best + 1e-9 * weights.sum():
            best, found = gain, (low, high)
    return best, found, cuts


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_best_cut_equals_that_of_trying_every_cut(data):
    n = data.draw(st.integers(2, 60))
    n_classes = data.draw(st.sampled_from([2, 3, 4, 7, 26]))
    rng = np.random.default_rng(data.draw(st.integers(0, 10**6)))
    values = rng.integers(0, data.draw(st.sampled_from([2, 5, 1000])), n).astype(float)
    classes = rng.integers(0, n_classes, n)
    classes[:2] = 0, n_classes - 1
    weights = rng.integers(1, data.draw(st.sampled_from([2, 4, 400])), n)
    gini, least = data.draw(st.booleans()), float(data.draw(st.integers(0, 3)))
    table = table_of(values[:, None])
    total = int(weights.sum())
    buffers = make_buffers(table.cells, table.ranks, classes, n_classes, True, total, 1)
    gain, low, high, cuts, ranks, below_size, _ = _cut(
        buffers, np.arange(n, dtype=np.uint32), weights.astype(np.int32), total, least, gini or None
    )
    best, found, n_cuts = plain_cut(values, classes, weights, least, gini)
    assert (cuts, ranks) == (n_cuts, len(np.unique(values)))
    if found is None:
        assert low == -1
    else:
        assert gain == pytest.approx(best, abs=1e-6 * total)
        assert (table.ranks.values[low], table.ranks.values[high]) == found
        assert below_size == weights[values <= found[0]].sum()
    assert not buffers.hist.any()
    assert not buffers.bitmap.any()
    assert not buffers.marked_words.any()


def test_sparse_ranks_use_the_second_bitmap():
    rng = np.random.default_rng(0)
    values = np.arange(10_000.0)
    classes = rng.integers(0, 2, len(values))
    table = table_of(values[:, None])
    buffers = make_buffers(table.cells, table.ranks, classes, 2, True, len(values), 1)
    rows = np.sort(rng.choice(len(values), 7, replace=False)).astype(np.uint32)
    classes[rows] = [0, 0, 0, 1, 1, 1, 1]
    buffers = make_buffers(table.cells, table.ranks, classes, 2, True, len(values), 1)
    found = _cut(buffers, rows, np.ones(len(values), np.int32), 7, 0.0, None)
    assert (found[1], found[2], found[4]) == (rows[2], rows[3], 7)
    assert not buffers.bitmap.any()
    assert not buffers.marked_words.any()
