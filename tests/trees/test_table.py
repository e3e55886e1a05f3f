"""Tables: ranks, levels, missing values, and the errors that name what is wrong."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum.trees import table_of


@settings(deadline=None)  # the first example compiles
@given(st.lists(st.one_of(st.integers(-3, 3).map(float), st.just(np.nan)), min_size=1, max_size=30))
def test_ranks_give_the_values_back(column):
    table = table_of(np.array(column)[:, None])
    ranks = table.ranks
    for value, code in zip(column, ranks.codes[0], strict=True):
        if np.isnan(value):
            assert code == ranks.n_values[0]
        else:
            assert ranks.values[code] == value
    assert (np.diff(ranks.values) > 0).all()


def test_many_values_need_wider_codes():
    assert table_of(np.arange(64_999.0)[:, None]).ranks.codes.dtype == np.uint16
    ranks = table_of(np.arange(65_001.0)[:, None]).ranks
    assert ranks.codes.dtype == np.uint32
    assert (ranks.codes[0] == np.arange(65_001)).all()


def test_a_frame_of_numbers_is_read_at_once_as_column_by_column():
    numbers = pd.DataFrame(
        {
            "whole": pd.array([3, None, 1], dtype="Int64"),
            "single": np.array([0.1, np.nan, 2.0], dtype=np.float32),
            "flag": [True, False, True],
        }
    )
    with_levels = numbers.assign(level=pd.Categorical(["a", "b", "a"]))
    at_once, by_column = table_of(numbers), table_of(with_levels)
    assert at_once.levels == (None, None, None)
    assert np.array_equal(at_once.cells, by_column.cells[:, :3], equal_nan=True)
    assert at_once.cells.flags.c_contiguous


def test_numbers_at_prediction_stay_an_error_where_training_had_levels():
    trained = table_of(pd.DataFrame({"x": pd.Categorical(["a", "b"])}))
    with pytest.raises(ValueError, match="declare"):
        table_of(pd.DataFrame({"x": [1.0, 2.0]}), trained.levels)


def test_declared_levels_keep_their_codes():
    frame = pd.DataFrame({"colour": pd.Categorical(["red", None, "blue"], categories=["red", "green", "blue"])})
    table = table_of(frame)
    assert table.cells[:, 0].tolist()[::2] == [0.0, 2.0]
    assert np.isnan(table.cells[1, 0])
    assert table.ranks.codes[0].tolist() == [0, 3, 2]


def test_other_order_of_levels_is_mapped():
    train = table_of(pd.DataFrame({"c": pd.Categorical(["a", "b"], categories=["a", "b", "c"])}))
    test = table_of(pd.DataFrame({"c": pd.Categorical(["c", "a"], categories=["c", "a"])}), train.levels)
    assert test.cells[:, 0].tolist() == [2.0, 0.0]


def test_undeclared_level_is_an_error_that_names_it():
    train = table_of(pd.DataFrame({"c": pd.Categorical(["a", "b"])}))
    with pytest.raises(ValueError, match=r"'c' has the level 'z'.*declared: a, b"):
        table_of(pd.DataFrame({"c": ["a", "z"]}), train.levels)


def test_infinite_value_is_an_error_that_names_the_column():
    with pytest.raises(ValueError, match="infinity in column 'x'"):
        table_of(pd.DataFrame({"w": [1.0, 2.0], "x": [1.0, np.inf]}))


def test_fill_values_are_median_and_most_frequent_level():
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0, np.nan], "c": pd.Categorical(["b", "b", "a", None])})
    table = table_of(frame)
    assert table.fill_values().tolist() == [2.0, 1.0]
    assert not table.filled(table.fill_values()).has_missing
    assert table.has_missing
