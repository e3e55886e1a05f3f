"""Carry out tasks: in this process, on all cores of this machine, or on a Dask cluster given by its address.

An executor turns (identity, call) pairs into (identity, result) pairs in whatever order they finish. It decides
where a task runs and nothing else: rows, seeds and order of results do not depend on it.
"""

from __future__ import annotations

import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from arboretum import papers
from arboretum.datasets import Dataset, load
from arboretum.errors import ArboretumError, nearest


class Call(NamedTuple):
    """One task, ready to go anywhere: where its code is, its parameters, and its data set (a path or itself)."""

    paper: str
    experiment: str
    task: dict[str, Any]
    data: Path | Dataset | None


class TaskResult(NamedTuple):
    """What became of a task: its rows and seconds, or the traceback of its failure."""

    rows: list[dict[str, Any]]
    seconds: float
    failure: str | None = None


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Dataset:
    return load(path)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def carry_out(call: Call) -> TaskResult:
    """Run one task in this process, libraries' own threads capped at one."""
    start = time.perf_counter()
    try:
        data = _loaded(call.data) if isinstance(call.data, Path) else call.data
        with threadpool_limits(1):
            rows = papers.get(call.paper).experiments[call.experiment].run(call.task, data)
        plain = [{name: _plain(value) for name, value in row.items()} for row in rows]
        return TaskResult(plain, time.perf_counter() - start)
    except Exception:
        return TaskResult([], time.perf_counter() - start, traceback.format_exc())


Pairs = Iterable[tuple[str, Call]]
Finished = Iterator[tuple[str, TaskResult]]


def serial(calls: Pairs, _: RunSettings) -> Finished:
    """One task after the other in this process."""
    for identity, call in calls:
        yield identity, carry_out(call)


# ------------------------------------------------------------------ worker processes


def _worker_starts(parent: int) -> None:
    """A worker ends when its parent does, however the parent ended, and at once when the user interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _pool(workers: int) -> ProcessPoolExecutor:
    # Not joblib's pool: it takes the 300 MB that compiling the kernels adds to a worker for a leak and replaces the
    # worker in the middle of its work.
    return ProcessPoolExecutor(workers, get_context("spawn"), _worker_starts, (os.getpid(),))


IN_FLIGHT = 4  # tasks per worker that are handed out ahead


def processes(calls: Pairs, settings: RunSettings) -> Finished:
    """Worker processes on this machine. The tasks of a worker that died are tried once more."""
    waiting = [(identity, call, False) for identity, call in calls][::-1]
    while waiting:
        lost = yield from _run_in_pool(waiting, settings.workers)
        again = [identity for identity, _, tried in lost if tried]
        if again:
            raise ArboretumError(
                f"a worker process died twice on the same tasks ({', '.join(name[:12] for name in again)}): out of "
                "memory, or killed. Finished tasks are kept and the same command resumes; run.workers=1 needs less "
                "memory."
            )
        waiting += [(identity, call, True) for identity, call, _ in lost]


def _run_in_pool(waiting: list, workers: int) -> Iterator:
    """Carry out tasks from the end of ``waiting`` until none is left or a worker dies; returns the tasks lost."""
    flying: dict[Future, tuple[str, Call, bool]] = {}
    pool = _pool(workers)
    try:
        while waiting or flying:
            while waiting and len(flying) < IN_FLIGHT * workers:
                item = waiting.pop()
                flying[pool.submit(carry_out, item[1])] = item
            for future in wait(flying, return_when=FIRST_COMPLETED).done:
                result = future.result()
                yield flying.pop(future)[0], result
    except BrokenProcessPool:
        return list(flying.values())
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return []


# ------------------------------------------------------------------ Dask


def dask(calls: Pairs, settings: RunSettings) -> Finished:
    """A Dask cluster: each data set is sent to the workers once, rows come back here."""
    from distributed import Client, as_completed

    if not settings.address:
        raise ArboretumError("run.engine=dask needs the scheduler: run.address=tcp://host:port.")
    with Client(settings.address) as client:
        sent: dict[Path, Any] = {}
        futures = []
        for identity, call in calls:
            if isinstance(call.data, Path):
                if call.data not in sent:
                    sent[call.data] = client.scatter(load(call.data), broadcast=True)
                futures.append(client.submit(_on_dask, identity, call._replace(data=None), sent[call.data], pure=False))
            else:
                futures.append(client.submit(_on_dask, identity, call, None, pure=False))
        for future in as_completed(futures):
            yield future.result()


def _on_dask(identity: str, call: Call, data: Dataset | None) -> tuple[str, TaskResult]:
    return identity, carry_out(call._replace(data=data))


EXECUTORS: Mapping[str, Callable[[Pairs, RunSettings], Finished]] = {
    "serial": serial,
    "processes": processes,
    "dask": dask,
}


@dataclass(frozen=True)
class RunSettings:
    """Which executor (``run.engine``), how many workers of this machine, and where a cluster's scheduler is."""

    engine: str = "processes"
    workers: int = 0
    address: str | None = None

    def __post_init__(self) -> None:
        if self.engine not in EXECUTORS:
            raise ArboretumError(f"unknown run.engine {self.engine!r}. {nearest(self.engine, EXECUTORS)}")
        if self.workers < 1:
            object.__setattr__(self, "workers", joblib.cpu_count())

    def finish(self, calls: list[tuple[str, Call]]) -> Finished:
        """Carry out ``calls``; pairs come back as they finish."""
        alone = self.engine == "processes" and (self.workers == 1 or len(calls) <= 1)
        return EXECUTORS["serial" if alone else self.engine](calls, self)
