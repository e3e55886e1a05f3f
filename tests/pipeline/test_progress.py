"""Progress: lines in a log, with the time that remains."""

from __future__ import annotations

import io
import time

import pytest

from arboretum.pipeline.progress import Progress, duration


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (59.4, "59 s"), (61, "1 min 1 s"), (3600, "1 h 0 min"), (7501, "2 h 5 min")],
)
def test_duration_in_words(seconds, words):
    assert duration(seconds) == words


def test_a_log_gets_lines_with_what_is_left(monkeypatch):
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    progress = Progress("toy/coins", total=4, effort=10.0, stream=stream, every=15.0)
    clock[0] = 10.0
    progress.advance(1.0)  # too early for a line
    clock[0] = 20.0
    progress.advance(4.0)
    progress.close()
    assert stream.getvalue() == "toy/coins: 2/4 tasks, 20 s so far, about 20 s left\n"


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
