"""Progress of a long stage: a bar on a terminal, now and then a line in a log, both with the time that remains."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from tqdm import tqdm


class Progress:
    """Counts effort done of effort planned; ``advance`` after each finished task."""

    def __init__(self, title: str, total: int, effort: float, stream: TextIO | None = None, every: float = 15.0):
        self.stream = stream or sys.stderr
        self.title, self.total, self.effort = title, total, max(effort, 1e-12)
        self.tasks_done, self.effort_done = 0, 0.0
        self.start = self.last_line = time.monotonic()
        self.every = every
        self.bar = None
        if self.stream.isatty():
            self.bar = tqdm(total=total, desc=title, unit="task", file=self.stream, dynamic_ncols=True)

    def advance(self, effort: float) -> None:
        self.tasks_done += 1
        self.effort_done += effort
        now = time.monotonic()
        if self.bar is not None:
            self.bar.set_postfix_str(f"about {duration(self.remaining())} left", refresh=False)
            self.bar.update()
        elif now - self.last_line >= self.every:
            self.last_line = now
            print(
                f"{self.title}: {self.tasks_done}/{self.total} tasks, {duration(now - self.start)} so far, "
                f"about {duration(self.remaining())} left",
                file=self.stream,
                flush=True,
            )

    def remaining(self) -> float:
        """Seconds left, if the rest goes as fast as what is done."""
        elapsed = time.monotonic() - self.start
        return elapsed * (self.effort / max(self.effort_done, 1e-12) - 1)

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
