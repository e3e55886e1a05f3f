"""Rows gathered by column are the frame that pandas makes of their list, to the type of each column."""

from __future__ import annotations

import pandas as pd
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from arboretum.pipeline.columns import Columns

CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 5),
    st.integers(2**60, 2**70),
    st.floats(),
    st.text("ab", max_size=2),
    st.lists(st.integers(0, 3), max_size=2),
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.dictionaries(st.sampled_from("abc"), CELLS, min_size=1), min_size=1, max_size=6))
@example([{"a": 1}, {"b": 2.5}, {"a": True}])
@example([{"a": None, "b": "x"}, {"a": None}])
def test_the_frame_is_the_one_that_pandas_makes_of_the_rows(rows):
    gathered = Columns()
    gathered.add(rows[:2])
    gathered.add(rows[2:])
    pd.testing.assert_frame_equal(gathered.frame(), pd.DataFrame(rows), check_exact=True)


def test_equal_texts_of_many_rows_are_one_object():
    gathered = Columns()
    gathered.add({"name": "".join(["be", "ds"])} for _ in range(3))
    assert len({id(text) for text in gathered._values["name"]}) == 1
