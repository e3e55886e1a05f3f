"""Kernels beside plain versions of themselves."""

import itertools
import math

import numba
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum.trees import Table, cart_rule, grow_forest, pert_rule, table_of, vr_rule, weka_rule, work
from arboretum.trees import scan as kernels
from arboretum.trees.divide import divide_exact
from arboretum.trees.draws import below, uniform
from arboretum.trees.forest import drawn_rows
from arboretum.trees.grow import Space
from arboretum.trees.rules import NOMINAL, NUMERIC, SUBSET
from arboretum.trees.work import STATE, make_work


@numba.njit
def _cut(work, rows, base, total, least, gini):
    digested = kernels.digest(work, rows, base, None, 0, rows.shape[0], total, gini)
    limits = (0.0, least, least, True)
    return kernels.best_cut(work, 0, rows, None, 0, rows.shape[0], total, digested, limits, 1e-9 * total, gini)


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
def test_best_cut_is_that_of_trying_every_cut(data):
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
    scratch = make_work(table, classes, n_classes, True, total, 1)
    gain, low, high, cuts, ranks, below_size, _ = _cut(
        scratch, np.arange(n, dtype=np.uint32), weights.astype(np.int32), total, least, gini
    )
    best, found, n_cuts = plain_cut(values, classes, weights, least, gini)
    assert (cuts, ranks) == (n_cuts, len(np.unique(values)))
    if found is None:
        assert low == -1
    else:
        assert gain == pytest.approx(best, abs=1e-6 * total)
        assert (table.ranks.values[low], table.ranks.values[high]) == found
        assert below_size == weights[values <= found[0]].sum()
    assert not scratch.hist.any()
    assert not scratch.bitmap.any()
    assert not scratch.above.any()


def test_sparse_ranks_take_the_second_bitmap():
    rng = np.random.default_rng(0)
    values = np.arange(10_000.0)
    classes = rng.integers(0, 2, len(values))
    table = table_of(values[:, None])
    scratch = make_work(table, classes, 2, True, len(values), 1)
    rows = np.sort(rng.choice(len(values), 7, replace=False)).astype(np.uint32)
    classes[rows] = [0, 0, 0, 1, 1, 1, 1]
    scratch = make_work(table, classes, 2, True, len(values), 1)
    found = _cut(scratch, rows, np.ones(len(values), np.int32), 7, 0.0, False)
    assert (found[1], found[2], found[4]) == (rows[2], rows[3], 7)
    assert not scratch.bitmap.any()
    assert not scratch.above.any()


@numba.njit
def _divide(work, rows, kind, f, cut, space):
    divide_exact(work, rows, 0, rows.shape[0], (kind, f, cut, True), space)


@pytest.mark.parametrize("kind", [NUMERIC, NOMINAL, SUBSET])
@pytest.mark.parametrize("n", [1, 2, 700, 5000])
def test_a_division_keeps_the_order_of_cases(kind, n):
    rng = np.random.default_rng(n)
    column = rng.integers(0, 6, n).astype(float)
    levels = None if kind == NUMERIC else pd.Index(list("abcdef"))
    table = Table(np.column_stack([rng.normal(size=n), column]), (None, levels))
    sides = np.array([0, 1, 1, 0, 1, 0], np.uint8)
    branch = {NUMERIC: column > 2.5, NOMINAL: column, SUBSET: sides[column.astype(int)]}[kind].astype(int)
    rows = rng.permutation(n).astype(np.uint32)
    expected = [rows[branch[rows] == b] for b in range(6 if kind == NOMINAL else 2)]
    scratch = make_work(table, rng.integers(0, 2, n), 2, True, n, 2)
    space = Space(np.zeros(n, np.uint32), np.zeros(8, np.int64), np.zeros(6), np.resize(sides, 18))
    _divide(scratch, rows, kind, 1, 2.5, space)
    bounds = space.bounds[: len(expected) + 1]
    assert bounds[0] == 0 and bounds[-1] == n
    for b, cases in enumerate(expected):
        assert np.array_equal(rows[bounds[b] : bounds[b + 1]], cases)


@numba.njit
def _draws(state, n, how_many):
    whole, real = np.empty(how_many, np.int64), np.empty(how_many)
    for i in range(how_many):
        whole[i], real[i] = below(state, n), uniform(state)
    return whole, real


def test_draws_are_uniform():
    state = np.zeros(1, STATE)
    state["stream"] = 7
    whole, real = _draws(state, 10, 100_000)
    chi2 = ((np.bincount(whole, minlength=10) - 10_000) ** 2 / 10_000).sum()
    assert chi2 < 27.9  # 0.999 quantile, 9 degrees of freedom
    assert real.min() > 0
    assert real.max() <= 1
    chi2 = ((np.histogram(real, 20, (0, 1))[0] - 5_000) ** 2 / 5_000).sum()
    assert chi2 < 43.8


