"""The spectrum (5.1) with the votes of its trees (5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import available
from arboretum.papers.vrtrees.experiments.shared import Params, Sets, effort, parts_of, repetitions_of
from arboretum.papers.vrtrees.experiments.votes import voted_folds

LEARNERS = vocabulary(VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, repetition and method; of a large set, one for each alpha."""
    for name in available(sets, params["sets"]):
        alphas = [float(alpha) for alpha in params["alphas"]]
        large = sets[name]["rows"] * sets[name]["attributes"] > params["large"]
        for repetition in range(repetitions_of(params, sets[name])):
            for method in params["methods"]:
                for part in [[alpha] for alpha in alphas] if large else [alphas]:
                    yield {
                        "dataset": name,
                        "repetition": repetition,
                        "folds": params["folds"],
                        "learners": [{"kind": method, "alpha": alpha, "trees": params["trees"]} for alpha in part],
                    }


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of VR-Trees at some alphas, a row per fold, and the votes and trees of all folds, a row per forest."""
    parts = list(parts_of(task, data))
    rows = []
    for spec in task["learners"]:
        described = {"dataset": task["dataset"], "repetition": task["repetition"], "method": spec["kind"]}
        described |= {"alpha": spec["alpha"]}
        rows += [described | row for row in voted_folds(LEARNERS, task, parts, spec)]
    return rows


SPECTRUM = Experiment(plan, run, keys=("dataset", "repetition", "method", "alpha", "kind", "fold"), cost=effort)
