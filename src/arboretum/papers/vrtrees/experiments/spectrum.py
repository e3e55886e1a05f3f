"""The spectrum (5.1) with the votes of its trees (5.2)."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets.dataset import Dataset
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.resampling import available
from arboretum.papers.vrtrees.experiments.choices import LEAVES, as_read, chosen, errors_by_leaves, treated_parts
from arboretum.papers.vrtrees.experiments.cross_validation import Params, Sets, effort, fitted, repetitions_of
from arboretum.papers.vrtrees.experiments.votes import voted_folds

LEARNERS = vocabulary(VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, repetition and method; of a large set, or for readings, one for each alpha."""
    for name in available(sets, params["sets"]):
        alphas = [float(alpha) for alpha in params["alphas"]]
        apart = LEAVES in params or sets[name]["rows"] * sets[name]["attributes"] > params["large"]
        for repetition in range(repetitions_of(params, sets[name])):
            for method in params["methods"]:
                for part in [[alpha] for alpha in alphas] if apart else [alphas]:
                    specs = [{"kind": method, "alpha": alpha, "trees": params["trees"]} for alpha in part]
                    task = {"dataset": name, "repetition": repetition, "folds": params["folds"], "learners": specs}
                    yield task | (chosen(params, sets[name], specs[0]) if LEAVES in params else {})


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors of VR-Trees at some alphas, a row per fold, and the votes and trees of all folds, a row per forest.

    Where leaves are read many ways votes are not counted.
    """
    parts = list(treated_parts(task, data))
    rows = []
    for spec in task["learners"]:
        described = {"dataset": task["dataset"], "repetition": task["repetition"], "method": spec["kind"]}
        described |= {"alpha": spec["alpha"]}
        if LEAVES in task:
            rows += [
                described
                | {"kind": "fold", "fold": part.fold}
                | errors_by_leaves(fitted(LEARNERS, task, part, spec), part.test_X, part.test_y)
                for part in parts
            ]
            continue
        rows += [described | row for row in voted_folds(LEARNERS, task, parts, spec)]
    return rows


SPECTRUM = Experiment(
    plan, run, keys=("dataset", "repetition", "method", "alpha", "kind", "fold"), cost=effort, read=as_read
)
