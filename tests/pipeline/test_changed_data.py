"""Other data never becomes a result: a set that is not the pinned one, or not that of the manifest, is refused."""

from __future__ import annotations

import json
import random
import re

import pytest
from benchmarks.faults.changed_data import ChangedData, change_one_value, kept, specification
from benchmarks.faults.flips import CLEAR
from benchmarks.faults.garden import Garden, planted

from arboretum.datasets import load


@pytest.fixture
def garden(tmp_path):
    """A checkout with stored results."""
    garden = Garden(tmp_path / "garden", repetitions=1, seconds=0)
    garden.did("run", "garden")
    return garden


def pin(garden: Garden, fingerprint: str, name: str = "beds") -> None:
    text = re.sub("(?m)^fingerprint:.*\n", "", specification(garden, name).read_text())
    specification(garden, name).write_text(text.replace("sources:", f"fingerprint: {fingerprint}\nsources:", 1))


def fingerprint(garden: Garden, name: str = "beds") -> str:
    return load(garden.root / "data" / "prepared" / "quick" / f"{name}.parquet").fingerprint


@pytest.mark.parametrize("command", [("fetch",), ("fetch", "--sets", "beds"), ("prepare",), ("verify",)])
def test_a_set_that_is_not_the_one_of_the_manifest_is_refused_and_nothing_changes(garden, command):
    change_one_value(garden)
    garden.did("fetch", "--raw-only")
    before = kept(garden)
    code, said = garden.run(*command)
    assert code == 1, said
    assert "Traceback" not in said
    assert "data set 'beds' is not the one that" in said and "data/manifest/quick/garden.json" in said
    assert "--accept-changed beds" in said
    assert kept(garden) == before


def test_a_changed_set_is_taken_on_purpose_by_name(garden):
    before, rows = kept(garden), garden.rows()
    change_one_value(garden)
    assert garden.run("fetch", "--accept-changed", "rings")[0] == 1  # another one than the changed one
    assert kept(garden) == before
    said = garden.did("fetch", "--accept-changed", "beds")
    manifest = json.loads((garden.root / "data" / "manifest" / "quick" / "garden.json").read_bytes())
    assert manifest["beds"]["fingerprint"] == fingerprint(garden)
    assert fingerprint(garden) in said
    garden.did("fetch")
    garden.did("run", "garden")
    assert not garden.rows().equals(rows)


def test_accepting_a_set_that_is_not_there_is_refused(garden):
    code, said = garden.run("fetch", "--accept-changed", "bed")
    assert code == 1 and "Did you mean 'beds'?" in said


def test_a_set_that_is_not_the_pinned_one_is_refused_without_a_manifest_too(garden):
    pin(garden, fingerprint(garden))
    garden.did("fetch")
    change_one_value(garden)
    (garden.root / "data" / "manifest" / "quick" / "garden.json").unlink()
    before = kept(garden)
    code, said = garden.run("fetch")
    assert code == 1 and "conf/dataset/beds.yaml" in said and "--accept-changed beds" in said
    assert kept(garden) == before
    garden.did("fetch", "--accept-changed", "beds")
    code, said = garden.run("fetch")  # the pin is still that of the other data
    assert code == 1 and f"fingerprint: {fingerprint(garden)}" in said
    pin(garden, fingerprint(garden))
    garden.did("fetch")


def test_a_prepared_file_that_somebody_put_there_does_not_reach_the_manifest(garden):
    """Of a larger profile: the sets of a smaller one are taken as they lie there."""
    mine = fingerprint(garden)
    change_one_value(garden)
    garden.did("fetch", "--accept-changed", "beds")
    other = (garden.root / "data" / "prepared" / "quick" / "beds.parquet").read_bytes()
    pin(garden, mine)
    (garden.root / "data" / "manifest" / "quick" / "garden.json").unlink()
    (garden.root / "data" / "prepared" / "quick" / "beds.parquet").write_bytes(other)
    code, said = garden.run("prepare", "--profile", "full")
    assert code == 1 and "conf/dataset/beds.yaml" in said
    assert not (garden.root / "data" / "manifest" / "full" / "garden.json").exists()


def test_generated_sets_are_pinned_for_the_seed_of_stored_results_alone(garden):
    pin(garden, fingerprint(garden, "rings"), "rings")
    garden.did("fetch")
    assert "stored results are untouched" in garden.did("run", "garden", "seed=2")
    pin(garden, "a" * 64, "rings")
    assert "seed 3" in garden.did("run", "garden", "seed=3")
    code, said = garden.run("fetch")
    assert code == 1 and "data set 'rings'" in said and "conf/dataset/rings.yaml" in said


def test_a_replication_refuses_a_changed_set_too(garden):
    pin(garden, "a" * 64)
    code, said = garden.run("run", "garden", "seed=2")
    assert code == 1 and "conf/dataset/beds.yaml" in said


def test_drawn_changes_of_a_source_are_refused(tmp_path):
    with planted():
        changed = ChangedData(Garden(tmp_path / "garden", repetitions=1, seconds=0))
        drawn = random.Random(1)
        assert {changed.one(drawn) for _ in range(3)} == {CLEAR}
