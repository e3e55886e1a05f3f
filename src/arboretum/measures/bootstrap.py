"""Uncertainty over data sets: the bootstrap of whole clusters of related sets.

A statistic over sets is a weighted mean of one row per set (errors, ranks, ranges); a bootstrap sample is a row of
weights. All quantities of one table share the same weights, so differences keep their pairing.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def cluster_weights(clusters: Sequence[str], draws: int, rng: np.random.Generator) -> np.ndarray:
    """Weights (draws x sets), rows summing to 1: as many clusters are drawn, with replacement, as there are."""
    names, member = np.unique(np.asarray(clusters), return_inverse=True)
    drawn = rng.multinomial(len(names), np.full(len(names), 1 / len(names)), size=draws)
    weights = drawn[:, member].astype(float)
    return weights / weights.sum(axis=1, keepdims=True)


def interval(samples: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """The central ``level`` of bootstrap samples, along the first axis."""
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], axis=0)
    return low, high
