"""Rules of dynamic selection beside DS, DV and DVS, judged out of bag and on a held-out part. Not in the paper.

KNORA-E, KNORA-U, OLA and LCA need cases that the trees have not seen. Those out of bag are such cases for a tree, which
is the paper's idea; the usual way is to hold out a part of the cases to learn from, which then grow no tree.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from arboretum.datasets import Dataset
from arboretum.ensembles import DynamicIntegration
from arboretum.ensembles.dynamic_selection import RULES, selected_shares
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.dynint.experiments.integrated import (
    PAPER,
    STRATEGIES,
    Params,
    Part,
    Sets,
    answers,
    batch_size,
    batches,
    effort,
    grown_forest,
    integration_of,
    random_split,
)
from arboretum.papers.resampling import available, hold_out
from arboretum.trees import table_of

OUT_OF_BAG, HELD_OUT = "out of bag", "held out"
SIMILARITIES = ("heom", "forest")


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task for each set and run of repetitions."""
    shared = {key: params[key] for key in ("train_share", "grown_share", "trees", "neighbours", "integration")}
    for name in available(sets, params["sets"]):
        for run in batches(params["repetitions"], batch_size(params, sets[name])):
            yield {"dataset": name, **shared, **run}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """One row for each repetition, way to judge the trees, and similarity: right answers by every rule."""
    table, rows = table_of(data.X), []
    for repetition in range(task["first"], task["last"]):
        axes = {"dataset": data.name, "repetition": repetition}
        train, test = random_split(data.y, task["train_share"], **axes)
        whole = Part.of(table, data.y, (train, test))
        grown, judging = hold_out(len(train), round(task["grown_share"] * len(train)), paper=PAPER, of="train", **axes)
        less = Part.of(table, data.y, (train[grown], test))
        how = task["integration"]
        model = integration_of(grown_forest(whole, task["trees"], **axes), whole, axes, how)
        rows += [axes | {"judged": OUT_OF_BAG} | row for row in right_answers(model, whole, task)]
        model = integration_of(grown_forest(less, task["trees"], **axes), less, axes, how | {"estimate": "all"})
        model.judge_on(table.take(train[judging]), data.y.iloc[train[judging]])
        rows += [axes | {"judged": HELD_OUT} | row for row in right_answers(model, whole, task)]
    return rows


def right_answers(model: DynamicIntegration, part: Part, task: Task) -> Iterator[ResultRow]:
    """Right answers of voting, of the paper's strategies (locally weighted), and of the rules, by similarity."""
    truth, k, strategies = part.truth, task["neighbours"], ("sv", *STRATEGIES)
    for similarity in SIMILARITIES:
        row: ResultRow = {"similarity": similarity, "cases": len(truth)}
        blocks = model.integrate(part.test_X, [similarity], ["local"], [task["trees"]], [k], strategies)
        found = np.concatenate([answers(shares)[:, 0, 0, 0, 0] for _, shares in blocks])
        row |= {f"right_{one}": int(np.sum(found[:, place] == truth)) for place, one in enumerate(strategies)}
        model.set_params(similarity=similarity, n_neighbors=k)
        chosen = answers(selected_shares(model, part.test_X, list(RULES)).transpose(2, 1, 0))
        row |= {f"right_{rule}": int(np.sum(chosen[:, place] == truth)) for place, rule in enumerate(RULES)}
        yield row


SELECTORS = Experiment(plan=plan, run=run, keys=("dataset", "repetition", "judged", "similarity"), cost=effort)
