"""Sections 4 and 5: AdaBoost in distribution space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import Params
from arboretum.theory import population_boosting as boosting
from arboretum.theory.completeness import parity
from arboretum.theory.population import unit_points


def _centred(cells: int, variables: int) -> list[np.ndarray]:
    """The coordinates of the cells' centres in [-1, 1]."""
    side = 2 * unit_points(cells) - 1
    return list(np.meshgrid(*[side] * variables, indexing="ij"))


def _logistic(score: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-score))


# problem -> number of variables and P(1|x) on the grid; r is minus half the score
POPULATIONS = {
    "ramp": (1, lambda n: _logistic(3 * _centred(n, 1)[0])),
    "additive": (2, lambda n: _logistic(2 * np.sin(np.pi * _centred(n, 2)[0]) + 1.5 * _centred(n, 2)[1])),
    "interaction": (2, lambda n: _logistic(0.5 * _centred(n, 2)[0] + 3 * _centred(n, 2)[0] * _centred(n, 2)[1])),
    "xor": (2, lambda n: np.where(parity((n, n)) > 0, 0.9, 0.1)),
    "parity": (3, lambda n: np.where(parity((n, n, n)) > 0, 0.9, 0.1)),
}


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per problem and tree size."""
    for problem, cells, leaves in params["runs"]:
        limits = {"steps": params["steps"], "stop": params["stop"]}
        yield {"problem": problem, "cells": cells, "leaves": leaves, **limits}


def run(task: Task, data: None) -> list[ResultRow]:
    """Loss, distance to -r and error at steps spaced as powers; checks as the worst up to each."""
    variables, probability = POPULATIONS[task["problem"]]
    p = probability(task["cells"]).ravel()
    mass = np.full(p.size, 1 / p.size)
    trees = boosting.all_trees((task["cells"],) * variables, task["leaves"])
    history = boosting.arc(p, mass, trees, task["steps"], task["stop"])
    rise = np.maximum.accumulate(np.diff(history.excess, prepend=history.excess[0]))
    identity = np.maximum.accumulate(history.identity)
    last = len(history.loss) - 1
    kept = sorted({0, last} | {round(10 ** (e / 8)) for e in range(60) if round(10 ** (e / 8)) <= last})
    shared = {"problem": task["problem"], "variables": variables, "cells": task["cells"], "leaves": task["leaves"]}
    return [
        shared
        | {
            "step": step,
            "last": step == last,
            "stopped": last < task["steps"],
            "excess": float(history.excess[step]),
            "b": float(history.b[step]),
            "c": float(history.step[step]),
            "sum_b2": float((history.b[: step + 1] ** 2).sum()),
            "distance": float(history.distance[step]),
            "size_of_r": float(history.distance[0]),
            "error": float(history.error[step]),
            "bayes": boosting.bayes(p, mass),
            "largest_rise": float(rise[step]),
            "identity_gap": float(identity[step]),
        }
        for step in kept
    ]


EXPERIMENT = Experiment(plan, run, keys=("problem", "cells", "leaves", "step"))
