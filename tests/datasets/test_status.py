"""The status table: found beside printed."""

from __future__ import annotations

import pandas as pd

from arboretum.datasets import status_table
from arboretum.datasets.status import differences

FOUND = {
    "status": "available",
    "source": "mirror:toy.csv",
    "fingerprint": "0123456789abcdef" * 4,
    "rows": 100,
    "attributes": 10,
    "numeric": 4,
    "categorical": 6,
    "nominal": 4,
    "binary": 2,
    "nominal_occurring": 3,
    "binary_occurring": 3,
    "classes": 7,
    "classes_occurring": 6,
    "missing": 5,
    "rows_with_missing": 5,
}
SPEC = {"name": "toy", "names": {"vrtrees": "toy", "dynint": "Toy"}}


def row(spec: dict, found: dict | None = FOUND) -> pd.Series:
    return status_table({"toy": spec}, {} if found is None else {"toy": found}).iloc[0]


def test_a_set_that_agrees_by_declared_levels_in_one_paper_and_by_occurring_ones_in_another():
    printed = {
        "vrtrees": {"rows": 100, "numeric": 4, "nominal": 4, "binary": 2, "classes": 7},
        "dynint": {"rows": 100, "categorical": 6, "numeric": 4, "classes": 6},
    }
    shown = row({**SPEC, "printed": printed})
    assert (shown["agrees"], shown["difference"]) == ("yes", "")
    assert shown["fingerprint"] == "0123456789ab"
    assert shown["papers"] == "vrtrees dynint"
    assert (shown["rows"], shown["missing"], shown["source"]) == (100, 5, "mirror:toy.csv")


def test_a_difference_is_named_with_its_explanation_or_as_not_explained():
    printed = {"vrtrees": {"rows": 101, "classes": 7}, "dynint": {"classes": 5}}
    shown = row({**SPEC, "printed": printed, "differences": {"vrtrees": "one row is empty"}})
    assert shown["agrees"] == "no"
    assert shown["difference"] == (
        "vrtrees: rows printed 101, found 100 (one row is empty); dynint: classes printed 5, found 7 (not explained)"
    )
    assert differences(printed["vrtrees"], FOUND) == {"rows": (101, 100)}


def test_sets_without_printed_size_or_without_data():
    assert row(SPEC)["agrees"] == "-"
    shown = row(SPEC, {"status": "unavailable", "reason": "found nowhere"})
    assert (shown["status"], shown["agrees"], shown["difference"]) == ("unavailable", "-", "found nowhere")
    assert pd.isna(shown["rows"])
    assert row(SPEC, None)["status"] == "not prepared"
