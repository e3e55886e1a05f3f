"""Running experiments: completeness, resuming, and results that depend on nothing but their parameters."""

from __future__ import annotations

import os
import signal
import subprocess
import time

import pandas as pd
import pytest


def coins(checkout, profile="quick"):
    return checkout.results(profile) / "raw" / "coins.parquet"


def without_timing(path):
    return pd.read_parquet(path).drop(columns="seconds")


def test_run_stores_every_row_and_a_second_run_computes_nothing(checkout):
    checkout.did("run", "toy/coins")
    first = coins(checkout).read_bytes()
    assert len(pd.read_parquet(coins(checkout))) == 12
    assert len(checkout.ran()) == 12
    checkout.did("run", "toy/coins")
    assert len(checkout.ran()) == 12
    assert coins(checkout).read_bytes() == first


@pytest.mark.parametrize("setting", ["run.workers=1", "run.workers=2", "run.workers=4", "run.engine=serial"])
def test_rows_do_not_depend_on_workers_or_hash_seed(checkout, setting):
    checkout.did("run", "toy/coins", "run.engine=serial", PYTHONHASHSEED="1")
    expected = without_timing(coins(checkout))
    coins(checkout).unlink()  # a stored file that agrees would be left as it is
    checkout.did("run", "toy/coins", setting, PYTHONHASHSEED="2", ARBORETUM_TASKS=str(checkout.root / "other"))
    pd.testing.assert_frame_equal(without_timing(coins(checkout)), expected, check_exact=True)


def test_killed_run_resumes_and_runs_no_finished_task_twice(checkout):
    config = checkout.root / "conf" / "paper" / "toy" / "quick.yaml"
    config.write_text(config.read_text() + "  repetitions: 20\n  seconds: 0.05\n")
    checkout.did("params")
    process = subprocess.Popen(
        checkout.command("run", "toy/coins", "run.engine=serial"),
        cwd=checkout.root,
        env=checkout.environment(),
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(checkout.ran()) < 10 and time.monotonic() < deadline:
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not coins(checkout).exists()
    begun = len(checkout.ran())
    assert 10 <= begun < 60
    checkout.did("run", "toy/coins", "run.engine=serial")
    ran = checkout.ran()
    assert len(set(ran)) == 60
    assert len(ran) <= 61  # only the task that was under way when the process died may run again
    resumed = without_timing(coins(checkout))
    checkout.did("run", "toy/coins", "run.engine=serial", ARBORETUM_TASKS=str(checkout.root / "other"))
    pd.testing.assert_frame_equal(without_timing(coins(checkout)), resumed, check_exact=True)


def test_adding_a_coin_changes_no_other_row(checkout):
    checkout.did("run", "toy/coins")
    before = without_timing(coins(checkout))
    config = checkout.root / "conf" / "paper" / "toy" / "full.yaml"
    config.write_text(config.read_text().replace("[cent, penny, dime]", "[aureus, cent, penny, dime]"))
    checkout.did("params")
    checkout.did("run", "toy/coins")
    after = without_timing(coins(checkout))
    kept = after[after["coin"] != "aureus"].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, before, check_exact=True)
    assert len(checkout.ran()) == 16  # the twelve finished ones were not run again


def test_a_failing_task_leaves_stored_results_alone(checkout):
    checkout.did("run", "toy/coins")
    stored = coins(checkout).read_bytes()
    config = checkout.root / "conf" / "paper" / "toy" / "quick.yaml"
    config.write_text(config.read_text().replace("throws: 10", "throws: 11"))
    checkout.did("params")
    message = checkout.failed("run", "toy/coins", "--keep-going", TOY_FAIL="penny")
    assert "4 of 12 tasks of toy/coins (quick) failed" in message
    assert "this coin cannot be thrown" in message
    assert coins(checkout).read_bytes() == stored
    checkout.did("run", "toy/coins")
    assert len(checkout.ran()) == 24


def test_dry_run_counts_tasks(checkout):
    assert "12 tasks, 0 finished" in checkout.did("run", "toy/coins", "--dry-run")
    checkout.did("run", "toy/coins")
    assert "12 tasks, 12 finished" in checkout.did("run", "toy/coins", "--dry-run")
    assert "about" in checkout.did("run", "toy/coins", "--dry-run", "--profile", "full")


def test_a_damaged_task_is_named_kept_apart_and_run_again(checkout):
    checkout.did("run", "toy/coins")
    expected = without_timing(coins(checkout))
    damaged = next((checkout.root / ".arboretum" / "tasks").rglob("*.records"))
    content = damaged.read_bytes()
    damaged.write_bytes(content[:200] + b"?" + content[201:])
    done = checkout.run("run", "toy/coins")
    assert done.returncode == 0
    assert str(damaged) in done.stderr and "copied to" in done.stderr
    assert len(checkout.ran()) == 13  # twelve, and the damaged one again
    pd.testing.assert_frame_equal(without_timing(coins(checkout)), expected, check_exact=True)
