"""Prepare refuses a set that is not the one described, and reports what it found."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arboretum.datasets import FetchSettings, fetch, load, prepare
from arboretum.datasets.generators import GENERATORS
from arboretum.errors import ArboretumError

from .web import sha256

TEXT = b"1.5,red,yes\n?,blue,no\n2,red,yes\n"
PARSE = {
    "format": "csv",
    "columns": ["size", "colour", "class"],
    "missing": ["?"],
    "target": "class",
    "classes": ["no", "yes", "never"],
    "nominal": [{"columns": ["colour"], "levels": ["red", "blue", "green"]}],
}


def spec(text: bytes = TEXT, **change: object) -> dict:
    source = {"kind": "mirror", "members": [{"path": "toy.csv", "sha256": sha256(text)}]}
    return {"name": "toy", "rows": 3, "attributes": 2, "sources": [source], "parse": PARSE, **change}


def fetched(folder: Path, chosen: dict, text: bytes = TEXT) -> Path:
    (folder / "mirror").mkdir(exist_ok=True)
    (folder / "mirror" / "toy.csv").write_bytes(text)
    settings = FetchSettings(store=folder / "store", mirror=folder / "mirror")
    outcome = fetch({"toy": chosen}, folder / "raw", settings, progress=False)["toy"]
    assert (outcome.status, outcome.source) == ("available", "mirror:toy.csv")
    return folder / "raw"


def test_facts_count_declared_and_occurring(tmp_path):
    raw = fetched(tmp_path, spec())
    facts = prepare({"toy": spec()}, raw, tmp_path / "prepared")["toy"]
    dataset = load(tmp_path / "prepared" / "toy.parquet")
    assert facts == {
        "status": "available",
        "source": "mirror:toy.csv",
        "fingerprint": dataset.fingerprint,
        "rows": 3,
        "attributes": 2,
        "numeric": 1,
        "categorical": 1,
        "nominal": 1,
        "binary": 0,
        "nominal_occurring": 0,
        "binary_occurring": 1,
        "classes": 3,
        "classes_occurring": 2,
        "missing": 1,
        "rows_with_missing": 1,
    }
    assert json.loads(json.dumps(facts)) == facts


def test_prepare_twice_gives_equal_bytes(tmp_path):
    raw = fetched(tmp_path, spec())
    for folder in ("one", "two"):
        prepare({"toy": spec()}, raw, tmp_path / folder)
    assert (tmp_path / "one/toy.parquet").read_bytes() == (tmp_path / "two/toy.parquet").read_bytes()


@pytest.mark.parametrize(
    ("text", "change", "message"),
    [
        (TEXT + b"3,red,no\n", {}, r"Data set toy: 4 rows where its configuration says 3\..*\(class column 'class'\)"),
        (
            TEXT,
            {"attributes": 3},
            r"Data set toy: 2 attributes where its configuration says 3 \(the last .* 'colour'\)",
        ),
        (
            b"1,red,yes\n2,red,yes\n3,blue,yes\n",
            {},
            r"Data set toy: class column 'class' is constant \('yes'\). Choose another parse.target",
        ),
        (
            TEXT,
            {"parse": {**PARSE, "columns": ["size", "size", "class"]}},
            r"Data set toy: .*: duplicate column 'size'. Give every column a name of its own",
        ),
        (
            b"1,red,yes\n2,pink,no\n3,red,no\n",
            {},
            r"Data set toy: column 'colour' holds 'pink', which is not among its declared levels",
        ),
    ],
)
def test_refusals_name_the_set_the_column_and_the_fix(tmp_path, text: bytes, change: dict, message: str):
    chosen = spec(text, **change)
    raw = fetched(tmp_path, chosen, text)
    with pytest.raises(ArboretumError, match=message):
        prepare({"toy": chosen}, raw, tmp_path / "prepared")
    assert not (tmp_path / "prepared").exists()


def test_a_printed_count_that_nobody_explains_is_refused_for_the_pinned_set(tmp_path):
    raw = fetched(tmp_path, spec())
    found = prepare({"toy": spec()}, raw, tmp_path / "prepared")["toy"]["fingerprint"]
    pinned = {"fingerprint": found, "printed": {"oak": {"rows": 3, "classes": 4}}}
    with pytest.raises(
        ArboretumError, match=r"Data set toy: .*oak/sets.yaml has classes 4 as printed, found 3.*`difference`"
    ):
        prepare({"toy": spec(**pinned)}, raw, tmp_path / "prepared")
    prepare({"toy": spec(**pinned, differences={"oak": "a slip"})}, raw, tmp_path / "prepared")


def test_a_raw_file_that_was_edited_is_refused(tmp_path):
    raw = fetched(tmp_path, spec())
    (raw / "toy" / "toy.csv").write_bytes(TEXT.replace(b"1.5", b"1.6"))
    with pytest.raises(ArboretumError, match=r"Data set toy: .*toy.csv is not the file that was fetched. Fetch"):
        prepare({"toy": spec()}, raw, tmp_path / "prepared")


def test_a_source_that_left_the_configuration_is_refused(tmp_path):
    raw = fetched(tmp_path, spec())
    with pytest.raises(ArboretumError, match=r"came from mirror:toy.csv, which is no longer among its sources"):
        prepare({"toy": spec(sources=[])}, raw, tmp_path / "prepared")


def test_a_set_that_was_not_fetched_is_a_fact_and_leaves_no_file(tmp_path):
    facts = prepare({"toy": spec()}, tmp_path / "raw", tmp_path / "prepared")
    assert facts == {"toy": {"status": "unavailable", "reason": "not fetched yet"}}
    assert not (tmp_path / "prepared").exists()


def test_a_generator_that_gives_two_columns_of_one_name_is_refused(tmp_path, monkeypatch):
    X, y = GENERATORS["twonorm"](n=20, rng=np.random.default_rng(1))
    X.columns = ["a", "a", *X.columns[2:]]
    monkeypatch.setitem(GENERATORS, "twins", lambda rng: (X, y))
    source = {"kind": "generator", "function": "twins", "seed": 1}
    chosen = {"name": "toy", "rows": 20, "attributes": 20, "sources": [source]}
    fetch({"toy": chosen}, tmp_path / "raw", FetchSettings(offline=True), progress=False)
    with pytest.raises(ArboretumError, match=r"Data set toy: the generator twins gives two columns 'a'"):
        prepare({"toy": chosen}, tmp_path / "raw", tmp_path / "prepared")


def test_a_generated_set_depends_on_its_name_and_seed_alone(tmp_path):
    def made(name: str, seed: int, folder: str) -> str:
        source = {"kind": "generator", "function": "twonorm", "arguments": {"n": 20}, "seed": seed}
        chosen = {"name": name, "rows": 20, "attributes": 20, "sources": [source]}
        fetch({name: chosen}, tmp_path / folder / "raw", FetchSettings(offline=True), progress=False)
        facts = prepare({name: chosen}, tmp_path / folder / "raw", tmp_path / folder)
        return facts[name]["fingerprint"]

    first = made("toy", 1, "a")
    assert made("toy", 1, "b") == first
    assert made("toy", 2, "c") != first
    assert made("other", 1, "d") != first
