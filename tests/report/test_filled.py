"""Passages of hand-written pages: their numbers come from stored results, and nothing else of a page moves."""

from __future__ import annotations

import pandas as pd
import pytest

from arboretum.errors import ArboretumError
from arboretum.report.filled import filled, rows_by_keys

PAGE = "before\n<!-- filled: gains -->\nold\n<!-- end of filled -->\nafter\n"
TABLE = pd.DataFrame({"method": ["a", "a", "b"], "alpha": [0.0, 0.5, 0.5], "error": [3.0, 1.0, 2.0]})
VALUES = {"rows": rows_by_keys(TABLE, ["method", "alpha"], "table errors")}


def test_a_passage_is_filled_and_the_rest_of_the_page_stays():
    text = "Errors are {rows[a, 0][error]:.1f} and {rows[a, 0.5][error]:.1f}, at least {rows[a][error.least]:.1f}."
    made = filled(PAGE, {"gains": text}, VALUES, "page.md")
    assert made == PAGE.replace("old", "Errors are 3.0 and 1.0, at least 1.0.")
    assert filled(made, {"gains": text}, VALUES, "page.md") == made


def test_paragraphs_are_wrapped_and_tables_are_not():
    words = " ".join(["word"] * 60)
    assert max(map(len, filled(PAGE, {"gains": words}, VALUES, "page.md").splitlines())) <= 120
    assert f"\n| {words} |\n" in filled(PAGE, {"gains": f"| {words} |"}, VALUES, "page.md")


@pytest.mark.parametrize(
    ("page", "text", "named"),
    [
        (PAGE, "{rows[c][error]}", "no 'c'"),
        (PAGE, "{rows[b][errors]}", "Did you mean 'error'"),
        ("no marks", "text", "filled: gains"),
        (PAGE + PAGE, "text", "needs one"),
        (PAGE.replace("end of filled", "end"), "text", "after it"),
    ],
)
def test_what_cannot_be_filled_is_named(page, text, named):
    with pytest.raises(ArboretumError, match=named):
        filled(page, {"gains": text}, VALUES, "page.md")


def test_a_row_of_a_table_may_go_on_in_the_next_line():
    made = filled(PAGE, {"gains": "| a | b |\n|---|---|\n| one |\n  goes on |"}, VALUES, "page.md")
    assert "\n| a | b |\n|---|---|\n| one | goes on |\n<!--" in made
