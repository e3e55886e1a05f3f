"""Guided growth: the decomposition of every learner as trees are added (sections 5.1 and 5.3, Tables 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import (
    Params,
    Sets,
    component_rows,
    described,
    each_split,
    effort,
    sizes_of,
    voted,
)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split(params, sets, "each", "step")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of members, ensembles and their centres for each number of trees, and out of bag."""
    return [described(task) | row for row in component_rows(*voted(task, data), sizes_of(task))]


GUIDED = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "members"), cost=effort)
