"""Coalescence and its benchmarks (5.3)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.boosted import BoostedTrees
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.searched_alpha import SearchedAlpha
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.choices import LEAVES, as_read, chosen, errors_by_leaves, treated_parts
from arboretum.papers.vrtrees.experiments.cross_validation import (
    Params,
    Sets,
    count_errors,
    effort,
    fitted,
    plan_learners,
)

LEARNERS = vocabulary(VRForest, Coalescence, SearchedAlpha, BoostedTrees, RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and repetition."""
    for task in plan_learners(params, sets):
        yield task | chosen(params, sets[task["dataset"]], task["learners"][0])


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of one learner, one row per fold."""
    spec = task["learners"][0]
    rows = []
    for part in treated_parts(task, data):
        model = fitted(LEARNERS, task, part, spec)
        row = {name: task[name] for name in ("dataset", "repetition", "learner")} | {"fold": part.fold}
        row |= errors_by_leaves(model, part.test_X, part.test_y) if LEAVES in task else count_errors(model, part)
        rows.append(row | ({"alpha": model.alpha_} if spec["kind"] == "searched" else {}))
    return rows


COALESCENCE = Experiment(plan, run, keys=("dataset", "repetition", "learner", "fold"), cost=effort, read=as_read)
