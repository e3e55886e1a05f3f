"""The boundary picture (5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from arboretum.datasets.generators.plane import gaussian_mixture, mixture_centres, mixture_posterior
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.shared import PAPER, Params, Sets, with_floats
from arboretum.seeds import generator, random_state

LEARNERS = vocabulary(VRForest)


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per sample of the Gaussian mixture; the first one is drawn."""
    for sample in range(params["samples"]):
        yield {
            "sample": sample,
            "cases_per_class": params["cases_per_class"],
            "test_cases_per_class": params["test_cases_per_class"],
            "centres": params["centres"],
            "grid": params["grid"] if sample == 0 else 0,
            "learners": {name: with_floats(spec) for name, spec in params["learners"].items()},
        }


def run(task: Task, data: None) -> list[ResultRow]:
    """Errors of each learner and of the Bayes rule; of the first sample also its cases and a map of its plane."""
    axes = {"paper": PAPER, "experiment": "boundary", "sample": task["sample"]}
    per_class = task["cases_per_class"] + task["test_cases_per_class"]
    X, y = gaussian_mixture(per_class, generator(**axes), task["centres"])
    centres = mixture_centres(task["centres"], generator(**axes))
    train = np.arange(len(y)) % per_class < task["cases_per_class"]
    models = {
        name: make_learner(LEARNERS, spec, random_state(learner=name, **axes)).fit(X[train], y[train])
        for name, spec in task["learners"].items()
    }
    bayes = mixture_posterior(X[~train].to_numpy(), centres) > 0.5
    scores = {"cases": int(np.sum(~train)), "bayes_errors": int(np.sum(bayes != y[~train].cat.codes))}
    rows = []
    for index, (name, model) in enumerate(models.items()):
        predicted = y.cat.categories.get_indexer(model.predict(X[~train]))
        errors = {"errors": int(np.sum(predicted != y[~train].cat.codes))}
        errors |= {"unlike_bayes": int(np.sum(predicted != bayes))}
        rows.append({"sample": task["sample"], "kind": "score", "index": index, "learner": name} | scores | errors)
    if task["grid"]:
        rows += picture(task, X[train], y[train], models, centres)
    return rows


def picture(
    task: Task, X: pd.DataFrame, y: pd.Series, models: Mapping[str, Any], centres: np.ndarray
) -> list[ResultRow]:
    """The training cases, and at the points of a grid the share of the second class and the Bayes rule."""
    cases = [
        {
            "sample": 0,
            "kind": "case",
            "index": index,
            "x1": round(float(x1), 4),
            "x2": round(float(x2), 4),
            "label": float(code),
        }
        for index, (x1, x2, code) in enumerate(zip(X.iloc[:, 0], X.iloc[:, 1], y.cat.codes, strict=True))
    ]
    low, high = X.min().to_numpy() - 0.3, X.max().to_numpy() + 0.3
    sides = [np.linspace(low[axis], high[axis], task["grid"]) for axis in (0, 1)]
    points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2)
    frame = pd.DataFrame(points, columns=X.columns)
    shares = {name: model.predict_proba(frame)[:, 1] for name, model in models.items()}
    shares["bayes"] = mixture_posterior(points, centres)
    return cases + [
        {"sample": 0, "kind": "map", "index": index, "x1": round(float(x1), 4), "x2": round(float(x2), 4)}
        | {name: round(float(share[index]), 4) for name, share in shares.items()}
        for index, (x1, x2) in enumerate(points)
    ]


BOUNDARY = Experiment(plan, run, keys=("sample", "kind", "index"))
