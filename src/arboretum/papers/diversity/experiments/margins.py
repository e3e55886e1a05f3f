"""Shares of wrong members: their histogram at the end, and their mean on either side of 1/2 along the way (5.3.4)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.datasets import Dataset
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import Params, Sets, described, each_split, effort, voted


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split(params, sets, "bins", "along")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Rows of two parts: ``histogram`` (Figure 5.10: W over all trees and trials) and ``along`` (5.11: W by trees)."""
    (votes, *_), truth, _ = voted(task, data)
    wrong = np.cumsum(votes != truth, axis=1, dtype=np.int64).sum(axis=0)  # (members, cases): over all trials
    begin = described(task, "trials")
    rows = [begin | row for row in histogram(wrong[-1], task["trials"] * task["trees"], task["bins"])]
    for members in range(1, task["along"] + 1):
        rows += [begin | row for row in sides(wrong[members - 1], task["trials"], members)]
    return rows


def histogram(wrong: np.ndarray, voters: int, bins: int) -> Iterator[ResultRow]:
    """How many cases have W in each of equal bins; W = 1 is in the last. Empty bins are left out."""
    place = np.minimum(wrong * bins // voters, bins - 1)  # whole numbers: no rounding at the borders
    for number, cases in enumerate(np.bincount(place, minlength=bins)):
        if cases:
            yield {"part": "histogram", "members": 0, "place": number, "cases": int(cases), "wrong": 0, "squared": 0}


def sides(wrong: np.ndarray, trials: int, members: int) -> Iterator[ResultRow]:
    """Cases, wrong votes and their squares where W < 1/2 (place 0) and where W >= 1/2 (place 1)."""
    upper = 2 * wrong >= trials * members
    for place, chosen in enumerate((wrong[~upper], wrong[upper])):
        sums = {"cases": len(chosen), "wrong": int(chosen.sum()), "squared": int(np.sum(chosen**2))}
        yield {"part": "along", "members": members, "place": place, **sums}


MARGINS = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "part", "members", "place"), cost=effort)
