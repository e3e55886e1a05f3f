"""The boundary picture (5.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arboretum.datasets.generators.plane import gaussian_mixture, mixture_centres, mixture_posterior
from arboretum.ensembles.vocabulary import make_learner, vocabulary
from arboretum.ensembles.vr_forest import VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.vrtrees.experiments.cross_validation import PAPER, Params, Sets, with_floats
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
    sample = sample_of(task, task["sample"])
    models = {
        name: make_learner(LEARNERS, spec, random_state(learner=name, **axes_of(task["sample"]))).fit(
            sample.X, sample.y
        )
        for name, spec in task["learners"].items()
    }
    codes = sample.test_y.cat.codes
    bayes = mixture_posterior(sample.test_X.to_numpy(), sample.centres) > 0.5
    scores = {"cases": len(codes), "bayes_errors": int(np.sum(bayes != codes))}
    rows = []
    for index, (name, model) in enumerate(models.items()):
        predicted = sample.y.cat.categories.get_indexer(model.predict(sample.test_X))
        errors = {"errors": int(np.sum(predicted != codes))}
        errors |= {"unlike_bayes": int(np.sum(predicted != bayes))}
        rows.append({"sample": task["sample"], "kind": "score", "index": index, "learner": name} | scores | errors)
    if task["grid"]:
        rows += picture(task, sample, models)
    return rows


def axes_of(sample: int) -> dict[str, Any]:
    """What names the random numbers of a sample."""
    return {"paper": PAPER, "experiment": "boundary", "sample": sample}


class Sample(NamedTuple):
    X: pd.DataFrame
    y: pd.Series
    test_X: pd.DataFrame
    test_y: pd.Series
    centres: np.ndarray


def sample_of(task: Task, sample: int) -> Sample:
    """Training and test cases of a sample, and the centres that they were drawn around."""
    axes, per_class = axes_of(sample), task["cases_per_class"] + task["test_cases_per_class"]
    X, y = gaussian_mixture(per_class, generator(**axes), task["centres"])
    train = np.arange(len(y)) % per_class < task["cases_per_class"]
    return Sample(X[train], y[train], X[~train], y[~train], mixture_centres(task["centres"], generator(**axes)))


def grid_of(X: pd.DataFrame, points: int) -> pd.DataFrame:
    """A grid over the range of the cases and a little beyond, ``points`` a side."""
    low, high = X.min().to_numpy() - 0.3, X.max().to_numpy() + 0.3
    sides = [np.linspace(low[axis], high[axis], points) for axis in (0, 1)]
    return pd.DataFrame(np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2), columns=X.columns)


def picture(task: Task, sample: Sample, models: Mapping[str, Any]) -> list[ResultRow]:
    """The training cases, and at the points of a grid the share of the second class and the Bayes rule."""
    X, y = sample.X, sample.y
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
    frame = grid_of(X, task["grid"])
    points = frame.to_numpy()
    shares = {name: model.predict_proba(frame)[:, 1] for name, model in models.items()}
    shares["bayes"] = mixture_posterior(points, sample.centres)
    return cases + [
        {"sample": 0, "kind": "map", "index": index, "x1": round(float(x1), 4), "x2": round(float(x2), 4)}
        | {name: round(float(share[index]), 4) for name, share in shares.items()}
        for index, (x1, x2) in enumerate(points)
    ]


BOUNDARY = Experiment(plan, run, keys=("sample", "kind", "index"))
