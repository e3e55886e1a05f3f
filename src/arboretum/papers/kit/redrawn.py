"""Runs drawn anew within each set: the sets are fixed, so only their repetitions vary.

Values are frames with one row per (dataset, repetition), index levels of these names, and one column per quantity.
Streams are named by the paper: all its tables share their samples, so that differences keep their pairing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd

from arboretum.measures.bootstrap import interval
from arboretum.seeds import generator, seed_sequence

DRAWS = 2000


class Repeated(NamedTuple):
    """Means over sets, each set's mean over its repetitions, and what they might be in fresh repetitions."""

    mean: np.ndarray  # one per column
    draws: np.ndarray  # (draws x columns)

    @property
    def interval(self) -> tuple[np.ndarray, np.ndarray]:
        """The central 95% of the draws."""
        return interval(self.draws)


def set_means(values: pd.DataFrame) -> pd.DataFrame:
    """The mean of each set over its repetitions, sets in the order given."""
    return values.groupby(level="dataset", sort=False).mean()


def over_repetitions(values: pd.DataFrame, paper: str) -> Repeated:
    """Means over sets with the noise of repetitions, from values ((set, repetition) x columns).

    Repetitions are drawn within each set, with replacement, departures from its mean widened by sqrt(n / (n - 1)) for
    its n repetitions. A set with one repetition borrows the departures of all others; if all have one, nothing is known
    of the noise and the draws are NaN.
    """
    means, counts = set_means(values), values.groupby(level="dataset", sort=False).size()
    centre = means.mean().to_numpy()
    if counts.max() < 2:
        return Repeated(centre, np.full((DRAWS, values.shape[1]), np.nan))
    widths = np.where(counts > 1, np.sqrt(counts / np.maximum(counts - 1, 1)), 0.0)
    codes = means.index.get_indexer(values.index.get_level_values("dataset"))
    departures = (values.to_numpy() - means.to_numpy()[codes]) * widths[codes, None]
    by_set = departures[np.argsort(codes, kind="stable")]
    stream = seed_sequence(paper=paper, purpose="bootstrap over repetitions").entropy
    return Repeated(centre, centre + _drawn(tuple(counts), stream) @ by_set / len(counts))


@lru_cache(maxsize=8)
def _drawn(counts: tuple[int, ...], stream: int) -> np.ndarray:
    """How often each repetition is drawn, by draw, over the number of its set's repetitions: (draws x repetitions).

    ``counts`` are the repetitions of each set. A set with one draws from those of all sets that have more.
    """
    rng, ends = np.random.Generator(np.random.PCG64(np.random.SeedSequence(stream))), np.cumsum(counts)
    drawn, line = np.zeros((DRAWS, ends[-1])), np.arange(DRAWS)[:, None]
    pool = np.concatenate([np.arange(end - count, end) for end, count in zip(ends, counts, strict=True) if count > 1])
    for end, count in zip(ends, counts, strict=True):
        own = np.arange(end - count, end) if count > 1 else pool
        np.add.at(drawn, (line, own[rng.integers(len(own), size=(DRAWS, count))]), 1 / count)
    return drawn


def draws_by_set(values: pd.DataFrame, paper: str) -> np.ndarray:
    """Means of each set when its repetitions are drawn anew: (draws x sets x columns).

    Departures from the mean are widened as above. NaN where a set has one repetition.
    """
    rng, samples = generator(paper=paper, purpose="bootstrap within sets"), []
    for _, runs in values.groupby(level="dataset", sort=False):
        mean, n = runs.to_numpy().mean(axis=0), len(runs)
        drawn = runs.to_numpy()[rng.integers(n, size=(DRAWS, n))].mean(axis=1)
        samples.append(mean + (np.sqrt(n / (n - 1)) if n > 1 else np.nan) * (drawn - mean))
    return np.stack(samples, axis=1)
