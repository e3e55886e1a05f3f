"""Learners by repeated cross-validation: every learner sees the same folds; what was finished is not run again."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator, Mapping
from concurrent.futures import as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from arboretum.compare import evaluate
from arboretum.compare.settings import Comparison
from arboretum.datasets import Dataset, load
from arboretum.datasets.formats import is_own
from arboretum.errors import ArboretumError
from arboretum.pipeline.code import code_hash, reached
from arboretum.pipeline.own_sets import read_own, say
from arboretum.pipeline.progress import Progress
from arboretum.pipeline.sweep import ensure_prepared, foreign_version
from arboretum.pipeline.task_store import TaskStore
from arboretum.pipeline.tasks import task_id
from arboretum.pipeline.workers import new_pool
from arboretum.project.workspace import Workspace


class Job(NamedTuple):
    """One learner, one data set, one repetition."""

    data: Path | Dataset
    label: str
    task: dict[str, Any]


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
    try:
        for identity, rows, seconds in finished(missing, comparison.workers):
            store.put(identity, jobs[identity].task, rows, seconds)
            progress.advance(len(opened(jobs[identity].data).y))
    finally:
        progress.close()
        store.sync()
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
    for name, data in sets.items():
        for repetition in range(comparison.repetitions):
            for label, learner in comparison.learners.items():
                task = {"dataset": name, "learner": learner, "folds": comparison.folds, "seed": comparison.seed}
                task["repetition"] = repetition
                version = code + foreign_version(learner)
                identity = task_id("compare", "folds", task, facts[name].fingerprint, version)
                yield identity, Job(data, label, task)


def finished(jobs: Mapping[str, Job], workers: int) -> Iterator[tuple[str, list[dict[str, Any]], float]]:
    """Carry out jobs; a failure ends the comparison, and what was finished is kept."""
    if workers == 1 or len(jobs) < 2:
        for identity, job in jobs.items():
            yield (identity, *_result(job, carry_out(job)))
        return
    with new_pool(workers) as pool:
        futures = {pool.submit(carry_out, job): identity for identity, job in jobs.items()}
        try:
            for future in as_completed(futures):
                yield (futures[future], *_result(jobs[futures[future]], future.result()))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _result(job: Job, done: tuple[list[dict[str, Any]], float, str]) -> tuple[list[dict[str, Any]], float]:
    rows, seconds, failure = done
    if failure:
        raise ArboretumError(
            f"{job.label} failed on {job.task['dataset']}: {failure}. What was finished is kept: the same command "
            "goes on from here."
        )
    return rows, seconds


def carry_out(job: Job) -> tuple[list[dict[str, Any]], float, str]:
    """The rows of a job, its seconds, and what went wrong."""
    start = time.monotonic()
    try:
        rows = evaluate.repetition(opened(job.data), job.task)
    except Exception as problem:
        if "_target_" not in job.task["learner"] and not isinstance(problem, ArboretumError | ValueError):
            print(traceback.format_exc(), file=sys.stderr)
        return [], 0.0, f"{type(problem).__name__}: {str(problem).strip().splitlines()[0] if str(problem) else ''}"
    return rows, time.monotonic() - start, ""


@lru_cache(maxsize=8)
def _loaded(path: Path) -> Dataset:
    return load(path)


def opened(data: Path | Dataset) -> Dataset:
    return _loaded(data) if isinstance(data, Path) else data
