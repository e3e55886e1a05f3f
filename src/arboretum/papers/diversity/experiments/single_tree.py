"""Single trees on one noisy line: Figures 1.3, 1.4 and 4.1, as they were drawn and as the text defines them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import make_regression
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeRegressor

from arboretum.measures.decomposition import decompose
from arboretum.measures.losses import Squared
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import PAPER, Params, Sets
from arboretum.seeds import generator

DIGITS = 12  # of stored numbers: no residue of rounding


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per figure and reading."""
    shared = {key: params[key] for key in ("noise", "seed", "test_share")}
    yield {"figure": "1.3", "reading": "as drawn", "depths": params["depths"], "cases": params["cases_1_3"], **shared}
    defined = {"depths": params["depths"], "cases": params["cases_1_3"], "samples": params["samples"]}
    yield {"figure": "1.3", "reading": "as defined", **defined, **shared}
    spread = {"cases": params["cases_1_4"], "subsets": params["subsets"], "subset_share": params["subset_share"]}
    yield {"figure": "1.4", "reading": "as drawn", "trees": params["trees"], **spread, **shared}
    yield {"figure": "4.1", "reading": "as drawn", "trees": params["trees"], "cases": params["cases_1_4"], **shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows (quantity, at, value)."""
    make = {("1.3", "as drawn"): fits, ("1.3", "as defined"): bias_and_variance, ("1.4", "as drawn"): spread}
    found = make.get((task["figure"], task["reading"]), members)(task)
    described = {"figure": task["figure"], "reading": task["reading"]}
    rows = (
        {"quantity": quantity, "at": int(at), "value": round(float(value), DIGITS)} for quantity, at, value in found
    )
    return [described | row for row in rows]


def line(task: Task):
    """The author's sample of one feature, split with the author's seed."""
    X, y = make_regression(task["cases"], n_features=1, noise=task["noise"], random_state=task["seed"])
    return train_test_split(X, y, test_size=task["test_share"], random_state=task["seed"])


def fits(task: Task) -> Iterator[tuple]:
    """Figure 1.3 as drawn: training error, and variance of the fitted values, of one tree for each depth."""
    X, _, y, _ = line(task)
    for depth in task["depths"]:
        fitted = DecisionTreeRegressor(max_depth=depth, random_state=task["seed"]).fit(X, y).predict(X)
        yield "training error", depth, np.mean((fitted - y) ** 2)
        yield "variance of the fitted values", depth, np.var(fitted)


def bias_and_variance(task: Task) -> Iterator[tuple]:
    """Figure 1.3 as defined (equation 1.1): bias and variance over training samples, at fixed points without noise."""
    *_, coefficient = make_regression(
        task["cases"], n_features=1, noise=task["noise"], random_state=task["seed"], coef=True
    )
    axes = {"paper": PAPER, "experiment": "single_tree", "figure": "1.3"}
    points = generator(purpose="points", **axes).normal(size=(task["cases"], 1))
    samples = []
    for number in range(task["samples"]):
        rng = generator(purpose="sample", number=number, **axes)
        X = rng.normal(size=(task["cases"] - int(task["test_share"] * task["cases"]), 1))
        samples.append((X, X[:, 0] * coefficient + task["noise"] * rng.normal(size=len(X))))
    truth = points[:, 0] * coefficient
    for depth in task["depths"]:
        trees = [DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y) for X, y in samples]
        answers = np.array([tree.predict(points) for tree in trees])[:, None, :]
        parts = decompose(truth, answers, Squared())
        yield "bias", depth, parts.average_bias
        yield "variance", depth, parts.average_variance


def spread(task: Task) -> Iterator[tuple]:
    """Figure 1.4: test errors of a tree and of a forest on each of many subsets; and the variance of their predictions.

    The caption calls the spread of the errors "exactly the variance"; the two are shown side by side.
    """
    X, test_X, y, test_y = line(task)
    answers = {"tree": [], "forest": []}
    for number in range(task["subsets"]):
        rng = generator(paper=PAPER, experiment="single_tree", figure="1.4", subset=number)
        rows = rng.permutation(len(y))[: int(task["subset_share"] * len(y))]
        forest = RandomForestRegressor(task["trees"], random_state=number)
        for name, model in (("tree", DecisionTreeRegressor(random_state=number)), ("forest", forest)):
            answers[name].append(model.fit(X[rows], y[rows]).predict(test_X))
            yield f"test error of a {name}", number, np.mean((answers[name][-1] - test_y) ** 2)
    for name, found in answers.items():
        parts = decompose(test_y, np.array(found)[:, None, :], Squared())
        yield f"variance of a {name}", 0, parts.average_variance
        yield f"bias of a {name}", 0, parts.average_bias


def members(task: Task) -> Iterator[tuple]:
    """Figure 4.1: test errors of the trees of one forest, their mean, and the error of the forest."""
    X, test_X, y, test_y = line(task)
    forest = RandomForestRegressor(task["trees"], random_state=task["seed"]).fit(X, y)
    errors = [np.mean((tree.predict(test_X) - test_y) ** 2) for tree in forest.estimators_]
    yield from (("test error of a member", number, error) for number, error in enumerate(errors))
    yield "mean test error of the members", 0, np.mean(errors)
    yield "test error of the forest", 0, np.mean((forest.predict(test_X) - test_y) ** 2)


SINGLE_TREE = Experiment(
    plan=plan,
    run=run,
    keys=("figure", "reading", "quantity", "at"),
    cost=lambda task, facts: task["cases"] * task.get("samples", task.get("subsets", 1)),
)
