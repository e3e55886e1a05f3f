"""Section 4, Table 2: test errors of PERT, AdaBoost and Forest-RI on the same hold-outs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from arboretum.datasets import Dataset
from arboretum.ensembles import PERT, ArcedTrees, RandomForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import (
    PAPER,
    Params,
    Part,
    Sets,
    batches,
    drawn_part,
    features_tried,
    learner_on,
    synthetic_tasks,
)
from arboretum.papers.resampling import available, errors_of, hold_out
from arboretum.trees import CodedTable, table_of

KINDS = vocabulary(PERT, RandomForest, ArcedTrees)
CELLS_PER_TASK = 500_000  # a task on a large set does fewer repetitions


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, way of splitting, learner and run of repetitions."""
    for learner, spec in params["learners"].items():
        for name in available(sets, params["sets"]):
            split = {"split": "hold-out", "test_share": params["test_share"]}
            most = {"repetitions": params["fewer"].get(name, params["repetitions"])}
            yield from real_tasks(params, sets, name, learner, spec, split, most)
        for item in params["fixed"]:
            if sets[item["set"]]["status"] == "available":
                split = {"split": "fixed", "train": item["train"], "official": item["official"]}
                yield from real_tasks(params, sets, item["set"], learner, spec, split, item)
        for task in synthetic_tasks(params | {"repetitions": repetitions_of(spec, "", params)}):
            yield task | {"split": "new sample", "learner": learner, "spec": learner_alone(spec, 1)}


def real_tasks(params: Params, sets: Sets, name: str, learner: str, spec, split, most) -> Iterator[Task]:
    times = 2 if name in params["doubled"] else 1
    size = max(1, min(params["batch"], CELLS_PER_TASK // (sets[name]["rows"] * sets[name]["attributes"])))
    for run_ in batches(repetitions_of(spec, name, most), size):
        yield {"dataset": name, "learner": learner, "spec": learner_alone(spec, times), **split, **run_}


def repetitions_of(spec: Mapping[str, Any], name: str, most: Mapping[str, Any]) -> int:
    """An expensive learner may have fewer repetitions than the others, and fewer still on a large set."""
    own = spec.get("fewer", {}).get(name, spec.get("repetitions", most["repetitions"]))
    return min(own, most["repetitions"])


def learner_alone(spec: Mapping[str, Any], times: int) -> dict[str, Any]:
    """The learner without its repetitions, with ``times`` as many trees."""
    kept = {name: value for name, value in spec.items() if name not in ("repetitions", "fewer")}
    return kept | {"trees": times * spec["trees"]}


def run(task: Task, data: Dataset | None) -> list[ResultRow]:
    """Errors of one learner, one row per repetition."""
    name = task["dataset"] if data is not None else task["set"]
    table = table_of(data.X) if data is not None else None
    rows = []
    for repetition in range(task["first"], task["last"]):
        part = real_part(task, table, data.y, repetition) if data is not None else drawn_part(task, repetition)
        axes = {"dataset": name, "split": task["split"], "repetition": repetition}
        for learner, model, features in fitted(task, part, axes):
            counts = {
                "errors": errors_of(model, part.test_X, part.test_y),
                "cases": len(part.test_y),
                "features": features,
            }
            rows.append(axes | {"learner": learner} | counts)
    return rows


def real_part(task: Task, table: CodedTable, y: pd.Series, repetition: int) -> Part:
    """A random tenth held out; or a training part of fixed size, the official one or a random one."""
    axes = {"paper": PAPER, "dataset": task["dataset"], "split": task["split"], "repetition": repetition}
    cut = task["train"] if task["split"] == "fixed" else len(y) - round(task["test_share"] * len(y))
    train, test = hold_out(len(y), cut, **axes) if not task.get("official") else np.split(np.arange(len(y)), [cut])
    return Part(table.take(train), y.iloc[train], table.take(test), y.iloc[test])


def fitted(task: Task, part: Part, axes: dict[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """The learner of a task; of forests, F = 1 and the better of F = 1 and int(log2 M + 1) by out-of-bag error."""
    spec = task["spec"]
    if spec["kind"] != "forest":
        yield task["learner"], learner_on(KINDS, spec, **axes).fit(part.X, part.y), 0
        return
    tried = features_tried(part.X.shape[1])
    forests = {
        features: learner_on(KINDS, spec | {"max_features": features}, **axes).fit(part.X, part.y) for features in tried
    }
    chosen = min(tried, key=lambda features: out_of_bag_errors(forests[features], part))
    yield "forest_single", forests[1], 1
    yield "forest_multiple", forests[chosen], chosen


def out_of_bag_errors(forest: RandomForest, part: Part) -> int:
    """Training cases that the trees which did not see them get wrong; cases seen by all are left out."""
    votes = forest.oob_votes(part.X)
    known = ~np.isnan(votes[:, 0])
    return int(np.sum(votes[known].argmax(axis=1) != part.y.cat.codes.to_numpy()[known]))


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: repetitions times trees times cases, times attributes where all are searched."""
    cases = facts.get("rows", 1300)
    searched = {"pert": 3, "forest": 12, "arced": 15 + facts.get("attributes", 20)}[task["spec"]["kind"]]
    return (task["last"] - task["first"]) * task["spec"]["trees"] * (200 + cases * searched)


ACCURACY = Experiment(plan=plan, run=run, keys=("dataset", "split", "learner", "repetition"), cost=effort)
