"""A prepared set whose content is not what its fingerprint says is refused, with the command that makes it again."""

from __future__ import annotations

import random
from pathlib import Path

import pandas as pd
import pytest

from arboretum.datasets import load
from arboretum.datasets.dataset import category_type, make_dataset, save
from arboretum.errors import ArboretumError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    numbers = random.Random(1)
    X = pd.DataFrame(
        {
            "height": [numbers.random() for _ in range(40)],
            "colour": pd.Series([numbers.choice("rgb") for _ in range(40)], dtype=category_type([*"rgb"])),
        }
    )
    y = pd.Series([numbers.choice("ab") for _ in range(40)], dtype=category_type([*"ab"]), name="kind")
    save(make_dataset("beds", X, y), tmp_path / "quick" / "beds.parquet")
    return tmp_path / "quick" / "beds.parquet"


def test_no_flipped_bit_gives_other_content(path):
    content, whole = path.read_bytes(), load(path)
    refused = 0
    for bit in range(0, 8 * len(content), 7):
        damaged = bytearray(content)
        damaged[bit // 8] ^= 1 << bit % 8
        path.write_bytes(damaged)
        try:
            found = load(path)
        except ArboretumError as problem:
            assert "beds.parquet" in str(problem)
            refused += 1
        else:
            assert found.X.equals(whole.X) and found.y.equals(whole.y) and found.fingerprint == whole.fingerprint
    assert refused > 1000  # most bytes of the file matter


@pytest.mark.parametrize("content", [b"", b"PAR1", b"no parquet at all"])
def test_a_cut_or_empty_file_is_refused_with_the_fix(path, content):
    path.write_bytes(content)
    with pytest.raises(ArboretumError, match=r"damaged.*arboretum fetch --profile quick --sets beds"):
        load(path)


def test_another_set_under_this_name_is_refused(path):
    path.rename(path.with_name("rings.parquet"))
    with pytest.raises(ArboretumError, match="it holds beds"):
        load(path.with_name("rings.parquet"))


def test_a_whole_set_that_is_not_the_one_of_the_manifest_is_refused(path):
    assert load(path, load(path).fingerprint).name == "beds"
    with pytest.raises(ArboretumError, match="is not the data set of the manifest"):
        load(path, "0" * 64)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("arboretum.datasets.by_name.user_cache_dir", lambda name: str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_cached_set_that_is_not_the_pinned_one_is_refused_and_deleting_it_helps(cache):
    """The file that lies there is whole and agrees with itself; one value is another one."""
    whole = load("labor")
    (cached,) = cache.rglob("labor.parquet")
    X = whole.X.copy()
    X.iloc[0, 0] = 99.0
    save(make_dataset("labor", X, whole.y), cached)
    with pytest.raises(ArboretumError, match=r"not the data set that .*/labor.yaml pins.*Delete it: the next"):
        load("labor")
    cached.unlink()
    assert load("labor").fingerprint == whole.fingerprint


def test_a_damaged_cached_set_says_to_delete_it(cache):
    load("labor")
    (cached,) = cache.rglob("labor.parquet")
    cached.write_bytes(b"PAR1")
    with pytest.raises(ArboretumError, match=r"damaged.*Delete it: the next load\('labor'\) makes it again"):
        load("labor")


def test_a_set_by_name_is_compared_with_what_the_caller_expects_too(cache):
    with pytest.raises(ArboretumError, match="not the data set that is expected"):
        load("labor", "0" * 64)
