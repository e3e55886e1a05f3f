"""Coalescence and its benchmarks (5.3)."""

from __future__ import annotations

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.boosted import BoostedTrees
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.searched_alpha import SearchedAlpha
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.shared import count_errors, effort, fitted, parts_of, plan_learners

LEARNERS = vocabulary(VRForest, Coalescence, SearchedAlpha, BoostedTrees, RandomForest)


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of one learner, one row per fold."""
    spec = task["learners"][0]
    rows = []
    for part in parts_of(task, data):
        model = fitted(LEARNERS, task, part, spec)
        row = {name: task[name] for name in ("dataset", "repetition", "learner")} | {"fold": part.fold}
        row |= count_errors(model, part)
        rows.append(row | ({"alpha": model.alpha_} if spec["kind"] == "searched" else {}))
    return rows


COALESCENCE = Experiment(plan_learners, run, keys=("dataset", "repetition", "learner", "fold"), cost=effort)
