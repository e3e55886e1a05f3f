"""Which C4.5 the paper built on: with and without the correction of release 8, and which leaves are curtailed."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.coalescence import Coalescence
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.cross_validation import (
    Params,
    Sets,
    count_errors,
    effort,
    fitted,
    parts_of,
    plan_learners,
)

LEARNERS = vocabulary(VRForest, Coalescence)
CURTAILMENTS = {"at weight 1 or less": "up to 1", "below weight 2": True, "off": False}


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """The learners on VR-Trees with each C4.5; curtailment is read from the same trees."""
    for mdl in params["mdl"]:
        learners = {learner: {**spec, "mdl": mdl} for learner, spec in params["learners"].items()}
        yield from plan_learners({**params, "learners": learners}, sets)


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors under each curtailment, one row for each fold and each of them."""
    spec = task["learners"][0]
    rows = []
    for part in parts_of(task, data):
        model = fitted(LEARNERS, task, part, spec)
        described = {name: task[name] for name in ("dataset", "repetition", "learner")}
        for name, curtailment in CURTAILMENTS.items():
            model.set_params(curtailment=curtailment)
            described |= {"mdl": spec["mdl"], "curtailment": name, "fold": part.fold}
            rows.append(described | count_errors(model, part))
    return rows


VARIANTS = Experiment(plan, run, keys=("dataset", "repetition", "learner", "mdl", "curtailment", "fold"), cost=effort)
