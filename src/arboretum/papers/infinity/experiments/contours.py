"""Section 8: the lines of Figures 2, 3, 5 and 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from contourpy import contour_generator

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params
from arboretum.papers.infinity.experiments.section8 import GAUSSIAN, RULES, analytic_field, masses_of
from arboretum.seeds import generator
from arboretum.theory import grid_forests, population

PLANE = {"square": [0, 1], "exponent": "", "cells": "share"}
CONTOURS = {  # figure, panel -> reading, cuts
    ("figure2", "as stated: exp(-r²/2s²)"): ({**GAUSSIAN, "exponent": "exp(-r2/(2 s^2))"}, "uniform"),
    ("figure2", "nearest to print: exp(-r²/s²)"): ({**GAUSSIAN, "exponent": "exp(-r2/s^2)"}, "uniform"),
    ("figure3", "x1 + x2 ≤ 1"): ({**PLANE, "problem": "linear", "masses": "natural"}, "uniform"),
    ("figure5", "as stated: uniform P"): ({**PLANE, "problem": "circle", "masses": "natural"}, "uniform"),
    ("figure5", "scaled: each class ½"): ({**PLANE, "problem": "circle", "masses": "balanced"}, "uniform"),
    ("figure7", "as stated: uniform P"): ({**PLANE, "problem": "circle", "masses": "natural"}, "triangular"),
    ("figure7", "scaled: each class ½"): ({**PLANE, "problem": "circle", "masses": "balanced"}, "triangular"),
}


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per panel of a figure."""
    for (figure, panel), (reading, cuts) in CONTOURS.items():
        yield {"figure": figure, "panel": panel, **reading, "cuts": cuts, **params}


def run(task: Task, data: None) -> list[ResultRow]:
    """The zero lines of the true D and of each rule's field, as points of polylines."""
    masses = masses_of(task)
    fields = {"true": masses.signed / (masses.plus + masses.minus)}
    if task["cuts"] == "uniform":
        fields |= {name: analytic_field(masses, task["leaves"], name) for name in ("printed", "exact")}
    axes = {"figure": task["figure"], "panel": task["panel"]}
    rng = generator(paper=PAPER, experiment="contours", **axes)
    forest = grid_forests.grow(masses, task["leaves"], task["trees"], task["cuts"], rng)
    fields |= {rule: grid_forests.combine(forest, masses, rule) for rule in RULES}
    points = population.unit_points(task["grid"])
    rows = []
    for line, field in fields.items():
        level = np.where(np.abs(field) > population.TIE * np.abs(field).max(), field, 0.0)
        zero = contour_generator(x=points, y=points, z=level.T).lines(0.0)
        for piece, vertices in enumerate(zero):
            for point, (x1, x2) in enumerate(vertices[:: 1 if len(vertices) < 40 else 3]):
                place = {"piece": piece, "point": point, "x1": round(float(x1), 5), "x2": round(float(x2), 5)}
                rows.append({**axes, "line": line, **place})
    return rows


EXPERIMENT = Experiment(plan, run, keys=("figure", "panel", "line", "piece", "point"))