def test_bootstrap_is_a_sample_with_replacement():
    drawn = drawn_rows(np.arange(200, dtype=np.uint64), 500)
    assert (drawn.sum(axis=1) == 500).all()
    assert (drawn == 0).mean() == pytest.approx((1 - 1 / 500) ** 500, abs=0.005)


RULES = {
    "vr": (vr_rule(0.5), 4),
    "c45": (vr_rule(1.0), 4),
    "cart": (cart_rule(n_tried=2), 2),
    "weka": (weka_rule(2), 2),
    "pert": (pert_rule(), 0),
}


def _data(missing):
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(300, 5)), 1)
    y = (X[:, 0] + X[:, 1] > rng.normal(scale=0.5, size=300)).astype(int) + (X[:, 2] > 1)
    if missing:
        X[rng.random(X.shape) < 0.1] = np.nan
    return table_of(X), y


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_counts_add_up(name, missing):
    """Class weights of a node are those of its children, and those of the root are those of the data."""
    table, y = _data(missing)
    rule, n_min = RULES[name]
    forest = grow_forest(table, y, 3, rule, np.arange(5), n_min=n_min, bootstrap=True)
    weights = forest.class_weights
    assert weights[forest.starts[:-1]].sum(axis=1) == pytest.approx(len(y))
    inner = np.flatnonzero(forest.nodes["kind"] != 0)
    child = forest.nodes["child"][inner]
    assert weights[child] + weights[child + 1] == pytest.approx(weights[inner])
    assert weights.sum(axis=1) == pytest.approx(forest.nodes["weight"])


@pytest.mark.parametrize("name", RULES)
def test_fractional_growth_without_fractions_is_exact_growth(name):
    """Weights a hair off whole numbers go the fractional way and must give the same tests."""
    table, y = _data(False)
    rule, n_min = RULES[name]
    whole = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    near = whole + 1e-13
    exact = grow_forest(table, y, 3, rule, np.arange(10), weights=whole, n_min=n_min)
    real = grow_forest(table, y, 3, rule, np.arange(10), weights=near, n_min=n_min)
    assert (exact.starts == real.starts).all()
    for column in ("kind", "feature", "child", "cut", "deterministic"):
        assert (exact.nodes[column] == real.nodes[column]).all()
    assert real.class_weights == pytest.approx(exact.class_weights, abs=1e-9)


@pytest.mark.parametrize("levels", [None, pd.Index(range(7))])
def test_quick_and_careful_reading_agree(levels):
    """Complete cases are read by other kernels than cases with missing values."""
    table, y = _data(False)
    cells = table.cells.copy()
    cells[:, 0] = np.digitize(cells[:, 0], np.quantile(cells[:, 0], np.arange(1, 7) / 7))  # seven levels
    kinds = (levels, None, None, None, None)
    table, with_gap = Table(cells, kinds), Table(np.vstack([cells, np.full((1, 5), np.nan)]), kinds)
    for name in ("vr", "pert", "cart"):
        if name == "pert" and levels is not None:
            continue
        forest = grow_forest(table, y, 3, RULES[name][0], np.arange(10), n_min=4)
        assert (len(forest.sides) > 0) == (name == "cart" and levels is not None)
        for curtail in (False, True):
            quick, careful = (forest.probability(X, curtail) for X in (table, with_gap))
            assert careful[:-1] == pytest.approx(quick, abs=1e-12)
            votes = forest.tree_votes(table, curtail)
            assert (votes == forest.tree_votes(with_gap, curtail)[:, :-1]).all()
            assert (votes == forest.tree_probability(table, curtail).argmax(axis=2)).mean() > 0.999
        assert (forest.apply(table) == forest.apply(with_gap)[:-1]).all()


@pytest.mark.parametrize("missing", [False, True])
def test_blocks_do_not_change_a_tree(monkeypatch, missing):
    """Small nodes of large sets work on ranks of their own; the trees are those of the whole columns."""
    rng = np.random.default_rng(5)
    n = 20_000
    X = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 50, n)])
    y = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(int) + (X[:, 3] > 25)
    if missing:
        X[rng.random(X.shape) < 0.02] = np.nan
    table = table_of(X)
    assert n > work.LARGE
    for rule in (vr_rule(1.0), vr_rule(0.5), cart_rule(n_tried=2)):
        with_blocks = grow_forest(table, y, 3, rule, [1], n_min=50)
        with monkeypatch.context() as patch:
            patch.setattr(work, "LARGE", n)
            without = grow_forest(table, y, 3, rule, [1], n_min=50)
        assert np.array_equal(with_blocks.nodes, without.nodes)
        assert with_blocks.n_leaves[0] > 20
