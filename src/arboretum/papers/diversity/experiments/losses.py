"""Real forests under other losses and combiners, and how their bias settles with the number of trials.

Trees grown to purity are certain of their answer, and a certain answer that errs costs infinitely much under KL: every
answer is mixed with the uniform distribution. Labels are observed once, so that the noise is 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from arboretum.datasets import Dataset
from arboretum.measures.decomposition import Components, decompose, plurality
from arboretum.measures.losses import KL, Loss, Mahalanobis, ZeroOne
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.diversity.experiments.forests import Params, Sets, described, each_split, effort, voted

DIGITS = 12  # of stored losses: no residue of rounding
CHUNK = 256  # cases at a time: bounds the memory that answers take
SHOWN = ("expected_ensemble_loss", "expected_member_loss", "average_bias", "average_variance", "diversity")
Losses = dict[tuple[str, str], tuple[Loss, Callable | None]]  # by name and combiner


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per set, learner and split."""
    return each_split({**params, "trials": max(params["trial_counts"])}, sets, "trial_counts", "smoothing")


def run(task: Task, data: Dataset) -> list[ResultRow]:
    """Components by loss, combiner and number of trials; ``pooled`` is the 0/1 loss with centres over all members."""
    (votes, *_), truth, n_classes = voted(task, data)
    losses: Losses = {
        ("0/1", "vote"): (ZeroOne(n_classes), None),
        ("squared", "mean"): (Mahalanobis(np.eye(n_classes)), None),
        ("cross-entropy", "geometric mean"): (KL(), None),
        ("cross-entropy", "mean"): (KL(), np.mean),
    }
    found = []
    for (name, combiner), (loss, combine) in losses.items():
        for trials in task["trial_counts"]:
            parts = averaged(votes[:trials], truth, n_classes, loss, combine, task["smoothing"])
            row = described(task) | {"loss": name, "combiner": combiner, "trials": trials, "members": task["trees"]}
            found.append(row | {term: round(getattr(parts, term), DIGITS) for term in SHOWN})
    return found + list(pooled(task, votes, truth, n_classes))


def averaged(votes, truth, n_classes: int, loss: Loss, combine: Callable | None, smoothing: float) -> Components:
    """The mean over cases of the components, a chunk of cases at a time."""
    total = np.zeros(len(Components._fields))
    for first in range(0, len(truth), CHUNK):
        here, labels = votes[:, :, first : first + CHUNK], truth[first : first + CHUNK]
        if loss.vector:
            here, labels = answers(here, n_classes, smoothing), np.eye(n_classes)[labels]
        total += len(labels) * np.array(decompose(labels, here, loss, combine))
    return Components(*total / len(truth))


def answers(votes: np.ndarray, n_classes: int, smoothing: float) -> np.ndarray:
    """Votes as distributions of the classes, mixed with the uniform one."""
    return (1 - smoothing) * np.eye(n_classes)[votes] + smoothing / n_classes


def pooled(task: Task, votes: np.ndarray, truth: np.ndarray, n_classes: int) -> Iterator[ResultRow]:
    """Bias and variance of trees that are alike: the central model of each is the vote of all trees of all trials.

    A vote of three trials is far from the vote of endlessly many; trees of a standard forest are draws from one
    distribution, so that every tree of every trial helps to find its mode.
    """
    if task["spec"].get("strategy") != "uniform":
        return
    bias = float(np.mean(plurality(votes.reshape(-1, len(truth)), n_classes) != truth))
    member = float(np.mean(votes != truth))
    ensemble = float(np.mean([plurality(trial, n_classes) != truth for trial in votes]))
    row = described(task) | {"loss": "0/1", "combiner": "vote, members pooled", "trials": len(votes)}
    parts = (ensemble, member, bias, member - bias, member - ensemble)
    yield row | {"members": task["trees"]} | dict(zip(SHOWN, (round(value, DIGITS) for value in parts), strict=True))


LOSSES = Experiment(plan=plan, run=run, keys=("dataset", "learner", "split", "loss", "combiner", "trials"), cost=effort)
