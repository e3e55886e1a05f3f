"""The printed protocol of accuracy and margin over and over: how much of a difference is the luck of 30 splits?

A study is as many further splits as the experiment accuracy has, which is study 0. Of a generated set every study has a
drawing of its own. Of each configuration a row keeps sums over the splits, and sums of squared differences from voting,
so that its paired t-test can be made again.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from arboretum.datasets import Dataset
from arboretum.datasets.generators import by_name
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    STRATEGIES,
    Params,
    Part,
    Sets,
    effort,
    random_split,
    rows_of_split,
)
from arboretum.papers.resampling import available
from arboretum.seeds import generator
from arboretum.trees import CodedTable, table_of

CONFIGURATION = ["trees", "scheme", "neighbours"]
SHARED = ("train_share", "trees", "neighbours", "schemes", "integration")


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and further study, from the first to the last that its set has."""
    splits, studies = params["repetitions"], params["studies"]
    for name in available(sets, params["sets"]):
        if name not in params["leave_out"]:
            for number in range(params["first"], studies.get(name, studies["others"])):
                run = {"first": number * splits, "last": (number + 1) * splits}
                yield {"dataset": name, "replication": number, **{key: params[key] for key in SHARED}, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each number of trees, scheme and number of neighbours: sums over the splits."""
    return study(data.name, table_of(data.X), data.y, task, range(task["first"], task["last"]))


def plan_of_drawings(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each generated set and further study."""
    for name, made in params["generated"].items():
        for number in range(1, params["drawings"]):
            shared = {key: params[key] for key in (*SHARED, "repetitions")}
            yield {"set": name, "made": dict(made), "replication": number, **shared}


def run_on_drawing(task: Task, data: None) -> list[ResultRow]:
    """The same on a drawing of its own, with the splits of study 0."""
    name = task["set"]
    rng = generator(dataset=name, seed=task["replication"] + 1)  # seed 1 is the set that is prepared
    X, y = by_name(task["made"]["function"])(**task["made"]["arguments"], rng=rng)
    return study(name, table_of(X), y, task, range(task["repetitions"]))


def study(name: str, table: CodedTable, y: pd.Series, task: Task, splits: range) -> list[ResultRow]:
    rows = []
    for repetition in splits:
        axes = {"dataset": name, "repetition": repetition}
        part = Part.of(table, y, random_split(y, task["train_share"], **axes))
        rows += rows_of_split(part, task, axes)
    described = {"dataset": name, "replication": task["replication"], "splits": len(splits)}
    return [described | row for row in summed(pd.DataFrame(rows)).to_dict("records")]


def summed(frame: pd.DataFrame) -> pd.DataFrame:
    """Sums over splits of every count and margin, and of the squares of what each strategy gains over voting."""
    for strategy in STRATEGIES:
        for value in ("right", "margin"):
            if f"{value}_{strategy}" in frame:
                gain = frame[f"{value}_{strategy}"] - frame[f"{value}_sv"]
                frame[f"squares_{value}_{strategy}"] = gain**2
    return frame.groupby(CONFIGURATION, sort=False).sum().reset_index()


KEYS = ("dataset", "replication", *CONFIGURATION)
REPLICATIONS = Experiment(plan=plan, run=run, keys=KEYS, cost=effort)
DRAWS = Experiment(plan=plan_of_drawings, run=run_on_drawing, keys=KEYS, cost=effort)
