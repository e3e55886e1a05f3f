"""Section 9.1: AdaBoost on finite data, watched from one start and compared from several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from arboretum.datasets.generators import breiman_plane, twonorm
from arboretum.measures.ties import less, order
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params
from arboretum.seeds import generator
from arboretum.theory import finite_boosting

Found = tuple[str, str | int, int, float]  # part, at, index, value


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """Two tasks per sample: one run from uniform weights in detail, and time averages of runs from several starts.

    Of the samples that are drawn again, ``twonorm #4``, only how a run ended is kept.
    """
    watched = {key: params[key] for key in ("rounds", "window", "checkpoints")}
    samples = dict(params["samples"])
    again = params["again"]
    samples |= {f"{name} #{draw + 1}": samples[name] for name in again["samples"] for draw in range(again["draws"])}
    for name, sample in samples.items():
        yield {"sample": name, **sample, **watched}
        yield {"sample": name, **sample, **params["ergodicity"]}


def _sample(task: Task) -> tuple[np.ndarray, np.ndarray]:
    rng = generator(paper=PAPER, experiment="finite_boosting", sample=task["sample"])
    draw = twonorm if task["sample"].startswith("twonorm") else lambda n, rng: breiman_plane("circle", n, rng)
    x, y = draw(task["cases"], rng)
    x, y = x.to_numpy(), np.where(y.cat.codes == 0, 1, -1)
    if task["decimals"] is not None:
        x = np.round(x, task["decimals"])
    flipped = rng.permutation(len(y))[: round(task["noise"] * len(y))]
    y[flipped] *= -1
    return x, y


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows of one run or of several starts: which part, at what, index, value."""
    x, y = _sample(task)
    wrong = finite_boosting.stump_errors(x, y)
    rows = _several_starts(wrong, task) if "starts" in task else _one_run(wrong, task)
    return [
        {"sample": task["sample"], "part": part, "at": str(at), "index": index, "value": float(value)}
        for part, at, index, value in rows
    ]


def _one_run(wrong: np.ndarray, task: Task) -> Iterator[Found]:
    """The path of the weights: edges and movement by round, margins at checkpoints, cycling at the end."""
    path = finite_boosting.boost(wrong, task["rounds"], task["checkpoints"])
    if "#" not in task["sample"]:
        yield from _trace(path, task["window"])
        for t, margins in path.margins.items():
            yield from (("margin", t, i, float(m)) for i, m in enumerate(np.sort(margins)))
    yield from (("summary", name, 0, value) for name, value in _ending(path, wrong, task["window"]).items())


def _several_starts(wrong: np.ndarray, task: Task) -> Iterator[Found]:
    """How far time averages of the weights differ between starts, and within a run between its last two quarters.

    Starts are made of whole numbers, because the path magnifies the last bit: the first is uniform.
    """
    cases = wrong.shape[1]
    rng = generator(paper=PAPER, experiment="finite_boosting", sample=task["sample"], part="starts")
    numbers = [np.ones(cases), *rng.integers(1, 101, size=(task["starts"] - 1, cases)).astype(float)]
    runs = [finite_boosting.boost(wrong, task["rounds"], [], start=n / n.sum()) for n in numbers]
    averages = [finite_boosting.time_averages(run, wrong) for run in runs]
    means = [(third + last) / 2 for third, last in averages]
    states = [np.atleast_2d(run.weights[-1]) for run in runs]
    for start, (third, last) in enumerate(averages):
        yield "ergodicity", "within a run", start, float(np.abs(third - last).sum() / 2)
    for pair, (one, other) in enumerate(combinations(range(len(runs)), 2)):
        yield "ergodicity", "between starts", pair, float(np.abs(means[one] - means[other]).sum() / 2)
        apart = np.abs(states[one] - states[other]).sum(dtype=float) / 2
        yield "ergodicity", "between last states", pair, float(apart)


def _trace(path: finite_boosting.Run, window: int) -> Iterator[Found]:
    """Edge, and movement of the weights over one round and over a window, at rounds spaced as powers."""
    last = len(path.chosen)
    kept = sorted({round(10 ** (e / 12)) for e in range(1, 60)} & set(range(1, last - 1)))
    for t in kept:
        yield "edge", t, 0, 1 - 2 * path.weight_of_chosen[t - 1]
        yield "moved in one round", t, 0, float(np.abs(path.weights[t] - path.weights[t - 1]).sum(dtype=float) / 2)
        if t + window < last:
            far = np.abs(path.weights[t + window - 1] - path.weights[t - 1]).sum(dtype=float) / 2
            yield "moved in a window", t, 0, float(far)
    recent = path.weights[-window // 5 :]
    heaviest = order(-recent.mean(axis=0, dtype=float))[:3]
    for rank, instance in enumerate(heaviest):
        for t, weight in enumerate(recent[:, instance]):
            yield f"weight {rank}", t, 0, float(weight)


def _ending(path: finite_boosting.Run, wrong: np.ndarray, window: int) -> dict[str, float]:
    """How the run ended: cycling, returns, the heap of section 9.1, and how equal the margins are."""
    lag, near = finite_boosting.nearest_return(path.weights, min(window, len(path.chosen) - 1))
    chosen = path.chosen[-window:]
    first, last = path.margins[min(path.margins)], path.margins[max(path.margins)]
    weights = path.weights[-51:].astype(float)
    on_top, lighter = np.mean(
        [
            finite_boosting.heap_after(wrong, before, after, chosen)
            for before, after, chosen in zip(weights[:-1], weights[1:], path.chosen[-51:-1], strict=True)
        ],
        axis=0,
    )
    movement = finite_boosting.moved(path.weights[-window:], 1)
    early = finite_boosting.moved(path.weights[: window // 10], 1)
    weight = path.weights[-window:].mean(axis=0, dtype=float)
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
        "movement per round, early": float(early.mean()),
        "movement per round, window": float(movement.mean()),
        "least movement per round, window": float(movement.min()),
        "edge, window": float(np.mean(1 - 2 * path.weight_of_chosen[-window:])),
        "classifiers below the chosen one after its round, share": float(on_top),
        "other classifiers that a round makes lighter, share": float(lighter),
        "margin sd, first checkpoint": float(first.std()),
        "margin sd, last checkpoint": float(last.std()),
        "least margin, last checkpoint": float(last.min()),
        "share of cases within 0.02 of the least margin": float(np.mean(at_the_least)),
        "weight on those cases, window": float(weight[at_the_least].sum()),
    }


EXPERIMENT = Experiment(plan, run, keys=("sample", "part", "at", "index"))
