"""The openml source with the real client: against a server that answers as OpenML does, and from a filled cache."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
from pathlib import Path

import numpy as np
import openml
import pandas as pd
import pytest

from arboretum.datasets import FetchSettings, fetch, load, prepare
from arboretum.errors import ArboretumError

from .web import Web

ARFF = """@relation toy
@attribute 'whole number' REAL
@attribute fraction REAL
@attribute colour {red, blue, 'dark green'}
@attribute flag {TRUE, FALSE}
@attribute id REAL
@attribute class {no, yes, never}
@data
3,0.1,red,TRUE,1,yes
?,?,?,FALSE,2,no
255,-2.5,'dark green',TRUE,3,yes
"""

DESCRIPTION = """<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>5001</oml:id><oml:name>toy</oml:name><oml:version>1</oml:version><oml:description>A toy.</oml:description>
<oml:format>ARFF</oml:format><oml:licence>Public</oml:licence>
<oml:url>{address}/data/v1/download/77/toy.arff</oml:url>{parquet}
<oml:default_target_attribute>class</oml:default_target_attribute>
<oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>"""

SPEC = {
    "name": "toy",
    "rows": 3,
    "attributes": 4,
    "sources": [{"kind": "openml", "id": 5001, "parse": {"drop": ["id"]}}],
}
API = "/api/v1/xml/data/5001"
DATA = "/data/v1/download/77/toy.arff"


@pytest.fixture
def server(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Web:
    """The client points at the local server and at an empty cache folder."""
    monkeypatch.setattr(openml.config, "server", f"{web.address}/api/v1/xml")
    monkeypatch.setattr(openml.config, "_root_cache_directory", tmp_path / "openml")
    monkeypatch.delenv("OPENML_SKIP_PARQUET", raising=False)
    (tmp_path / "openml").mkdir()
    return web


def describe(web: Web, parquet: str = "", md5: str | None = None) -> None:
    md5 = md5 or hashlib.md5(ARFF.encode()).hexdigest()
    web.pages[API] = DESCRIPTION.format(address=web.address, parquet=parquet, md5=md5).encode()
    web.pages[DATA] = ARFF.encode()


def cache(web: Web) -> Path:
    return Path(openml.config.get_cache_directory()) / "datasets" / "5001"


def run(tmp_path: Path, spec: dict = SPEC, folder: str = "raw", **settings: object):
    chosen = FetchSettings(store=tmp_path / "store", source="openml", **settings)
    return fetch({"toy": spec}, tmp_path / folder, chosen, progress=False)["toy"]


def test_a_set_comes_from_the_server_with_its_own_levels_and_float_columns(server, tmp_path):
    describe(server)
    outcome = run(tmp_path)
    assert (outcome.status, outcome.source) == ("available", "openml:5001")
    facts = prepare({"toy": SPEC}, tmp_path / "raw", tmp_path / "prepared")["toy"]
    assert facts["source"] == "openml:5001"
    dataset = load(tmp_path / "prepared" / "toy.parquet")
    assert list(dataset.X) == ["whole number", "fraction", "colour", "flag"]
    assert dataset.X["whole number"].dtype == np.float64  # the client gives small whole REALs as integers
    np.testing.assert_array_equal(dataset.X["whole number"], [3, np.nan, 255])
    np.testing.assert_array_equal(dataset.X["fraction"], [0.1, np.nan, -2.5])
    assert dataset.X["colour"].tolist() == ["red", np.nan, "dark green"]
    assert list(dataset.X["colour"].cat.categories) == ["red", "blue", "dark green"]
    assert dataset.X["flag"].tolist() == ["True", "False", "True"]
    assert dataset.y.tolist() == ["yes", "no", "yes"]
    assert list(dataset.y.cat.categories) == ["no", "yes", "never"]
    assert server.asked[f"GET {API}"] == 1
    assert server.asked[f"GET {DATA}"] == 1


def test_whole_number_columns_that_the_client_turns_into_integers_become_floats(server, tmp_path):
    describe(server)
    whole = ARFF.replace("?,?,?,FALSE,2,no", "4,4,red,FALSE,2,no").replace("0.1", "1").replace("-2.5", "9")
    server.pages[DATA] = whole.encode()
    server.pages[API] = DESCRIPTION.format(
        address=server.address, parquet="", md5=hashlib.md5(whole.encode()).hexdigest()
    ).encode()
    run(tmp_path)
    frame, *_ = openml.datasets.get_dataset(5001, download_data=True).get_data()
    assert frame["fraction"].dtype == np.uint8  # what the client does
    prepare({"toy": SPEC}, tmp_path / "raw", tmp_path / "prepared")
    X = load(tmp_path / "prepared" / "toy.parquet").X
    assert X["fraction"].dtype == np.float64
    assert X["fraction"].tolist() == [1, 4, 9]


def test_parquet_is_used_when_the_server_offers_it(server, tmp_path):
    describe(server, parquet=f"<oml:parquet_url>{server.address}/bucket/toy/dataset_5001.pq</oml:parquet_url>")
    frame = pd.DataFrame({"id": [1, 2, 3], "a": [1, 2, 3], "class": pd.Categorical(["x", "y", "x"])})
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    server.pages["/bucket/toy/dataset_5001.pq"] = buffer.getvalue()
    assert run(tmp_path).status == "available"
    assert server.asked[f"GET {DATA}"] == 0
    facts = prepare({"toy": {**SPEC, "attributes": 1}}, tmp_path / "raw", tmp_path / "prepared")["toy"]
    assert (facts["numeric"], facts["classes"]) == (1, 2)


def test_a_filled_cache_needs_no_server_and_survives(server, tmp_path):
    describe(server, parquet=f"<oml:parquet_url>{server.address}/bucket/toy/dataset_5001.pq</oml:parquet_url>")
    cache(server).mkdir(parents=True)
    (cache(server) / "description.xml").write_bytes(server.pages[API])
    (cache(server) / "dataset.arff").write_text(ARFF)
    assert run(tmp_path, offline=True).status == "available"
    assert run(tmp_path, folder="again").status == "available"
    assert not server.asked  # not even for the parquet file that the description names
    server.close()
    assert run(tmp_path, folder="once more").status == "available"
    assert (cache(server) / "dataset.arff").read_text() == ARFF


def test_what_was_fetched_once_is_kept_when_server_and_cache_are_gone(server, tmp_path):
    describe(server)
    run(tmp_path)
    server.close()
    for file in cache(server).iterdir():
        file.unlink()
    assert run(tmp_path, offline=True).status == "available"
    assert prepare({"toy": SPEC}, tmp_path / "raw", tmp_path / "prepared")["toy"]["rows"] == 3


def test_fetching_twice_writes_equal_bytes(server, tmp_path):
    describe(server)
    for folder in ("one", "two"):
        run(tmp_path, folder=folder)
    for name in ("openml-5001.csv", "source.json"):
        assert (tmp_path / "one/toy" / name).read_bytes() == (tmp_path / "two/toy" / name).read_bytes()


def test_an_absent_server_is_asked_once_and_is_a_reason(server, tmp_path, monkeypatch):
    server.close()
    specs = {name: {**SPEC, "name": name} for name in ("one", "two", "three")}
    outcomes = fetch(specs, tmp_path / "raw", FetchSettings(store=tmp_path / "store", source="openml"), progress=False)
    assert {outcome.reason for outcome in outcomes.values()} == {
        "openml:5001: OpenML cannot be reached: ConnectionError"
    }
    assert all(outcome.unreachable for outcome in outcomes.values())
    offline = run(tmp_path, offline=True)
    assert "not in OpenML's cache" in offline.reason
    assert "offline is set" in offline.reason


def test_a_corrupt_download_is_a_reason(server, tmp_path, monkeypatch):
    monkeypatch.setattr(openml.config, "connection_n_retries", 1)
    describe(server, md5="0" * 32)
    outcome = run(tmp_path)
    assert outcome.status == "unavailable"
    assert "OpenML gave no data set 5001: OpenMLHashException" in outcome.reason


def test_rules_choose_class_numbers_and_levels(server, tmp_path):
    describe(server)
    parse = {
        "target": "colour",
        "missing": ["blue"],
        "drop": ["flag", "fraction"],
        "nominal": [{"columns": ["id"], "levels": ["1", "2", "3", "4"]}],
        "without_class": [""],
    }
    spec = {**SPEC, "rows": 2, "attributes": 3, "sources": [{"kind": "openml", "id": 5001, "parse": parse}]}
    assert run(tmp_path, spec).status == "available"
    prepare({"toy": spec}, tmp_path / "raw", tmp_path / "prepared")
    dataset = load(tmp_path / "prepared" / "toy.parquet")
    assert list(dataset.X) == ["whole number", "id", "class"]
    assert dataset.X["id"].tolist() == ["1", "3"]
    assert list(dataset.X["id"].cat.categories) == ["1", "2", "3", "4"]
    assert dataset.y.tolist() == ["red", "dark green"]
    wrong = {**SPEC, "sources": [{"kind": "openml", "id": 5001, "parse": {"target": "kind"}}]}
    assert "no column 'kind' to be the class" in run(tmp_path, wrong, folder="other").reason


def test_all_columns_may_be_read_as_numbers(server, tmp_path):
    arff = "@relation t\n@attribute soil {0,1}\n@attribute class NUMERIC\n@data\n0,2\n1,10\n1,2\n"
    describe(server, md5=hashlib.md5(arff.encode()).hexdigest())
    server.pages[DATA] = arff.encode()
    spec = {**SPEC, "attributes": 1, "sources": [{"kind": "openml", "id": 5001, "parse": {"numeric": "all"}}]}
    run(tmp_path, spec)
    prepare({"toy": spec}, tmp_path / "raw", tmp_path / "prepared")
    dataset = load(tmp_path / "prepared" / "toy.parquet")
    assert dataset.X["soil"].tolist() == [0.0, 1.0, 1.0]
    assert list(dataset.y.cat.categories) == ["2", "10"]


def test_without_the_client_the_reason_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openml", None)  # as if it were not installed
    spec = {"name": "oak", "sources": [{"kind": "openml", "id": 1}]}
    found = fetch({"oak": spec}, tmp_path / "raw", FetchSettings(store=tmp_path / "store"), progress=False)["oak"]
    assert found.status == "unavailable"
    assert "pip install 'arboretum[openml]'" in found.reason


def test_one_changed_value_of_the_server_is_refused_and_leaves_the_prepared_file(server, tmp_path):
    describe(server)
    run(tmp_path)
    facts = prepare({"toy": SPEC}, tmp_path / "raw", tmp_path / "prepared")["toy"]
    pinned = {**SPEC, "fingerprint": facts["fingerprint"]}
    prepare({"toy": pinned}, tmp_path / "raw", tmp_path / "prepared")
    before = (tmp_path / "prepared" / "toy.parquet").read_bytes()
    other = ARFF.replace("255", "254")
    describe(server, md5=hashlib.md5(other.encode()).hexdigest())
    server.pages[DATA] = other.encode()
    shutil.rmtree(cache(server))
    assert run(tmp_path, pinned, folder="other").source == "openml:5001"
    with pytest.raises(
        ArboretumError, match=r"data set 'toy' is not the one that conf/dataset/toy.yaml names: .*openml:5001"
    ):
        prepare({"toy": pinned}, tmp_path / "other", tmp_path / "prepared")
    assert (tmp_path / "prepared" / "toy.parquet").read_bytes() == before
