"""What each strategy says of each case in ten runs of three folds: dynint, section 4.4 (Table 4).

Rows hold the answers themselves, as class codes: every decomposition is a function of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    SCHEMES,
    Params,
    Part,
    Sets,
    answers,
    effort,
    grown_forest,
    integration_of,
    named,
    random_folds,
)
from arboretum.papers.resampling import available
from arboretum.trees import CodedTable, table_of

ASKED = ("sv", "ds", "dv", "dvs")


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and run."""
    shared = {key: params[key] for key in ("folds", "stratified", "trees", "neighbours", "scheme", "integration")}
    for name in available(sets, params["sets"]):
        for repetition in range(params["repetitions"]):
            yield {"dataset": name, "repetition": repetition, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each case: its class and the answers of the forest that did not see it."""
    axes = {"dataset": data.name, "repetition": task["repetition"]}
    found = run_answers(table_of(data.X), data, task, task["repetition"])
    truth = data.y.cat.codes.to_numpy()
    return [
        axes | {"case": case, "class": int(truth[case])} | dict(zip(ASKED, map(int, row), strict=True))
        for case, row in enumerate(found)
    ]


def run_answers(table: CodedTable, data: Dataset, task: Task, repetition: int) -> np.ndarray:
    """Answers (cases, strategies) of one run: each case is asked once, of the forest that did not see it."""
    axes = {"dataset": data.name, "repetition": repetition}
    found = np.empty((len(data.y), len(ASKED)), dtype=np.int64)
    for fold, split in enumerate(random_folds(data.y, task["folds"], task["stratified"], **axes)):
        found[split[1]] = fold_answers(Part.of(table, data.y, split), task, axes | {"fold": fold})
    return found


def fold_answers(part: Part, task: Task, axes: dict[str, object]) -> np.ndarray:
    """Answers (cases, strategies) to what is held out."""
    how, (similarity, weighting) = task["integration"], SCHEMES[task["scheme"]]
    model = integration_of(grown_forest(part, task["trees"], **axes), part, axes, how)
    sizes, numbers = [task["trees"]], [task["neighbours"]]
    blocks = model.integrate(part.test_X, named(how, [similarity]), [weighting], sizes, numbers, named(how, ASKED))
    return np.concatenate([answers(shares)[:, 0, 0, 0, 0] for _, shares in blocks])


BIAS_VARIANCE = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "case"), cost=effort)
