"""How likely does a last bit decide a count? ``python -m benchmarks.straddles``; writes benchmarks/straddles.csv.

Some experiments compare computed numbers that have a density around the threshold: a margin would only move it. Here
these numbers are computed as at ``full``, and once more with random last places (noise.py). The chance that any of n
comparisons falls otherwise is about n times the density of the compared difference at its threshold, times how far
noise moves it to either side. The density is taken from the differences below ``near``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from arboretum.datasets import load
from arboretum.datasets.generators.norms import ringnorm_evidence
from arboretum.ensembles import ExactPERT
from arboretum.papers.diversity.experiments.forests import cases_of, split_of, trial_rows
from arboretum.papers.diversity.experiments.ncl import networks
from arboretum.papers.infinity.experiments.population_boosting import POPULATIONS
from arboretum.papers.pert.experiments import posterior
from arboretum.papers.pert.experiments.samples import drawn_part
from arboretum.pipeline.experiment import Plan
from arboretum.project.workspace import FULL, Workspace
from arboretum.theory import population_boosting as boosting
from arboretum.writing import atomic_path
from benchmarks.noise import noisy

TABLE = Path(__file__).with_suffix(".csv")
COLUMNS = ("comparison", "comparisons", "near", "nearer", "nearest", "moved", "chance")
Array = np.ndarray
Differences = dict[str, Array]


def of_ringnorm(task: dict[str, Any]) -> Differences:
    """Bayes rule: logarithm of one density less that of the other. Bins: distance from a border."""
    values = drawn_part(task, task["repetition"], dimension=task["dimension"]).test_X.cells
    place = np.sqrt(np.sum(values**2, axis=1) / values.shape[1]) / task["bin"]
    return {"ringnorm: Bayes rule": ringnorm_evidence(values), "ringnorm: bin of the distance": place - np.rint(place)}


def of_posterior(task: dict[str, Any]) -> Differences:
    """Three standard errors of the forest, and where the normal approximation holds."""
    X, y = posterior.small_sample(task)
    _, inside = posterior.within_blocks(task, X)
    surface = ExactPERT().fit(X, y).predict_proba(inside.reshape(-1, X.shape[1]))[:, 1].reshape(inside.shape[:-1])
    variance = np.maximum(surface * (1 - surface), 0.0) * task["trees"]
    found = posterior.deviations(task, posterior.small_forest(task, X, y, task["trees"]), inside, surface)
    return {"posterior: ten votes": (variance - 10).ravel()} | {
        f"posterior: {name}, three standard errors": np.abs(values) - 3 for name, values in found.items()
    }


def of_networks(plan: Plan, task: dict[str, Any]) -> Differences:
    """The greatest answer less the second, of members and of their combination."""
    call = plan.call(task)
    cases = cases_of(load(call.data, call.fingerprint))
    part = split_of(task, len(cases.classes), task["split"])
    rows, test = trial_rows(task, part, task["split"], 0), cases.table.cells[part.test]
    model = networks(task, 0).fit(cases.table.cells[rows], cases.classes[rows])
    two = np.sort(np.concatenate([model.member_answers(test), model.combined_answer(test)[None]]), axis=-1)
    return {"networks: class of an answer": (two[..., -1] - two[..., -2]).ravel()}


def of_boosting(task: dict[str, Any]) -> Differences:
    """How far the scores of trees that are no ties lie from the greatest one, less EQUAL."""
    variables, probability = POPULATIONS[task["problem"]]
    p = probability(task["cells"]).ravel()
    trees = boosting.all_trees((task["cells"],) * variables, task["leaves"])
    found: list[Array] = []

    def best(trees, gradient):
        score = np.abs(trees.indicators @ gradient)[trees.leaves].sum(axis=1)
        behind = score.max() - score
        found.append(behind[(behind > boosting.EQUAL) & (behind < 1e-6)] - boosting.EQUAL)
        return plain(trees, gradient)

    plain, boosting.best_tree = boosting.best_tree, best
    try:
        boosting.arc(p, np.full(p.size, 1 / p.size), trees, task["steps"], task["stop"])
    finally:
        boosting.best_tree = plain
    return {"population boosting: ties of trees": np.concatenate(found)}


def measured(tasks: list[dict[str, Any]], differences: Callable[[dict[str, Any]], Differences]) -> Iterator[tuple]:
    """(comparison, differences, how far noise moves those that are near) of each kind, over all tasks."""
    found: dict[str, list[Array]] = {}
    moves: dict[str, float] = {}
    for task in tasks:
        plain = differences(task)
        with noisy(1):
            moved = differences(task)
        for name, values in plain.items():
            found.setdefault(name, []).append(values)
            if values.shape == moved[name].shape:
                moves[name] = max(moves.get(name, 0.0), np.abs(values - moved[name]).max(initial=0.0))
    for name, values in found.items():
        yield name, np.concatenate(values), moves[name]


def row(name: str, values: Array, moved: float, share: float) -> dict[str, Any]:
    """One line of the table; ``share`` is that of the tasks measured."""
    near = float(np.quantile(np.abs(values), min(1.0, 200 / len(values))))
    nearer = int(np.count_nonzero(np.abs(values) <= near))
    numbers = {"near": near, "nearest": np.abs(values).min(), "moved": moved, "chance": nearer / near * moved / share}
    counts = {"comparison": name, "comparisons": round(len(values) / share), "nearer": nearer}
    return counts | {name: f"{number:.1e}" for name, number in numbers.items()}


def store(rows: list[dict[str, Any]]) -> None:
    with atomic_path(TABLE) as temporary, temporary.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main() -> int:
    kinds = [("pert", "ringnorm", of_ringnorm), ("pert", "posterior", of_posterior), ("diversity", "ncl", None),
             ("infinity", "population_boosting", of_boosting)]  # fmt: skip
    rows: list[dict[str, Any]] = []
    for paper, name, differences in kinds:
        plan = Plan.make(Workspace.find(), FULL, paper, name)
        every = [task for task in plan.tasks.values() if task.get("part", "checks") == "checks"]
        tasks = [task for task in every if not task.get("split")]  # networks: one split, and one trial of it
        share = len(tasks) / len(every) / tasks[0].get("trials", 1)
        rows += [row(*found, share) for found in measured(tasks, differences or partial(of_networks, plan))]
        print(*rows, sep="\n", flush=True)
        store(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
