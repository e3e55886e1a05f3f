"""``arboretum compile``: afterwards no fit compiles."""

from __future__ import annotations

import subprocess
import sys

from arboretum.pipeline.compile_ahead import fitted, tables

FIT = """
import sys
from pathlib import Path
from arboretum.pipeline.compile_ahead import fitted, tables
X, y = tables()["complete"]
assert fitted(Path(sys.argv[1]), X[["size"]], y)
"""


def test_what_is_compiled_ahead_is_not_compiled_again(checkout, tmp_path):
    learners = checkout.root / "conf" / "learner"
    learners.mkdir(exist_ok=True)
    for path in learners.glob("*.yaml"):
        path.unlink()
    (learners / "leaves.yaml").write_text("kind: purely_random\nn_leaves: 16\nn_estimators: 100\n")
    cache = {"ARBORETUM_CACHE_DIR": str(tmp_path / "cache")}
    first = checkout.run("compile", **cache)
    assert first.returncode == 0 and "kernels of 1 learners on 3 tables" in first.stdout, first.stdout + first.stderr
    assert "compiling kernels" not in first.stderr, "it shows its own progress"
    compiled = sorted((tmp_path / "cache").rglob("*.nbc"))
    fit = [sys.executable, "-c", FIT, str(learners / "leaves.yaml")]
    done = subprocess.run(fit, env=checkout.environment(**cache), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0 and done.stderr == ""
    assert compiled and sorted((tmp_path / "cache").rglob("*.nbc")) == compiled


def test_a_learner_that_takes_no_such_table_is_left_out(tmp_path):
    path = tmp_path / "networks.yaml"
    path.write_text("kind: ncl\nn_estimators: 2\nhidden: 2\n")
    assert not fitted(path, *tables()["missing"])
