"""The distribution in which a printed cell lies: one split of its own for each learner, as the author drew them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from arboretum.datasets import Dataset
from arboretum.measures.decomposition import prefix_counts
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import (
    PROTOCOL,
    Params,
    Sets,
    cases_of,
    effort,
    grown_votes,
    of_set,
    truth_of,
)
from arboretum.papers.resampling import available


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and run of draws."""
    shared = {key: params[key] for key in PROTOCOL}
    for name, (learner, spec) in product(available(sets, params["sets"]), params["learners"].items()):
        draws = of_set(params["draws"], name)
        for first in range(0, draws, params["batch"]):
            run = {"first": first, "last": min(first + params["batch"], draws)}
            yield {"dataset": name, "learner": learner, "spec": dict(spec), **run, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """The least error over the number of trees, where it is first reached, and the error of all trees.

    Draw d of one learner and draw d of another have nothing in common but their number.
    """
    cases, rows = cases_of(data), []
    for draw in range(task["first"], task["last"]):
        axes = {"purpose_of_split": "printed", "learner": task["learner"]}
        truth = truth_of(task, cases, draw, **axes)
        votes = grown_votes(task, task["spec"], cases, draw, **axes).votes
        errors = prefix_counts(votes, truth, cases.n_classes, range(1, task["trees"] + 1)).ensemble_errors
        described = {"dataset": task["dataset"], "learner": task["learner"], "draw": draw}
        counts = {"cases": len(truth), "trials": task["trials"], "trees": task["trees"]}
        least = {"least_errors": int(errors.min()), "least_at": int(errors.argmin()) + 1}
        rows.append(described | counts | least | {"errors": int(errors[-1])})
    return rows


PRINTED = Experiment(
    plan=plan,
    run=run,
    keys=("dataset", "learner", "draw"),
    cost=lambda task, facts: (task["last"] - task["first"]) * effort(task, facts),
)
