"""Values that differ by rounding alone are equal: ranks, orders and picks do not see it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from arboretum.measures import ties

ULP = np.spacing(16.0)


def test_comparisons_by_hand():
    assert not ties.less(16.0, 16.0 + ULP) and ties.less(16.0, 16.1)
    assert ties.at_most(16.0 + ULP, 16.0) and not ties.at_most(16.1, 16.0)
    assert ties.equal(16.0 + ULP, 16.0) and not ties.equal(16.0, 16.0 + 1e-8)


def test_the_first_of_equal_values_is_picked():
    assert ties.first_least([17.0, 16.0 + ULP, 16.0]) == 1
    assert ties.first_greatest([1.0, 16.0, 16.0 + ULP]) == 1
    np.testing.assert_array_equal(ties.first_least([[2.0, 1.0], [1.0 + 1e-15, 1.0]], axis=1), [1, 0])
    np.testing.assert_array_equal(ties.first_least([[2.0, 1.0], [2.0 - 1e-15, 1.5]], axis=0), [0, 0])
    assert ties.first_least([np.nan, 3.0, 2.0]) == 2


def test_ranks_share_ties():
    np.testing.assert_array_equal(ties.rank([3.0, 1.0, 1.0 + 1e-14, 2.0]), [4, 1.5, 1.5, 3])


@given(arrays(float, (5, 4), elements=st.integers(0, 6).map(float)))
def test_ranks_are_scipys_where_nothing_is_rounded(values):
    np.testing.assert_array_equal(ties.rank(values), stats.rankdata(values, axis=-1))


@given(arrays(float, (5, 4), elements=st.integers(0, 6).map(lambda n: n / 7)), st.integers(0, 2**31))
def test_ranks_and_orders_do_not_see_rounding(values, seed):
    moved = values + np.random.default_rng(seed).integers(-4, 5, values.shape) * np.spacing(values)
    np.testing.assert_array_equal(ties.rank(moved), ties.rank(values))
    np.testing.assert_array_equal(ties.first_least(moved, axis=1), ties.first_least(values, axis=1))
    keys = ["d", "a", "c", "b", "e"]
    np.testing.assert_array_equal(ties.order(moved[:, 0], keys), ties.order(values[:, 0], keys))


def test_order_is_by_value_then_by_key():
    np.testing.assert_array_equal(ties.order([2.0, 1.0 + 1e-15, 1.0], ["x", "b", "a"]), [2, 1, 0])
    np.testing.assert_array_equal(ties.order([2.0, 1.0 + 1e-15, 1.0]), [1, 2, 0])
