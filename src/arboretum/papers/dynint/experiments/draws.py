"""The generated sets drawn ten times: how far one drawing can move a cell of Tables 2 and 3."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.generators import by_name
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.shared import (
    Params,
    Part,
    Sets,
    batches,
    effort,
    random_split,
    rows_of_split,
)
from arboretum.seeds import generator
from arboretum.trees import table_of


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set, drawing and run of repetitions."""
    shared = {key: params[key] for key in ("train_share", "trees", "neighbours", "schemes", "integration")}
    for name, made in params["generated"].items():
        for drawing in range(1, params["drawings"] + 1):
            for run in batches(params["repetitions"], params["batch"]):
                yield {"set": name, "made": dict(made), "drawing": drawing, **shared, **run}


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows as in the experiment accuracy. With the seed of stored results drawing 1 is the prepared set."""
    name, rows = task["set"], []
    rng = generator(dataset=name, seed=task["drawing"])  # the stream that prepares the set
    X, y = by_name(task["made"]["function"])(**task["made"]["arguments"], rng=rng)
    table = table_of(X)
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": name, "repetition": repetition}
        part = Part.of(table, y, random_split(y, task["train_share"], **axes))
        described = {"dataset": name, "drawing": task["drawing"], "repetition": repetition}
        rows += [described | row for row in rows_of_split(part, task, axes)]
    return rows


DRAWS = Experiment(
    plan=plan, run=run, keys=("dataset", "drawing", "repetition", "trees", "scheme", "neighbours"), cost=effort
)
