"""Section 4's belief on ringnorm: the curse of dimensionality, and mistakes in the tails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np

from arboretum.datasets.generators.norms import ringnorm_evidence
from arboretum.ensembles import PERT, RandomForest, VRForest
from arboretum.ensembles.vocabulary import vocabulary
from arboretum.measures.ties import less
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import Params, Sets, drawn_part, learner_on

KINDS = vocabulary(PERT, RandomForest, VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per dimension and repetition."""
    specs = dict(params["learners"])
    specs |= {f"vr_{alpha:g}": {"kind": "vr", "alpha": float(alpha)} for alpha in params["alphas"]}
    learners = {name: {"trees": params["trees"], **spec} for name, spec in specs.items()}
    for dimension, repetition in product(params["dimensions"], range(params["repetitions"])):
        shared = {key: params[key] for key in ("train", "test", "bin", "bins")}
        task = {"function": "ringnorm", "dimension": dimension, "repetition": repetition, "learners": learners}
        yield task | shared


def run(task: Task, data: None) -> list[ResultRow]:
    """Cases and errors of every learner and of the Bayes rule, by class and by distance from the origin."""
    dimension, repetition = task["dimension"], task["repetition"]
    part = drawn_part(task, repetition, dimension=dimension)
    truth, values = part.test_y.cat.codes.to_numpy(), part.test_X.cells
    distance = np.sqrt(np.sum(values**2, axis=1) / dimension)
    place = np.minimum((distance / task["bin"]).astype(int), task["bins"] - 1)
    answers = {"bayes": less(0, ringnorm_evidence(values)).astype(int)}
    for name, spec in task["learners"].items():
        model = learner_on(KINDS, spec, dataset="ringnorm", dimension=dimension, repetition=repetition)
        label = model.fit(part.X, part.y).predict(part.test_X)
        answers[name] = part.test_y.cat.categories.get_indexer(label)
    rows = []
    for name, answer in answers.items():
        described = {"dimension": dimension, "repetition": repetition, "learner": name}
        for code, bin_ in product(range(2), range(task["bins"])):
            here = (truth == code) & (place == bin_)
            counts = {"cases": int(here.sum()), "errors": int(np.sum(answer[here] != code))}
            rows.append(described | {"class": code + 1, "bin": bin_, "from": bin_ * task["bin"]} | counts)
    return [row for row in rows if row["cases"]]


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return (task["train"] + task["test"]) * (5 + task["dimension"])


RINGNORM = Experiment(
    plan=plan,
    run=run,
    keys=("dimension", "repetition", "learner", "class", "bin"),
    cost=effort,
)
