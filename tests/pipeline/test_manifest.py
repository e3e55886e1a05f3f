"""Manifests: a set that stored results were made from is never dropped without a word."""

from __future__ import annotations

import json

import pytest

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


@pytest.fixture
def lost(tmp_path):
    """A checkout whose stored results were made from the set ``coin``, which cannot be had any more."""
    workspace = Workspace(root=tmp_path, out=tmp_path, tasks=tmp_path / "tasks")
    path = workspace.manifest("quick", "toy")
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"coin": {"status": "available", "fingerprint": "abc"}}))
    record = workspace.raw_data("quick") / "coin" / "source.json"
    record.parent.mkdir(parents=True)
    record.write_text(json.dumps({"status": "unavailable", "reason": "no mirror on this machine"}))
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
    params["paper"] = params["quick"]
    prepare_profile(lost, params, "quick", allow_missing=True)
    prepare_profile(lost, params, "paper")
    assert manifest_of(lost, "paper", "toy") == manifest_of(lost, "quick", "toy")


def test_missing_and_damaged_manifests_are_told_with_the_fix(lost):
    lost.manifest("quick", "toy").write_text("{")
    with pytest.raises(ArboretumError, match=r"is damaged.*arboretum fetch --profile quick"):
        manifest_of(lost, "quick", "toy")
    with pytest.raises(ArboretumError, match=r"is missing. Run `arboretum fetch --profile quick`"):
        manifest_of(lost, "quick", "dynint")
