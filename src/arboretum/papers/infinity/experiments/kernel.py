"""Section 7: the kernel of trees, pair by pair, beside the formulas for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params, case_of
from arboretum.papers.infinity.experiments.engine import grown_leaves
from arboretum.seeds import generator
from arboretum.theory import kernels

PLACES = {"face": 0.0, "third": 1 / 3, "centre": 1 / 2}  # share of the free length that lies before the pair


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per number of variables and leaves: random pairs, and pairs laid out by hand."""
    random, layouts = params["random"], params["layouts"]
    for variables, leaves in product(random["variables"], random["leaves"]):
        case = {"variables": variables, "leaves": leaves}
        yield {"kind": "random", **case, "pairs": random["pairs"], "trees": params["trees"]}
    for variables, leaves in product(layouts["variables"], layouts["leaves"]):
        shown = {key: layouts[key] for key in ("places", "distances", "trees")}
        yield {"kind": "layout", "variables": variables, "leaves": leaves, **shown}


def run(task: Task, data: None) -> list[ResultRow]:
    """Each pair with trees of its own: how many hold it in one leaf, beside the formulas."""
    rows = []
    for number, (place, distance, x, z) in enumerate(_pairs(task)):
        axes = {"experiment": "kernel", "kind": task["kind"], **case_of(task), "pair": number}
        leaf = grown_leaves(np.array([x, z]), task["leaves"], task["trees"], axes)
        formulas = {
            "theorem_4": kernels.printed_kernel(x, z, task["leaves"]),
            "exact": kernels.exact_kernel(x, z, task["leaves"]),
            "log_form": kernels.exponential_kernel(x, z, task["leaves"], "log"),
            "harmonic_form": kernels.exponential_kernel(x, z, task["leaves"], "harmonic"),
        }
        case = {"kind": task["kind"], **case_of(task), "pair": number, "place": place, "distance": distance}
        points = {"x": " ".join(f"{v:g}" for v in x), "z": " ".join(f"{v:g}" for v in z)}
        counts = {"trees": task["trees"], "together": int((leaf[0] == leaf[1]).sum())}
        rows.append({**case, **points, **counts, **{name: float(value) for name, value in formulas.items()}})
    return rows


def _pairs(task: Task) -> Iterator[tuple[str, float, np.ndarray, np.ndarray]]:
    """Place, distance and the two points of each pair; random pairs are near or far."""
    m = task["variables"]
    if task["kind"] == "layout":
        for place, d in product(task["places"], task["distances"]):
            low = (1 - d) * PLACES[place]
            yield place, d, np.full(m, low), np.full(m, low + d)
        return
    rng = generator(paper=PAPER, experiment="kernel", part="pairs", **case_of(task))
    for _ in range(task["pairs"]):
        x = np.round(rng.random(m), 4)
        z = np.round(x + rng.choice([0.1, 0.3, 1.0]) * (rng.random(m) - x), 4)
        yield "anywhere", float(np.abs(x - z).mean()), x, z


EXPERIMENT = Experiment(
    plan,
    run,
    keys=("kind", "variables", "leaves", "pair"),
    cost=lambda task, facts: task["leaves"] * task["trees"],
)
