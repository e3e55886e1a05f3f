"""What tied votes decide: every learner with the first of tied classes, and with one drawn. Not in the thesis."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.measures.margins import vote_counts
from arboretum.measures.tied_votes import tied_votes
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import Params, Sets, described, each_split, effort, voted


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split(params, sets, "sizes")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row per number of trees: tied cases, and right answers either way, over all trials."""
    (votes, *_), truth, n_classes = voted(task, data)
    rows = []
    for members in task["sizes"]:
        found = [tied_votes(vote_counts(trial[:members], n_classes), truth) for trial in votes]
        tied, first, drawn = (sum(counts) for counts in zip(*found, strict=True))
        counts = {"cases": len(truth) * len(votes), "tied": tied, "right_first": first, "right_drawn": round(drawn, 9)}
        rows.append(described(task) | {"members": members} | counts)
    return rows


TIES = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "members"), cost=effort)
