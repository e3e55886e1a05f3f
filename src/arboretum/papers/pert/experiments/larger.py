"""Section 4, Table 3: larger ensembles, all sizes from one forest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arboretum.ensembles import PERT
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.margins import vote_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.shared import Params, Sets, drawn_part, learner_on, synthetic_tasks

KINDS = vocabulary(PERT)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per generator and run of repetitions."""
    for task in synthetic_tasks(params):
        yield task | {"trees": list(params["trees"])}


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
            wrong = counts.argmax(axis=1) != truth
            described = {"dataset": task["set"], "repetition": repetition, "trees": trees, "cases": len(truth)}
            by_class = {"errors": int(wrong.sum()), "errors_class_1": int(wrong[truth == 0].sum())}
            rows.append(described | by_class)
    return rows


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return (task["last"] - task["first"]) * max(task["trees"]) * (task["train"] + task["test"])


LARGER = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "trees"), cost=effort)
