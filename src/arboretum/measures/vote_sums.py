"""Strength, correlation and disagreement of an ensemble, from sums of votes that add up over folds.

vrtrees, appendix C, equations (3) to (9), after Breiman (2001) as corrected by Kobayashi (2002). Whole numbers wherever
possible, so that stored results are exact and small. Tree j of a cross-validation is the j-th tree of each fold: its
shares p1 and p2 are taken over all held-out cases.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from arboretum.measures.margins import strongest_rival, vote_counts

Numbers = Any  # a number, or an array of them: elementwise


class VoteSums(NamedTuple):
    """Sums over the cases of a hold-out set."""

    cases: int
    margins: int  # votes for the true class less votes for its strongest rival
    squared_margins: int
    agreements: int  # ordered pairs of different trees that vote alike
    right: np.ndarray  # of each tree: cases on which it votes for the true class
    rival: np.ndarray  # of each tree: cases on which it votes for the strongest rival c(i)


def vote_sums(votes: np.ndarray, truth: np.ndarray, classes: int) -> VoteSums:
    """The sums of votes (trees x cases) against the true classes, both as codes."""
    counts = vote_counts(votes, classes)
    rival = strongest_rival(counts, truth)
    places = np.arange(len(truth))
    margin = counts[places, truth] - counts[places, rival]
    return VoteSums(
        cases=len(truth),
        margins=int(margin.sum()),
        squared_margins=int(np.sum(margin**2)),
        agreements=int(np.sum(counts * (counts - 1))),
        right=np.sum(votes == truth, axis=1),
        rival=np.sum(votes == rival, axis=1),
    )


def mean_spread(right: np.ndarray, rival: np.ndarray, cases: int) -> float:
    """Mean over trees of sd(j) = sqrt(p1 + p2 - (p1 - p2)^2), equation (7)."""
    p1, p2 = right / cases, rival / cases
    return float(np.sqrt(np.maximum(p1 + p2 - (p1 - p2) ** 2, 0.0)).mean())


def strength(margins: Numbers, cases: Numbers, trees: Numbers) -> Numbers:
    """Equation (3): the mean margin."""
    return margins / (cases * trees)


def margin_variance(margins: Numbers, squared_margins: Numbers, cases: Numbers, trees: Numbers) -> Numbers:
    """Equation (6)."""
    return squared_margins / (cases * trees**2) - strength(margins, cases, trees) ** 2


def correlation(variance: ArrayLike, spread: ArrayLike) -> np.ndarray:
    """var(s) / (mean sd)^2; trees without any spread vote alike on every case: 1."""
    variance, spread = np.asarray(variance, dtype=float), np.asarray(spread, dtype=float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(spread > 0, variance / spread**2, 1.0)


def correlation_as_printed(variance: ArrayLike, spread: ArrayLike) -> np.ndarray:
    """Equation (5) as printed, var(s) / mean sd, which is not 1 for identical trees."""
    return correlation(variance, spread) * np.where(np.asarray(spread) > 0, spread, 1.0)


def disagreement(agreements: Numbers, cases: Numbers, trees: Numbers) -> Numbers:
    """The chance that two different trees disagree on a case."""
    return 1 - agreements / (cases * trees * (trees - 1))


class StrengthCorrelation(NamedTuple):
    """Strength (3), and correlation as corrected and as printed in (5)."""

    strength: float
    correlation: float
    correlation_as_printed: float


def strength_correlation(votes: np.ndarray, truth: np.ndarray, classes: int) -> StrengthCorrelation:
    """Strength and correlation on one hold-out set, from votes (trees x cases) and the true classes, as codes.

    strength = mean(s_i); correlation = var(s) / (mean_j sd_j)^2. Equation (5) prints var(s) / mean_j sd_j, which is
    not 1 for identical trees; both are given. Trees without any spread vote alike on every case: correlation 1.
    """
    sums, trees = vote_sums(votes, truth, classes), len(votes)
    variance = margin_variance(sums.margins, sums.squared_margins, sums.cases, trees)
    spread = mean_spread(sums.right, sums.rival, sums.cases)
    return StrengthCorrelation(
        strength(sums.margins, sums.cases, trees),
        float(correlation(variance, spread)),
        float(correlation_as_printed(variance, spread)),
    )
