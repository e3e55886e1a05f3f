"""Carry out tasks: in this process, on all cores of this machine, or on a Dask cluster given by its address.

An engine turns (identity, call) pairs into (identity, outcome) pairs in whatever order they finish. It decides
where a task runs and nothing else: rows, seeds and order of results do not depend on it.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
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


class Outcome(NamedTuple):
    """What became of a task: its rows and seconds, or the traceback of its failure."""

    rows: list[dict[str, Any]]
    seconds: float
    failure: str | None = None


@lru_cache(maxsize=4)
def _loaded(path: Path) -> Dataset:
    return load(path)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def carry_out(call: Call) -> Outcome:
    """Run one task in this process, libraries' own threads capped at one."""
    start = time.perf_counter()
    try:
        data = _loaded(call.data) if isinstance(call.data, Path) else call.data
        with threadpool_limits(1):
            rows = papers.get(call.paper).experiments[call.experiment].run(call.task, data)
        plain = [{name: _plain(value) for name, value in row.items()} for row in rows]
        return Outcome(plain, time.perf_counter() - start)
    except Exception:
        return Outcome([], time.perf_counter() - start, traceback.format_exc())


def _carry_out_named(identity: str, call: Call) -> tuple[str, Outcome]:
    return identity, carry_out(call)


Pairs = Iterable[tuple[str, Call]]
Finished = Iterator[tuple[str, Outcome]]


def serial(calls: Pairs, _: EngineSettings) -> Finished:
    """One task after the other in this process."""
    for identity, call in calls:
        yield identity, carry_out(call)


def processes(calls: Pairs, settings: EngineSettings) -> Finished:
    """Worker processes on this machine; joblib batches tasks that are shorter than it takes to hand them out."""
    with joblib.parallel_config("loky", n_jobs=settings.workers, inner_max_num_threads=1):
        parallel = joblib.Parallel(return_as="generator_unordered", batch_size="auto")
        yield from parallel(joblib.delayed(_carry_out_named)(identity, call) for identity, call in calls)


def dask(calls: Pairs, settings: EngineSettings) -> Finished:
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


def _on_dask(identity: str, call: Call, data: Dataset | None) -> tuple[str, Outcome]:
    return identity, carry_out(call._replace(data=data))


ENGINES: Mapping[str, Callable[[Pairs, EngineSettings], Finished]] = {
    "serial": serial,
    "processes": processes,
    "dask": dask,
}


@dataclass(frozen=True)
class EngineSettings:
    """Which engine, how many workers (of this machine), and where a cluster's scheduler is."""

    engine: str = "processes"
    workers: int = 0
    address: str | None = None

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ArboretumError(f"unknown run.engine {self.engine!r}. {nearest(self.engine, ENGINES)}")
        if self.workers < 1:
            object.__setattr__(self, "workers", joblib.cpu_count())

    def finish(self, calls: list[tuple[str, Call]]) -> Finished:
        """Carry out ``calls``; pairs come back as they finish."""
        engine = "serial" if self.engine == "processes" and (self.workers == 1 or len(calls) == 1) else self.engine
        return ENGINES[engine](calls, self)
