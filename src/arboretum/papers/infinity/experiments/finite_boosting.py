"""Section 9.1: AdaBoost on finite data, watched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from arboretum.datasets.generators import breiman_plane, twonorm
from arboretum.measures.ties import less, order
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.shared import PAPER, Params
from arboretum.seeds import generator
from arboretum.theory import finite_boosting


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per sample."""
    shared = {key: params[key] for key in ("rounds", "window", "checkpoints")}
    for name, sample in params["samples"].items():
        yield {"sample": name, **sample, **shared}


def _sample(task: Task) -> tuple[np.ndarray, np.ndarray]:
    rng = generator(paper=PAPER, experiment="finite_boosting", sample=task["sample"])
    draw = twonorm if task["sample"] == "twonorm" else lambda n, rng: breiman_plane("circle", n, rng)
    x, y = draw(task["cases"], rng)
    x, y = x.to_numpy(), np.where(y.cat.codes == 0, 1, -1)
    if task["decimals"] is not None:
        x = np.round(x, task["decimals"])
    flipped = rng.permutation(len(y))[: round(task["noise"] * len(y))]
    y[flipped] *= -1
    return x, y


def run(task: Task, data: None) -> list[ResultRow]:
    """The path of the weights: edges and movement by round, margins at checkpoints, cycling at the end."""
    x, y = _sample(task)
    wrong = finite_boosting.stump_errors(x, y)
    path = finite_boosting.boost(wrong, task["rounds"], task["checkpoints"])
    rows = [
        *_trace(path, task["window"]),
        *(("margin", t, i, float(m)) for t, margins in path.margins.items() for i, m in enumerate(np.sort(margins))),
        *(("summary", name, 0, value) for name, value in _ending(path, wrong, task["window"]).items()),
    ]
    return [
        {"sample": task["sample"], "part": part, "at": str(at), "index": index, "value": float(value)}
        for part, at, index, value in rows
    ]


def _trace(path: finite_boosting.Run, window: int) -> Iterator[tuple[str, str, int, float]]:
    """Edge, and movement of the weights over one round and over a window, at rounds spaced as powers."""
    last = len(path.chosen)
    kept = sorted({round(10 ** (e / 12)) for e in range(1, 60)} & set(range(1, last - 1)))
    for t in kept:
        yield "edge", t, 0, 1 - 2 * path.weight_of_chosen[t - 1]
        yield "moved in one round", t, 0, float(np.abs(path.weights[t] - path.weights[t - 1]).sum() / 2)
        if t + window < last:
            far = np.abs(path.weights[t + window - 1] - path.weights[t - 1]).sum() / 2
            yield "moved in a window", t, 0, float(far)
    recent = path.weights[-window // 5 :]
    heaviest = order(-recent.mean(axis=0))[:3]
    for rank, instance in enumerate(heaviest):
        for t, weight in enumerate(recent[:, instance]):
            yield f"weight {rank}", t, 0, float(weight)


def _ending(path: finite_boosting.Run, wrong: np.ndarray, window: int) -> dict[str, float]:
    """How the run ended: cycling, returns, the heap of section 9.1, and how equal the margins are."""
    lag, near = finite_boosting.nearest_return(path.weights, min(window, len(path.chosen) - 1))
    chosen = path.chosen[-window:]
    first, last = path.margins[min(path.margins)], path.margins[max(path.margins)]
    ranks = [
        finite_boosting.heap_rank(wrong, path.weights[t + 1].astype(float), path.chosen[t])
        for t in range(len(path.chosen) - 51, len(path.chosen) - 1)
    ]
    movement = finite_boosting.moved(path.weights[-window:], 1)
    early = finite_boosting.moved(path.weights[: window // 10], 1)
    weight = path.weights[-window:].mean(axis=0)
    at_the_least = less(last, last.min() + 0.02)
    return {
        "cases": wrong.shape[1],
        "sets Q": len(wrong),
        "rounds": len(path.chosen),
        "period": finite_boosting.period(path.chosen, window // 2),
        "nearest return, lag": lag,
        "nearest return, distance": near,
        "distinct Q chosen in the window": len(np.unique(chosen)),
        "median rounds between choices of a Q": float(np.median(finite_boosting.return_times(chosen))),
        "movement a round, early": float(early.mean()),
        "movement a round, window": float(movement.mean()),
        "least movement a round, window": float(movement.min()),
        "edge, window": float(np.mean(1 - 2 * path.weight_of_chosen[-window:])),
        "lighter sets after a round, share": float(np.mean(ranks)),
        "margin sd, first checkpoint": float(first.std()),
        "margin sd, last checkpoint": float(last.std()),
        "least margin, last checkpoint": float(last.min()),
        "share of cases within 0.02 of the least margin": float(np.mean(at_the_least)),
        "weight on those cases, window": float(weight[at_the_least].sum()),
    }


EXPERIMENT = Experiment(plan, run, keys=("sample", "part", "at", "index"))
