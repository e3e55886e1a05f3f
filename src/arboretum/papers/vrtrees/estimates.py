"""Estimates from repeated cross-validations: the data sets are fixed, their repetitions vary."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from arboretum.papers.kit import estimate
from arboretum.papers.kit.estimate import Estimate, in_per_cent, mean_of, one_run_of_each
from arboretum.papers.vrtrees.rates import PAPER

redrawn = partial(estimate.redrawn, paper=PAPER)
redrawn_by_set = partial(estimate.redrawn_by_set, paper=PAPER)


def mean_over_sets(values: pd.Series) -> Estimate:
    """The mean over sets of a value by (set, repetition)."""
    return mean_of([runs.to_numpy(dtype=float) for _, runs in values.dropna().groupby(level="dataset", sort=False)])


def run_interval(rates: np.ndarray, cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where one cross-validation of each set falls, 95%, from all repetitions (sets x repetitions, per cent)."""
    low, high = np.array([in_per_cent(one).interval for one in one_run_of_each(rates / 100, cases)]).T
    return np.maximum(low, 0), high
