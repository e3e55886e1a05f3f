"""Results recomputed as on another processor agree with what is stored."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from benchmarks.machines import SAMPLE, run_check
from benchmarks.switches import NOISE, NUMPY_BASELINE

from arboretum.project.params import papers_at

PARAMS = yaml.safe_load((Path(__file__).parents[1] / "params.yaml").read_text(encoding="utf-8"))


#: Its experiments compute with floats before they store; the others count.
FLOATS = {"infinity": 5_000}  # least number of cells that the sample has


@pytest.mark.slow
def test_the_quick_profile_verifies_where_numpy_has_no_wide_paths(tmp_path):
    """One worker, because other tests run beside this one; `make machines` tries more processors and more workers."""
    setting = NUMPY_BASELINE._replace(workers=1)
    found = run_check(setting, "quick, recomputed", papers_at(PARAMS, "quick"), tmp_path, timeout=1200)
    assert {checked.paper for checked in found} == set(papers_at(PARAMS, "quick"))
    assert all(checked.cells > 10_000 and checked.differences == 0 for checked in found), found


@pytest.mark.slow
def test_a_sample_of_the_printed_protocol_verifies_under_random_last_places(tmp_path):
    """2% of the tasks of each experiment, every function of NumPy and SciPy moved in its last place."""
    found = run_check(NOISE._replace(workers=1), SAMPLE, list(FLOATS), tmp_path, timeout=1200)
    assert {checked.paper for checked in found} == set(FLOATS)
    assert all(checked.cells > FLOATS[checked.paper] and checked.differences == 0 for checked in found), found
