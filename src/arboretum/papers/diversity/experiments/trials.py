"""More than three trials: do the components, and what is concluded from them, depend on so few?"""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.measures.decomposition import prefix_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import (
    Params,
    Sets,
    count_rows,
    described,
    each_split,
    effort,
    voted,
)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split({**params, "trials": max(params["trial_counts"])}, sets, "sizes", "trial_counts")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Components from the first three trials, from ten, and from all of them; split and trees as in ``guided``."""
    (votes, *_), truth, n_classes = voted(task, data)
    return [
        described(task) | row
        for trials in task["trial_counts"]
        for row in count_rows(prefix_counts(votes[:trials], truth, n_classes, task["sizes"]))
    ]


TRIALS = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "trials", "members"), cost=effort)
