"""Learners by repeated cross-validation: every learner sees the same folds; what was finished is not run again."""

from __future__ import annotations

import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from arboretum.compare import evaluate
from arboretum.compare.settings import Comparison
from arboretum.datasets import Dataset, load
from arboretum.datasets.formats import is_own
from arboretum.errors import ArboretumError
from arboretum.failures import KEPT, WorkersLost
from arboretum.pipeline.code import code_hash, reached
from arboretum.pipeline.own_code import foreign_version
from arboretum.pipeline.own_sets import read_own, say
from arboretum.pipeline.progress import Progress
from arboretum.pipeline.stopped import raise_stop
from arboretum.pipeline.sweep import ensure_prepared
from arboretum.pipeline.task_store import TaskStore
from arboretum.pipeline.tasks import task_id
from arboretum.pipeline.workers import pool_of
from arboretum.project.workspace import Workspace

Warned = tuple[str, str, str]  # label of the learner, kind of warning, first line of its text
COUNTED = (UserWarning, RuntimeWarning, FutureWarning)  # others keep to Python's own rules


class Job(NamedTuple):
    """One learner, one data set, one repetition."""

    data: Path | Dataset
    label: str
    task: dict[str, Any]


class Done(NamedTuple):
    """What a job gave: its rows, what its failure says (nothing: it has none), and how often its learner warned."""

    rows: list[dict[str, Any]]
    seconds: float
    failure: str
    warned: Counter[Warned]


def data_sets(workspace: Workspace, comparison: Comparison) -> dict[str, Path | Dataset]:
    """Every data set: the place of its prepared file, or one's own as it was read just now, said in one line."""
    found: dict[str, Path | Dataset] = {}
    for name, reference in comparison.sets.items():
        if is_own(reference):
            own = read_own(reference, comparison.of_sets, name)
            say(own)
            found[name] = own.data
        else:
            found[name] = ensure_prepared(workspace, name)
    return found


def run_all(workspace: Workspace, comparison: Comparison, sets: Mapping[str, Path | Dataset]) -> pd.DataFrame:
    """One row per data set, learner, repetition and fold: errors, cases and seconds."""
    facts = {name: opened(data) for name, data in sets.items()}
    for name, data in facts.items():
        if comparison.folds > len(data.y):
            raise ArboretumError(f"folds={comparison.folds}: {name} has {len(data.y)} cases only.")
    store = TaskStore(workspace.tasks / "compare")
    store.refresh()
    jobs = dict(planned(comparison, sets, facts))
    missing = {identity: job for identity, job in jobs.items() if identity not in store}
    progress = Progress("compare", len(missing), sum(len(opened(job.data).y) for job in missing.values()))
    warned: Counter[Warned] = Counter()
    try:
        with closing(finished(missing, comparison.workers)) as results:
            for identity, done in results:
                warned += done.warned
                if done.failure:
                    raise failed(jobs[identity], done.failure)
                store.put(identity, jobs[identity].task, done.rows, done.seconds)
                progress.advance(len(opened(jobs[identity].data).y))
    finally:
        progress.close()
        store.sync()
        for line in warnings_in_words(warned):
            print(line, file=sys.stderr)
    rows = []
    for identity, job in jobs.items():
        axes = {"dataset": job.task["dataset"], "learner": job.label, "repetition": job.task["repetition"]}
        rows += [axes | row for row in store.get(identity)["rows"]]
    return pd.DataFrame(rows)


def planned(
    comparison: Comparison, sets: Mapping[str, Path | Dataset], facts: Mapping[str, Dataset]
) -> Iterator[tuple[str, Job]]:
    """Every job with its identity: its data, learner, folds, seed, and the code that it runs."""
    code = code_hash(reached(evaluate.__name__))
    versions = {label: code + foreign_version(learner) for label, learner in comparison.learners.items()}
    for name, data in sets.items():
        for repetition in range(comparison.repetitions):
            for label, learner in comparison.learners.items():
                task = {"dataset": name, "learner": learner, "folds": comparison.folds, "seed": comparison.seed}
                task["repetition"] = repetition
                identity = task_id("compare", "folds", task, facts[name].fingerprint, versions[label])
                yield identity, Job(data, label, task)


def finished(jobs: Mapping[str, Job], workers: int) -> Generator[tuple[str, Done], None, None]:
    """Carry out jobs, each with its identity, in the order in which they end."""
    if workers == 1 or len(jobs) < 2:
        for identity, job in jobs.items():
            yield identity, carry_out(job)
        return
    try:
        with pool_of(workers) as pool:
            futures = {pool.submit(carry_out, job): identity for identity, job in jobs.items()}
            for future in as_completed(futures):
                yield futures[future], future.result()
    except BrokenProcessPool:
        raise WorkersLost(f"a worker process died: out of memory, or killed. Use fewer workers. {KEPT}") from None


def failed(job: Job, failure: str) -> ArboretumError:
    """A failure ends the comparison."""
    return ArboretumError(
        f"{job.label} failed on {job.task['dataset']}: {failure}. What was finished is kept: the same command "
        "goes on from here."
    )


def carry_out(job: Job) -> Done:
    """A job's rows and seconds, what went wrong, and what its learner warned of."""
    start = time.monotonic()
    rows, failure = [], ""
    with warnings.catch_warnings(record=True) as caught:
        for kind in COUNTED:  # each time, not once per place
            warnings.simplefilter("always", kind)
        try:
            rows = evaluate.repetition(opened(job.data), job.task)
        except Exception as problem:
            raise_stop(problem)
            if "_target_" not in job.task["learner"] and not isinstance(problem, ArboretumError | ValueError):
                print(traceback.format_exc(), file=sys.stderr)
            failure = f"{type(problem).__name__}: {first_line(problem)}"
    warned = Counter((job.label, one.category.__name__, first_line(one.message)) for one in caught)
    return Done(rows, time.monotonic() - start, failure, warned)


def first_line(message: object) -> str:
    return next(iter(str(message).strip().splitlines()), "")


def warnings_in_words(warned: Mapping[Warned, int]) -> Iterator[str]:
    """One line for each learner and kind of warning, with the commonest of its texts."""
    kinds: dict[tuple[str, str], Counter[str]] = {}
    for (label, kind, text), times in warned.items():
        kinds.setdefault((label, kind), Counter())[text] += times
    for (label, kind), texts in kinds.items():
        (text, _), times = texts.most_common(1)[0], texts.total()
        yield f"arboretum: {label} warned {times} time{'s' * (times > 1)} ({kind}): {text}"


@lru_cache(maxsize=8)
def _loaded(path: Path) -> Dataset:
    return load(path)


def opened(data: Path | Dataset) -> Dataset:
    return _loaded(data) if isinstance(data, Path) else data
