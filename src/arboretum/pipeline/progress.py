"""Progress of a long stage: a bar on a terminal, now and then a line in a log, both with the time that remains.

Nothing is said of the time that remains until it can be known. The first tasks of a process load libraries and compile
kernels, so the clock of the estimate starts after the first ``warm_up`` of them. An estimate needs as many tasks again,
and a tenth of the effort or twenty seconds of work.
"""

from __future__ import annotations

import sys
import time
from typing import TextIO

from tqdm import tqdm

ENOUGH_SHARE, ENOUGH_SECONDS = 0.1, 20.0


class Progress:
    """Counts effort done of effort planned; ``advance`` after each finished task."""

    def __init__(
        self,
        title: str,
        total: int,
        effort: float,
        stream: TextIO | None = None,
        every: float = 15.0,
        warm_up: int = 4,
    ):
        self.stream = stream or sys.stderr
        self.title, self.total, self.effort = title, total, max(effort, 1e-12)
        self.tasks_done, self.effort_done = 0, 0.0
        self.start = self.last_line = time.monotonic()
        self.warm_since, self.warm_effort = self.start, 0.0  # when the estimate's clock started, effort done by then
        self.every, self.warm_up = every, warm_up
        self.bar = None
        if self.stream.isatty():
            self.bar = tqdm(total=total, desc=title, unit="task", file=self.stream, dynamic_ncols=True)

    def advance(self, effort: float) -> None:
        self.tasks_done += 1
        self.effort_done += effort
        now = time.monotonic()
        if self.tasks_done == self.warm_up:
            self.warm_since, self.warm_effort = now, self.effort_done
        remaining = self.remaining()
        left = "" if remaining is None else f"about {duration(remaining)} left"
        if self.bar is not None:
            self.bar.set_postfix_str(left, refresh=False)
            self.bar.update()
        elif now - self.last_line >= self.every:
            self.last_line = now
            print(
                f"{self.title}: {self.tasks_done}/{self.total} tasks, {duration(now - self.start)} so far"
                + (f", {left}" if left else ""),
                file=self.stream,
                flush=True,
            )

    def remaining(self) -> float | None:
        """Seconds left, if the rest goes as fast as the work since the warm-up; None while that says too little."""
        seconds, done = time.monotonic() - self.warm_since, self.effort_done - self.warm_effort
        enough = done >= ENOUGH_SHARE * self.effort or seconds >= ENOUGH_SECONDS
        if self.tasks_done < 2 * self.warm_up or done <= 0 or not enough:
            return None
        return seconds / done * max(self.effort - self.effort_done, 0.0)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def duration(seconds: float) -> str:
    """Seconds in words short enough for a line: 8 s, 3 min 20 s, 2 h 5 min."""
    seconds = max(seconds, 0.0)
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
