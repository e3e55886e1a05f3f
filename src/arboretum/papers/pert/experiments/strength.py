"""Section 5, Table 4: strength and correlation of bagged CART and PERT, on test sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from arboretum.ensembles import PERT, RandomForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.vote_sums import mean_spread, vote_sums
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import Params, Sets, drawn_part, learner_on, synthetic_tasks
from arboretum.papers.resampling import errors_of

KINDS = vocabulary(PERT, RandomForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per generator and run of repetitions, with all learners."""
    learners = {name: {"trees": params["trees"], **spec} for name, spec in params["learners"].items()}
    for task in synthetic_tasks(params):
        yield task | {"learners": learners}


def run(task: Task, data: None) -> list[ResultRow]:
    """Sums of votes on a test set, one row per repetition and learner."""
    rows = []
    for repetition, (learner, spec) in product(range(task["first"], task["last"]), task["learners"].items()):
        part = drawn_part(task, repetition)
        axes = {"dataset": task["set"], "split": "new sample", "repetition": repetition}
        forest = learner_on(KINDS, spec, **axes).fit(part.X, part.y)
        votes, truth = forest.tree_votes(part.test_X), part.test_y.cat.codes.to_numpy()
        sums = vote_sums(votes, truth, len(part.test_y.cat.categories))
        counts = {"cases": sums.cases, "trees": len(votes), "errors": errors_of(forest, part.test_X, part.test_y)}
        counts |= {"margins": sums.margins, "squared_margins": sums.squared_margins}
        counts |= {"right_votes": int(sums.right.sum()), "rival_votes": int(sums.rival.sum())}
        lead = 2 * np.sum(votes == truth, axis=0) - len(votes)  # right votes less wrong ones, whichever they are for
        counts |= {"leads": int(lead.sum()), "squared_leads": int(np.sum(lead**2))}
        spread = {"spread": mean_spread(sums.right, sums.rival, sums.cases)}
        spread["lead_spread"] = mean_spread(sums.right, sums.cases - sums.right, sums.cases)
        rows.append({"dataset": task["set"], "learner": learner, "repetition": repetition} | counts | spread)
    return rows


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return (task["last"] - task["first"]) * (task["train"] + task["test"])


STRENGTH = Experiment(plan=plan, run=run, keys=("dataset", "learner", "repetition"), cost=effort)
