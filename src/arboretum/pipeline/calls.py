"""One task, ready to go anywhere, and what becomes of it."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from arboretum import papers
from arboretum.datasets import Dataset, load
from arboretum.errors import ArboretumError
from arboretum.failures import starved
from arboretum.pipeline.stopped import raise_stop
from arboretum.seeds import STORED, rooted


class Call(NamedTuple):
    """One task: where its code is, its parameters, and its data set (a path or itself)."""

    paper: str
    experiment: str
    task: dict[str, Any]
    data: Path | Dataset | None
    seed: int = STORED
    fingerprint: str | None = None  # of the data set, as the manifest has it


class TaskResult(NamedTuple):
    """What became of a task: its rows and seconds, or what its failure says."""

    rows: list[dict[str, Any]]
    seconds: float
    failure: str | None = None


Pairs = Iterable[tuple[str, Call]]  # identity and call
Finished = Iterator[tuple[str, TaskResult]]


@lru_cache(maxsize=4)
def _loaded(path: Path, fingerprint: str | None) -> Dataset:
    return load(path, fingerprint)


@lru_cache(maxsize=1)
def _libraries(loaded: int) -> ThreadpoolController:
    """The libraries with threads of their own; looking for them takes 3 ms, so it is done again only after imports."""
    return ThreadpoolController()


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def carry_out(call: Call) -> TaskResult:
    """Run one task in this process, libraries' own threads capped at one."""
    start = time.perf_counter()
    try:
        data = _loaded(call.data, call.fingerprint) if isinstance(call.data, Path) else call.data
        with _libraries(len(sys.modules)).limit(limits=1), rooted(call.seed):
            rows = papers.get(call.paper).experiments[call.experiment].run(call.task, data)
        plain = [{name: _plain(value) for name, value in row.items()} for row in rows]
        return TaskResult(plain, time.perf_counter() - start)
    except ArboretumError as problem:  # says what is wrong: no traceback is needed
        failure = str(problem)
    except Exception as problem:
        raise_stop(problem)
        if starved(problem) is not None:
            raise  # no failure of this task: the run ends
        failure = traceback.format_exc()
    return TaskResult([], time.perf_counter() - start, failure)
