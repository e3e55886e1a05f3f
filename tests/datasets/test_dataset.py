"""The fingerprint is the content and nothing else; parquet gives the same set back."""

from __future__ import annotations

import hashlib
import struct

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arboretum.datasets.dataset import category_type, fingerprint, load, make_dataset, save
from arboretum.errors import ArboretumError


def small() -> tuple[pd.DataFrame, pd.Series]:
    colour = pd.Categorical.from_codes([1, -1, 0], dtype=category_type(["red", "blue", "never"]))
    X = pd.DataFrame({"size": [1.5, np.nan, -0.0], "colour": colour})
    y = pd.Series(pd.Categorical.from_codes([0, 0, 2], dtype=category_type(["a", "b", "c"])), name="kind")
    return X, y


def test_fingerprint_is_the_hash_of_a_header_and_little_endian_columns():
    header = (
        b'{"columns":[["size","numeric"],["colour","nominal",["red","blue","never"]]],'
        b'"rows":3,"target":["kind","nominal",["a","b","c"]]}'
    )
    nan = bytes.fromhex("000000000000f87f")
    numbers = struct.pack("<d", 1.5) + nan + struct.pack("<d", 0.0)
    codes = struct.pack("<3i", 1, -1, 0) + struct.pack("<3i", 0, 0, 2)
    assert fingerprint(*small()) == hashlib.sha256(header + numbers + codes).hexdigest()


def test_fingerprint_does_not_see_the_sign_of_zero_nor_the_payload_of_nan():
    X, y = small()
    other = X.assign(size=[1.5, struct.unpack("<d", bytes.fromhex("010000000000f8ff"))[0], 0.0])
    assert fingerprint(other, y) == fingerprint(X, y)


@pytest.mark.parametrize("change", ["value", "missing", "name", "order", "levels", "class", "classes", "rows"])
def test_fingerprint_sees_every_part_of_the_content(change: str):
    X, y = small()
    before = fingerprint(X, y)
    if change == "value":
        X = X.assign(size=[1.5, np.nan, np.nextafter(0, 1)])
    elif change == "missing":
        X = X.assign(size=[1.5, 0.0, 0.0])
    elif change == "name":
        X = X.rename(columns={"size": "Size"})
    elif change == "order":
        X = X[["colour", "size"]]
    elif change == "levels":
        X = X.assign(colour=X["colour"].cat.remove_unused_categories())
    elif change == "class":
        y = y.mask([False, False, True], "b")
    elif change == "classes":
        y = y.cat.rename_categories({"b": "B"})
    else:
        X, y = X.iloc[:2], y.iloc[:2]
    assert fingerprint(X, y) != before


def test_parquet_round_trip_keeps_values_missing_cells_and_levels_that_never_occur(tmp_path):
    dataset = make_dataset("small", *small())
    save(dataset, tmp_path / "small.parquet")
    again = load(tmp_path / "small.parquet")
    pd.testing.assert_frame_equal(again.X, dataset.X)
    pd.testing.assert_series_equal(again.y, dataset.y)
    assert again.name == "small"
    assert again.fingerprint == dataset.fingerprint == fingerprint(again.X, again.y)
    assert list(again.X["colour"].cat.categories) == ["red", "blue", "never"]


def test_the_same_content_gives_the_same_bytes_and_no_temporary_file(tmp_path):
    save(make_dataset("small", *small()), tmp_path / "one" / "small.parquet")
    save(make_dataset("small", *small()), tmp_path / "two" / "small.parquet")
    assert (tmp_path / "one/small.parquet").read_bytes() == (tmp_path / "two/small.parquet").read_bytes()
    assert [file.name for file in (tmp_path / "one").iterdir()] == ["small.parquet"]


def test_other_readers_see_text_and_numbers(tmp_path):
    save(make_dataset("small", *small()), tmp_path / "small.parquet")
    assert pq.read_table(tmp_path / "small.parquet").to_pylist() == [
        {"size": 1.5, "colour": "blue", "kind": "a"},
        {"size": None, "colour": None, "kind": "a"},
        {"size": 0.0, "colour": "red", "kind": "c"},
    ]


def test_load_names_the_file_and_the_fix(tmp_path):
    with pytest.raises(ArboretumError, match=r"nowhere.parquet does not exist. Run `arboretum fetch`"):
        load(tmp_path / "nowhere.parquet")
    pq.write_table(pa.table({"a": [1]}), tmp_path / "foreign.parquet")
    with pytest.raises(ArboretumError, match=r"foreign.parquet is not a prepared set"):
        load(tmp_path / "foreign.parquet")
