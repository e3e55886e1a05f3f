"""Choices that the paper leaves open, one changed at a time (profile ``extended``)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import available
from arboretum.papers.vrtrees.experiments.choices import treated_parts
from arboretum.papers.vrtrees.experiments.cross_validation import (
    Params,
    Sets,
    count_errors,
    effort,
    fitted,
    plan_learners,
)
from arboretum.trees import collapse

LEARNERS = vocabulary(VRForest, Coalescence, RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """The learners of Table 3 again under each choice: options of the learner, or of its treatment.

    What concerns missing values changes nothing on a set that has none: such sets are left out.
    """
    for choice, settings in params["choices"].items():
        wanted = settings.get("learners", params["vr_learners"])
        learners = {name: {**params["learners"][name], **settings.get("options", {})} for name in wanted}
        concerned = params["sets"]
        if "missing" in {**settings.get("options", {}), **settings.get("treatment", {})}:
            concerned = [name for name in available(sets, concerned) if sets[name]["missing"]]
        for task in plan_learners({**params, "sets": concerned, "learners": learners}, sets):
            yield task | {"choice": choice} | dict(settings.get("treatment", {}))


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of one learner under one choice, one row per fold."""
    spec = task["learners"][0]
    rows = []
    for part in treated_parts(task, data):
        model = fitted(LEARNERS, task, part, spec)
        if task.get("collapse", False):
            model.forest_ = collapse(model.forest_)
        row = {name: task[name] for name in ("choice", "dataset", "repetition", "learner")} | {"fold": part.fold}
        rows.append(row | count_errors(model, part))
    return rows


SENSITIVITY = Experiment(plan, run, keys=("choice", "dataset", "repetition", "learner", "fold"), cost=effort)
