"""More than three trials: do the components, and what is concluded from them, depend on so few?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from arboretum.datasets import Dataset
from arboretum.measures.decomposition import prefix_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.shared import (
    Params,
    Sets,
    cases_of,
    count_rows,
    effort,
    grown_votes,
    truth_of,
)
from arboretum.papers.resampling import available


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    shared = {key: params[key] for key in ("trees", "test_share", "trial_share", "sizes", "trial_counts")}
    shared["trials"] = max(params["trial_counts"])
    for name, (learner, spec) in product(available(sets, params["sets"]), params["learners"].items()):
        for split in range(params["splits"].get(name, params["splits"]["default"])):
            yield {"dataset": name, "learner": learner, "spec": dict(spec), "split": split, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Components from the first three trials, from ten, and from all of them; split and trees as in ``guided``."""
    cases = cases_of(data)
    truth = truth_of(task, cases, task["split"])
    votes = grown_votes(task, task["spec"], cases, task["split"]).votes
    described = {name: task[name] for name in ("dataset", "learner", "split")}
    return [
        described | row
        for trials in task["trial_counts"]
        for row in count_rows(prefix_counts(votes[:trials], truth, cases.n_classes, task["sizes"]))
    ]


TRIALS = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "trials", "members"), cost=effort)
