"""A csv of one's own that would be read wrongly, or not at all: an error that names file, column and fix, or a note."""

from __future__ import annotations

import bz2
import gzip
import logging
import lzma
import random
from pathlib import Path

import pytest
from benchmarks.faults.flips import CLEAR, RECOVERED
from benchmarks.faults.strange_files import PARSE, STRANGE, TEXT, as_python_reads, one, prepared

from arboretum.datasets.table import GZIP_EXPANSION, read_table
from arboretum.errors import ArboretumError

PACKED = gzip.compress(TEXT.encode(), mtime=0)


def refused(folder: Path, *said: str, **case: object) -> None:
    """Preparing raises one message with all that is ``said``, and writes nothing."""
    with pytest.raises(ArboretumError) as failure:
        prepared(folder, **case)
    message = str(failure.value)
    for words in ("toy", *said):
        assert words in message, message
    assert not (folder / "prepared").exists()


def test_the_plain_file_is_read(tmp_path):
    data = prepared(tmp_path)
    assert data.X["size"].isna().tolist() == [False, True, False]
    assert data.y.tolist() == ["yes", "no", "yes"]


# ------------------------------------------------------------------ what was read wrongly without a word


@pytest.mark.parametrize("number", ["inf", "-Infinity", "1e400", "-1e999", "9" * 400], ids=lambda text: text[:9])
def test_a_number_that_would_become_infinite_is_refused(tmp_path, number):
    content = TEXT.replace("1.5", number)
    refused(tmp_path, "toy.csv", f"column 'size' holds '{number[:20]}", "parse.missing", content=content)


@pytest.mark.parametrize("text", ["nan", "NaN", "-nan"])
def test_nan_that_is_not_declared_as_missing_is_refused(tmp_path, text):
    refused(tmp_path, "toy.csv", f"column 'size' holds '{text}'", "parse.missing", content=TEXT.replace("1.5", text))


def test_nan_that_is_declared_as_missing_is_missing(tmp_path):
    data = prepared(tmp_path, TEXT.replace("1.5", "nan"), missing=["?", "nan"])
    assert data.X["size"].isna().tolist() == [True, True, False]


def test_whole_numbers_that_a_double_cannot_tell_apart_are_refused(tmp_path):
    content = TEXT.replace("1.5", str(2**53)).replace("?", str(2**53 + 1))
    refused(
        tmp_path, "toy.csv", "column 'size'", "9007199254740992 and 9007199254740993", "parse.nominal", content=content
    )


def test_one_large_whole_number_is_read_as_the_nearest_double(tmp_path):
    data = prepared(tmp_path, TEXT.replace("1.5", str(2**53 + 1)).replace("2,", f"{2**53 + 1}.0,"))
    assert data.X["size"][0] == data.X["size"][2] == 2**53


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ([("few", 7), ("some", 3), ("many", None)], "bounds must grow"),
        ([("few", 7), ("some", 7), ("many", None)], "bounds must grow"),
        ([("few", None), ("some", 7), ("many", None)], "'few' has no max"),
        ([("few", 3), ("some", 7), ("many", 9)], "'many' has a max"),
        ([], "is empty"),
    ],
)
def test_groups_whose_bounds_make_no_sense_are_refused(tmp_path, groups, said):
    rules = [{"class": name, **({} if bound is None else {"max": bound})} for name, bound in groups]
    content = "size,colour,class\n1.5,red,1\n?,blue,5\n2,red,30\n"
    refused(
        tmp_path, "column 'class'", "parse.group", said, content=content, group=rules, classes=["few", "some", "many"]
    )


def test_a_column_that_is_nominal_twice_is_refused(tmp_path):
    twice = [*PARSE["nominal"], {"columns": ["colour"], "levels": ["red", "blue", "green"]}]
    refused(tmp_path, "column 'colour' stands twice in parse.nominal", nominal=twice)


@pytest.mark.parametrize(
    ("run", "said"),
    [
        ({"first": 0, "last": 3, "begins": ["yes"]}, "up to row 3, and there are 3 rows (0 to 2)"),
        ({"first": 7, "last": 9, "begins": []}, "up to row 9"),
        ({"first": 2, "last": 1, "begins": []}, "begins at row 2 and ends at row 1"),
        ({"first": 1, "last": 1, "begins": ["no", "yes"]}, "names 2 first classes of 1 rows"),
    ],
)
def test_rows_to_keep_that_are_not_there_are_refused(tmp_path, run, said):
    refused(tmp_path, "parse.keep", said, keep=[run], rows=1)


