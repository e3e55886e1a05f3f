"""The choices that the paper leaves open, changed one at a time, and neighbourhoods from a few cases to all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.shared import (
    STRATEGIES,
    Grid,
    Params,
    Part,
    Sets,
    batch_size,
    batches,
    effort,
    forest_counts,
    grown_forest,
    integration_of,
    outcome_of,
    outcome_rows,
    random_split,
)
from arboretum.papers.resampling import available
from arboretum.trees import table_of


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and run of repetitions, with all choices, so that they share forests."""
    shared = {key: params[key] for key in ("train_share", "trees", "schemes", "neighbours", "integration", "choices")}
    for name in available(sets, params["sets"]):
        if name not in params["leave_out"]:
            for run in batches(params["repetitions"], batch_size(params, sets[name])):
                yield {"dataset": name, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each repetition, choice, scheme and number of neighbours."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        part = Part.of(table, data.y, random_split(data.y, task["train_share"], **axes))
        forest = grown_forest(part, max(task["trees"]), **axes)
        counts = forest_counts(forest.tree_votes(part.test_X), part.truth, len(forest.classes_))
        for choice, changed in task["choices"].items():
            for row in rows_of_choice(forest, part, task, axes, changed):
                rows.append(axes | {"choice": choice} | row | counts)
    return rows


def rows_of_choice(forest, part: Part, task: Task, axes: Mapping[str, object], changed: Mapping[str, Any]):
    """The forest of a split, integrated with some options changed."""
    options = {key: value for key, value in changed.items() if key not in ("schemes", "neighbours")}
    options = {**task["integration"], **options}
    numbers = {"schemes": changed.get("schemes", task["schemes"])}
    numbers["neighbours"] = changed.get("neighbours", task["neighbours"])
    grid = Grid.of({**task, **numbers}, (*STRATEGIES, "ds_vote"))
    similarities = [options["similarity"]] if "similarity" in options else None
    model = integration_of(forest, part, axes, **options)
    return outcome_rows(outcome_of(model, part, grid, similarities), grid)


CHOICES = Experiment(
    plan=plan, run=run, keys=("dataset", "repetition", "choice", "trees", "scheme", "neighbours"), cost=effort
)
