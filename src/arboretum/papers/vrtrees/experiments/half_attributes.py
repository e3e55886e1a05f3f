"""Half of the attributes (5.4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.measures import ties
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import available
from arboretum.papers.vrtrees.experiments.cross_validation import (
    Params,
    Sets,
    count_errors,
    effort,
    fitted,
    parts_of,
    seed_of,
    with_floats,
)
from arboretum.trees import CodedTable, table_of

LEARNERS = vocabulary(Coalescence, RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, repetition and way of choosing attributes."""
    learners = {name: {"trees": params["trees"]} | with_floats(spec) for name, spec in params["learners"].items()}
    for name in available(sets, params["sets"]):
        for repetition in range(params["repetitions"]):
            for attributes in params["attributes"]:
                yield {
                    "dataset": name,
                    "repetition": repetition,
                    "folds": params["folds"],
                    "attributes": attributes,
                    "importance_trees": params["importance_trees"],
                    "learners": learners,
                }


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors on all attributes, or on the half that a random forest finds more important, one row per fold."""
    kept = np.arange(data.X.shape[1])
    if task["attributes"] == "all data":
        kept = important_half(task, table_of(data.X), data.y, fold=-1)
    rows = []
    for part in parts_of(task, data):
        if task["attributes"] == "training part":
            kept = important_half(task, part.X, part.y, part.fold)
        reduced = part._replace(X=columns(part.X, kept), test_X=columns(part.test_X, kept))
        for learner, spec in task["learners"].items():
            row = {name: task[name] for name in ("dataset", "repetition", "attributes")}
            row |= {"learner": learner, "fold": part.fold}
            row |= count_errors(fitted(LEARNERS, task, reduced, spec), reduced)
            rows.append(row | {"kept": " ".join(data.X.columns[kept])})
    return rows


def columns(table: CodedTable, kept: np.ndarray) -> CodedTable:
    return CodedTable(np.ascontiguousarray(table.cells[:, kept]), tuple(table.levels[f] for f in kept))


def important_half(task: Task, X: CodedTable, y: pd.Series, fold: int) -> np.ndarray:
    """The attributes that stay when the less important half goes (of an odd number the middle one stays)."""
    spec = {"kind": "random_forest", "trees": task["importance_trees"]}
    seed = seed_of(task, fold, spec, purpose="importance")
    importance = make_learner(LEARNERS, spec, seed).fit(X, y).permutation_importances(X, y, seed)
    return np.sort(ties.order(importance)[X.shape[1] // 2 :])


HALF_ATTRIBUTES = Experiment(plan, run, keys=("dataset", "repetition", "attributes", "learner", "fold"), cost=effort)
