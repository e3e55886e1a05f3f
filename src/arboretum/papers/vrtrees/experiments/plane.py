"""The spectrum on a plane: what a forest and one of its trees look like at each alpha. Beyond print.

The training cases are those of Figure 8.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.boundary import grid_of, sample_of
from arboretum.papers.vrtrees.experiments.cross_validation import PAPER, Params, Sets
from arboretum.seeds import random_state
from arboretum.trees.rules import LEAF

AXES = {"paper": PAPER, "experiment": "plane"}


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per alpha."""
    shared = ("trees", "centres", "cases_per_class", "test_cases_per_class", "grid")
    for alpha in params["alphas"]:
        yield {"alpha": float(alpha)} | {name: params[name] for name in shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Errors of forest and tree, a map of the plane by each of them, and the nodes of the tree."""
    sample = sample_of(task, 0)
    forest = VRForest(alpha=task["alpha"], n_estimators=task["trees"], random_state=random_state(**AXES))
    forest.fit(sample.X, sample.y)
    models = {"forest": forest, "tree": forest.head(1)}
    points = grid_of(sample.X, task["grid"])
    shares = {name: model.predict_proba(points)[:, 1] for name, model in models.items()}
    wrong = {name: int(np.sum(model.predict(sample.test_X) != sample.test_y)) for name, model in models.items()}
    rows = [{"kind": "score", "index": 0, "cases": len(sample.test_y)} | wrong]
    rows += [
        {"kind": "map", "index": index, "x1": round(float(x1), 4), "x2": round(float(x2), 4)}
        | {name: round(float(share[index]), 4) for name, share in shares.items()}
        for index, (x1, x2) in enumerate(points.to_numpy())
    ]
    rows += nodes_of(models["tree"])
    return [{"alpha": task["alpha"]} | row for row in rows]


def nodes_of(model: VRForest) -> list[ResultRow]:
    """The nodes of the first tree: parent, training cases, those of the second class, and how the test was found."""
    trees = model.forest_
    weights, parents = trees.class_weights, trees.parent
    return [
        {
            "kind": "node",
            "index": index,
            "parent": float(parents[index]),
            "node_cases": float(np.sum(weights[index])),
            "second_class": float(weights[index, 1]),
            "feature": float(node["feature"]),
            "cut": round(float(node["cut"]), 4),
            "deterministic": float(node["deterministic"]) if node["kind"] != LEAF else None,
        }
        for index, node in enumerate(trees.nodes[: trees.starts[1]])
    ]


PLANE = Experiment(plan, run, keys=("alpha", "kind", "index"))