@pytest.mark.parametrize("header", ["size,,class", "size, ,class", ",colour,class", 'size,"",class'])
def test_a_column_without_a_name_is_refused(tmp_path, header):
    content = TEXT.replace("size,colour,class", header)
    place = 1 if header.startswith(",") else 2
    refused(tmp_path, "toy.csv", f"column {place} has no name", "parse.columns", content=content, nominal=None)


def test_an_empty_name_in_the_rules_is_refused(tmp_path):
    content = TEXT.partition("\n")[2]
    refused(tmp_path, "column 2 has no name", content=content, columns=["size", "", "class"], nominal=None)


@pytest.mark.parametrize(
    "change", [{"missing": ["?", "red"]}, {"missing_in": [{"column": "colour", "values": ["blue"]}]}]
)
def test_a_level_that_is_also_a_missing_token_is_refused(tmp_path, change):
    token = "red" if "missing" in change else "blue"
    refused(tmp_path, f"column 'colour': {token!r} is a level in parse.nominal and means missing", **change)


def test_a_byte_order_mark_is_left_out_and_said(tmp_path, caplog):
    with caplog.at_level(logging.WARNING):
        data = prepared(tmp_path, b"\xef\xbb\xbf" + TEXT.encode())
    assert list(data.X) == ["size", "colour"]
    assert "data set toy: toy.csv begins with a byte order mark, which is left out" in caplog.text


@pytest.mark.parametrize("column", ["size", "colour"])
def test_a_column_without_a_single_value_is_refused(tmp_path, column):
    content = {
        "size": "size,colour,class\n?,red,yes\n?,blue,no\n?,red,yes\n",
        "colour": "size,colour,class\n1,?,yes\n2,?,no\n3,?,yes\n",
    }[column]
    refused(tmp_path, "toy.csv", f"column {column!r} holds no value", "parse.drop", "parse.empty", content=content)


def test_a_column_that_is_declared_empty_is_kept_and_must_be_empty(tmp_path):
    content = "size,colour,class\n?,red,yes\n?,blue,no\n?,red,yes\n"
    (tmp_path / "empty").mkdir()
    assert prepared(tmp_path / "empty", content, empty=["size"]).X["size"].isna().all()
    refused(tmp_path, "column 'size' holds values", "parse.empty", empty=["size"])


@pytest.mark.parametrize("number", ["1e-400", "-1e-999", "0." + "0" * 400 + "1"], ids=lambda text: text[:9])
def test_a_number_that_would_become_zero_is_refused(tmp_path, number):
    content = TEXT.replace("1.5", number)
    refused(tmp_path, "toy.csv", f"column 'size' holds '{number[:20]}", "zero in double precision", content=content)


@pytest.mark.parametrize("zero", ["0", "-0", "0.000", "0e5", ".0", "+0.0e-400"])
def test_zero_is_read_however_it_is_spelled(tmp_path, zero):
    assert prepared(tmp_path, TEXT.replace("1.5", zero)).X["size"][0] == 0


def test_large_numbers_with_a_point_are_compared_exactly_too(tmp_path):
    content = TEXT.replace("1.5", f"{2**53}.0").replace("?", f"{2**53 + 1}.0")
    refused(tmp_path, "column 'size'", "the same number in double precision", content=content)


def test_codes_that_would_become_one_number_are_refused(tmp_path):
    content = TEXT.replace("1.5", "02")
    refused(tmp_path, "toy.csv", "column 'size' holds '02' and '2'", "parse.nominal", content=content)


def test_zeros_before_a_number_are_read_where_they_change_nothing(tmp_path):
    assert prepared(tmp_path, TEXT.replace("1.5", "01").replace("2,", "02,")).X["size"].tolist()[::2] == [1, 2]


def test_a_number_that_means_missing_in_another_spelling_is_refused(tmp_path):
    content = TEXT.replace("1.5", "-1.0").replace("?", "-1")
    refused(tmp_path, "column 'size' holds '-1.0'", "'-1' that means missing", content=content, missing=["-1"])
    (tmp_path / "both").mkdir()
    assert prepared(tmp_path / "both", content, missing=["-1", "-1.0"]).X["size"].isna().tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"drop": ["colours"]}, "no file has the column 'colours' of parse.drop. Did you mean 'colour'?"),
        ({"relabel": {"jes": "yes"}}, "no row has the class 'jes' of parse.relabel. Did you mean 'yes'?"),
        ({"without_class": ["maybe"]}, "no row has the class 'maybe' of parse.without_class"),
    ],
)
def test_a_rule_about_what_is_not_there_is_refused(tmp_path, change, said):
    refused(tmp_path, said, **change)


