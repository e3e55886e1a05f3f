"""Section 8: symmetry and skewness of the kernel against correlation and strength of the trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from arboretum.datasets.generators import breiman_plane
from arboretum.ensembles import VRForest
from arboretum.measures.vote_sums import strength_correlation
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params
from arboretum.papers.infinity.experiments.section8 import GAUSSIAN, masses_of, means_over_forests
from arboretum.seeds import generator, random_state
from arboretum.theory import grid_forests, population
from arboretum.theory.kernel_symmetry import skewness, symmetry


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per problem, tree size and regime of cuts."""
    shared = {key: params[key] for key in ("grid", "points", "trees", "forests")}
    for problem, leaves in product(params["problems"], params["leaves"]):
        for regime in params["regimes"]:
            yield {"problem": problem, "leaves": leaves, "regime": regime, "alpha": 0.0, **shared}
        for alpha in params["alphas"]:
            yield {"problem": problem, "leaves": leaves, "regime": "variable-random", "alpha": alpha, **shared}
    for alpha in params["alphas"]:  # grown out, on samples: the number of leaves is not set
        shared = {"grid": params["grid"], "points": params["points"], **params["vr_trees"]}
        yield {"problem": "circle-natural", "leaves": 0, "regime": "VR-Trees", "alpha": alpha, **shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Strength, correlation, symmetry, skewness and error: means over forests with standard errors."""
    name, _, balance = task["problem"].partition("-")
    reading = {"grid": task["grid"], "square": [0, 1], "cells": "share", "masses": balance, "problem": name}
    if name == "gaussians":
        reading = {**reading, **GAUSSIAN, "exponent": "exp(-r2/s^2)"}
    masses = masses_of(reading)
    step = task["grid"] // task["points"]
    rows, columns = (step // 2 + step * index.ravel() for index in np.indices((task["points"],) * 2))
    label = masses.signed[rows, columns] > 0
    outcomes = []
    identity = {key: task[key] for key in ("problem", "leaves", "regime", "alpha")}
    for number in range(task["forests"]):
        axes = {"paper": PAPER, "experiment": "skewness", **identity, "forest": number}
        grown = _grown_out if task["regime"] == "VR-Trees" else _grown_on_grid
        measured, gram = grown(task, masses, axes, rows, columns)
        shape = {"symmetry": symmetry(gram, rows, columns), "skewness": skewness(gram, rows, columns, label)}
        outcomes.append({**measured, **shape})
    return [
        {**identity, "bayes": population.bayes_risk(masses), "forests": task["forests"], **means_over_forests(outcomes)}
    ]


def _grown_on_grid(task: Task, masses: population.Masses, axes: dict, rows: np.ndarray, columns: np.ndarray):
    """Strength, correlation and error of a forest in distribution space, and its kernel at the points."""
    regime, rng = task["regime"], generator(**axes)
    forest = grid_forests.grow(masses, task["leaves"], task["trees"], regime, rng, task["alpha"])
    votes = population.positive(grid_forests.combine(forest, masses, "vote"))
    measured = {
        "strength": grid_forests.strength(forest, masses),
        "correlation": grid_forests.correlation(forest, masses),
        "vote_error": population.error(masses, votes),
    }
    return measured, grid_forests.gram(forest, rows, columns)


def _grown_out(task: Task, masses: population.Masses, axes: dict, rows: np.ndarray, columns: np.ndarray):
    """The same of VR-Trees of the engine, grown out on a sample of the circle and measured on the grid."""
    x, y = breiman_plane("circle", task["cases"], generator(**axes))
    seed = random_state(**axes, of="trees")
    forest = VRForest(alpha=task["alpha"], n_estimators=task["trees"], random_state=seed).fit(x.to_numpy(), y)
    points = population.unit_points(task["grid"])
    cells = np.stack(np.meshgrid(points, points, indexing="ij"), axis=-1)
    inside = np.asarray(forest.classes_) == y.cat.categories[y.cat.codes[(x**2).sum(axis=1).idxmin()]]
    votes = inside[forest.tree_votes(cells.reshape(-1, 2))].astype(int)
    quality = strength_correlation(votes, (masses.signed > 0).ravel().astype(int), 2)
    leaf = forest.apply(cells[rows, columns])
    measured = {
        "strength": (1 + quality.strength) / 2,
        "correlation": quality.correlation,
        "vote_error": population.error(masses, votes.mean(axis=0).reshape(masses.plus.shape) > 0.5),
    }
    return measured, np.mean(leaf[:, None] == leaf[None], axis=2)


EXPERIMENT = Experiment(
    plan,
    run,
    keys=("problem", "leaves", "regime", "alpha"),
    cost=lambda task, facts: task["leaves"] * (1 + 4 * (task["regime"] != "uniform")),
)
