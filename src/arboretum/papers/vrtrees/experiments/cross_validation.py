"""What the experiments of vrtrees share: folds, random streams, and tasks that compare learners on data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.vocabulary import Vocabulary, make_learner
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.resampling import Split, available, errors_of, stratified_folds
from arboretum.seeds import random_state
from arboretum.trees import CodedTable, table_of

PAPER = "vrtrees"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]


class Part(NamedTuple):
    """One fold: what is learned from and what is held out."""

    fold: int
    X: CodedTable
    y: pd.Series
    test_X: CodedTable
    test_y: pd.Series


def parts_of(task: Task, data: Dataset) -> Iterator[Part]:
    """The folds of a task; attributes are coded once."""
    table = table_of(data.X)
    axes = {"paper": PAPER, "dataset": task["dataset"], "repetition": task["repetition"]}
    deal = stratified_folds if task.get("stratified", True) else plain_folds
    for fold, (train, test) in enumerate(deal(data.y, task["folds"], **axes)):
        yield Part(fold, table.take(train), data.y.iloc[train], table.take(test), data.y.iloc[test])


def plain_folds(y: pd.Series, folds: int, **axes: object) -> list[Split]:
    """Folds that do not look at the class."""
    return stratified_folds(pd.Series(np.zeros(len(y), dtype=int)), folds, stratified=False, **axes)


def seed_of(task: Task, fold: int, spec: Mapping[str, Any], **more: object) -> int:
    """Options are no part of the stream: variants of a learner differ by what they do, not by luck."""
    learner = {name: spec[name] for name in ("kind", "alpha", "max_features") if name in spec}
    return random_state(
        paper=PAPER, dataset=task["dataset"], repetition=task["repetition"], fold=fold, learner=learner, **more
    )


def fitted(kinds: Vocabulary, task: Task, part: Part, spec: Mapping[str, Any]):
    """The learner grown on the training part of one fold."""
    return make_learner(kinds, spec, seed_of(task, part.fold, spec)).fit(part.X, part.y)


def count_errors(model, part: Part) -> ResultRow:
    """Errors on the held-out part of one fold."""
    return {"errors": errors_of(model, part.test_X, part.test_y), "cases": len(part.test_y)}


def plan_learners(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and repetition; an expensive learner may have fewer ``repetitions`` than the others."""
    for name in available(sets, params["sets"]):
        for learner, spec in params["learners"].items():
            for repetition in range(spec.get("repetitions", repetitions_of(params, sets[name]))):
                yield {
                    "dataset": name,
                    "repetition": repetition,
                    "folds": params["folds"],
                    "learner": learner,
                    "learners": [{"trees": params["trees"]} | with_floats(spec)],
                }


def repetitions_of(params: Params, facts: Mapping[str, Any]) -> int:
    """How often a set is gone through; with ``many_cases`` large sets less often: they cost more and vary less."""
    many = params.get("many_cases")
    return many["repetitions"] if many and facts["rows"] > many["above"] else params["repetitions"]


def with_floats(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The learner alone; alpha: 1 and alpha: 1.0 are the same and must name the same stream."""
    return {name: float(value) if name == "alpha" else value for name, value in spec.items() if name != "repetitions"}


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: trees times cases times attributes, boosting and searching more."""
    specs = task["learners"].values() if isinstance(task["learners"], dict) else task["learners"]
    trees = sum(spec["trees"] * {"boosting": 5, "searched": 6}.get(spec["kind"], 1) for spec in specs)
    return trees * (200 + facts["rows"] * (4 + facts["attributes"]))
