"""Forest-RI of Table 2 under three rules for a drawn feature that is constant in the node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arboretum.datasets import Dataset
from arboretum.ensembles import RandomForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.accuracy import real_part
from arboretum.papers.pert.experiments.samples import Params, Sets, batches, features_tried, learner_on
from arboretum.papers.resampling import available, errors_of
from arboretum.trees import table_of

KINDS = vocabulary(RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, rule and run of repetitions, on the hold-outs of Table 2."""
    for name in available(sets, params["sets"]):
        for rule, redraw in params["rules"].items():
            spec = {"kind": "forest", "trees": params["trees"], "redraw_constants": redraw, "ties": params["ties"]}
            split = {"split": "hold-out", "test_share": params["test_share"]}
            for run_ in batches(params["repetitions"], params["batch"]):
                yield {"dataset": name, "rule": rule, "spec": spec, **split, **run_}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Errors with F = 1 and with F = int(log2 M + 1), one row per F and repetition."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        part = real_part(task, table, data.y, repetition)
        axes = {"dataset": task["dataset"], "repetition": repetition}
        for features in features_tried(table.shape[1]):
            forest = learner_on(KINDS, task["spec"] | {"max_features": features}, split=task["split"], **axes)
            errors = errors_of(forest.fit(part.X, part.y), part.test_X, part.test_y)
            grown = {"nodes": int(forest.forest_.n_nodes.sum()), "trees": len(forest.forest_)}
            counts = {"errors": errors, "cases": len(part.test_y)} | grown
            rows.append(axes | {"rule": task["rule"], "features": features} | counts)
    return rows


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: repetitions times trees times cases."""
    return (task["last"] - task["first"]) * task["spec"]["trees"] * (200 + 24 * facts["rows"])


CONSTANTS = Experiment(plan=plan, run=run, keys=("dataset", "rule", "features", "repetition"), cost=effort)
