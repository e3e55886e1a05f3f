"""Ours beside the printed value: the same columns for one row and for a whole frame."""

import pandas as pd

from arboretum.papers.kit.beside import beside, with_ends
from arboretum.papers.kit.estimate import mean_of


def test_a_row_has_printed_ours_more_about_it_and_the_difference_in_this_order():
    row = beside("error", 12.5, 13.0, standard_error=0.25)
    assert list(row) == ["error_printed", "error", "error_standard_error", "error_difference"]
    assert row["error_difference"] == 0.5


def test_series_are_set_beside_each_other_by_index_and_what_is_not_printed_has_no_difference():
    ours = pd.Series({"glass": 21.0, "iris": 5.0})
    frame = ours.to_frame("ours").assign(**beside("error", pd.Series({"iris": 4.0}), ours))
    assert frame.at["iris", "error_difference"] == 1.0
    assert pd.isna(frame.at["glass", "error_printed"]) and pd.isna(frame.at["glass", "error_difference"])


def test_an_estimate_has_its_value_and_both_ends_which_are_missing_where_there_is_no_interval():
    known, unknown = mean_of([1.0, 2.0, 3.0]), mean_of([1.0, 2.0])
    assert with_ends("error", known) == {"error": 2.0, "error_low": known.low, "error_high": known.high}
    row = with_ends("error", unknown)
    assert row["error"] == 1.5 and pd.isna(row["error_low"]) and pd.isna(row["error_high"])
