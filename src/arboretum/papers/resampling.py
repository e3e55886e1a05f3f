"""How papers divide their data, and count errors on what is held out: shared by every learner of an experiment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from arboretum.seeds import generator

Split = tuple[np.ndarray, np.ndarray]


def available(sets: Mapping[str, Mapping[str, Any]], names: Iterable[str]) -> Iterator[str]:
    """The sets that can be had; the datasets experiment says why others cannot."""
    return (name for name in names if sets[name]["status"] == "available")


def stratified_folds(y: pd.Series, folds: int, **axes: object) -> list[Split]:
    """``folds`` stratified folds as (train, test) positions, on the random stream named by ``axes``.

    Cases are shuffled, put in order of class and dealt out in turn, as C4.5's cross-validation does: the sizes
    of any two folds, and their numbers of any one class, differ by at most one, and no class is too small.
    """
    if not 2 <= folds <= len(y):
        raise ValueError(f"folds must lie between 2 and the number of cases ({len(y)}), not {folds}")
    shuffled = generator(purpose="folds", **axes).permutation(len(y))
    classes = pd.Categorical(y).codes[shuffled]
    dealt = np.empty(len(y), dtype=np.intp)
    dealt[shuffled[np.argsort(classes, kind="stable")]] = np.arange(len(y)) % folds
    return [(np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)) for fold in range(folds)]


def hold_out(cases: int, train: int, **axes: object) -> Split:
    """``train`` random cases to learn from, the others held out, on the random stream named by ``axes``."""
    order = generator(purpose="split", **axes).permutation(cases)
    return np.sort(order[:train]), np.sort(order[train:])


def errors_of(model, X, y: pd.Series) -> int:
    """How many cases a fitted model gets wrong."""
    return int(np.sum(np.asarray(model.predict(X)) != y.to_numpy()))
