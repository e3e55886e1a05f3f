"""``arboretum sweep`` as a user of Hydra runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]


def sweep(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "arboretum", "sweep", *arguments],
        cwd=folder,
        env=os.environ | {"ARBORETUM_ROOT": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_grid_gives_a_folder_a_job_and_a_summary(tmp_path):
    grid = ["-m", "dataset=iris", "learner=vr_aggregating", "learner.alpha=0,1", "learner.n_estimators=5", "seed=1,2"]
    done = sweep(tmp_path, *grid)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 jobs; all results in" in done.stdout
    summary = pd.read_csv(next(tmp_path.glob("multirun/*/*/summary.csv")))
    assert len(list(tmp_path.glob("multirun/*/*/[0-3]/result.json"))) == 4
    assert len(list(tmp_path.glob("multirun/*/*/[0-3]/.hydra/config.yaml"))) == 4
    assert sorted(zip(summary["alpha"], summary["seed"], strict=True)) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert (summary["cases"] == 150).all() and (summary["errors"] <= 30).all()
    again = sweep(tmp_path / ".", *grid[:3], "learner.alpha=1", "learner.n_estimators=5", "seed=2")
    assert again.returncode == 0, again.stderr
    row = summary[(summary["alpha"] == 1) & (summary["seed"] == 2)].iloc[0]
    assert f"errors={row['errors']} " in again.stdout


def test_wrong_names_are_told_with_the_nearest(tmp_path):
    assert "Did you mean 'iris'?" in sweep(tmp_path, "dataset=irs").stderr
    assert "Did you mean 'vr_aggregating'?" in sweep(tmp_path, "learner=vr_agregating").stderr
