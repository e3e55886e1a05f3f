"""``arboretum sweep`` as a user of Hydra runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from benchmarks.faults.garden import finished

ROOT = Path(__file__).parents[2]
SMALL = ["dataset=iris", "learner=vr_aggregating", "learner.n_estimators=3", "folds=3"]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "arboretum", "sweep", *arguments]


def environment(folder: Path) -> dict[str, str]:
    return os.environ | {"ARBORETUM_ROOT": str(ROOT), "ARBORETUM_TASKS": str(folder / "tasks")}


def sweep(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments), cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=300
    )


def kept(folder: Path) -> list[bytes]:
    """The records of the jobs that were computed; one that was computed twice has two."""
    return [line for path in sorted((folder / "tasks").rglob("*.records")) for line in path.open("rb")]


def summaries(folder: Path) -> list[pd.DataFrame]:
    return [pd.read_csv(path) for path in sorted(folder.glob("multirun/*/summary.csv"))]


def test_a_grid_gives_a_folder_a_job_and_a_summary_and_is_not_run_twice(tmp_path):
    grid = ["-m", *SMALL, "learner.alpha=0,1", "seed=1,2"]
    done = sweep(tmp_path, *grid)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 jobs; all results in" in done.stdout
    (summary,) = summaries(tmp_path)
    assert len(list(tmp_path.glob("multirun/*/[0-3]/result.json"))) == 4
    assert len(list(tmp_path.glob("multirun/*/[0-3]/.hydra/config.yaml"))) == 4
    assert sorted(zip(summary["alpha"], summary["seed"], strict=True)) == [(0, 1), (0, 2), (1, 1), (1, 2)]
    assert (summary["cases"] == 150).all() and (summary["errors"] <= 30).all()
    computed = kept(tmp_path)
    assert len(computed) == 4

    again = sweep(tmp_path, *grid)
    assert again.returncode == 0 and kept(tmp_path) == computed
    pd.testing.assert_frame_equal(summaries(tmp_path)[0], summary)

    alone = sweep(tmp_path, *SMALL, "learner.alpha=1", "seed=2")
    assert alone.returncode == 0 and kept(tmp_path) == computed
    row = summary[(summary["alpha"] == 1) & (summary["seed"] == 2)].iloc[0]
    assert f"errors={row['errors']} " in alone.stdout


def test_another_grid_in_the_same_folder_has_its_own_rows(tmp_path):
    here = f"hydra.sweep.dir={tmp_path / 'here'}"
    assert sweep(tmp_path, "-m", *SMALL, "learner.alpha=0,0.5,1", here).returncode == 0
    second = sweep(tmp_path, "-m", *SMALL, "learner.alpha=1", "seed=3", here)
    assert "1 jobs; all results in" in second.stdout
    counts = sorted(len(pd.read_csv(path)) for path in (tmp_path / "here").glob("*/summary.csv"))
    assert counts == [1, 3]


def test_two_sweeps_at_once_lose_nothing(tmp_path):
    grids = [["learner.alpha=0,1"], ["learner.alpha=0,1", "seed=1"], ["learner.alpha=1,0"]]
    running = [
        subprocess.Popen(
            command("-m", *SMALL, *grid), cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.DEVNULL
        )
        for grid in grids
    ]
    assert [process.wait(timeout=300) for process in running] == [0, 0, 0]
    found = summaries(tmp_path)
    assert [len(frame) for frame in found] == [2, 2, 2]
    errors = {tuple(frame.sort_values("alpha")["errors"]) for frame in found}
    assert len(errors) == 1
    assert finished(tmp_path / "tasks") == 2


def test_a_failing_job_is_a_row_and_the_others_are_summarised(tmp_path):
    grid = ["-m", *SMALL[:3], "learner.alpha=0,2,1", "folds=3,151"]
    done = sweep(tmp_path, *grid)
    assert done.returncode == 1
    assert "4 of 6 jobs failed" in done.stderr and "Traceback" not in done.stderr
    assert "'alpha' parameter of VRForest must be a float in the range" in done.stderr
    assert "folds: found 151, must be from 2 to 150" in done.stderr
    (summary,) = summaries(tmp_path)
    assert summary["error"].isna().tolist() == [True, False, False, False, True, False]
    assert summary["errors"].notna().sum() == 2
    assert "6 jobs; all results in" in done.stdout and "error %" in done.stdout
    alone = sweep(tmp_path, *SMALL, "learner.alpha=2")
    assert alone.returncode == 1 and "1 of 1 jobs failed" in alone.stderr


def test_a_damaged_result_of_a_job_is_no_result(tmp_path):
    assert sweep(tmp_path, "-m", *SMALL, "seed=1,2").returncode == 0
    (before,) = summaries(tmp_path)
    for path in tmp_path.glob("multirun/*/*/result.json"):
        path.write_text(json.dumps({"dataset": "iris", "errors": 0, "cases": 150, "error_percent": 0.0}))
    assert sweep(tmp_path, "-m", *SMALL, "seed=1,2").returncode == 0
    pd.testing.assert_frame_equal(summaries(tmp_path)[0], before)


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_cfg_shows_the_composed_settings_and_runs_nothing(tmp_path, place):
    flag, overrides = ["--cfg", "job"], ["learner=vr_bagging", "learner.alpha=0.25"]
    lines = {"first": [*flag, *overrides], "middle": [overrides[0], *flag, overrides[1]], "last": [*overrides, *flag]}
    done = sweep(tmp_path, *lines[place])
    assert done.returncode == 0, done.stderr
    assert "kind: bagging" in done.stdout and "alpha: 0.25" in done.stdout
    assert not kept(tmp_path) and not (tmp_path / "outputs").exists()


def test_wrong_names_are_told_with_the_nearest(tmp_path):
    assert "Did you mean 'iris'?" in sweep(tmp_path, "dataset=irs").stderr
    assert "Did you mean 'vr_aggregating'?" in sweep(tmp_path, "learner=vr_agregating").stderr
    both = sweep(tmp_path, "-m", "seed=1,2", "--cfg", "job")
    assert both.returncode == 1 and both.stderr.startswith("arboretum: Only one of --run, --multirun, --cfg")
    wrong = sweep(tmp_path, "sed=1")
    assert wrong.returncode == 1 and "Could not override 'sed'" in wrong.stderr and "Traceback" not in wrong.stderr
