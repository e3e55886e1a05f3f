"""Text files to typed sets: each format on a hand-written file, each refusal with its message."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from arboretum.datasets.dataset import Dataset
from arboretum.datasets.rules import expand_names
from arboretum.datasets.table import read_table
from arboretum.datasets.typed import typed_dataset
from arboretum.errors import ArboretumError


def parsed(folder: Path, parse: dict, *texts: str, suffix: str = ".txt") -> Dataset:
    files = []
    for number, text in enumerate(texts):
        file = folder / f"part{number}{suffix}"
        content = text.encode("utf-8")
        file.write_bytes(gzip.compress(content) if suffix == ".gz" else content)
        files.append(file)
    return typed_dataset("toy", read_table(files, parse, "toy"), parse)


COLOURS = {"columns": ["colour"], "levels": ["red", "blue", "green"]}
PLAIN = {
    "format": "csv",
    "columns": ["id", "size", "colour", "class"],
    "drop": ["id"],
    "missing": ["?"],
    "target": "class",
    "classes": ["no", "yes"],
    "nominal": [COLOURS],
}


def test_csv_without_header(tmp_path):
    dataset = parsed(tmp_path, PLAIN, "7, 1.5 ,red,yes\n8,?,?,no\n9,-2e3,blue,yes\n")
    assert list(dataset.X) == ["size", "colour"]
    np.testing.assert_array_equal(dataset.X["size"], [1.5, np.nan, -2000.0])
    assert dataset.X["colour"].tolist() == ["red", np.nan, "blue"]
    assert list(dataset.X["colour"].cat.categories) == ["red", "blue", "green"]
    assert dataset.y.tolist() == ["yes", "no", "yes"]


def test_numbers_are_read_to_the_last_bit(tmp_path):
    parse = {"format": "csv", "columns": ["a", "class"], "target": "class", "classes": ["0", "1"]}
    texts = ["0.1", "1.7976931348623157e308", "4.35", "0.30000000000000004", "9007199254740993", "00610.0", "05"]
    dataset = parsed(tmp_path, parse, "".join(f"{text},{i % 2}\n" for i, text in enumerate(texts)))
    assert dataset.X["a"].tolist() == [float(text) for text in texts]


def test_csv_with_header_separator_skipped_lines_and_gzip(tmp_path):
    parse = {"format": "csv", "separator": ";", "skip": 1, "target": "class", "classes": ["0", "1"]}
    dataset = parsed(tmp_path, parse, "a comment\nclass;x;y\n1;2;3\n0;4;5\n", suffix=".gz")
    assert dataset.X.to_numpy().tolist() == [[2, 3], [4, 5]]
    assert dataset.y.tolist() == ["1", "0"]


def test_blank_separated_files_below_one_another(tmp_path):
    parse = {
        "format": "csv",
        "separator": "blank",
        "columns": ["x1..2", "class"],
        "target": "class",
        "classes": ["a", "b"],
    }
    dataset = parsed(tmp_path, parse, "  1   2 a \n 3\t4 b\n\n", "5 6 a")
    assert dataset.X.to_numpy().tolist() == [[1, 2], [3, 4], [5, 6]]


def test_keel_takes_its_names_from_the_header(tmp_path):
    text = "@relation toy\n@attribute Size real [0, 1]\n@attribute Class{a,b}\n@inputs Size\n@data\n0.5, a\n1, b\n"
    dataset = parsed(tmp_path, {"format": "keel", "target": "Class", "classes": ["a", "b"]}, text)
    assert dataset.X["Size"].tolist() == [0.5, 1.0]
    assert dataset.y.tolist() == ["a", "b"]


def test_orange_skips_its_type_and_flag_lines_and_matches_columns_of_several_files_by_name(tmp_path):
    parse = {"format": "orange", "target": "y", "classes": ["1", "2"], "drop": ["name"], "missing": [""]}
    first = "name\tsize \ty\nd\tc\td\ni\t\tclass\nfoo\t3\t1\nbar\t\t2\n"
    second = "size\ty\nc\td\n\tclass\n4\t1\n"
    dataset = parsed(tmp_path, parse, first, second)
    np.testing.assert_array_equal(dataset.X["size"], [3, np.nan, 4])
    assert dataset.y.tolist() == ["1", "2", "1"]


def test_missing_text_of_attributes_may_be_a_class(tmp_path):
    parse = {**PLAIN, "classes": ["N", "yes"], "missing": ["?", "N"]}
    dataset = parsed(tmp_path, parse, "1,1,N,N\n2,2,red,yes\n")
    assert dataset.X["colour"].isna().tolist() == [True, False]
    assert dataset.y.tolist() == ["N", "yes"]


def test_missing_in_concerns_one_column_only(tmp_path):
    parse = {**PLAIN, "missing_in": [{"column": "size", "values": ["4.2"]}], "drop": []}
    dataset = parsed(tmp_path, parse, "4.2,4.2,red,yes\n1,1,red,no\n")
    assert dataset.X["id"].tolist() == [4.2, 1]
    assert dataset.X["size"].isna().tolist() == [True, False]


def test_rows_without_class_are_left_out_and_rows_of_the_configuration_added(tmp_path):
    parse = {**PLAIN, "without_class": ["?"], "add_rows": [["5", "green", "no"]]}
    dataset = parsed(tmp_path, parse, "1,1,red,?\n2,2,blue,yes\n")
    assert dataset.X["size"].tolist() == [2, 5]
    assert dataset.y.tolist() == ["yes", "no"]


def test_runs_of_rows_are_kept_in_their_order(tmp_path):
    runs = [{"first": 0, "last": 1, "begins": ["yes", "no"]}, {"first": 3, "last": 3, "begins": ["no"]}]
    text = "1,1,red,yes\n2,2,red,no\n3,3,red,yes\n4,4,red,no\n5,5,red,no\n"
    assert parsed(tmp_path, {**PLAIN, "keep": runs}, text).X["size"].tolist() == [1, 2, 4]


def test_classes_are_renamed_and_numbers_grouped(tmp_path):
    text = "1,1,red,2\n2,2,red,4\n3,3,red,2\n"
    dataset = parsed(tmp_path, {**PLAIN, "relabel": {"2": "no", "4": "yes"}}, text)
    assert dataset.y.tolist() == ["no", "yes", "no"]
    groups = [{"class": "few", "max": 7}, {"class": "some", "max": 10}, {"class": "many"}]
    parse = {**PLAIN, "classes": ["few", "some", "many"], "group": groups}
    dataset = parsed(tmp_path, parse, "".join(f"1,1,red,{n}\n" for n in (1, 7, 8, 10, 11, 29)))
    assert dataset.y.tolist() == ["few", "few", "some", "some", "many", "many"]


def test_name_ranges():
    assert expand_names(["a1..3", "b", "p+9..11"]) == ["a1", "a2", "a3", "b", "p+9", "p+10", "p+11"]


@pytest.mark.parametrize(
    ("change", "text", "message"),
    [
        (
            {},
            "1,1,pink,yes\n",
            r"Data set toy: column 'colour' holds 'pink', which is not among its declared levels "
            r"\(red, blue, green\). Declare it in parse.nominal",
        ),
        ({}, "1,big,red,yes\n", r"Data set toy: column 'size' holds 'big', which is not a number. Declare the column"),
        (
            {},
            "1,1,red,maybe\n",
            r"Data set toy: class column 'class' holds 'maybe', which is not among its declared classes \(no, yes\)",
        ),
        (
            {"columns": ["id", "size", "size", "class"]},
            "1,1,red,yes\n",
            r"Data set toy: .*: duplicate column 'size'. Give every column a name of its own in parse.columns",
        ),
        ({"target": "clas"}, "1,1,red,yes\n", r"Data set toy: no column 'clas'. Did you mean 'class'\?"),
        ({"format": "cvs"}, "1,1,red,yes\n", r"Data set toy: unknown parse.format 'cvs'. Did you mean 'csv'\?"),
        ({}, "1,1,red\n", r"Data set toy: part0.txt cannot be read as csv: .*Mend parse.format, parse.separator"),
        ({"add_rows": [["1", "red"]]}, "1,1,red,yes\n", r"Data set toy: a row of parse.add_rows has 2 cells for 3"),
        (
            {"keep": [{"first": 0, "last": 0, "begins": ["no"]}]},
            "1,1,red,yes\n",
            r"Data set toy: from row 0 on the classes are yes and not no. The source has another order of rows",
        ),
        (
            {"group": [{"class": "yes", "max": 1}, {"class": "no"}]},
            "1,1,red,1\n",
            r"Data set toy: parse.classes must list the classes of parse.group in order",
        ),
    ],
)
def test_refusals_name_the_set_the_column_and_the_fix(tmp_path, change: dict, text: str, message: str):
    with pytest.raises(ArboretumError, match=message):
        parsed(tmp_path, {**PLAIN, **change}, text)
