"""Killed runs, killed workers, starved machines: nothing finished is lost, and the same command resumes.

A fixed sample of what ``make soak`` does many times.
"""

from __future__ import annotations

import random
import signal
import subprocess

import pytest
from benchmarks.faults import starvation
from benchmarks.faults.flips import CLEAR, RECOVERED
from benchmarks.faults.garden import Garden, wait_until
from benchmarks.faults.kills import TASKS, Kills, group_lives, killed_garden, workers_of


@pytest.fixture(scope="module")
def kills(tmp_path_factory):
    return Kills(killed_garden(tmp_path_factory.mktemp("kills") / "garden"))


@pytest.fixture(scope="module")
def starved(tmp_path_factory):
    return starvation.Starvation(Garden(tmp_path_factory.mktemp("starved") / "garden", repetitions=4, seconds=0.1))


@pytest.mark.parametrize("what", ["runner", "worker"])
def test_a_kill_loses_nothing_that_was_finished(kills, what):
    assert getattr(kills, what)(random.Random(1)) == RECOVERED


@pytest.mark.parametrize("kind", starvation.KINDS)
def test_starvation_is_one_clear_line_with_an_exit_code_of_its_own(starved, kind):
    assert getattr(starved, kind)() == CLEAR


def test_a_worker_that_dies_again_on_the_same_task_ends_the_run_in_words(kills):
    store = kills._fresh()
    process = kills.garden.start("run", "garden", **store)
    while process.poll() is None:
        for worker in workers_of(process):
            worker.kill()
        wait_until(lambda: process.poll() is not None, 0.3)
    said = "".join(process.communicate(timeout=60))
    assert process.returncode == 4
    assert "died twice on the same tasks" in said and "Traceback" not in said
    kills.garden.did("run", "garden", **store)
    assert kills.garden.rows().equals(kills.expected)


def test_two_runs_at_once_on_one_store_and_one_killed_are_both_right(kills):
    store = kills._fresh()
    first, second = (kills.garden.start("run", "garden", **store) for _ in range(2))
    assert wait_until(lambda: kills._finished() > 2)
    first.kill()
    first.communicate(timeout=60)
    said = "".join(second.communicate(timeout=120))
    assert second.returncode == 0, said
    assert kills.garden.rows().equals(kills.expected)
    before = len(kills.garden.ran())
    kills.garden.did("run", "garden", **store)
    assert len(kills.garden.ran()) == before and kills._finished() == TASKS


def test_a_process_that_reads_the_output_of_a_killed_run_is_not_kept_waiting(kills):
    """Workers hold no pipe of a runner that is gone, and nothing of the run lives on."""
    process = kills._started(random.Random(2), kills._fresh(), "run", "garden")
    process.send_signal(signal.SIGKILL)
    try:
        process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        pytest.fail("somebody still holds the output of the killed run")
    assert wait_until(lambda: not group_lives(process), 20)
