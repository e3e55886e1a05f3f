"""Medians by bisection, compared with NumPy's."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from arboretum.trees import median
from arboretum.trees.median import medians

NUMBERS = st.one_of(
    st.floats(-1e300, 1e300), st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, -5e-324, np.nan, 1e300, -1e300])
)


def plain_medians(cells):
    known = [column[~np.isnan(column)] for column in cells.T]
    return [float(np.median(column)) if len(column) else 0.0 for column in known]


@settings(deadline=None, max_examples=200)
@given(arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=NUMBERS))
@example(np.array([[np.nan], [np.nan]]))
@example(np.array([[2.0], [1.0], [2.0], [3.0]]))
@example(np.array([[-3.0], [5.0]]))
def test_medians_are_numpys(cells):
    assert medians(cells).tolist() == plain_medians(cells)


def test_a_wide_table_is_taken_in_pieces(monkeypatch):
    monkeypatch.setattr(median, "AT_ONCE", 300)
    cells = np.random.default_rng(0).normal(size=(101, 7))
    cells[::3, 2] = np.nan
    assert medians(cells).tolist() == plain_medians(cells)
