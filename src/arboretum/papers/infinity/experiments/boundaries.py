"""Section 8: the error of every rule under every sensible reading of the three problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params
from arboretum.papers.infinity.experiments.section8 import RULES, analytic_field, masses_of, means_over_forests
from arboretum.seeds import generator
from arboretum.theory import grid_forests, population


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per reading of a problem: square, masses, cells, grid, leaves.

    Other grids and other sizes of trees are run on the first square and with the first kind of cells alone.
    """
    shared = {"trees": params["trees"], "forests": params["forests"]}
    problems = ("gaussians", "linear", "circle")
    for problem in problems:
        options = params[problem]
        for reading in _readings(problem, options):
            grids = [params["grid"]] + (options["other_grids"] if reading["square"] == options["squares"][0] else [])
            for grid in grids:
                yield {**reading, "grid": grid, "leaves": params["leaves"], "cuts": options["cuts"], **shared}
    for leaves, problem in product(params["sharpness"]["leaves"], problems):
        if leaves == params["leaves"]:
            continue
        for reading in _readings(problem, params[problem]):
            if _is_first(reading, params[problem]):
                yield {**reading, "grid": params["grid"], "leaves": leaves, "cuts": ["uniform"], **shared}
    large = params["large_trees"]  # analytic kernels alone: such forests cannot be grown
    for leaves, grid, reading in product(large["leaves"], large["grids"], _readings("circle", params["circle"])):
        if _is_first(reading, params["circle"]):
            yield {**reading, "grid": grid, "leaves": leaves, "cuts": [], **shared}


def _is_first(reading: Task, options: Params) -> bool:
    """Whether a reading of a problem has its first square and its first kind of cells."""
    return reading["square"] == options["squares"][0] and reading["cells"] == options.get("cells", [""])[0]


def _readings(problem: str, options: Params) -> Iterator[Task]:
    """Every reading of one problem; a choice that a problem does not have is an empty string."""
    if problem == "gaussians":
        for square, exponent, measure in product(options["squares"], options["exponents"], options["measures"]):
            reading = {"exponent": exponent, "masses": measure, "cells": ""}
            yield {"problem": problem, "square": square, "deviations": options["deviations"], **reading}
    else:
        for square, masses, cells in product(options["squares"], options["masses"], options["cells"]):
            yield {"problem": problem, "square": square, "exponent": "", "masses": masses, "cells": cells}


def run(task: Task, data: None) -> list[ResultRow]:
    """Error of every rule under one reading: analytic kernels, and forests of each kind of cut."""
    masses = masses_of(task)
    square = f"[{task['square'][0]:g}, {task['square'][1]:g}]^2"
    reading = {key: task[key] for key in ("problem", "exponent", "masses", "cells", "grid", "leaves")}
    reading |= {"square": square, "bayes": population.bayes_risk(masses)}
    rows = []
    for name in ("printed", "exact"):
        predicted = population.positive(analytic_field(masses, task["leaves"], name))
        numbers = {"rule": f"{name} kernel", **means_over_forests([_errors(masses, predicted, predicted)])}
        rows.append({**reading, "cuts": "uniform", "forests": 0, **numbers})
    for cuts in task["cuts"]:
        outcomes: dict[str, list[dict[str, float]]] = {rule: [] for rule in RULES}
        for forest_number in range(task["forests"]):
            axes = {key: task[key] for key in ("problem", "square", "exponent", "masses", "cells", "grid", "leaves")}
            rng = generator(paper=PAPER, experiment="boundaries", **axes, cuts=cuts, forest=forest_number)
            forest = grid_forests.grow(masses, task["leaves"], task["trees"], cuts, rng)
            fields = {rule: population.positive(grid_forests.combine(forest, masses, rule)) for rule in RULES}
            for rule in RULES:
                outcomes[rule].append(_errors(masses, fields[rule], fields["kernel"]))
        for rule, name in RULES.items():
            numbers = {"rule": f"{name}, {task['trees']} trees", **means_over_forests(outcomes[rule])}
            rows.append({**reading, "cuts": cuts, "forests": task["forests"], **numbers})
    return rows


def _errors(masses: population.Masses, predicted: np.ndarray, averaged: np.ndarray) -> dict[str, float]:
    """Rise over Bayes, area in error, area given to class +1 in excess, gap of the bound, agreement."""
    rise = population.error(masses, predicted) - population.bayes_risk(masses)
    return {
        "increase": rise,
        "area": population.area_error(masses, predicted),
        "bias": float(np.mean(predicted) - np.mean(masses.signed > 0)),
        "bound_gap": population.disagreement(masses, predicted) - rise,
        "agreement": float((masses.plus + masses.minus)[predicted == averaged].sum()),
    }


EXPERIMENT = Experiment(
    plan,
    run,
    keys=("problem", "square", "exponent", "masses", "cells", "grid", "leaves", "cuts", "rule"),
    cost=lambda task, facts: task["grid"] ** 2 * (task["leaves"] if task["cuts"] else 100),
)
