"""Plan an experiment, run the tasks that are not in the store, and collect complete raw results."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from arboretum import papers
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.contract import Experiment
from arboretum.pipeline.agreement import compare_frames
from arboretum.pipeline.calls import Call, carry_out
from arboretum.pipeline.code import code_fingerprint
from arboretum.pipeline.columns import Columns
from arboretum.pipeline.data import prepared_path
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.progress import Progress, duration
from arboretum.pipeline.task_store import TaskStore
from arboretum.pipeline.tasks import canonical, task_id
from arboretum.project import params as parameters
from arboretum.project.manifest import manifest_of
from arboretum.project.raw_results import read_raw, write_raw
from arboretum.project.readings import MARK
from arboretum.project.workspace import FULL, Workspace


@dataclass(frozen=True)
class Plan:
    """The tasks of one experiment at one profile, each with its identity."""

    workspace: Workspace
    profile: str
    paper: str
    name: str
    section: Mapping[str, Any]
    sets: Mapping[str, Mapping[str, Any]]

    @classmethod
    def make(cls, workspace: Workspace, profile: str, paper: str, name: str, only_sets: Sequence[str] = ()) -> Plan:
        """The plan that ``params.yaml`` and the manifest define; ``only_sets`` narrows it to some data sets."""
        params = parameters.read(workspace, [paper])
        section = dict(parameters.of_experiment(params, profile, paper, name))
        names = list(section.get("sets", ()))
        for wanted in only_sets:
            if wanted not in names:
                raise ArboretumError(
                    f"{paper}/{name} has no data set {wanted!r} at {profile}. {nearest(wanted, names)}"
                )
        if only_sets:
            section["sets"] = names = [name for name in names if name in only_sets]
        where = FULL if MARK in name else profile  # a reading is of the printed protocol
        manifest = manifest_of(workspace, where, paper) if names else {}
        lacking = [name for name in names if name not in manifest]
        if lacking:
            raise ArboretumError(
                f"{workspace.manifest(where, paper)} lacks the data set {lacking[0]!r}. Run `arboretum fetch "
                f"--profile {where}`."
            )
        return cls(workspace, profile, paper, name, section, {name: manifest[name] for name in names})

    @property
    def base(self) -> str:
        """The name of the experiment, without that of a reading."""
        return self.name.partition(MARK)[0]

    @property
    def experiment(self) -> Experiment:
        return papers.get(self.paper).experiments[self.base]

    @property
    def title(self) -> str:
        return f"{self.paper}/{self.name} ({self.profile})"

    @cached_property
    def store(self) -> TaskStore:
        return TaskStore(self.workspace.tasks / self.paper / self.base)

    @cached_property
    def tasks(self) -> dict[str, dict[str, Any]]:
        """Identity to task, in the order of the plan."""
        tasks: dict[str, dict[str, Any]] = {}
        code = code_fingerprint(self.paper, self.base)
        for task in self.experiment.plan(self.section, self.sets):
            data = self.sets[task["dataset"]].get("fingerprint") if "dataset" in task else None
            identity = task_id(self.paper, self.base, task, data, code, self.workspace.seed)
            if identity in tasks:
                raise ArboretumError(f"{self.title} plans the same task twice: {canonical(task)}")
            tasks[identity] = task
        if not tasks:
            raise ArboretumError(f"{self.title} has no task: check its section in conf/paper/{self.paper}/.")
        return tasks

    @cached_property
    def missing(self) -> list[str]:
        """The identities of tasks that have not been finished, the most expensive first."""
        self.store.refresh()
        missing = [identity for identity in self.tasks if identity not in self.store]
        return sorted(missing, key=lambda identity: -self.cost(self.tasks[identity]))

    def cost(self, task: Mapping[str, Any]) -> float:
        """The expected effort of a task, in a unit of its experiment's own."""
        if self.experiment.cost is None:
            return 1.0
        return float(self.experiment.cost(task, self.sets.get(task.get("dataset"), {})))

    def as_stored(self, rows: pd.DataFrame) -> pd.DataFrame:
        """What is stored of the rows of tasks: all, unless readings share them."""
        return self.experiment.read(self.section, rows) if self.experiment.read else rows

    def call(self, task: dict[str, Any]) -> Call:
        """The task with the way to its code and data."""
        name = task.get("dataset")
        available = name is not None and self.sets[name].get("status") == "available"
        path = prepared_path(self.workspace, name) if available else None
        fingerprint = self.sets[name]["fingerprint"] if available else None
        return Call(self.paper, self.base, task, path, self.workspace.seed, fingerprint)


