"""Fetching from the command line: a set asked for by name must come, and sets that left a profile go."""

from __future__ import annotations

import pytest
from benchmarks.faults.garden import Garden


@pytest.fixture(scope="module")
def garden(tmp_path_factory):
    return Garden(tmp_path_factory.mktemp("data") / "garden")


def test_a_set_that_cannot_be_had_fails_the_fetch_that_names_it_and_not_the_one_of_its_profile(garden):
    bundled = garden.root / "data" / "bundled" / "beds.csv"
    content = bundled.read_bytes()
    bundled.unlink()
    (garden.root / "data" / "raw" / "quick" / "beds" / "beds.csv").unlink()
    code, said = garden.run("fetch", "--sets", "beds,rings")
    assert code == 3 and "Traceback" not in said
    assert "1 of 2 data sets available" in said and "data set 'beds' cannot be had" in said
    assert garden.run("fetch", "--raw-only")[0] == 0
    bundled.write_bytes(content)
    assert "2 of 2 data sets available" in garden.did("fetch", "--sets", "beds,rings")


def test_what_belongs_to_a_set_that_left_the_profile_is_removed(garden):
    raw, prepared = (garden.root / "data" / kind / "quick" for kind in ("raw", "prepared"))
    (raw / "moss").mkdir()
    (raw / "moss" / "source.json").write_text("{}")
    (prepared / "moss.parquet").write_bytes((prepared / "beds.parquet").read_bytes())
    said = garden.did("fetch")
    assert said.count("its set is not in this profile") == 2
    assert sorted(path.name for path in raw.iterdir()) == ["beds", "rings"]
    assert sorted(path.name for path in prepared.iterdir()) == ["beds.parquet", "rings.parquet"]
