"""The public API as a typed program uses it; mypy reads this file, nothing runs it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arboretum.datasets import Dataset, load
from arboretum.ensembles import Coalescence, VRForest
from arboretum.measures.margins import margins, vote_counts
from arboretum.measures.significance import friedman, nemenyi
from arboretum.measures.vote_sums import strength_correlation


def error(X: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    forest = VRForest(alpha=0.5, n_estimators=10, random_state=0).fit(X, y)
    answers: NDArray[np.int64] = forest.predict(X)
    return float((answers != y).mean())


def mean_margin(X: NDArray[np.float64], y: NDArray[np.int64]) -> float:
    votes = Coalescence(n_estimators=10, random_state=0).fit(X, y).tree_votes(X)
    return float(margins(vote_counts(votes, 3), y).mean())


def strength(votes: NDArray[np.int64], y: NDArray[np.int64]) -> float:
    return strength_correlation(votes, y, 3).strength


def ranks(errors: NDArray[np.float64]) -> tuple[float, float]:
    return friedman(errors, lower_is_better=True).f_p, nemenyi(*errors.shape)


def cases(path: str) -> int:
    data: Dataset = load(path)
    return len(data.y)
