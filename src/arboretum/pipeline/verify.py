"""Compare results with the stored ones: a whole paper, a sample of its tasks, or stored raw results rendered anew."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.contract import TOLERANCE, ResultFigure, ResultTable
from arboretum.pipeline.agreement import Comparison, Difference, compare_frames
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.experiment import Plan, raw_path
from arboretum.pipeline.render import Rendering, as_stored, compare_table, judged_tables
from arboretum.pipeline.tasks import canonical
from arboretum.project import params as parameters
from arboretum.project.raw_results import read_raw
from arboretum.project.readings import MARK
from arboretum.project.stored import read_csv, shown_at
from arboretum.project.workspace import Workspace


def compare_paper(stored: Workspace, found: Workspace, profile: str, key: str) -> Comparison:
    """Compare one paper as it is stored with what was regenerated: raw rows, tables, figure data, claims."""
    paper, params = papers.get(key), parameters.read(stored, [key])
    comparison = Comparison()
    for name in parameters.experiments_at(params, profile, key):
        experiment = paper.experiments[name.partition(MARK)[0]]
        files = (workspace.raw(profile, key) / f"{name}.parquet" for workspace in (stored, found))
        compare = partial(compare_frames, keys=experiment.keys, ignored=experiment.timing)
        comparison += _compare_files(stored, *files, read_raw, compare)
    left, right = stored.tables(profile, key), found.tables(profile, key)
    tables = _tables(params, profile, key)
    for file in sorted(set(tables) | {path.name for folder in (left, right) for path in folder.glob("*.csv")}):
        compare = partial(compare_table, table=tables[file]) if file in tables else _left_over
        comparison += _compare_files(stored, left / file, right / file, read_csv, compare)
    return comparison


def _tables(params: Mapping[str, Any], profile: str, key: str) -> dict[str, ResultTable | ResultFigure]:
    """Every csv that a rendering of a paper has, by file name."""
    claims = judged_tables(key, profile)
    return {f"{thing.name}.csv": thing for thing in [*shown_at(params, profile, key).values(), *claims]}


def _left_over(file: str, stored: pd.DataFrame, found: pd.DataFrame) -> Comparison:
    return Comparison(0, [Difference(file, "", "file", "present", "no table of this paper")])


def compare_stored(workspace: Workspace, profile: str, key: str) -> Comparison:
    """Render the stored raw results of a paper in memory and compare with its stored tables and verdicts."""
    rendering, comparison = Rendering(workspace, profile, key), Comparison()
    for table, frame in rendering.files():
        path = workspace.tables(profile, key) / f"{table.name}.csv"
        name = str(path.relative_to(workspace.out))
        if not path.is_file():
            comparison.differences.append(Difference(name, "", "file", "absent", "present"))
            continue
        comparison += compare_table(name, read_csv(path), as_stored(frame), table)
    return comparison


def sample(plan: Plan, share: float, every_learner: bool = False) -> dict[str, dict[str, Any]]:
    """A fixed random share of the tasks of a plan, at least one: the same tasks whatever the code.

    With ``every_learner`` at least one for every learner on every set.
    """
    order = sorted(plan.tasks, key=lambda identity: hashlib.sha256(canonical(plan.tasks[identity]).encode()).digest())
    strata: dict[tuple, list[str]] = {}
    for identity in order:
        strata.setdefault(_stratum(plan.tasks[identity]) if every_learner else (), []).append(identity)
    chosen = {identity for stratum in strata.values() for identity in stratum[: math.ceil(share * len(stratum))]}
    return {identity: plan.tasks[identity] for identity in order if identity in chosen}


def _stratum(task: Mapping[str, Any]) -> tuple:
    """What a task is about: its set or problem, its learners and how they are combined, all that is named by a word."""
    named = {key: value for key, value in task.items() if isinstance(value, str)}
    return tuple(sorted(named.items())), tuple(sorted(map(str, task.get("learners", ()))))


def compare_sample(
    plan: Plan, settings: RunSettings, share: float, every_learner: bool = False
) -> tuple[int, Comparison]:
    """Recompute a share of the tasks and compare their rows with the stored ones; how many, and what was found."""
    tasks = sample(plan, share, every_learner)
    rows: list[dict[str, Any]] = []
    for identity, result in settings.finish([(identity, plan.call(task)) for identity, task in tasks.items()]):
        if result.failure is not None:
            raise ArboretumError(f"{plan.title}: the task {canonical(tasks[identity])} failed:\n{result.failure}")
        rows += result.rows
    path, keys = raw_path(plan), list(plan.experiment.keys)
    stored = read_raw(path)
    new = (
        plan.as_stored(pd.DataFrame(rows))
        .reindex(columns=stored.columns)
        .sort_values(keys, kind="stable", ignore_index=True)
    )
    same_rows = stored.merge(new[keys], on=keys, how="inner").sort_values(keys, kind="stable", ignore_index=True)
    name = str(path.relative_to(plan.workspace.out))
    ignored = plan.experiment.timing
    return len(tasks), compare_frames(name, same_rows, new, keys, ignored=ignored, tolerance=TOLERANCE)


def _compare_files(
    workspace: Workspace, stored: Path, found: Path, read: Callable[[Path], pd.DataFrame], compare: Callable
) -> Comparison:
    name = str(stored.relative_to(workspace.out))
    if not stored.is_file() or not found.is_file():
        says = {True: "present", False: "absent"}
        return Comparison(0, [Difference(name, "", "file", says[stored.is_file()], says[found.is_file()])])
    return compare(name, read(stored), read(found))
