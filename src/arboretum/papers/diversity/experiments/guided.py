"""Guided growth: the decomposition of every learner as trees are added (sections 5.1 and 5.3, Tables 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.shared import (
    Params,
    Sets,
    cases_of,
    component_rows,
    effort,
    grown_votes,
    sizes_of,
    truth_of,
)
from arboretum.papers.resampling import available


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and run of splits."""
    shared = {key: params[key] for key in ("trials", "trees", "test_share", "trial_share", "each", "step")}
    for name, (learner, spec) in product(available(sets, params["sets"]), params["learners"].items()):
        splits = params["splits"].get(name, params["splits"]["default"])
        batch = params["batch"] if splits == params["splits"]["default"] else 1
        for first in range(0, splits, batch):
            run = {"first": first, "last": min(first + batch, splits)}
            yield {"dataset": name, "learner": learner, "spec": dict(spec), **run, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of members, ensembles and their centres for each number of trees, and out of bag."""
    cases, rows = cases_of(data), []
    for split in range(task["first"], task["last"]):
        truth = truth_of(task, cases, split)
        grown = grown_votes(task, task["spec"], cases, split)
        described = {"dataset": task["dataset"], "learner": task["learner"], "split": split}
        rows += [described | row for row in component_rows(grown, truth, cases.n_classes, sizes_of(task))]
    return rows


GUIDED = Experiment(
    plan=plan,
    run=run,
    keys=("dataset", "learner", "split", "members"),
    cost=lambda task, facts: (task["last"] - task["first"]) * effort(task, facts),
)
