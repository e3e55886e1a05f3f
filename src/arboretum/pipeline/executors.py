"""Where tasks run: in this process, in worker processes of this machine, or on a Dask cluster.

An executor turns (identity, call) pairs into (identity, result) pairs in whatever order they finish. It decides
where a task runs and nothing else: rows, seeds and order of results do not depend on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import joblib

from arboretum.errors import ArboretumError, nearest
from arboretum.pipeline.calls import Call, Finished, Pairs, carry_out
from arboretum.pipeline.cluster import dask
from arboretum.pipeline.workers import processes

ENGINES = ("serial", "processes", "dask")


def serial(calls: Pairs) -> Finished:
    """One task after the other in this process."""
    for identity, call in calls:
        yield identity, carry_out(call)


@dataclass(frozen=True)
class RunSettings:
    """Which executor (``run.engine``), how many workers of this machine, and where a cluster's scheduler is."""

    engine: str = "processes"
    workers: int = 0
    address: str | None = None

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise ArboretumError(f"unknown run.engine {self.engine!r}. {nearest(self.engine, ENGINES)}")
        if self.address and self.engine != "dask":
            raise ArboretumError(f"run.address={self.address} needs run.engine=dask, not {self.engine}.")
        if self.workers < 1:
            object.__setattr__(self, "workers", joblib.cpu_count())

    def finish(self, calls: list[tuple[str, Call]]) -> Finished:
        """Carry out ``calls``; pairs come back as they finish."""
        if self.engine == "dask":
            return dask(calls, self.workers, self.address)
        if self.engine == "serial" or self.workers == 1 or len(calls) <= 1:
            return serial(calls)
        return processes(calls, self.workers)
