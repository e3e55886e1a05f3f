"""How many times faster than each peer: CPU seconds of the peer over ours, one thread, same cases, same run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from arboretum.ensembles import PERT, RandomForest, VRForest
from arboretum.errors import ArboretumError

from . import sets
from .peers import Cases, Timing, r, scikit, timed, weka

TREES = 100
FEWER = {"500 x 10,000": 10, "200 classes": 20}  # for peers that search all features: they take minutes there


@dataclass(frozen=True)
class Comparison:
    """One line of the table: what is compared, the peer, ours, the phase, and the goals."""

    name: str
    peer: Callable
    ours: Callable
    mean_goal: float
    least_goal: float
    phase: str = "fit"
    searches: bool = False  # does the peer search all features?


def _alpha(alpha, method="aggregating"):
    return lambda trees: VRForest(method=method, alpha=alpha, n_estimators=trees, random_state=0, n_jobs=1)


def _forest(trees):
    return RandomForest(n_estimators=trees, random_state=0, n_jobs=1)


def _pert(trees):
    return PERT(n_estimators=trees, random_state=0, n_jobs=1)


def _r(package):
    return lambda cases, trees: r.timing(package, cases, cases, mtry=math.isqrt(len(cases.kinds)), trees=trees)


def _scikit(runner):
    return lambda cases, trees: runner(cases, cases, n_estimators=trees)


def _weka(cases, trees):
    return weka.bagging(cases, cases, trees)


COMPARISONS = [
    Comparison(
        "scikit-learn forest, all features / alpha=1", _scikit(scikit.all_features), _alpha(1.0), 20, 8, searches=True
    ),
    Comparison("scikit-learn ExtraTrees, 1 feature / alpha=0", _scikit(scikit.extra_trees), _alpha(0.0), 15, 5),
    Comparison("scikit-learn ExtraTrees, 1 feature / PERT", _scikit(scikit.extra_trees), _pert, 12, 5),
    Comparison("scikit-learn forest / RandomForest", _scikit(scikit.random_forest), _forest, 14, 6),
    Comparison("R randomForest / RandomForest", _r("randomForest"), _forest, 6, 2.5),
    Comparison("ranger / RandomForest", _r("ranger"), _forest, 5, 2.5),
    Comparison("Weka Bagging of J48 / bagging alpha=1", _weka, _alpha(1.0, "bagging"), 30, 10, searches=True),
    Comparison("predict: scikit-learn forest / alpha=1", _scikit(scikit.random_forest), _alpha(1.0), 5, 2.5, "predict"),
]


def ours(make, cases: Cases, trees=TREES) -> Timing:
    """Our estimator, rank-coding included; one round compiles and is not counted.

    Numbers come as an array, as scikit-learn gets them; only nominal columns need a frame.
    """
    pair = (cases.frame() if "nominal" in cases.kinds else cases.matrix(), cases.y)
    make(1).fit(*pair).predict(pair[0])
    return timed(lambda: make(trees), pair, pair)


def measure(comparison, name) -> dict:
    """One row: seconds of both, their ratio, and a status where there is none."""
    trees = FEWER.get(name, TREES) if comparison.searches else TREES
    row = {"comparison": comparison.name, "set": name, "trees": trees, "phase": comparison.phase}
    try:
        cases = sets.cases(name)
    except ArboretumError as missing:
        return {**row, "status": str(missing)}
    peer = comparison.peer(cases, trees)
    if peer.status != "ok":
        return {**row, "status": peer.status}
    mine = ours(comparison.ours, cases, trees)
    peer_seconds, our_seconds = (getattr(timing, comparison.phase) for timing in (peer, mine))
    ratio = peer_seconds / our_seconds
    return {**row, "peer_seconds": peer_seconds, "our_seconds": our_seconds, "ratio": ratio, "status": "ok"}


def geometric_mean(numbers) -> float:
    numbers = list(numbers)
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def summary(rows) -> list:
    """Geometric mean and least ratio of each comparison beside its goals."""
    out = []
    for comparison in COMPARISONS:
        found = {row["set"]: row["ratio"] for row in rows if row["comparison"] == comparison.name and "ratio" in row}
        line = {"comparison": comparison.name, "goal mean": comparison.mean_goal, "goal least": comparison.least_goal}
        if found:
            mean = geometric_mean(found.values())
            worst = min(found, key=found.get)
            met = mean >= comparison.mean_goal and found[worst] >= comparison.least_goal
            line |= {"mean": mean, "least": found[worst], "on": worst, "sets": len(found), "met": met}
        out.append(line)
    return out