@pytest.mark.parametrize(
    "change",
    [
        {"classes": ["no", "yes "]},
        {"missing": [" ?"]},
        {"nominal": [{"columns": ["colour"], "levels": ["red", "blue", "red "]}]},
        {"missing_in": [{"column": "size", "values": ["? "]}]},
    ],
)
def test_blanks_around_what_is_declared_are_refused(tmp_path, change):
    refused(tmp_path, f"parse.{next(iter(change))}", "Leave out the blanks", **change)


def test_a_name_in_quotes_may_hold_the_separator(tmp_path):
    data = prepared(
        tmp_path,
        TEXT.replace("size", '"size, in mm"').replace("colour", '"the ""colour"""'),
        nominal=[{"columns": ['the "colour"'], "levels": ["red", "blue"]}],
    )
    assert list(data.X) == ["size, in mm", 'the "colour"']


def test_commas_do_not_separate_where_blanks_do(tmp_path):
    content = "size class\n1,5 yes\n2,5 no\n"
    refused(tmp_path, "column 'size' holds '1,5', which is not a number", content=content, separator="blank",
            nominal=None)  # fmt: skip


# ------------------------------------------------------------------ what ended in a traceback


@pytest.mark.parametrize(
    "change",
    [
        {"classes": [False, True]},
        {"missing": [-9]},
        {"nominal": [{"columns": ["colour"], "levels": [1, 2]}]},
        {"relabel": {1: "yes"}},
        {"drop": [2]},
    ],
)
def test_what_is_declared_and_is_not_text_is_refused(tmp_path, change):
    """YAML reads `no` and 1 as a truth value and a number, which no cell of text equals."""
    refused(tmp_path, f"parse.{next(iter(change))}", "not text", "quotes", **change)


def test_lines_that_end_with_carriage_returns_alone_are_refused(tmp_path):
    refused(tmp_path, "toy.csv", "carriage returns alone", content=TEXT.replace("\n", "\r"))


def test_lines_that_end_as_windows_ends_them_are_read(tmp_path):
    assert prepared(tmp_path, TEXT.replace("\n", "\r\n")).y.tolist() == ["yes", "no", "yes"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, lambda text: b"PK\x03\x04" + text])
def test_a_packed_file_that_is_not_named_so_is_refused(tmp_path, pack):
    refused(tmp_path, "toy.csv", "a packed file", "Unpack it", content=pack(TEXT.encode()))


