from __future__ import annotations

from pathlib import Path

from arboretum.report.frames import Frame, families, read_frame
from arboretum.report.tables import Row, TableView

ERRORS = Frame(
    {
        "dataset": ["glass", "coding", "iris", "mean"],
        "forest_printed": ["20.5", "17.1", "4.0", "12.25"],
        "forest": ["21.26", "", "4.04", "12.65"],
        "forest_low": ["20.9", "", "3.8", "12.4"],
        "forest_high": ["21.6", "", "4.3", "12.9"],
        "forest_difference": ["0.76", "", "0.04", "0.4"],
        "status": ["available", "no source has it", "available", "available"],
    }
)


def texts(row: Row) -> list[str]:
    return [cell.text for cell in row.cells]


def test_columns_of_one_measure_are_one_family() -> None:
    names = ["dataset", "error_printed", "error", "error_low", "error_high", "error_difference", "n_low", "classes"]
    assert list(families(names).items()) == [
        ("dataset", ("",)),
        ("error", ("printed", "", "low", "high", "difference")),
        ("n_low", ("",)),  # no measure n: a column of its own
        ("classes", ("",)),
    ]
    apart = ["correlation", "correlation_as_printed", "critical_difference", "x_printed", "x_difference"]
    assert list(families(apart)) == ["correlation", "correlation_as_printed", "critical_difference", "x"]


def test_a_family_stands_under_one_heading_with_the_interval_as_one_column() -> None:
    view = TableView(ERRORS, ["dataset"]).view()
    assert [heading.label for heading in view.headings] == ["dataset", "forest"]
    assert [label for label, _ in view.headings[1].parts] == ["printed", "ours", "our interval", "difference"]
    assert texts(view.rows[0]) == ["glass", "20.5", "21.26", "20.90 to\xa021.60", "+0.76"]
    assert view.width == len(view.rows[0].cells)


def test_a_printed_value_outside_our_interval_is_marked() -> None:
    view = TableView(ERRORS, ["dataset"]).view()
    marked = [["outside" in cell.classes for cell in row.cells][-1] for row in view.rows]
    assert marked == [True, False, False, True]
    assert view.marked("outside") and not view.marked("differs")


def test_a_row_that_cannot_be_computed_is_told_with_its_reason() -> None:
    view = TableView(ERRORS, ["dataset"]).view()
    assert view.rows[1].classes == "unavailable"
    assert texts(view.rows[1]) == ["coding", "17.1", "–", "–", "–"]
    assert view.unavailable == {"coding": "no source has it"}


def test_the_manifest_gives_the_reason_where_the_table_has_no_status() -> None:
    frame = Frame({name: cells for name, cells in ERRORS.columns.items() if name != "status"})
    view = TableView(frame, ["dataset"], reasons={"coding": "found nowhere"}).view()
    assert view.unavailable == {"coding": "found nowhere"}
    assert [row.classes for row in view.rows] == ["", "unavailable", "", "summary"]


def test_the_comparison_leaves_out_means_and_gaps() -> None:
    (compared,) = TableView(ERRORS, ["dataset"]).view().comparisons
    assert (compared.rows, compared.equal, compared.outside) == (2, 1, 1)  # 4.04 is 4.0 as printed
    assert compared.mean == "+0.400"  # (0.76 + 0.04) / 2
    assert (compared.largest, compared.largest_row) == ("+0.76", "glass")


def test_a_set_whose_name_begins_like_a_mean_is_a_set() -> None:
    frame = Frame({"dataset": ["meander", "mean"], "size_printed": ["5", "5"], "size": ["5", "6"]})
    tabled = TableView(frame, ["dataset"], link=lambda name: "x" if name == "meander" else "")
    assert [row.classes for row in tabled.view().rows] == ["", "summary"]


def test_counts_and_words_unlike_the_printed_ones_are_marked() -> None:
    frame = Frame(
        {
            "dataset": ["chess", "vote"],
            "size_printed": ["3196", "435"],
            "size": ["3196.0", "436.0"],
            "attributes_printed": ["35n, 1b", "16b"],
            "attributes": ["35b, 1n", "16b"],
        }
    )
    view = TableView(frame, ["dataset"]).view()
    assert [[cell.text for cell in row.cells if "differs" in cell.classes] for row in view.rows] == [
        ["35b, 1n"],
        ["436"],
    ]
    assert [(line.measure, line.equal) for line in view.comparisons] == [("size", 1), ("attributes", 1)]


def test_a_column_without_content_is_left_out_unless_it_is_ours() -> None:
    frame = Frame({"dataset": ["iris"], "error_printed": ["4.1"], "error": [""], "remark": [""]})
    view = TableView(frame, ["dataset"]).view()
    assert [heading.label for heading in view.headings] == ["dataset", "error"]
    assert texts(view.rows[0]) == ["iris", "4.1", "–"]


def test_a_mean_among_measures_is_no_mean_over_sets() -> None:
    frame = Frame({"measure": ["mean error", "size"], "value_printed": ["15.6", "3.2"], "value": ["15.61", "3.5"]})
    view = TableView(frame, ["measure"]).view()
    assert [row.classes for row in view.rows] == ["", ""] and view.comparisons[0].rows == 2


def test_keys_come_first_and_a_mean_row_is_found_by_them() -> None:
    frame = Frame({"error": ["1.5", "2.5"], "method": ["forest", "forest"], "dataset": ["iris", "mean"]})
    view = TableView(frame, ["dataset", "method"]).view()
    assert [heading.label for heading in view.headings] == ["dataset", "method", "error"]
    assert view.rows[1].classes == "summary"


def test_a_frame_is_read_as_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('dataset,remark\niris,"two, ""quoted"""\nnull,\n', encoding="utf-8")
    assert read_frame(path).columns == {"dataset": ["iris", "null"], "remark": ['two, "quoted"', ""]}


def test_no_false_alarm_where_words_are_of_another_kind_or_a_remark_explains() -> None:
    columns = {
        "dataset": ["echo", "glass"],
        "size_printed": ["133", "214"],
        "size": ["131", "213"],
        "best_printed": ["aggregating", "bagging"],
        "best": ["lowest error", ""],
        "remark": ["one case has no class", ""],
    }
    view = TableView(Frame(columns), ("dataset",)).view()
    marked = [cell.text for row in view.rows for cell in row.cells if "differs" in cell.classes]
    assert marked == ["213"]
    assert [line.measure for line in view.comparisons] == ["size"]


def test_rows_have_addresses_of_their_own() -> None:
    frame = Frame({"concept": ["A", "A", "A"], "condition": ["none", "8 irr. att.", "none"], "error": ["1", "2", "3"]})
    table = TableView(frame, ("concept", "condition"), name="table4")
    assert table.anchors == ["table4.A-none", "table4.A-8-irr-att", "table4.A-none.2"]
    assert table.places()["A"] == "table4.A-none" and table.places()["A / 8 irr. att."] == "table4.A-8-irr-att"


def test_printed_means_over_other_sets_are_left_out() -> None:
    means = Frame({"method": ["oak"], "error_printed": ["15.6"], "error": ["11.2"], "error_difference": ["-4.4"]})
    assert [heading.label for heading in TableView(means, ("method",), printed=False).view().headings] == [
        "method",
        "error",
    ]
    by_set = Frame(
        {
            "dataset": ["glass", "mean as printed"],
            "error_printed": ["21", "15.6"],
            "error": ["22", ""],
            "status": ["", ""],
        }
    )
    rows = TableView(by_set, ("dataset",), printed=False).view().rows
    assert [texts(row) for row in rows] == [["glass", "21", "22"]]  # of a set, print stays beside ours
