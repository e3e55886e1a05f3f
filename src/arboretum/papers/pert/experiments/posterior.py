"""Section 6: the surface Q_j, exactly and from forests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from arboretum.ensembles import PERT, ExactPERT
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.ties import at_most, less
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import PAPER, Params, Sets, learner_on
from arboretum.seeds import generator

KINDS = vocabulary(PERT)
SECOND = np.array([1, -2, 1])  # difference of differences along a line


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per check or drawing."""
    checks = params["checks"]
    for (features, cases), number in product(checks["layouts"], range(checks["samples"])):
        shared = {key: checks[key] for key in ("points", "trees", "shifts")}
        yield {"part": "checks", "features": features, "cases": cases, "number": number, **shared}
    for part, features in (("line", 1), ("surface", 2)):
        yield {"part": part, "features": features, "number": 0, **params[part]}
    shared = {key: value for key, value in params["convergence"].items() if key != "forests"}
    for number in range(params["convergence"]["forests"]):
        yield {"part": "convergence", "features": 2, "number": number, **shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows (quantity, at_1, at_2, value) of one part."""
    make = {"checks": check_rows, "line": map_rows, "surface": map_rows, "convergence": convergence_rows}[task["part"]]
    described = {name: task[name] for name in ("part", "features", "cases", "number")}
    return [
        described | {"quantity": quantity, "at_1": float(at_1), "at_2": float(at_2), "value": float(value)}
        for quantity, at_1, at_2, value in make(task)
    ]


def small_sample(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Uniform points; for checks the classes are drawn at random, else class 1 lies in the middle half."""
    number = task["number"] if task["part"] == "checks" else 0
    axes = {"experiment": "posterior", "part": task["part"], "features": task["features"], "cases": task["cases"]}
    rng = generator(paper=PAPER, number=number, **axes)
    X = rng.random((task["cases"], task["features"]))
    y = rng.permutation(np.arange(task["cases"]) % 2)
    if task["part"] != "checks":
        radius = 0.25 if task["features"] == 1 else np.sqrt(0.5 / np.pi)
        y = (np.sqrt(np.sum((X - 0.5) ** 2, axis=1)) < radius).astype(int)
    return X, y


def small_forest(task: Task, X: np.ndarray, y: np.ndarray, trees: int) -> PERT:
    axes = {"experiment": "posterior", "part": task["part"], "features": task["features"], "number": task["number"]}
    return learner_on(KINDS, {"kind": "pert", "trees": trees}, cases=task["cases"], **axes).fit(X, y)


def blocks(X: np.ndarray, points: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, int, float, float]]:
    """A random point, an axis, and the ends along that axis of the block that holds the point."""
    for _ in range(points):
        point, axis = rng.uniform(X.min(axis=0), X.max(axis=0)), int(rng.integers(X.shape[1]))
        values = np.sort(X[:, axis])
        place = min(int(np.searchsorted(values, point[axis])), len(values) - 1)
        yield point, axis, values[place - 1], values[place]


def moved_to(value: float, point: np.ndarray, axis: int) -> np.ndarray:
    """The point with ``value`` in place of its coordinate along ``axis``."""
    moved = point.copy()
    moved[axis] = value
    return moved


def within_blocks(task: Task, X: np.ndarray) -> tuple[list[tuple], np.ndarray]:
    """Blocks of random points, and three points on a line through each: (blocks, 3, features)."""
    axes = {"experiment": "posterior", "features": task["features"], "number": task["number"]}
    found = list(blocks(X, task["points"], generator(paper=PAPER, purpose="points", **axes)))
    lines = [[moved_to(low + share * (high - low), p, a) for share in (0.1, 0.5, 0.9)] for p, a, low, high in found]
    return found, np.array(lines)


