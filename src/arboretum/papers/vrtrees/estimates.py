"""Estimates from repeated cross-validations: the data sets are fixed, their repetitions vary."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from arboretum.papers.kit.estimate import Estimate, from_samples, mean_of
from arboretum.papers.vrtrees.rates import draws_by_set, over_repetitions, set_means

Pick = Callable[[np.ndarray], np.ndarray]


def mean_over_sets(values: pd.Series) -> Estimate:
    """The mean over sets of a value by (set, repetition)."""
    return mean_of([runs.to_numpy(dtype=float) for _, runs in values.dropna().groupby(level="dataset", sort=False)])


def redrawn(values: pd.DataFrame, pick: Pick) -> Estimate:
    """What ``pick`` makes of the means over sets (... x columns): repetitions are drawn anew within each set."""
    repeated = over_repetitions(values)
    return from_samples(pick(repeated.mean), pick(repeated.draws), _drawn(values))


def redrawn_by_set(values: pd.DataFrame, pick: Pick) -> Estimate:
    """The same where ``pick`` needs the mean of each set: (... x sets x columns); at least two repetitions each."""
    return from_samples(pick(set_means(values).to_numpy()), pick(draws_by_set(values)), _drawn(values))


def in_per_cent(share: Estimate) -> Estimate:
    """An estimate of a share, in per cent."""
    return replace(share, value=100 * share.value, at=lambda level: tuple(100 * end for end in share.at(level)))


def _drawn(values: pd.DataFrame) -> str:
    counts = values.groupby(level="dataset").size()
    runs = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    return f"{runs} runs on each of {len(counts)} sets, drawn anew"
