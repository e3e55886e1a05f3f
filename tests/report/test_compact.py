from __future__ import annotations

import pytest

from arboretum.report.compact import compact, shade
from arboretum.report.frames import Frame
from arboretum.report.tables import TableView

COLUMNS = {
    "dataset": ["glass", "iris", "mean over these sets"],
    "oak_printed": ["20.1", "5.0", "12.6"],
    "oak": ["22.15", "5.01", "13.58"],
    "oak_standard_error": ["0.5", "0.5", "0.3"],
    "elm_printed": ["21.0", "4.0", "12.5"],
    "elm": ["21.04", "4.4", "12.72"],
    "elm_low": ["20.04", "3.4", "12.0"],
    "elm_high": ["22.04", "5.4", "13.4"],
    "ash_printed": ["25.5", "", "25.5"],
    "ash": ["", "4.4", "4.4"],
    "remark": ["", "few cases", ""],
}


def made(title: str = "Table 3: error") -> object:
    return compact(TableView(Frame(COLUMNS), ("dataset",), name="table3"), title)


def test_means_come_first_and_rows_keep_their_address() -> None:
    assert [row.anchor for row in made().rows] == ["table3.mean-over-these-sets", "table3.glass", "table3.iris"]
    assert made().methods == ["oak", "elm", "ash"]


def test_the_best_of_a_row_is_marked_on_both_sides_with_ties() -> None:
    _, glass, iris = made().rows
    assert ["best" in cell.classes.split() for cell in glass.cells] == [False, True, False]
    assert ["best" in cell.classes.split() for cell in iris.cells] == [False, True, True]
    assert ["printed-best" in cell.classes.split() for cell in glass.cells] == [True, False, False]


def test_the_greatest_accuracy_is_best() -> None:
    glass = made("Table 2: accuracy").rows[1]
    assert ["best" in cell.classes.split() for cell in glass.cells] == [True, False, False]


def test_a_cell_says_how_far_it_lies_from_print() -> None:
    oak, elm, ash = made().rows[1].cells
    assert oak.said == "+2.05 from print, +4.1 standard errors" and "above-3" in oak.classes
    assert elm.said == "+0.04 from print, +0.1 standard errors" and "near" in elm.classes  # from its interval
    assert (ash.ours, ash.printed, ash.said) == ("–", "25.5", "")


def test_remarks_stay_with_their_row() -> None:
    assert made().rows[2].remark == "few cases" and made().remarks


def test_other_tables_have_no_compact_view() -> None:
    assert made("Table 6: the data sets") is None
    two = {name: cells for name, cells in COLUMNS.items() if not name.startswith("ash")}
    assert compact(TableView(Frame(two), ("dataset",)), "Table 3: error") is None


@pytest.mark.parametrize(
    ("deviations", "expected"), [(0.9, "near"), (-1.1, "below-1"), (2.5, "above-2"), (-30, "below-3")]
)
def test_shades(deviations: float, expected: str) -> None:
    assert shade(deviations) == expected
