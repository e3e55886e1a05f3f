"""Presorted columns of large tables: sorted rightly, marked rightly, and the trees are those of the histograms."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from arboretum.trees import grow_forest, table_of, vr_rule
from arboretum.trees import table as tables
from arboretum.trees.presorted import ROW, TIED
from arboretum.trees.sort import LONG, sorted_rows
from arboretum.trees.table import rank_code

N = 20_000
NUMBERS = st.one_of(st.floats(allow_infinity=False), st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, np.nan]))


@settings(deadline=None, max_examples=60)
@given(arrays(np.float64, (2, LONG + 3), elements=NUMBERS, fill=st.sampled_from([0.0, 2.5, np.nan])))
def test_rows_are_sorted_as_numpy_sorts_values(columns):
    for column, order in zip(columns, sorted_rows(columns), strict=True):
        assert np.array_equal(np.sort(order), np.arange(len(column)))
        assert np.array_equal(column[order], np.sort(column), equal_nan=True)


def test_short_and_long_columns_are_sorted_alike():
    column = np.random.default_rng(0).normal(size=(1, 2 * LONG)).round(4)
    short = column[:, : LONG - 1]
    assert np.array_equal(short[0][sorted_rows(short)[0]], np.sort(short[0]))
    assert np.array_equal(column[0][sorted_rows(column)[0]], np.sort(column[0]))


def test_only_nearly_distinct_columns_are_presorted_and_ties_are_marked():
    rng = np.random.default_rng(1)
    distinct, nearly, few = rng.normal(size=N), rng.normal(size=N).round(5), rng.normal(size=N).round(2)
    X = pd.DataFrame(
        {"few": few, "distinct": distinct, "level": pd.Categorical(rng.integers(0, 3, N)), "nearly": nearly}
    )
    table = table_of(X)
    ranks = table.presorted
    assert ranks.presorted.tolist() == [-1, 0, -1, 1]
    for column, entries in zip((distinct, nearly), ranks.order, strict=True):
        rows = entries & ROW
        assert np.array_equal(column[rows], np.sort(column))
        often = pd.Series(column).duplicated(keep=False).to_numpy()
        assert np.array_equal((entries & TIED) > 0, often[rows])
    assert 0 < ((ranks.order[1] & TIED) > 0).sum() < N
    for f in (0, 2):
        assert np.array_equal(ranks.codes[f], table.ranks.codes[f])
    assert np.array_equal(ranks.values, np.unique(few))


def test_a_table_is_coded_once_where_no_column_is_presorted():
    few, distinct = np.arange(2.0 * N).reshape(N, 2) // 8, np.random.default_rng(3).normal(size=(N, 1))
    table = table_of(few)
    assert table.presorted is table.ranks
    table = table_of(few)
    assert table.ranks is table.presorted
    for first, second in (("ranks", "presorted"), ("presorted", "ranks")):
        table = table_of(distinct)
        assert getattr(table, first).order is not getattr(table, second).order
        assert table.ranks.order is None


def test_a_wide_column_after_narrow_ones_widens_the_codes():
    rng = np.random.default_rng(2)
    n = 150_000
    X = np.column_stack([rng.integers(0, 9, n), np.arange(n) % 70_000, rng.normal(size=n)]).astype(float)
    ranks = rank_code(X, (None,) * 3, presort=True)
    assert ranks.codes.dtype == np.uint32
    assert ranks.presorted.tolist() == [-1, -1, 0]
    for f in (0, 1):
        values = ranks.values[ranks.value_start[f] : ranks.value_start[f + 1]]
        assert np.array_equal(values[ranks.codes[f]], X[:, f])


def data(n_classes):
    """Distinct, nearly distinct and few-valued numbers (zeros of both signs among them), and two nominal columns."""
    rng = np.random.default_rng(n_classes)
    numbers = rng.normal(size=(N, 6))
    y = np.digitize(numbers[:, 0] + numbers[:, 3] + rng.normal(size=N), np.linspace(-2, 2, n_classes - 1))
    numbers[:, 2:4] = numbers[:, 2:4].round(4)
    numbers[:, 4] = numbers[:, 4].round(1)
    frame = pd.DataFrame(numbers, columns=list("abcdef"))
    frame["level"] = pd.Categorical((numbers[:, 1] > 1).astype(int) + 2 * (numbers[:, 3] > 0))
    frame["noise"] = pd.Categorical(rng.integers(0, 4, N))
    return frame, y


SAMPLES = {
    "all rows": {},
    "bootstrap": {"bootstrap": True},
    "subspace": {"n_features": 6},
    "some rows": {"weights": (np.arange(N) % 3 > 0).astype(float)},
    "weights": {"weights": 1.0 + np.arange(N) % 4},
}


@pytest.mark.parametrize("n_classes", [2, 3, 40])
@pytest.mark.parametrize("sample", SAMPLES)
def test_trees_are_those_grown_from_histograms(monkeypatch, sample, n_classes):
    monkeypatch.setattr(tables, "NEARLY", 0.5)  # more ties than a table would be presorted with
    X, y = data(n_classes)
    table = table_of(X)
    assert (table.presorted.presorted >= 0).sum() == 5
    for alpha in (1.0, 0.6, 0.1):
        walked = grow_forest(table, y, n_classes, vr_rule(alpha), [1, 2], n_min=4, **SAMPLES[sample])
        with monkeypatch.context() as patch:
            patch.setattr(tables, "NEARLY", 2.0)  # no column has so many distinct values
            plain = table_of(X)
            counted = grow_forest(plain, y, n_classes, vr_rule(alpha), [1, 2], n_min=4, **SAMPLES[sample])
            assert plain.presorted.order is None
        assert counted.n_leaves.sum() > 100
        assert np.array_equal(walked.nodes, counted.nodes)
        assert np.array_equal(walked.counts, counted.counts)


def test_the_sign_of_zero_changes_nothing():
    X, y = data(3)
    plain, turned = X.assign(e=X["e"] + 0.0), X.assign(e=X["e"].where(X["e"] != 0, -0.0))
    assert np.signbit(turned["e"][turned["e"] == 0]).all()
    one, two = (grow_forest(table_of(frame), y, 3, vr_rule(1.0), [1], n_min=4) for frame in (plain, turned))
    assert np.array_equal(one.nodes, two.nodes)
    assert not np.signbit(one.nodes["cut"][one.nodes["cut"] == 0]).any()
