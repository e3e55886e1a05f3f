"""Manifests: a set that stored results were made from is never dropped without a word."""

from __future__ import annotations

import json

import pytest

from arboretum.datasets.record import write_record
from arboretum.errors import ArboretumError
from arboretum.papers.contract import Paper
from arboretum.pipeline.data import prepare_profile
from arboretum.project.manifest import manifest_of
from arboretum.project.workspace import Workspace

COIN = {
    "name": "coin",
    "title": "Coins",
    "names": {"toy": "the coin"},
    "sources": [{"kind": "mirror", "members": [{"path": "coin.csv", "sha256": "0" * 64}]}],
    "differences": {"toy": "it is round"},
}

WHOLE = {
    "status": "available",
    "fingerprint": "a" * 64,
    "printed_as": "the coin",
    **dict.fromkeys(("rows", "attributes", "classes", "missing"), 2),
}


@pytest.fixture
def lost(tmp_path):
    """A checkout whose stored results were made from the set ``coin``, which cannot be had any more."""
    workspace = Workspace(root=tmp_path, out=tmp_path, tasks=tmp_path / "tasks")
    path = workspace.manifest("quick", "toy")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"coin": WHOLE}))
    record = {"status": "unavailable", "reason": "no mirror on this machine"}
    write_record(workspace.raw_data("quick") / "coin", record)
    return workspace


@pytest.fixture
def params(monkeypatch):
    monkeypatch.setattr("arboretum.papers.get", lambda key: Paper(key, experiments={}))
    return {"datasets": {"coin": COIN}, "quick": {"toy": {"sets": ["coin"]}}}


def test_a_lost_set_stops_before_anything_changes(lost, params):
    before = lost.manifest("quick", "toy").read_bytes()
    with pytest.raises(ArboretumError, match=r"data set .coin': stored results of toy at quick.*ARBORETUM_MIRROR"):
        prepare_profile(lost, params, "quick")
    assert lost.manifest("quick", "toy").read_bytes() == before


def test_a_lost_set_may_be_allowed_and_is_then_a_row_with_its_reason(lost, params):
    prepare_profile(lost, params, "quick", allow_missing=True)
    entry = manifest_of(lost, "quick", "toy")["coin"]
    assert entry["status"] == "unavailable"
    assert entry["reason"] == "none of its sources has it: mirror"  # nothing of this machine
    assert entry["printed_as"] == "the coin" and entry["explained"] == "it is round"


def test_a_set_that_a_smaller_profile_could_not_have_is_as_unavailable_in_a_larger_one(lost, params):
    params["full"] = params["quick"]
    prepare_profile(lost, params, "quick", allow_missing=True)
    prepare_profile(lost, params, "full")
    assert manifest_of(lost, "full", "toy") == manifest_of(lost, "quick", "toy")


@pytest.mark.parametrize(
    "content",
    [
        "{",
        "",
        "[]",
        json.dumps({"coin": 3}),
        json.dumps({"coin": {**WHOLE, "status": "availabel"}}),
        json.dumps({"coin": {**WHOLE, "fingerprint": "abc"}}),
        json.dumps({"coin": {**WHOLE, "rows": "2"}}),
        json.dumps({"coin": {"status": "unavailable", "printed_as": "the coin"}}),
    ],
)
def test_damaged_manifests_are_told_with_the_fix(lost, content):
    lost.manifest("quick", "toy").write_text(content)
    with pytest.raises(ArboretumError, match=r"toy.json is damaged.*git checkout.*arboretum fetch --profile quick"):
        manifest_of(lost, "quick", "toy")


def test_a_damaged_manifest_stops_preparing_too(lost, params):
    lost.manifest("quick", "toy").write_text("{")
    with pytest.raises(ArboretumError, match=r"toy.json is damaged"):
        prepare_profile(lost, params, "quick")


def test_a_missing_manifest_is_told_with_the_fix(lost):
    with pytest.raises(ArboretumError, match=r"is missing. Run `arboretum fetch --profile quick`"):
        manifest_of(lost, "quick", "dynint")
