"""Beyond the paper: the kernel classifier that a forest's leaves make, beside the forest's vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from arboretum.datasets import Dataset
from arboretum.ensembles import PERT, VRForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.accuracy import real_part
from arboretum.papers.pert.experiments.samples import Params, Sets, batches, learner_on
from arboretum.papers.resampling import available, errors_of
from arboretum.trees import table_of

KINDS = vocabulary(PERT, VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and run of repetitions, on the hold-outs of Table 2."""
    for name in available(sets, params["sets"]):
        for learner, spec in params["learners"].items():
            split = {"split": "hold-out", "test_share": params["test_share"]}
            for run_ in batches(params["repetitions"], params["batch"]):
                yield {"dataset": name, "learner": learner, "spec": {**spec}, **split, **run_}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of the vote and of the kernel classifier on the same forest, and how large its leaves are."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        part = real_part(task, table, data.y, repetition)
        axes = {"dataset": task["dataset"], "repetition": repetition}
        forest = learner_on(KINDS, task["spec"], split=task["split"], **axes).fit(part.X, part.y)
        classes, truth = part.y.cat.codes.to_numpy(), part.test_y.cat.codes.to_numpy()
        answer = kernel_votes(forest.apply(part.X), forest.apply(part.test_X), classes).argmax(axis=1)
        counts = {"errors": errors_of(forest, part.test_X, part.test_y), "kernel_errors": int(np.sum(answer != truth))}
        grown = {"leaves": int((forest.forest_.n_nodes.sum() + len(forest.forest_)) // 2), "trees": len(forest.forest_)}
        sizes = {"cases": len(truth), "training_cases": len(classes)}
        rows.append(axes | {"learner": task["learner"]} | counts | grown | sizes)
    return rows


def kernel_votes(leaves: np.ndarray, asked: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Sums over training cases of each class of the number of trees in which they share a leaf with a case asked."""
    votes = np.zeros((len(asked), classes.max() + 1), dtype=np.int64)
    for of_training, of_asked in zip(leaves.T, asked.T, strict=True):
        held = np.zeros((max(of_training.max(), of_asked.max()) + 1, votes.shape[1]), dtype=np.int64)
        np.add.at(held, (of_training, classes), 1)
        votes += held[of_asked]
    return votes


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: repetitions times cases."""
    return (task["last"] - task["first"]) * (200 + 4 * facts["rows"])


KERNEL_CLASSIFIER = Experiment(plan=plan, run=run, keys=("dataset", "learner", "repetition"), cost=effort)
