"""The problems of section 8, read in one way or another, and the rules that forests and kernels decide by."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from arboretum.papers.contract import ResultRow, Task
from arboretum.theory import kernels, population

RULES = {"kernel": "kernel average", "vote": "vote", "proportion": "node proportion"}
GAUSSIAN = {"problem": "gaussians", "deviations": [0.71, 1.36], "square": [0, 1], "cells": "", "masses": "density"}


def masses_of(reading: Task) -> population.Masses:
    """The class masses of one reading of a problem of section 8."""
    points = population.unit_points(reading["grid"])
    low, high = reading["square"]
    if reading["problem"] == "gaussians":
        deviations = tuple(reading["deviations"])
        return population.gaussians(points, low, high, deviations, reading["exponent"], reading["masses"])
    level = {"linear": population.half_plane, "circle": population.circle}[reading["problem"]]
    return population.region(level, points, low, high, reading["cells"], reading["masses"] == "balanced")


def analytic_field(masses: population.Masses, leaves: int, name: str) -> np.ndarray:
    """The integral of K(x, z) D(z) P(dz) with the printed or the exact kernel."""
    misses = misses_on_grid(masses.plus.shape[0], leaves, name)
    return kernels.smooth_on_square(masses.signed, misses, misses, leaves)


@lru_cache(maxsize=8)
def misses_on_grid(grid: int, leaves: int, name: str) -> np.ndarray:
    """The chance that k cuts miss each pair of cell centres: shape (grid, grid, cuts + 1)."""
    cuts = len(kernels.cut_count(leaves)) - 1
    points = population.unit_points(grid)
    one_variable = kernels.printed_misses if name == "printed" else kernels.exact_misses
    return np.stack([one_variable(x, points, cuts) for x in points])


def means_over_forests(outcomes: list[dict[str, float]]) -> ResultRow:
    """Mean of each number over forests, with its standard error (zero for a number without chance)."""
    row: ResultRow = {}
    for name in outcomes[0]:
        values = np.array([outcome[name] for outcome in outcomes])
        row[name] = float(np.abs(values).max() if name == "bound_gap" else values.mean())
        if name != "bound_gap":
            row[f"{name}_se"] = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return row