def estimate(plan: Plan, workers: int) -> str:
    """What a dry run says: how many tasks there are, how many are done, how long the rest may take.

    The time comes from the seconds per effort of all tasks of the experiment in the store, at any profile: their
    median by effort, which a few tasks that waited for the compiler do not move. Where there is none, the middle task
    is run twice: once to compile what it needs, once to measure; it is kept.
    """
    line = f"{plan.title}: {len(plan.tasks)} tasks, {len(plan.tasks) - len(plan.missing)} finished"
    if not plan.missing:
        return line
    if not len(plan.store):
        middle = plan.missing[len(plan.missing) // 2]
        _pilot(plan, middle)
        _pilot(plan, middle)
    rate = seconds_per_effort([(record["seconds"], plan.cost(record["task"])) for record in plan.store.records()])
    left = sum(plan.cost(plan.tasks[identity]) for identity in plan.missing)
    return line + f"; about {duration(left * rate / workers)} left on {workers} workers"


def seconds_per_effort(finished: Sequence[tuple[float, float]]) -> float:
    """The median of seconds / effort over tasks (seconds, effort), each weighted by its effort."""
    rates = sorted((seconds / max(effort, 1e-12), effort) for seconds, effort in finished)
    half, passed = sum(effort for _, effort in rates) / 2, 0.0
    for rate, effort in rates:
        passed += effort
        if passed >= half:
            return rate
    raise ValueError("no finished task to measure by")


def _pilot(plan: Plan, identity: str) -> None:
    """Run one task now and keep it."""
    task = plan.tasks[identity]
    result = carry_out(plan.call(task))
    if result.failure is not None:
        raise ArboretumError(f"{plan.title}: the task {canonical(task)} failed:\n{result.failure}")
    plan.store.put(identity, task, result.rows, result.seconds)
    plan.store.sync()


def run(plan: Plan, settings: RunSettings, keep_going: bool = False) -> int:
    """Finish what is missing; returns how many tasks really ran. A failure ends the run, or is shown at its end."""
    missing = plan.missing
    effort = sum(plan.cost(plan.tasks[identity]) for identity in missing)
    progress = Progress(plan.title, len(missing), effort, warm_up=2 * settings.workers)
    failures: list[tuple[str, str]] = []
    finished = settings.finish([(identity, plan.call(plan.tasks[identity])) for identity in missing])
    try:
        for identity, result in finished:
            if result.failure is None:
                plan.store.put(identity, plan.tasks[identity], result.rows, result.seconds)
            else:
                failures.append((identity, result.failure))
                if not keep_going:
                    break
            progress.advance(plan.cost(plan.tasks[identity]))
    finally:
        progress.close()
        plan.store.sync()
    for identity, failure in failures:
        print(
            f"task {identity[:12]} of {plan.title} failed: {canonical(plan.tasks[identity])}\n{failure}",
            file=sys.stderr,
        )
    if failures:
        raise ArboretumError(
            f"{len(failures)} of {len(missing)} tasks of {plan.title} failed (see above). Stored results are "
            "untouched, finished tasks are kept, and the same command resumes."
        )
    return len(missing)


class Collected(NamedTuple):
    """The rows of a complete experiment, and the seconds that its tasks took."""

    frame: pd.DataFrame
    seconds: float


def collect(plan: Plan) -> Collected:
    """The rows of every task of the plan, complete, sorted by the experiment's keys, no key twice."""
    rows, seconds = Columns(), 0.0
    for identity, task in plan.tasks.items():
        record = plan.store.find(identity)
        if record is None:
            raise ArboretumError(
                f"{plan.title} lacks the task {canonical(task)}. Run `arboretum run {plan.paper}/{plan.name}`."
            )
        if not record["rows"]:
            raise ArboretumError(f"{plan.title}: the task {canonical(task)} gave no row.")
        rows.add(record["rows"])
        seconds += record["seconds"]
    frame = plan.as_stored(rows.frame())
    keys = list(plan.experiment.keys)
    lacking = [key for key in keys if key not in frame or frame[key].isna().any()]
    if lacking:
        raise ArboretumError(f"{plan.title}: rows lack their key {', '.join(lacking)}.")
    twice = frame.duplicated(keys)
    if twice.any():
        raise ArboretumError(f"{plan.title}: two rows have the same key {frame.loc[twice, keys].iloc[0].to_dict()}.")
    return Collected(frame.sort_values(keys, kind="stable").reset_index(drop=True), seconds)


def agrees(plan: Plan, frame: pd.DataFrame) -> bool:
    """Whether the stored raw results are the same up to rounding and seconds; a damaged file never is."""
    path = raw_path(plan)
    if not path.is_file():
        return False
    try:
        stored = read_raw(path)
    except ArboretumError as problem:
        print(f"arboretum: {problem}: written anew", file=sys.stderr)
        return False
    compared = compare_frames(path.name, stored, frame, plan.experiment.keys, ignored=plan.experiment.timing)
    return not compared.differences


def raw_path(plan: Plan) -> Path:
    return plan.workspace.raw(plan.profile, plan.paper) / f"{plan.name}.parquet"


def run_and_store(plan: Plan, settings: RunSettings, keep_going: bool = False) -> tuple[int, float]:
    """Run an experiment and store its raw results; returns how many tasks ran now, and the seconds of all its tasks.

    Stored results that agree are left as they are: another processor rounds a last digit differently.
    """
    ran = run(plan, settings, keep_going)
    frame, seconds = collect(plan)
    if not agrees(plan, frame):
        write_raw(frame, raw_path(plan))
    return ran, seconds