def check_rows(task: Task) -> Iterator[tuple]:
    """Interpolation, jumps across borders, second differences within blocks and across borders; then the forest."""
    X, y = small_sample(task)
    exact = ExactPERT().fit(X, y)
    found, inside = within_blocks(task, X)
    width = [0.4 * (high - low) for _, _, low, high in found]
    across = [
        [moved_to(low + side * w, p, a) for side in (-1, 0, 1)] for (p, a, low, _), w in zip(found, width, strict=True)
    ]

    def q(points) -> np.ndarray:
        points = np.array(points)
        return exact.predict_proba(points.reshape(-1, X.shape[1]))[:, 1].reshape(points.shape[:-1])

    surface = q(inside)
    yield "sets of cases", 0, 0, len(exact.nodes_)
    yield "largest departure from the labels", 0, 0, np.abs(exact.predict_proba(X)[:, 1] - y).max()
    for shift in task["shifts"]:
        sides = [[moved_to(low - shift, p, a), moved_to(low + shift, p, a)] for p, a, low, _ in found]
        yield "largest jump", shift, 0, np.abs(np.diff(q(sides), axis=1)).max()
    yield "largest second difference within a block", 0, 0, np.abs(surface @ SECOND).max()
    yield "largest second difference across a border", 0, 0, np.abs(q(across) @ SECOND).max()
    yield from forest_check_rows(task, X, y, inside, surface)


def forest_check_rows(task: Task, X, y, inside: np.ndarray, surface: np.ndarray) -> Iterator[tuple]:
    """A forest of many trees: wrong on no training case, near Q, and straight within blocks."""
    forest = small_forest(task, X, y, task["trees"])
    yield "training errors of the trees", task["trees"], 0, np.sum(forest.tree_votes(X) != y)
    for name, values in deviations(task, forest, inside, surface).items():
        yield f"{name}: tests", 0, 0, len(values)
        yield f"{name}: beyond three standard errors", 0, 0, np.sum(less(3, np.abs(values)))
        yield f"{name}: largest", 0, 0, np.abs(values).max(initial=0)
        yield f"{name}: sum of squares", 0, 0, np.sum(values**2)


def deviations(task: Task, forest: PERT, inside: np.ndarray, surface: np.ndarray) -> dict[str, np.ndarray]:
    """Shares of votes less Q, and their second difference along a line, in standard errors."""
    votes = forest.tree_votes(inside.reshape(-1, inside.shape[-1])).reshape(-1, *surface.shape)
    variance = np.maximum(surface * (1 - surface), 0.0)
    firm = at_most(10, variance * task["trees"])  # else the normal approximation does not hold
    z = (votes.mean(axis=0) - surface)[firm] / np.sqrt(variance[firm] / task["trees"])
    bend = votes.astype(float) @ SECOND
    spread = bend.std(axis=0) / np.sqrt(task["trees"])
    some = less(0, spread)
    return {"forest less Q": z, "second difference of the forest": bend.mean(axis=0)[some] / spread[some]}


def map_rows(task: Task) -> Iterator[tuple]:
    """Q of class 1 and the shares of votes of forests on a grid, and the training cases; to six digits."""
    X, y = small_sample(task)
    side = np.round(np.linspace(0, 1, task["grid"]), 6)
    points = np.stack(np.meshgrid(*[side] * task["features"], indexing="ij"), axis=-1).reshape(-1, task["features"])
    maps = {"exact": ExactPERT().fit(X, y)}
    maps |= {f"{trees} trees": small_forest(task, X, y, trees) for trees in task["trees"]}
    places = np.column_stack([points, np.zeros(len(points))])[:, :2]
    for name, model in maps.items():
        share = model.predict_proba(points)[:, 1]
        yield from ((name, *place, round(value, 6)) for place, value in zip(places.tolist(), share, strict=True))
    cases = np.column_stack([X, np.zeros(len(X))])[:, :2]
    yield from (("case", *place, label) for place, label in zip(cases.tolist(), y, strict=True))


def convergence_rows(task: Task) -> Iterator[tuple]:
    """How far the first trees of one forest are from Q on random points."""
    X, y = small_sample(task)
    points = generator(paper=PAPER, experiment="posterior", purpose="convergence").random((task["points"], X.shape[1]))
    exact = ExactPERT().fit(X, y).predict_proba(points)[:, 1]
    votes = small_forest(task, X, y, max(task["trees"])).tree_votes(points)
    for trees in task["trees"]:
        gap = votes[:trees].mean(axis=0) - exact
        yield "root mean square", trees, 0, np.sqrt(np.mean(gap**2))
        yield "largest", trees, 0, np.abs(gap).max()
        yield "expected root mean square", trees, 0, np.sqrt(np.mean(exact * (1 - exact)) / trees)


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return (task["cases"] ** (2 * task["features"])) * task.get("grid", 3) ** task["features"]


POSTERIOR = Experiment(
    plan=plan,
    run=run,
    keys=("part", "features", "cases", "number", "quantity", "at_1", "at_2"),
    cost=effort,
)
