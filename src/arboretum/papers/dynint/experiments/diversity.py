"""Dynamic integration of more diverse trees: does what it gains grow with diversity? Not in the paper.

VR-Trees along alpha and Coalescence (vrtrees), PERT (pert), all on bootstrap samples, beside the random forest.
"""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.ensembles import PERT, Coalescence, RandomForest, VRForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.vote_sums import vote_sums
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    Grid,
    Params,
    Part,
    Sets,
    batch_size,
    batches,
    effort,
    forest_counts,
    integrated,
    learner_on,
    outcome_rows,
    random_split,
)
from arboretum.papers.resampling import available
from arboretum.trees import table_of

KINDS = vocabulary(RandomForest, VRForest, Coalescence, PERT)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set, ensemble and run of repetitions."""
    shared = {key: params[key] for key in ("train_share", "trees", "schemes", "neighbours", "integration")}
    for name in available(sets, params["sets"]):
        if name not in params["leave_out"]:
            for ensemble, spec in params["ensembles"].items():
                for run in batches(params["repetitions"], batch_size(params, sets[name])):
                    yield {"dataset": name, "ensemble": ensemble, "spec": dict(spec), **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each repetition and scheme; ``agreements`` are ordered pairs of trees that vote alike on a case."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        part = Part.of(table, data.y, random_split(data.y, task["train_share"], **axes))
        spec = {**task["spec"], "trees": max(task["trees"])}
        forest, grid = learner_on(KINDS, spec, **axes).fit(part.X, part.y), Grid.of(task)
        model, outcome = integrated(forest, part, grid, axes, task["integration"])
        votes, classes = model.tree_votes(part.test_X), len(model.classes_)
        counts = forest_counts(votes, part.truth, classes)
        counts["agreements"] = vote_sums(votes, part.truth, classes).agreements
        described = axes | {"ensemble": task["ensemble"]}
        rows += [described | row | counts for row in outcome_rows(outcome, grid)]
    return rows


DIVERSITY = Experiment(
    plan=plan, run=run, keys=("dataset", "repetition", "ensemble", "trees", "scheme", "neighbours"), cost=effort
)
