"""Estimates over readings: what the paper leaves open is varied, and an interval is the range that results.

A check on such an estimate holds if every reading agrees, fails if none does, and is open if some do.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.papers.infinity.tables.exact_keys import PERCENT
from arboretum.papers.infinity.tables.section8 import NUMBERS, as_stated, smallest_trees
from arboretum.papers.kit.estimate import Estimate, Interval, exact, with_error
from arboretum.papers.results import NotRun, Results


def over_readings(readings: Iterable[Estimate]) -> Estimate:
    """The mean of readings, with the least and the greatest end of their intervals."""
    readings = list(readings)
    if not readings:
        raise NotRun("boundaries")  # for this problem

    def at(level: float) -> Interval:
        ends = np.array([one.at(level) for one in readings])
        return float(ends[:, 0].min()), float(ends[:, 1].max())

    return Estimate(float(np.mean([one.value for one in readings])), f"{len(readings)} readings", at)


def share_of_readings(agree: Iterable[bool]) -> Estimate:
    """The share of readings that agree: the interval is 1 if all do, 0 if none does, else from 0 to 1."""
    return over_readings(map(exact, agree))


def over_forests(row: pd.Series, name: str, unit: float = PERCENT) -> Estimate:
    """A number of one row of the experiment `boundaries`: of an analytic kernel, or a mean over forests."""
    if not row["forests"]:
        return exact(unit * row[name])
    return with_error(unit * row[name], unit * row[f"{name}_se"], row["forests"], f"{row['forests']} forests")


def fall(before: pd.Series, after: pd.Series) -> Estimate:
    """By how many points the rise over Bayes falls from one row to another, whose forests are others."""
    difference, forests = PERCENT * (before["increase"] - after["increase"]), before["forests"] + after["forests"]
    if not forests:
        return exact(difference)
    error = PERCENT * float(np.hypot(before["increase_se"], after["increase_se"]))
    return with_error(difference, error, forests - 1, f"{forests} forests")


def reading_as_stated(results: Results, number: str) -> pd.Series:
    """The row of the experiment `boundaries` that takes section 8 as it stands."""
    problem, cuts, _ = NUMBERS[number]
    rows = smallest_trees(results)
    return as_stated(rows[(rows["problem"] == problem) & (rows["cuts"] == cuts)], number)
