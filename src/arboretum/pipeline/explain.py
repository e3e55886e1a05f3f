"""From a cell of a table back to where it came from: tasks, seeds, folds, parameters, data."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum import papers
from arboretum.errors import ArboretumError, nearest
from arboretum.pipeline.code import code_fingerprint
from arboretum.pipeline.experiment import Plan, raw_path
from arboretum.pipeline.tasks import canonical
from arboretum.project.raw_results import read_raw
from arboretum.project.stored import read_csv
from arboretum.project.workspace import Workspace


def explain(workspace: Workspace, profile: str, key: str, name: str, row: str) -> Iterator[str]:
    """Lines that lead from row ``row`` of a table or figure of a paper back to its tasks."""
    shown = papers.get(key).shown
    if name not in shown:
        raise ArboretumError(f"paper {key!r} has no table or figure {name!r}. {nearest(name, shown)}")
    path = workspace.tables(profile, key) / f"{name}.csv"
    if not path.is_file():
        raise ArboretumError(f"{path} is missing. Run `arboretum render {key} --profile {profile}`.")
    table = read_csv(path)
    column = table.columns[0]
    found = table[table[column].astype(str) == row]
    if found.empty:
        raise ArboretumError(
            f"{path} has no row {row!r} in column {column!r}. {nearest(row, table[column].astype(str))}"
        )
    yield f"{path.relative_to(workspace.root)}, {column} {row}"
    yield found.T.to_string(header=False)
    for experiment in shown[name].sources:
        yield from explain_experiment(workspace, profile, key, experiment, row)


def explain_experiment(workspace: Workspace, profile: str, key: str, experiment: str, row: str) -> Iterator[str]:
    """The raw rows, tasks and data of one experiment that concern ``row`` (all of them when it names no task)."""
    plan = Plan.make(workspace, profile, key, experiment)
    raw = read_raw(raw_path(plan))
    matches = raw[(raw[list(plan.experiment.keys)].astype(str) == row).any(axis=1)]
    if matches.empty:
        matches = raw
    tasks = {identity: task for identity, task in plan.tasks.items() if row in map(str, task.values())} or plan.tasks
    yield ""
    yield f"from {key}/{experiment}: {len(matches)} raw rows in {raw_path(plan).relative_to(workspace.root)}"
    yield matches.head(20).to_string(index=False)
    if len(matches) > 20:
        yield f"... and {len(matches) - 20} more"
    for name in sorted({task["dataset"] for task in tasks.values() if "dataset" in task}):
        yield f"data set {name}: fingerprint {plan.sets[name].get('fingerprint', plan.sets[name].get('reason'))}"
    yield f"code fingerprint {code_fingerprint(key, experiment)}"
    yield f"made by {len(tasks)} tasks (identity, parameters and seed axes, seconds where this machine ran them)"
    for identity, task in list(tasks.items())[:40]:
        seconds = f"  {plan.store.get(identity)['seconds']:.2f} s" if identity in plan.store else ""
        yield f"  {identity[:12]}  {canonical(task)}{seconds}"
    if len(tasks) > 40:
        yield f"  ... and {len(tasks) - 40} more"
