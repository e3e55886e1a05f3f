"""What a newcomer has after git clone: DVC fetches, then recomputes nothing, bytecode and all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml
from benchmarks.switches import NUMPY_BASELINE

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow


def run(command: list[str], folder: Path, **extra: str) -> str:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHONDONTWRITE")}
    environment |= {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", **extra}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """The tracked files of this checkout as they are now, committed in a repository of their own."""
    folder = tmp_path_factory.mktemp("clone") / "arboretum"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    run(["git", "init", "-q"], folder)
    run(["git", "add", "-A"], folder)
    run(["git", "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "-qm", "clone"], folder)
    return folder


def dvc(clone: Path, *arguments: str) -> str:
    """Run DVC in the clone with the clone's own sources, so that their bytecode lands in the clone."""
    return run(["dvc", *arguments], clone, PYTHONPATH=str(clone / "src"))


def listed_stages(clone: Path) -> dict:
    return yaml.safe_load((clone / "stages.yaml").read_text("utf-8"))["stages"]


def ran(said: str) -> list[str]:
    """The stages that DVC ran, but for `code`, which always runs and decides what else does."""
    return [stage for stage in re.findall(r"Running stage '([^']+)'", said) if stage != "code"]


def changed(clone: Path) -> str:
    """Stored files that differ from the committed ones."""
    return run(
        ["git", "status", "--porcelain", "--", "data", "results", "figures", "params.yaml", "stages.yaml", "dvc.lock"],
        clone,
    )


def test_with_missing_data_allowed_nothing_runs(clone):
    said = dvc(clone, "repro", "--allow-missing", "experiment")
    assert not ran(said), said


def test_quick_fetches_and_recomputes_nothing(clone):
    renderings = [f"render@{name}" for name in listed_stages(clone)["renderings"] if name.startswith("quick-")]
    said = dvc(clone, "repro", *renderings)
    assert "Running stage 'fetch@quick'" in said
    assert "Running stage 'experiment@" not in said, said
    assert list(clone.glob("src/arboretum/**/__pycache__")), (
        "bytecode must land in the clone for this to prove anything"
    )
    assert ran(dvc(clone, "repro", "--single-item", "report")) == ["report"]
    assert (clone / "report" / "index.html").is_file()
    again = dvc(clone, "repro", *renderings) + dvc(clone, "repro", "--single-item", "report")
    assert not ran(again), again
    assert not changed(clone), "regenerated files differ from the committed ones"


def test_rendering_as_on_another_processor_leaves_the_checkout_clean(clone):
    """A file that agrees within its tolerance is left as it is; NumPy without its wide paths rounds differently."""
    command = [sys.executable, "-W", "ignore", "-m", "arboretum", "render", "--profile", "quick"]
    said = run(command, clone, PYTHONPATH=str(clone / "src"), **NUMPY_BASELINE.environment)
    assert "no files replaced" in said
    assert not changed(clone), said


def test_metrics_and_stages_show_what_a_user_of_dvc_expects(clone):
    assert "results/quick/vrtrees/metrics.json" in dvc(clone, "metrics", "show").replace(os.sep, "/")
    assert "experiment@quick-vrtrees-spectrum" in dvc(clone, "stage", "list")


def test_paper_fetches_and_recomputes_nothing(clone):
    if not os.environ.get("ARBORETUM_MIRROR"):
        pytest.skip("ARBORETUM_MIRROR is not set: sick cannot be had")
    said = dvc(clone, "repro")
    assert "Running stage 'fetch@full'" in said
    assert "Running stage 'experiment@" not in said, said
    assert not changed(clone), "regenerated files differ from the committed ones"


def test_an_experiment_with_another_parameter_runs_that_experiment_only(clone):
    raw = clone / "results" / "quick" / "infinity" / "raw" / "completeness.parquet"
    before = len(pd.read_parquet(raw))
    stage = "experiment@quick-infinity-completeness"
    said = dvc(clone, "exp", "run", "-S", "quick.infinity.completeness.cells=[4,4]", stage)
    assert f"Running stage '{stage}'" in said
    assert said.count("Running stage 'experiment@") == 1
    assert "Running stage 'fetch@" not in said
    assert len(pd.read_parquet(raw)) < before
