"""Stability of complete-random trees (appendix B)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from arboretum.datasets.generators.line import segments
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.measures import stability
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.cross_validation import PAPER, Params, Sets
from arboretum.seeds import generator, random_state

LEARNERS = vocabulary(VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per condition and sample: each condition changes one thing."""
    for study, settings in params["studies"].items():
        for value in settings["values"]:
            for sample in range(params["samples"]):
                yield {
                    "study": study,
                    "value": value,
                    "sample": sample,
                    "condition": dict(params["condition"]) | {study: value},
                    "segments": params["segments"],
                    "exact_up_to": params["exact_up_to"],
                    "test_cases": params["test_cases"],
                    "trees": params["trees"],
                }


def run(task: Task, data: None) -> list[ResultRow]:
    """Leave-one-out losses of complete-random ensembles beside the class transitions of the sample."""
    axes = {"paper": PAPER, "experiment": "stability", **task["condition"], "sample": task["sample"]}
    rng = generator(**axes)
    size, noise, irrelevant = (task["condition"][name] for name in ("size", "noise", "irrelevant"))
    X, truth = segments(size, task["segments"], irrelevant, rng)
    flipped = rng.permutation(size)[: round(noise * size)]
    y = truth.copy()
    y[flipped] *= -1
    test, test_truth = segments(task["test_cases"], task["segments"], irrelevant, rng)
    whole = random_trees(task["trees"], X, y, random_state(**axes))
    row = {"study": task["study"], "value": float(task["value"]), "sample": task["sample"], "size": size}
    row |= {
        "transitions": stability.transitions(X[:, 0], y),
        "mean_transitions": float(np.mean([stability.transitions(column, y) for column in X.T])),
        "training_loss": float(np.sum(stability.loss(output_of(whole, X), y))),
        "left_out_loss": left_out_loss(task["trees"], X, y, axes),
        "test_loss": float(np.sum(stability.loss(output_of(whole, test), test_truth))),
        "test_cases": task["test_cases"],
    }
    if irrelevant == 0 and size <= task["exact_up_to"]:
        row["left_out_loss_exact"] = float(stability.left_out_losses(X[:, 0], y).sum())
    return [row]


def random_trees(trees: int, X: np.ndarray, y: np.ndarray, seed: int):
    """Complete-random trees with pure leaves, as appendix B assumes."""
    spec = {"kind": "aggregating", "alpha": 0.0, "trees": trees, "n_min": 2, "curtailment": False}
    return make_learner(LEARNERS, spec, seed).fit(X, y)


def output_of(forest, X: np.ndarray) -> np.ndarray:
    """f(x) in [-1, 1]: the mean of the trees' answers -1 and +1."""
    return forest.predict_proba(X) @ np.asarray(forest.classes_, dtype=float)


def left_out_loss(trees: int, X: np.ndarray, y: np.ndarray, axes: Mapping[str, Any]) -> float:
    """The summed loss at each case of the ensemble grown without it."""
    total = 0.0
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        forest = random_trees(trees, X[others], y[others], random_state(left_out=i, **axes))
        total += float(stability.loss(output_of(forest, X[i : i + 1]), y[i : i + 1])[0])
    return total


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return task["condition"]["size"] ** 2


STABILITY = Experiment(plan, run, keys=("study", "value", "sample"), cost=effort)
