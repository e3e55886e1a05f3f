"""Negative correlation learning, generalised to KL (section 5.4): what lambda does to error and diversity."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from threadpoolctl import threadpool_limits

from arboretum.datasets import Dataset
from arboretum.ensembles import NCLEnsemble
from arboretum.measures.decomposition import decompose
from arboretum.measures.losses import KL, Mahalanobis
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import PAPER, Params, Sets, cases_of, split_of, trial_rows
from arboretum.papers.resampling import available
from arboretum.seeds import random_state

DIGITS = 12  # of stored losses: training ends within 1e-10 on any machine, see the test


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, loss, lambda and split."""
    names = ("trials", "members", "hidden", "learning_rate", "steps", "test_share", "trial_share")
    shared = {key: params[key] for key in names}
    grid = product(available(sets, params["sets"]), params["losses"], params["lambdas"], range(params["splits"]))
    for name, loss, lam, split in grid:
        yield {"dataset": name, "loss": loss, "lambda": float(lam), "split": split, **shared}


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Components under the loss that was trained with, and 0/1 errors of the combination and of the members."""
    cases = cases_of(data)
    part = split_of(task, len(cases.classes), task["split"])
    truth, test = cases.classes[part.test], cases.table.cells[part.test]
    answers, combined = [], []
    with threadpool_limits(1):  # sums in the same order on any number of cores
        for trial in range(task["trials"]):
            rows = trial_rows(task, part, task["split"], trial)
            model = networks(task, trial).fit(cases.table.cells[rows], cases.classes[rows])
            answers.append(model.member_answers(test))
            combined.append(model.combined_answer(test))
    answers, combined = np.array(answers), np.array(combined)
    loss = KL() if task["loss"] == "kl" else Mahalanobis(np.eye(cases.n_classes) / 2)
    parts = decompose(np.eye(cases.n_classes)[truth], answers, loss)
    described = {name: task[name] for name in ("dataset", "loss", "lambda", "split", "trials", "members")}
    errors = {
        "cases": len(truth),
        "ensemble_errors": int(np.sum(combined.argmax(axis=-1) != truth)),
        "member_errors": int(np.sum(answers.argmax(axis=-1) != truth)),
    }
    return [described | errors | {name: round(value, DIGITS) for name, value in parts._asdict().items()}]


def networks(task: Task, trial: int) -> NCLEnsemble:
    """The same first weights for every lambda and loss."""
    axes = {"dataset": task["dataset"], "split": task["split"], "trial": trial}
    return NCLEnsemble(
        task["loss"],
        task["lambda"],
        task["members"],
        task["hidden"],
        learning_rate=task["learning_rate"],
        n_steps=task["steps"],
        random_state=random_state(paper=PAPER, purpose="networks", **axes),
    )


NCL = Experiment(
    plan=plan,
    run=run,
    keys=("dataset", "loss", "lambda", "split"),
    cost=lambda task, facts: task["trials"] * task["steps"] * facts.get("rows", 1) * (facts.get("attributes", 1) + 20),
)
