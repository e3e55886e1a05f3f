"""Other people's forests, timed on the same cases with the same settings as ours.

Every runner answers with a :class:`Timing`; a peer that is not installed answers with a status that says so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Timing:
    """CPU seconds of one thread to fit and to predict, share of wrong predictions, or why there are none."""

    fit: float = float("nan")
    predict: float = float("nan")
    error: float = float("nan")
    status: str = "ok"


@dataclass(frozen=True)
class Cases:
    """A table for any peer: float columns (nominal ones hold codes, NaN is missing) and class codes.

    Of the peers, Weka alone reads ``weights``.
    """

    columns: list
    kinds: list
    levels: list
    y: np.ndarray
    n_classes: int
    weights: np.ndarray | None = None

    def take(self, rows) -> Cases:
        weights = None if self.weights is None else self.weights[rows]
        return Cases([c[rows] for c in self.columns], self.kinds, self.levels, self.y[rows], self.n_classes, weights)

    def matrix(self) -> np.ndarray:
        """All columns as numbers."""
        return np.column_stack(self.columns)

    def frame(self) -> pd.DataFrame:
        """Nominal columns as categoricals with all their declared levels."""
        columns = {}
        for j, (column, kind, levels) in enumerate(zip(self.columns, self.kinds, self.levels, strict=True)):
            if kind == "nominal":
                codes = np.where(np.isnan(column), -1, column).astype(int)
                column = pd.Categorical.from_codes(codes, categories=[f"v{k}" for k in range(levels)])
            columns[f"x{j}"] = column
        return pd.DataFrame(columns)

    def filled(self, train: Cases) -> Cases:
        """Missing values replaced by the median or the most frequent level of ``train`` (R's na.roughfix).

        A column without any value there becomes constant: six of anneal's are empty in every case.
        """
        columns = []
        for column, known, kind in zip(self.columns, train.columns, self.kinds, strict=True):
            known = known[~np.isnan(known)]
            typical = 0.0
            if len(known):
                typical = np.median(known) if kind == "numeric" else np.bincount(known.astype(int)).argmax()
            columns.append(np.where(np.isnan(column), typical, column))
        return replace(self, columns=columns)


class PeerMissing(RuntimeError):
    """The peer is not on this machine; the message is the status of its row."""


def cases_of(frame: pd.DataFrame, y) -> Cases:
    """Cases of a data frame whose nominal columns are categorical, and a categorical or coded class."""
    columns, kinds, levels = [], [], []
    for name in frame.columns:
        nominal = isinstance(frame[name].dtype, pd.CategoricalDtype)
        codes = frame[name].cat.codes.astype(float).replace(-1, np.nan) if nominal else frame[name]
        columns.append(codes.to_numpy(float))
        kinds.append("nominal" if nominal else "numeric")
        levels.append(len(frame[name].cat.categories) if nominal else 0)
    classes, codes = np.unique(np.asarray(y), return_inverse=True)
    return Cases(columns, kinds, levels, codes, len(classes))


def timed(make, train, test, repeats=5, seconds=3.0) -> Timing:
    """Least CPU seconds of an estimator of this process; ``train`` and ``test`` are (X, y) pairs.

    At most ``repeats`` rounds, and none after ``seconds`` are used up.
    """
    fit = predict = float("inf")
    begun = time.process_time()
    for _ in range(repeats):
        model = make()
        start = time.process_time()
        model.fit(*train)
        fitted = time.process_time()
        answer = model.predict(test[0])
        done = time.process_time()
        fit, predict = min(fit, fitted - start), min(predict, done - fitted)
        if done - begun > seconds:
            break
    return Timing(fit, predict, float(np.mean(answer != test[1])))
