"""What ties decide in a vote: the first of tied classes, or one of them drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arboretum.measures.ties import TOLERANCE


class TiedVotes(NamedTuple):
    """Cases without a single winner; right answers with the first of tied classes, and in the mean with one drawn."""

    tied: int
    first: int
    drawn: float


def tied_votes(counts: np.ndarray, truth: np.ndarray, tolerance: float = TOLERANCE) -> TiedVotes:
    """From counts or shares (cases x classes) and true class codes; shares within ``tolerance`` are tied."""
    leading = counts >= counts.max(axis=1, keepdims=True) - tolerance
    winners, right = leading.sum(axis=1), leading[np.arange(len(truth)), truth]
    first = int(np.sum(leading.argmax(axis=1) == truth))
    return TiedVotes(int(np.sum(winners > 1)), first, float(np.sum(right / winners)))