def test_cells_may_hold_line_ends_in_a_long_file(tmp_path):
    """Arrow reads a megabyte at a time, and loses its place between quotes."""
    content = "size,colour,class\n" + '1,"re\nd",yes\n2,"re\nd",no\n' * 60_000
    levels = [{"columns": ["colour"], "levels": ["re\nd"]}]
    assert len(content) > 2**20
    assert prepared(tmp_path, content, rows=120_000, nominal=levels).y.tolist()[:3] == ["yes", "no", "yes"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_text_of_sixteen_bits_is_refused(tmp_path, encoding):
    refused(tmp_path, "toy.csv", "not UTF-8", "iconv", content=TEXT.encode(encoding))


@pytest.mark.parametrize(
    ("content", "change"),
    [
        (TEXT.replace("size", "größe"), {}),
        (TEXT.replace("blue", "grün"), {"nominal": [{"columns": ["colour"], "levels": ["red", "grün"]}]}),
    ],
    ids=["header", "cells"],
)
def test_latin_1_in_header_or_cells_is_refused(tmp_path, content, change):
    line = 1 if "größe" in content else 3
    said = f"line {line}"
    refused(tmp_path, "toy.csv", "not UTF-8", said, "iconv", content=content.encode("latin-1"), **change)


def test_a_name_in_utf_8_is_read(tmp_path):
    assert list(prepared(tmp_path, TEXT.replace("size", "größe")).X) == ["größe", "colour"]


def test_repeated_levels_are_refused(tmp_path):
    rules = [{"columns": ["colour"], "levels": ["red", "blue", "red"]}]
    refused(tmp_path, "column 'colour'", "'red' stands twice among the levels", "parse.nominal", nominal=rules)


def test_repeated_classes_are_refused(tmp_path):
    refused(tmp_path, "column 'class'", "'no' stands twice", "parse.classes", classes=["no", "yes", "no"])


@pytest.mark.parametrize("text", ["1_000", "0x10", "1,5"])
def test_text_that_another_language_would_take_for_a_number_is_refused(tmp_path, text):
    content = TEXT.replace(",", ";").replace("1.5", text)
    refused(tmp_path, "toy.csv", f"column 'size' holds '{text}', which is not a number", content=content, separator=";")


def test_files_with_other_columns_are_refused(tmp_path):
    (tmp_path / "one.csv").write_text(TEXT)
    (tmp_path / "two.csv").write_text(TEXT.replace("size", "length"))
    with pytest.raises(ArboretumError, match=r"Data set toy: two.csv: column 'length' is in some files .* parse.drop"):
        read_table([tmp_path / "one.csv", tmp_path / "two.csv"], PARSE, "toy")


def test_a_separator_of_two_characters_is_refused(tmp_path):
    refused(tmp_path, "parse.separator", "';;'", "one character", separator=";;", content=TEXT.replace(",", ";;"))


@pytest.mark.parametrize("skip", [4, 5, 1000])
@pytest.mark.parametrize("columns", [None, ["size", "colour", "class"]])
def test_more_lines_to_skip_than_there_are_is_refused(tmp_path, skip, columns):
    refused(tmp_path, "toy.csv", "parse.skip", f"{skip} lines", "4 lines", skip=skip, columns=columns)


@pytest.mark.parametrize(
    "content",
    [TEXT.encode(), PACKED[:-9], PACKED[:20] + b"\0" * 20, b""],
    ids=["text", "cut short", "damaged", "empty"],
)
def test_a_file_that_is_no_gzip_is_refused(tmp_path, content):
    refused(tmp_path, "toy.csv.gz", "cannot be unpacked", "gzip", content=content, file="toy.csv.gz")


def test_gzip_is_unpacked_up_to_a_limit(tmp_path):
    """A file that would fill the memory is given up as soon as it exceeds its limit."""
    packed = gzip.compress(TEXT.encode() + b"\n" * 10_000_000)
    assert GZIP_EXPANSION * len(packed) < 10_000_000
    refused(tmp_path, "toy.csv.gz", f"more than {GZIP_EXPANSION} times", "unpack it", content=packed, file="toy.csv.gz")
    (tmp_path / "small").mkdir()
    assert len(prepared(tmp_path / "small", PACKED, "toy.csv.gz").y) == 3


@pytest.mark.parametrize("content", ["", "size\tclass\n", "size\tclass\nc\td\n", "size\tclass\nc\td\n\tclass\n"])
def test_a_short_orange_file_is_refused(tmp_path, content):
    refused(tmp_path, "toy.tab", "three lines", content=content, file="toy.tab", format="orange", nominal=None)


@pytest.mark.parametrize("content", ["", "@relation toy\n", "@relation toy\n@attribute\n@data\n1\n", "1,red,yes\n"])
def test_a_short_keel_file_is_refused(tmp_path, content):
    refused(tmp_path, "toy.dat", "@attribute", content=content, file="toy.dat", format="keel", nominal=None)


@pytest.mark.parametrize("content", ["", "\n\n", "size,colour,class\n"])
def test_a_file_without_rows_is_refused(tmp_path, content):
    refused(tmp_path, "toy.csv", "no row", content=content)


@pytest.mark.parametrize("file", ["size,size,class", "size,class,class", "colour,colour,class"])
def test_a_column_name_that_stands_twice_is_refused(tmp_path, file):
    refused(tmp_path, "toy.csv", "duplicate column", "parse.columns", content=TEXT.replace("size,colour,class", file))


@pytest.mark.parametrize("last", ['2,red,"yes\n', '2,red,"yes', '2,red,"\n'])
def test_a_quote_that_is_never_closed_is_refused(tmp_path, last):
    refused(tmp_path, "toy.csv", content=TEXT.replace("2,red,yes\n", last))


@pytest.mark.parametrize("last", ['"2","red","yes"\n', '2,"red",yes'])
def test_quotes_that_are_closed_are_read(tmp_path, last):
    assert prepared(tmp_path, TEXT.replace("2,red,yes\n", last)).y.tolist() == ["yes", "no", "yes"]


# ------------------------------------------------------------------ drawn at random


@pytest.mark.parametrize("kind", STRANGE)
def test_strange_files_are_refused_or_read_as_python_reads_them(kind):
    rng = random.Random(1)
    assert {one(kind, rng) for _ in range(20)} <= {CLEAR, RECOVERED}


@pytest.mark.parametrize(
    ("content", "size"),
    [
        (TEXT, [1.5, None, 2.0]),
        (TEXT.replace("1.5", "1e400"), None),
        (TEXT.replace("1.5", "nan"), None),
        (TEXT.replace("1.5", str(2**53)).replace("\n2,", f"\n{2**53 + 1},"), None),
        (TEXT.replace("red,yes", "green,yes"), None),
        (TEXT.replace("blue,no", '"blue,no'), None),
        (TEXT.encode("utf-16"), None),
    ],
)
def test_what_python_reads_of_strange_files(content, size):
    found = as_python_reads(content)
    assert (found if size is None else found["size"].astype(object).where(found["size"].notna(), None).tolist()) == size
