"""The quick profile, recomputed as on another processor, agrees with what is stored."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.switches import NUMPY_BASELINE

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_quick_profile_verifies_where_numpy_has_no_wide_paths():
    """One worker, because other tests run beside this one; `make machines` tries more processors and more workers."""
    command = [sys.executable, "-W", "ignore", "-m", "arboretum", "verify", "--profile", "quick", "run.workers=1"]
    environment = {**os.environ, **NUMPY_BASELINE.environment}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    compared = re.findall(r"(\d+) cells\D+(\d+) differences", done.stdout)
    assert sum(int(cells) for cells, _ in compared) > 100_000, done.stdout
    assert not any(int(differences) for _, differences in compared), done.stdout
