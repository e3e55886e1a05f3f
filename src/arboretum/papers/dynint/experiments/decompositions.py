"""The study of bias and variance over and over: how much of Table 4 is the luck of ten runs?

A study is as many further runs as the experiment bias_variance has. Rows hold sums over the cases, in whole
numbers: each decomposition of section 4.4 is a function of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.datasets import Dataset
from arboretum.measures.bias_variance import decomposition_sums
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.bias_variance import ASKED, run_answers
from arboretum.papers.dynint.experiments.integrated import Params, Sets, effort
from arboretum.papers.resampling import available
from arboretum.trees import table_of


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and further study; study 0 is the experiment bias_variance."""
    shared = {key: params[key] for key in ("folds", "stratified", "trees", "neighbours", "scheme", "integration")}
    runs, studies = params["repetitions"], params["studies"]
    for name in available(sets, params["sets"]):
        for number in range(1, studies.get(name, studies["others"])):
            run = {"first": number * runs, "last": (number + 1) * runs}
            yield {"dataset": name, "replication": number, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each strategy."""
    table, truth = table_of(data.X), data.y.cat.codes.to_numpy()
    runs = range(task["first"], task["last"])
    found = np.stack([run_answers(table, data, task, repetition) for repetition in runs], axis=-1)
    described = {"dataset": data.name, "replication": task["replication"], "runs": len(runs), "cases": len(truth)}
    return [
        described | {"method": method} | decomposition_sums(found[:, place], truth, len(data.y.cat.categories))
        for place, method in enumerate(ASKED)
    ]


DECOMPOSITIONS = Experiment(plan=plan, run=run, keys=("dataset", "replication", "method"), cost=effort)
