"""What a first use says: kernels are being compiled, which takes a while, and happens once per machine."""

from __future__ import annotations

import multiprocessing
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arboretum.failures import say

ABOUT = 20  # seconds that the first forest takes on a machine with nothing else to do
SAID = f"arboretum: compiling kernels, once per machine, about {ABOUT} s"
SAID_OF_OWN = "arboretum: compiling a split rule of your own, once per process"
WIDTH = 30


class Announcement:
    """One line per process at its first compilation; on a terminal, below it, a bar while kernels are compiled."""

    def __init__(self, text: str) -> None:
        self.text, self.said, self.seconds, self.lock = text, False, 0.0, threading.Lock()

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Around a compilation. One within another, or on another thread, says nothing more."""
        if not self.lock.acquire(blocking=False):
            yield
            return
        start, done = time.monotonic(), threading.Event()
        try:
            if not self.said:
                say(self.text)
            self.said = True
            bar = threading.Thread(target=self._draw, args=(start, done), daemon=True) if _on_a_terminal() else None
            if bar is not None:
                bar.start()
            try:
                yield
            finally:
                done.set()
                if bar is not None:
                    bar.join()
                self.seconds += time.monotonic() - start
        finally:
            self.lock.release()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Around a command that shows its own progress."""
        with self.lock:
            yield

    def _draw(self, start: float, done: threading.Event) -> None:
        while not done.wait(0.3):
            print(f"\r{bar(self.seconds + time.monotonic() - start)}", end="", file=sys.stderr, flush=True)
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def bar(seconds: float) -> str:
    """Seconds spent so far beside those that it usually takes."""
    full = min(int(WIDTH * seconds / ABOUT), WIDTH)
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {seconds:.0f} s"


def _on_a_terminal() -> bool:
    """Workers draw nothing: their bars would overwrite each other."""
    return multiprocessing.parent_process() is None and sys.stderr is not None and sys.stderr.isatty()


compiling, compiling_own = Announcement(SAID), Announcement(SAID_OF_OWN)
