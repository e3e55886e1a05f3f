"""The quick profile, recomputed as on another processor, agrees with what is stored."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from benchmarks.switches import NUMPY_BASELINE

from arboretum.project.params import papers_at

ROOT = Path(__file__).parents[1]
PARAMS = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))


@pytest.mark.slow
def test_the_quick_profile_verifies_where_numpy_has_no_wide_paths():
    """One worker, because other tests run beside this one; `make machines` tries more processors and more workers."""
    command = [sys.executable, "-W", "ignore", "-m", "arboretum", "verify", "--profile", "quick", "run.workers=1"]
    environment = {**os.environ, **NUMPY_BASELINE.environment}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    compared = re.findall(r"^(\w+) .* (\d+) cells +(\d+) differences", done.stdout, re.MULTILINE)
    assert {paper for paper, _, _ in compared} == set(papers_at(PARAMS, "quick")), done.stdout
    assert all(int(cells) > 10_000 and differences == "0" for _, cells, differences in compared), done.stdout
