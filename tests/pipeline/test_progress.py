"""Progress: lines in a log, with the time that remains."""

from __future__ import annotations

import io
import time

import pytest

from arboretum.pipeline.experiment import seconds_per_effort
from arboretum.pipeline.progress import Progress, duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (7501, "2 h 5 min")],
)
def test_duration_in_words(seconds, words):
    assert duration(seconds) == words


def advanced(monkeypatch, total, effort, ends):
    """What a log holds after tasks of (second at which it ended, effort)."""
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    progress = Progress("toy/coins", total=total, effort=effort, stream=stream, every=15.0)
    for clock[0], done in ends:
        progress.advance(done)
    progress.close()
    return stream.getvalue().splitlines()


def test_a_log_gets_lines_with_what_is_left(monkeypatch):
    lines = advanced(monkeypatch, 20, 40.0, [(second, 2.0) for second in range(2, 22, 2)])
    assert lines == ["toy/coins: 8/20 tasks, 16 s so far, about 24 s left"]


def test_tasks_that_wait_for_the_compiler_say_nothing_of_the_time_left(monkeypatch):
    """Forty seconds of compiling in the first tasks; the other 96 take a second each, and all cost the same."""
    compiling = [(10.0 * task, 1.0) for task in range(1, 5)]
    rest = [(40.0 + task, 1.0) for task in range(1, 31)]
    lines = advanced(monkeypatch, 100, 100.0, compiling + rest)
    assert lines[:2] == ["toy/coins: 2/100 tasks, 20 s so far", "toy/coins: 4/100 tasks, 40 s so far"]
    assert lines[2] == "toy/coins: 19/100 tasks, 55 s so far, about 1 min 21 s left"


def test_few_small_tasks_say_nothing_of_many_large_ones(monkeypatch):
    lines = advanced(monkeypatch, 100, 1000.0, [(0.1 * task, 0.01) for task in range(1, 10)] + [(16.0, 0.01)])
    assert lines == ["toy/coins: 10/100 tasks, 16 s so far"]


def test_the_rest_is_weighed_by_its_cost(monkeypatch):
    """Eight large tasks first, as the plan orders them; what is left are small ones."""
    large = [(10.0 * task, 10.0) for task in range(1, 9)]
    assert advanced(monkeypatch, 28, 100.0, large)[-1] == "toy/coins: 8/28 tasks, 1 min 20 s so far, about 20 s left"


def test_a_terminal_gets_a_bar():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    stream = Terminal()
    progress = Progress("toy/coins", total=2, effort=2.0, stream=stream)
    progress.advance(1.0)
    progress.advance(1.0)
    progress.close()
    assert "2/2" in stream.getvalue()


def test_a_task_that_waited_for_the_compiler_does_not_move_the_estimate_of_a_dry_run():
    usual = [(0.1 * effort, effort) for effort in (1.0, 2.0, 3.0, 4.0)]
    assert seconds_per_effort([(30.0, 1.0), *usual]) == pytest.approx(0.1)
