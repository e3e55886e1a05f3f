"""F of random forests against alpha (6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.random_forest import RandomForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import available
from arboretum.papers.vrtrees.experiments.cross_validation import Params, Sets, effort, parts_of
from arboretum.papers.vrtrees.experiments.votes import voted_folds

LEARNERS = vocabulary(VRForest, RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, forest and repetition: every F from 1 to the number of attributes, and every alpha."""
    for name in available(sets, params["sets"]):
        features = range(1, sets[name]["attributes"] + 1, params["feature_step"])
        specs = [{"kind": "random_forest", "max_features": F, "trees": params["trees"]} for F in features]
        specs += [{"kind": "aggregating", "alpha": float(a), "trees": params["trees"]} for a in params["alphas"]]
        for spec in specs:
            for repetition in range(params["repetitions"]):
                yield {"dataset": name, "repetition": repetition, "folds": params["folds"], "learners": [spec]}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of one forest, a row per fold, and its votes on all folds, one row."""
    spec = task["learners"][0]
    setting = spec["max_features"] if spec["kind"] == "random_forest" else spec["alpha"]
    described = {"dataset": task["dataset"], "repetition": task["repetition"]}
    described |= {"learner": spec["kind"], "setting": setting}
    return [described | row for row in voted_folds(LEARNERS, task, list(parts_of(task, data)), spec)]


FORESTS = Experiment(plan, run, keys=("dataset", "repetition", "learner", "setting", "kind", "fold"), cost=effort)
