"""A data set of one's own: what is inferred, what settings change, and what is refused rather than read wrongly."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import numpy as np
import pandas as pd
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arboretum.datasets import Dataset, load
from arboretum.datasets.inferred import Settings
from arboretum.datasets.own import own_dataset
from arboretum.datasets.sources.errors import SourceError
from arboretum.errors import ArboretumError

TEXT = "size,colour,class\n1.5,red,yes\n?,blue,no\n2,red,yes\n"


def read(folder: Path, content: str | bytes = TEXT, file: str = "mine.csv", **settings: object) -> Dataset:
    (folder / file).write_bytes(content.encode() if isinstance(content, str) else content)
    return load(folder / file, **settings)


def refused(folder: Path, *said: str, **case: object) -> None:
    with pytest.raises(ArboretumError) as failure:
        read(folder, **case)
    for words in said:
        assert words in str(failure.value), failure.value
    for word in ("parse.", "dataset configuration", "conf/dataset", "COLUMN", "VALUE"):
        assert word not in str(failure.value), failure.value


def line(folder: Path, content: str = TEXT, **settings: object) -> str:
    (folder / "mine.csv").write_text(content)
    return own_dataset(folder / "mine.csv", Settings(**settings)).said


# ------------------------------------------------------------------ what is inferred


def test_a_csv_is_a_data_set(tmp_path):
    data = read(tmp_path)
    assert data.name == "mine" and data.y.tolist() == ["yes", "no", "yes"]
    assert data.X["size"].tolist()[::2] == [1.5, 2.0] and np.isnan(data.X["size"][1])
    assert list(data.X["colour"].cat.categories) == ["blue", "red"]


def test_one_line_says_what_was_inferred(tmp_path, caplog):
    said = line(tmp_path, TEXT + "7,,\n,red,no\n")
    assert said.startswith("mine: 4 rows, 1 numeric and 1 nominal columns, 2 classes of 'class' (no 2, yes 2), ")
    assert "3 cells missing (empty 2, '?' 1), rows without a class, which are left out: 1, version " in said
    with caplog.at_level(logging.INFO):
        read(tmp_path)
    assert "1 cell missing ('?' 1)" in caplog.text


def test_the_content_is_the_version(tmp_path):
    one = read(tmp_path).fingerprint
    assert read(tmp_path, TEXT.replace(",", ";")).fingerprint == one == read(tmp_path, "\ufeff" + TEXT).fingerprint
    assert read(tmp_path, TEXT.replace("1.5", "1.6")).fingerprint != one


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("mine.csv", TEXT.replace("\n", "\r\n")),
        ("mine.csv", TEXT.replace(",", ", ")),
        ("mine.tsv", TEXT.replace(",", "\t")),
        ("mine.txt", TEXT.replace(",", " ")),
        ("mine.data", TEXT.replace(",", "|")),
        ("mine.csv.gz", gzip.compress(TEXT.encode())),
        ("mine.csv", '"size","colour","class"\n"1.5","red","yes"\n"","blue","no"\n"2","red","yes"\n'),
        ("mine.csv", ",size,colour,class\n0,1.5,red,yes\n1,,blue,no\n2,2,red,yes\n"),
        ("mine.arff", "% made by hand\n@RELATION x\n@ATTRIBUTE size REAL\n@attribute 'colour' {blue,red}\n"
         "@attribute class {no, yes}\n\n@DATA\n1.5,red,yes\n?,'blue',no\n2,\"red\",yes\n"),
    ],
)  # fmt: skip
def test_the_same_data_in_other_clothes(tmp_path, file, content):
    assert read(tmp_path, content, file).fingerprint == read(tmp_path).fingerprint


def test_a_frame_is_a_data_set(tmp_path):
    frame = pd.DataFrame({"size": [1.5, None, 2], "colour": ["red", "blue", "red"], "class": ["yes", "no", "yes"]})
    expected = read(tmp_path).fingerprint
    assert load(frame).fingerprint == expected
    assert load(frame.convert_dtypes()).fingerprint == expected
    assert load(frame.astype("category").astype({"size": float})).fingerprint == expected
    assert load(polars.from_pandas(frame)).fingerprint == expected
    frame.to_parquet(tmp_path / "mine.parquet")
    assert load(tmp_path / "mine.parquet", target="class").fingerprint == expected
    with pytest.raises(ArboretumError, match="a table of your own needs target=NAME"):
        load(tmp_path / "mine.parquet")
    X, y = load(frame, return_X_y=True, target="colour")
    assert y.tolist() == ["red", "blue", "red"] and list(X) == ["size", "class"]


def test_a_prepared_file_is_not_inferred_again(tmp_path):
    from arboretum.datasets.dataset import save

    data = load(pd.DataFrame({"zip": pd.Categorical([1, 2, 1]), "class": ["a", "b", "a"]}))
    save(data, tmp_path / "frame.parquet")
    assert list(load(tmp_path / "frame.parquet").X["zip"].cat.categories) == ["1", "2"]


def test_declared_levels_stay_as_they_are_declared(tmp_path):
    text = "@attribute a {x,NA,never}\n@attribute b string\n@attribute class {no,yes,never}\n@data\nNA,NA,yes\nx,u,no\n"
    data = read(tmp_path, text, "mine.arff")
    assert list(data.X["a"].cat.categories) == ["x", "NA", "never"] and data.X["a"].tolist() == ["NA", "x"]
    assert data.X["b"].isna().tolist() == [True, False] and list(data.y.cat.categories) == ["no", "yes", "never"]


def test_codes_with_leading_zeros_stay_names(tmp_path):
    text = "zip,class\n02134,a\n12345,b\n55555,b\n"
    assert read(tmp_path, text).X["zip"].tolist() == ["02134", "12345", "55555"]
    assert read(tmp_path, text, kinds={"zip": "numeric"}).X["zip"].tolist() == [2134, 12345, 55555]


def test_classes_that_are_numbers_stand_in_their_order(tmp_path):
    data = read(tmp_path, "a,class\n" + "".join(f"{i % 3},{10 - i}\n" for i in range(10)))
    assert list(data.y.cat.categories) == [str(i) for i in range(1, 11)]


# ------------------------------------------------------------------ settings


def test_settings_correct_what_was_inferred(tmp_path):
    text = "id,zip,kind,left\n1,10,a,-9\n2,11,b,3\n3,10,a,4\n"
    data = read(tmp_path, text, target="kind", kinds={"zip": "nominal"}, missing=["-9"], drop=["id"])
    assert list(data.X) == ["zip", "left"] and data.X["zip"].tolist() == ["10", "11", "10"]
    assert np.isnan(data.X["left"][0])


def test_a_file_without_names(tmp_path):
    text = "5.1,3.5,a\n4,3,b\n1,2,a\n"
    refused(tmp_path, "its first line holds numbers (5.1, 3.5", "columns=[a1..2,class]", content=text)
    data = read(tmp_path, text, columns=["a1..2", "class"])
    assert list(data.X) == ["a1", "a2"] and len(data.y) == 3


def test_unknown_settings_suggest_the_nearest(tmp_path):
    refused(tmp_path, "no column 'colr'", "'colour'", target="colr")
    refused(tmp_path, "no column 'siz'", "'size'", kinds={"siz": "nominal"})
    refused(tmp_path, "must be nominal or numeric", kinds={"size": "number"})
    refused(tmp_path, "unknown setting 'targt'", "'target'", targt="class")


# ------------------------------------------------------------------ what would be read wrongly without a word


@pytest.mark.parametrize("number", ["inf", "-Infinity", "1e400", "9" * 400])
def test_a_number_beyond_double_precision_is_refused(tmp_path, number):
    refused(tmp_path, "column 'size' holds", "not a finite number", "missing=[", content=TEXT.replace("1.5", number))


def test_whole_numbers_that_become_the_same_are_refused(tmp_path):
    text = f"n,class\n{2**53},a\n{2**53 + 1},b\n3,a\n"
    refused(tmp_path, "same number in double precision", "drop=[n]", "kinds.n=nominal", content=text)
    assert len(read(tmp_path, text, kinds={"n": "nominal"}).X["n"].cat.categories) == 3
    with pytest.raises(ArboretumError, match="same number in double precision"):
        load(pd.DataFrame({"n": [2**53, 2**53 + 1, 3], "class": list("aba")}))


def test_nan_is_missing_and_said_and_a_number_where_missing_is_empty(tmp_path):
    assert "2 cells missing ('?' 1, 'nan' 1)" in line(tmp_path, TEXT.replace("1.5", "nan"))
    refused(tmp_path, "column 'size' holds", content=TEXT.replace("1.5", "nan").replace("?", "3"), missing=[])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "it is empty"),
        ("a,class\n", "no row"),
        ("size\n1\n2\n", "one column only"),
        (TEXT.replace("size", "colour"), "duplicate column 'colour'"),
        (TEXT.replace("size", ""), "column 1 has no name"),
        (TEXT.replace("colour", " "), "column 2 has no name"),
        (TEXT.encode("utf-16"), "iconv"),
        (TEXT.encode() + b"\xff", "line 5"),
        (TEXT + "1,2,3,4\n", "Expected 3 columns, got 4"),
        (TEXT.replace("\n", "\r"), "carriage return"),
        (TEXT.replace("class", "kind"), "which column is the class? Say target=NAME. Columns: size, colour, kind."),
        ("age,class\n1,a\n2,b\n3,b\nunknown,a\n", "missing=[unknown]"),
        ("a;class\n1,5;x\n2;y\n", "'1,5'. Write numbers with a decimal point"),
        ('a,class\n"1,234",x\n2,y\n', "separators of thousands"),
        ("a,class\n1,x\n2,x\n", "is constant ('x')"),
        ("a,class\n,x\n,y\n", "no column is left"),
        ("a,class\n1,\n2,\n", "holds no value"),
        ("a,class\n1,0.5\n2,1.5\n3,2.5\n", "a number to predict"),
    ],
)
def test_refused_with_the_fix(tmp_path, content, said):
    refused(tmp_path, said, content=content)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("@attribute a numeric\n1\n", "no line @data"),
        ("@data\n1\n", "no @attribute line"),
        ("@attribute a date\n@attribute class {x,y}\n@data\n1,x\n2,y\n", "has the type 'date'"),
        ("@attribute a numeric\n@attribute class {x,y}\n@data\n{0 1}\n", "sparse"),
        ("@attribute a numeric\n@attribute class {x,x}\n@data\n1,x\n", "declares a level twice"),
        ("@attribute a numeric\n@attribute a numeric\n@data\n1,x\n", "two columns are called 'a'"),
        ("@attribute a numeric\n@attribute class {x,y}\n@data\n1,x,2\n", "has 3 cells for 2 attributes"),
        ("@attribute a numeric\n@attribute class {x,y}\n@data\n1,'x\n", "quote or brace"),
        ("@attribute a numeric\n@attribute class {x,y}\n@data\n1,x\n2,z\n", "'z', which is not among its"),
    ],
)
def test_an_arff_file_that_cannot_be_read(tmp_path, text, said):
    refused(tmp_path, said, content=text, file="mine.arff")


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ([1, "1", 2], "both the text and the number '1'"),
        ([1.5, float("inf"), 3], "not a finite number"),
        (pd.date_range("2020-01-01", periods=3), "dates"),
        ([1j, 2, 3], "complex"),
        (pd.Categorical([1, "1", 2]), "two levels that read the same"),
    ],
)
def test_a_frame_that_would_be_read_wrongly(column, said):
    with pytest.raises(ArboretumError, match=said):
        load(pd.DataFrame({"a": column, "class": list("xyx")}))


def test_frames_and_files_that_are_none(tmp_path):
    with pytest.raises(ArboretumError, match="two columns are called 'a'"):
        load(pd.DataFrame([[1, 2, "x"], [3, 4, "y"]], columns=["a", "a", "class"]))
    with pytest.raises(ArboretumError, match="it has no row"):
        load(pd.DataFrame({"a": [], "class": []}))
    with pytest.raises(ArboretumError, match="a data frame is needed, not dict"):
        load({"a": [1]})
    with pytest.raises(ArboretumError, match="does not exist"):
        load(tmp_path / "nothing.csv")
    refused(tmp_path, "Save the table as csv", content="x", file="mine.xlsx")
    with pytest.raises(ArboretumError, match="cannot be read as parquet"):
        read(tmp_path, "x", "mine.parquet", target="a")


def test_two_columns_of_one_name_in_a_parquet_file_are_refused(tmp_path):
    pq.write_table(pa.table([[1, 2], [3, 4], ["x", "y"]], names=["a", "a", "class"]), tmp_path / "mine.parquet")
    with pytest.raises(ArboretumError, match=r"mine.parquet: two columns are called 'a'"):
        load(tmp_path / "mine.parquet", target="class")


@pytest.mark.parametrize("column", ["size", "colour"])
def test_rows_between_two_stray_quotes_are_not_swallowed(tmp_path, column):
    rows = [[f"{number}.5", "red" if number % 2 else "blue", "xy"[number % 3 == 0]] for number in range(60)]
    for row in (1, 57):
        rows[row][column == "colour"] = '"' + rows[row][column == "colour"]
    content = "".join(",".join(row) + "\n" for row in [["size", "colour", "class"], *rows])
    said = f"column {column!r} holds line ends inside a cell (1 of 4 rows)"
    refused(tmp_path, said, f"kinds.{column}=nominal", content=content)


def test_line_ends_inside_cells_are_read_where_they_are_said_to_be_meant(tmp_path, caplog):
    content = TEXT.replace("red", '"light\nred"')
    assert read(tmp_path, content, kinds={"colour": "nominal"}).X["colour"][0] == "light\nred"
    assert list(read(tmp_path, content, drop=["colour"]).X) == ["size"]
    assert "column 'colour' holds line ends inside a cell (2 of 3 rows)" in caplog.text


# ------------------------------------------------------------------ what may be meant otherwise


def test_doubts_are_said_with_the_setting_that_decides(tmp_path, caplog):
    rows = "".join(f"{i},n{i},{'Red' if i % 3 else 'red'},{i % 2}\n" for i in range(30))
    read(tmp_path, "id,name,colour,class\n" + rows)
    assert "'id' numbers the rows; drop=[id]" in caplog.text
    assert "'name' has 30 levels in 30 rows; drop=[name]" in caplog.text
    assert "'colour' has levels that differ in case or blanks only, such as 'red'" in caplog.text


# ------------------------------------------------------------------ OpenML


def test_an_openml_id_is_a_data_set(tmp_path, monkeypatch):
    declared = {"columns": ["size", "colour", "kind"], "target": "kind"}
    declared["levels"] = {"size": None, "colour": ["blue", "red"], "kind": ["no", "yes"]}
    text = "".join(TEXT.splitlines(keepends=True)[1:]).replace("?", "").encode()

    def obtain(self: object, source: dict) -> tuple[dict[str, bytes], dict]:
        if source["id"] != 31:
            raise SourceError("OpenML cannot be reached")
        return {"openml-31.csv": text}, declared

    monkeypatch.setattr("arboretum.datasets.sources.openml.OpenML.obtain", obtain)
    monkeypatch.setattr("arboretum.datasets.own.user_cache_dir", lambda name: str(tmp_path))
    data = load("openml:31")
    assert data.name == "openml-31" and data.y.name == "kind" and data.y.tolist() == ["yes", "no", "yes"]
    assert np.isnan(data.X["size"][1]) and list(data.X["colour"].cat.categories) == ["blue", "red"]
    with pytest.raises(ArboretumError, match="openml:32 cannot be had: OpenML cannot be reached"):
        load("openml:32")
    with pytest.raises(ArboretumError, match="as in openml:31"):
        load("openml:adult")
