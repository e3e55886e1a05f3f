"""Section 4, Table 3: larger ensembles, all sizes from one forest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from arboretum.ensembles import PERT
from arboretum.ensembles.base import first_vote_among, several
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.margins import vote_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import Params, Sets, drawn_part, learner_on, synthetic_tasks

KINDS = vocabulary(PERT)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per generator and run of repetitions."""
    for task in synthetic_tasks(params):
        yield task | {"trees": list(params["trees"]), "ties": params["ties"]}


def run(task: Task, data: None) -> list[ResultRow]:
    """Errors of the first trees of one forest, by true class."""
    rows = []
    for repetition in range(task["first"], task["last"]):
        part = drawn_part(task, repetition)
        axes = {"dataset": task["set"], "split": "new sample", "repetition": repetition}
        forest = learner_on(KINDS, {"kind": "pert", "trees": max(task["trees"])}, **axes).fit(part.X, part.y)
        votes, truth = forest.tree_votes(part.test_X), part.test_y.cat.codes.to_numpy()
        counts, done = 0, 0
        for trees in sorted(task["trees"]):
            counts, done = counts + vote_counts(votes[done:trees], len(part.test_y.cat.categories)), trees
            wrong = answers(votes[:trees], counts, task["ties"]) != truth
            described = {"dataset": task["set"], "repetition": repetition, "trees": trees, "cases": len(truth)}
            by_class = {"errors": int(wrong.sum()), "errors_class_1": int(wrong[truth == 0].sum())}
            rows.append(described | by_class)
    return rows


def answers(votes: np.ndarray, counts: np.ndarray, ties: str) -> np.ndarray:
    """What the trees of a prefix answer: the class with most votes, of tied ones the first or a random one."""
    answer = counts.argmax(axis=1)
    if ties == "random":
        tied = counts == counts.max(axis=1, keepdims=True)
        rows = several(tied)
        answer[rows] = first_vote_among(votes[:, rows], tied[rows])
    return answer


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return (task["last"] - task["first"]) * max(task["trees"]) * (task["train"] + task["test"])


LARGER = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "trees"), cost=effort)
