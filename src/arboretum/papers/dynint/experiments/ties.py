"""What tied votes decide: every strategy with the first of tied classes, and with one drawn. Not in the paper."""

from __future__ import annotations

from collections.abc import Iterator

from arboretum.datasets import Dataset
from arboretum.ensembles.base import TIE
from arboretum.measures.tied_votes import tied_votes
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    SCHEMES,
    STRATEGIES,
    Params,
    Part,
    Sets,
    batch_size,
    batches,
    effort,
    grown_forest,
    integration_of,
    named,
    random_split,
)
from arboretum.papers.resampling import available
from arboretum.trees import table_of

VOTERS = ("sv", *STRATEGIES)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and run of repetitions."""
    shared = {key: params[key] for key in ("train_share", "trees", "neighbours", "scheme", "integration")}
    for name in available(sets, params["sets"]):
        for run in batches(params["repetitions"], batch_size(params, sets[name])):
            yield {"dataset": name, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each repetition, number of trees and strategy, on the splits and forests of the tables."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        part = Part.of(table, data.y, random_split(data.y, task["train_share"], **axes))
        rows += [axes | row for row in counted(task, part, axes)]
    return rows


def counted(task: Task, part: Part, axes: dict[str, object]) -> Iterator[ResultRow]:
    """Tied cases, and right answers either way."""
    how, (similarity, weighting) = task["integration"], SCHEMES[task["scheme"]]
    model = integration_of(grown_forest(part, max(task["trees"]), **axes), part, axes, how)
    blocks = list(
        model.integrate(
            part.test_X,
            named(how, [similarity]),
            [weighting],
            task["trees"],
            [task["neighbours"]],
            named(how, VOTERS),
        )
    )
    for t, trees in enumerate(task["trees"]):
        for p, strategy in enumerate(VOTERS):
            found = [tied_votes(shares[:, :, 0, t, 0, 0, p].T, part.truth[rows], TIE) for rows, shares in blocks]
            tied, first, drawn = (sum(counts) for counts in zip(*found, strict=True))
            yield {
                "trees": trees,
                "strategy": strategy,
                "cases": len(part.truth),
                "tied": tied,
                "right_first": first,
                "right_drawn": round(drawn, 9),
            }


TIES = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "trees", "strategy"), cost=effort)
