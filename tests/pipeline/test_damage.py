"""Damaged files of a checkout: each is an error that names file and fix, or made again; never a traceback."""

from __future__ import annotations

import random

import pytest
from benchmarks.faults.flips import SILENT, TRACEBACK, Flips
from benchmarks.faults.garden import Garden, planted


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    garden = Garden(tmp_path_factory.mktemp("damage") / "garden", repetitions=3, seconds=0)
    garden.did("run", "garden")
    garden.did("render", "garden")
    return garden


@pytest.fixture(scope="module")
def flips(garden):
    with planted():
        yield Flips(garden)


KINDS = ["task record", "prepared data", "raw results", "stored table", "manifest", "source.json", "raw data"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_flipped_bit_makes_a_wrong_number_or_a_traceback(flips, kind):
    found = flips.tried(kind, 25, random.Random(kind))
    assert sum(found.values()) == 25
    assert found[SILENT] == 0 and found[TRACEBACK] == 0


GARBAGE = {
    "prepared data": ("data/prepared/quick/beds.parquet", ["run", "garden"], "fetch --profile quick --sets beds"),
    "manifest": ("data/manifest/quick/garden.json", ["run", "garden"], "git checkout"),
    "manifest, fetching": ("data/manifest/quick/garden.json", ["fetch"], "git checkout"),
    "source.json": ("data/raw/quick/beds/source.json", ["prepare"], "arboretum fetch --profile quick --sets beds"),
    "source.json, status": ("data/raw/quick/beds/source.json", ["data", "status"], "arboretum fetch"),
    "raw results": ("results/quick/garden/raw/weights.parquet", ["render", "garden"], "arboretum run garden/weights"),
    "raw results, explained": (
        "results/quick/garden/raw/weights.parquet",
        ["explain", "garden", "table1", "--row", "beds"],
        "arboretum run garden/weights",
    ),
    "table": ("results/quick/garden/tables/table1.csv", ["verify", "--stored"], "git checkout"),
    "table, explained": (
        "results/quick/garden/tables/table1.csv",
        ["explain", "garden", "table1", "--row", "beds"],
        "git checkout",
    ),
    "table, report": ("results/quick/garden/tables/table1.csv", ["report"], "git checkout"),
    "raw results, report": ("results/quick/garden/raw/weights.parquet", ["report"], "arboretum run garden/weights"),
}  # fmt: skip


@pytest.mark.parametrize("what", GARBAGE)
@pytest.mark.parametrize("garbage", [b"", b"\xff\x00\xfe{[\x80"], ids=["empty", "garbage"])
def test_a_ruined_file_is_an_error_that_names_it_and_the_fix(garden, what, garbage):
    file, command, fix = GARBAGE[what]
    path = garden.root / file
    content = path.read_bytes()
    path.write_bytes(garbage)
    try:
        tasks = {"ARBORETUM_TASKS": str(garden.root / "none")} if command[0] == "run" else {}
        code, said = garden.run(*command, **tasks)
    finally:
        path.write_bytes(content)
    assert code == 1
    assert "Traceback" not in said
    assert path.name in said and fix in said


def test_the_command_that_the_error_names_mends_prepared_data(garden):
    expected = garden.rows()
    path = garden.root / "data" / "prepared" / "quick" / "beds.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    again = {"ARBORETUM_TASKS": str(garden.root / "again")}
    assert garden.run("run", "garden", **again)[0] == 1
    garden.did("fetch", "--profile", "quick", "--sets", "beds")
    garden.did("run", "garden", **again)
    assert garden.rows().equals(expected)


def test_ruined_raw_results_are_made_again_from_the_task_records(garden):
    expected, ran = garden.rows(), len(garden.ran())
    garden.raw().write_bytes(b"PAR1")
    said = garden.did("run", "garden")
    assert "weights.parquet is damaged" in said and "written anew" in said
    assert garden.rows().equals(expected)
    assert len(garden.ran()) == ran
