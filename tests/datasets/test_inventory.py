"""The inventory conf/dataset: complete, plain, consistent with itself and with the printed tables."""

from __future__ import annotations

import csv
import json
import re

import pytest
from omegaconf import OmegaConf

from arboretum.datasets.fetch import KINDS
from arboretum.datasets.generators import GENERATORS
from arboretum.datasets.sources import label
from arboretum.datasets.table import FORMATS

from .conftest import ROOT, inventory

PUBLISHED = ROOT / "data" / "published"
PAPERS = ("vrtrees", "dynint", "pert", "infinity", "diversity")
KEYS = {
    "name",
    "title",
    "names",
    "rows",
    "attributes",
    "official_train",
    "fingerprint",
    "unavailable",
    "sources",
    "parse",
    "printed",
    "differences",
    "quirks",
    "licence",
}
SHA256 = re.compile(r"[0-9a-f]{64}")


def printed_rows(paper: str, table: str) -> dict[str, dict[str, str]]:
    with (PUBLISHED / paper / table).open(encoding="utf-8") as file:
        return {row["dataset"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("name", inventory())
def test_each_file_says_what_a_reader_needs(specs, name: str):
    spec = specs[name]
    assert set(spec) <= KEYS
    assert spec["name"] == name
    assert spec["title"]
    assert spec["licence"]
    assert set(spec.get("names", {})) <= set(PAPERS)
    assert spec["rows"] > 0
    assert spec["attributes"] > 0
    assert isinstance(spec["quirks"], list)
    assert bool(spec["sources"]) != ("unavailable" in spec)
    assert set(spec.get("differences", {})) <= set(spec.get("printed", {}))


@pytest.mark.parametrize("name", inventory())
def test_sources_are_pinned_and_known(specs, name: str):
    sources = specs[name]["sources"]
    assert len({label(source) for source in sources}) == len(sources)
    for source in sources:
        assert source["kind"] in KINDS
        for member in source.get("members", []):
            assert SHA256.fullmatch(member["sha256"])
        if source["kind"] in {"pypi", "url"}:
            assert SHA256.fullmatch(source["sha256"])
            assert source["size"] > 0
        if source["kind"] in {"pypi", "mirror", "bundled", "sklearn"}:
            assert source["members"]
        if source["kind"] == "generator":
            assert source["function"] in GENERATORS
            assert source["seed"] == 1
    if any(source["kind"] not in {"generator", "openml"} for source in sources):
        assert specs[name]["parse"]["format"] in {*FORMATS, "windows"}


def test_every_set_that_can_be_had_is_pinned_by_the_fingerprint_of_its_content(specs):
    for name, spec in specs.items():
        assert bool(spec["sources"]) == bool(SHA256.fullmatch(spec.get("fingerprint", ""))), name
    assert len({spec["fingerprint"] for spec in specs.values() if spec["sources"]}) == len(specs) - 1


def test_manifests_name_the_pinned_fingerprints(specs):
    differing = {
        (path.parent.name, name)
        for path in sorted((ROOT / "data" / "manifest").glob("*/*.json"))
        for name, facts in json.loads(path.read_bytes()).items()
        if facts.get("fingerprint") != specs[name].get("fingerprint")
    }
    assert not differing


def test_values_survive_hydra(specs):
    for name, spec in specs.items():
        assert OmegaConf.to_container(OmegaConf.create(spec), resolve=True, throw_on_missing=True) == spec, name


def test_one_artifact_has_one_hash_and_size_everywhere(specs):
    pins: dict[str, set] = {}
    for spec in specs.values():
        for source in spec["sources"]:
            if source["kind"] == "pypi":
                pins.setdefault(source["filename"], set()).add((source["package"], source["sha256"], source["size"]))
    assert {filename: len(pin) for filename, pin in pins.items()} == dict.fromkeys(pins, 1)


def test_only_four_sets_need_more_than_a_package_index(specs):
    near = {"generator", "sklearn", "bundled", "pypi"}
    beyond = {name for name, spec in specs.items() if not near & {source["kind"] for source in spec["sources"]}}
    assert beyond == {"sick", "qsar-biodeg", "bioresponse", "mnist-subset", "coding"}


def test_only_tiny_sets_are_bundled_and_their_provenance_is_told(specs):
    bundled = {
        member["path"]: member["sha256"]
        for spec in specs.values()
        for source in spec["sources"]
        if source["kind"] == "bundled"
        for member in source["members"]
    }
    assert set(bundled) == {"data/bundled/labor.csv", "data/bundled/soybean.csv"}
    provenance = (ROOT / "data" / "bundled" / "PROVENANCE.md").read_text(encoding="utf-8")
    for path, sha256 in bundled.items():
        assert sha256 in provenance
        assert (ROOT / path).stat().st_size < 200_000


def test_printed_rows_and_sets_belong_to_each_other_one_to_one(specs):
    tables = {
        "vrtrees": ["table6_datasets.csv", "table3_error.csv"],
        "dynint": ["table1_datasets.csv"],
        "pert": ["table2_error.csv"],
        "diversity": ["table5_1.csv"],
    }
    for paper, files in tables.items():
        sets = [spec["names"][paper] for spec in specs.values() if paper in spec.get("names", {})]
        assert len(set(sets)) == len(sets), paper
        for file in files:
            rows = {name for name in printed_rows(paper, file) if not name.lower().startswith(("mean", "average"))}
            assert rows == set(sets), (paper, file)


def test_printed_sizes_are_those_of_vrtrees_table_6(specs):
    misread = {"abalone": {"nominal": 1}}  # "ln" in the text of the paper
    for spec in specs.values():
        if "vrtrees" not in spec.get("names", {}):
            continue
        row = printed_rows("vrtrees", "table6_datasets.csv")[spec["names"]["vrtrees"]]
        counts = {kind: int(count) for count, kind in re.findall(r"(\d+)([ncb])", row["att_printed"])}
        expected = {
            "rows": int(row["size"]),
            "numeric": counts.get("c", 0),
            "nominal": counts.get("n", 0),
            "binary": counts.get("b", 0),
            **misread.get(spec["name"], {}),
        }
        if row["classes_printed"]:
            expected["classes"] = int(row["classes_printed"])
        assert spec["printed"]["vrtrees"] == expected, spec["name"]


def test_printed_sizes_are_those_of_dynint_table_1(specs):
    for spec in specs.values():
        if "dynint" in spec.get("names", {}):
            row = printed_rows("dynint", "table1_datasets.csv")[spec["names"]["dynint"]]
            assert spec["printed"]["dynint"] == {
                "rows": int(row["size"]),
                "categorical": int(row["cat_features"]),
                "numeric": int(row["num_features"]),
                "classes": int(row["classes"]),
            }, spec["name"]
