"""Accuracy and margin by strategy and scheme: dynint, sections 4.2 and 4.3 (Tables 2 and 3, Figures 1 to 4)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    Params,
    Part,
    Sets,
    batch_size,
    batches,
    effort,
    random_split,
    rows_of_split,
)
from arboretum.papers.resampling import available
from arboretum.trees import table_of


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and run of repetitions."""
    shared = {key: params[key] for key in ("train_share", "trees", "neighbours", "schemes", "integration")}
    for name in available(sets, params["sets"]):
        for run in batches(params["repetitions"], batch_size(params, sets[name])):
            yield {"dataset": name, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each repetition, number of trees, scheme and number of neighbours."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        part = Part.of(table, data.y, random_split(data.y, task["train_share"], **axes))
        rows += [axes | row for row in rows_of_split(part, task, axes)]
    return rows


ACCURACY = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "trees", "scheme", "neighbours"), cost=effort)
