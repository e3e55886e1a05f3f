"""The printed protocol of accuracy and margin over and over: how much of a difference is the luck of 30 splits?

A replication is as many further splits as the experiment accuracy has. Of each configuration a row keeps sums over the
splits, and sums of squared differences from voting, so that its paired t-test can be made again.
"""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.shared import (
    STRATEGIES,
    Params,
    Part,
    Sets,
    effort,
    random_split,
    rows_of_split,
)
from arboretum.papers.resampling import available
from arboretum.trees import table_of

CONFIGURATION = ["trees", "scheme", "neighbours"]


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and replication; replication 0 is the experiment accuracy."""
    shared = {key: params[key] for key in ("train_share", "trees", "neighbours", "schemes", "integration")}
    splits = params["repetitions"]
    for name in available(sets, params["sets"]):
        for replication in range(1, params["replications"] + 1):
            run = {"first": replication * splits, "last": (replication + 1) * splits}
            yield {"dataset": name, "replication": replication, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each number of trees, scheme and number of neighbours: sums over the splits."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        part = Part.of(table, data.y, random_split(data.y, task["train_share"], **axes))
        rows += rows_of_split(part, task, axes)
    described = {"dataset": data.name, "replication": task["replication"], "splits": task["last"] - task["first"]}
    return [described | row for row in summed(pd.DataFrame(rows)).to_dict("records")]


def summed(frame: pd.DataFrame) -> pd.DataFrame:
    """Sums over splits of every count and margin, and of the squares of what each strategy gains over voting."""
    for strategy in STRATEGIES:
        for value in ("right", "margin"):
            if f"{value}_{strategy}" in frame:
                gain = frame[f"{value}_{strategy}"] - frame[f"{value}_sv"]
                frame[f"squares_{value}_{strategy}"] = gain**2
    return frame.groupby(CONFIGURATION, sort=False).sum().reset_index()


REPLICATIONS = Experiment(
    plan=plan, run=run, keys=("dataset", "replication", "trees", "scheme", "neighbours"), cost=effort
)
