"""Worker processes on this machine. They end with the process that started them, however it ends."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context

from arboretum.failures import KEPT, WorkersLost
from arboretum.pipeline.calls import Call, Finished, Pairs, carry_out

IN_FLIGHT = 4  # tasks per worker that are handed out ahead
DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of Linux's prctl


def _worker_starts(parent: int) -> None:
    """A worker ends when its parent does, however the parent ended, and at once when the user interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":  # at once, in the middle of a compiled kernel too
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _new_pool(workers: int) -> ProcessPoolExecutor:
    # Not joblib's pool: it takes the 300 MB that compiling the kernels adds to a worker for a leak and replaces the
    # worker in the middle of its work.
    return ProcessPoolExecutor(workers, get_context("spawn"), _worker_starts, (os.getpid(),))


@contextmanager
def pool_of(workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes for a block; where it ends early nobody waits for what is under way."""
    pool = _new_pool(workers)
    try:
        yield pool
    except BrokenProcessPool:
        raise
    except BaseException:
        for child in active_children():
            child.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def processes(calls: Pairs, workers: int) -> Finished:
    """Carry out calls in worker processes. The tasks of a worker that died are tried once more."""
    waiting = [(identity, call, False) for identity, call in calls][::-1]
    while waiting:
        lost = yield from _run_in_pool(waiting, workers)
        again = [identity for identity, _, tried in lost if tried]
        if again:
            raise WorkersLost(
                f"a worker process died twice on the same tasks ({', '.join(name[:12] for name in again)}): out of "
                f"memory, or killed. run.workers=1 needs less memory. {KEPT}"
            )
        if lost:
            print(f"arboretum: a worker process died; its {len(lost)} tasks are tried once more", file=sys.stderr)
        waiting += [(identity, call, True) for identity, call, _ in lost]


def _run_in_pool(waiting: list, workers: int) -> Iterator:
    """Carry out tasks from the end of ``waiting`` until none is left or a worker dies; returns the tasks lost."""
    flying: dict[Future, tuple[str, Call, bool]] = {}
    try:
        with pool_of(workers) as pool:
            while waiting or flying:
                while waiting and len(flying) < IN_FLIGHT * workers:
                    future = pool.submit(carry_out, waiting[-1][1])  # a broken pool refuses it: it stays in waiting
                    flying[future] = waiting.pop()
                for future in wait(flying, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    yield flying.pop(future)[0], result
    except BrokenProcessPool:
        return list(flying.values())
    return []
