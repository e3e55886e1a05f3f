"""Margin, strength and correlation of an ensemble from the votes of its trees.

Formulas (3) to (9) of vrtrees, appendix C, after Breiman (2001) as corrected by Kobayashi (2002). Input is an array
of votes (trees x cases) and the true classes, both as codes 0..classes-1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


def vote_counts(votes: np.ndarray, classes: int) -> np.ndarray:
    """How many trees vote for each class: (cases x classes)."""
    counts = np.zeros((votes.shape[1], classes), dtype=np.intp)
    cases = np.arange(votes.shape[1])
    for tree in votes:
        counts[cases, tree] += 1
    return counts


def strongest_rival(counts: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """c(i): the class other than the true one that gets most votes; the first of equal ones."""
    others = counts.copy()
    others[np.arange(len(truth)), truth] = -1
    return others.argmax(axis=1)


def margins(counts: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """s_i of equation (4): share of votes for the true class less the share for its strongest rival."""
    cases = np.arange(len(truth))
    return (counts[cases, truth] - counts[cases, strongest_rival(counts, truth)]) / counts.sum(axis=1)


def weighted_counts(votes: np.ndarray, weights: np.ndarray, classes: int) -> np.ndarray:
    """Sum of the weights of the trees that vote for each class: (cases x classes); ``weights`` is (trees x cases)."""
    counts = np.zeros((votes.shape[1], classes))
    cases = np.arange(votes.shape[1])
    for tree, weight in zip(votes, weights, strict=True):
        counts[cases, tree] += weight
    return counts


def share_margins(shares: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Margins (cases x ...) from shares of weighted votes, (classes x cases x ...): dynint, equation 7.

    The share of the true class less the greatest share of another one. With shares of equal votes these are
    :func:`margins`.
    """
    cases = np.arange(len(truth))
    own, others = shares[truth, cases], shares.copy()
    others[truth, cases] = -np.inf
    return own - others.max(axis=0)


class StrengthCorrelation(NamedTuple):
    """Strength (3), and correlation as corrected and as printed in (5)."""

    strength: float
    correlation: float
    correlation_as_printed: float


def strength_correlation(votes: np.ndarray, truth: np.ndarray, classes: int) -> StrengthCorrelation:
    """Strength and correlation on a hold-out set.

    strength = mean(s_i); correlation = var(s) / (mean_j sd_j)^2 with sd_j = sqrt(p1 + p2 - (p1 - p2)^2), where p1 and
    p2 are the shares of cases for which tree j votes for the true class and for c(i). Equation (5) prints
    var(s) / mean_j sd_j, which is not 1 for identical trees; both are given. Trees without any spread (all sd_j
    zero) vote alike on every case: their correlation is taken as 1.
    """
    counts = vote_counts(votes, classes)
    margin = margins(counts, truth)
    rival = strongest_rival(counts, truth)
    right = (votes == truth).mean(axis=1)
    wrong = (votes == rival).mean(axis=1)
    spread = np.sqrt(np.maximum(right + wrong - (right - wrong) ** 2, 0.0)).mean()
    if spread == 0:
        return StrengthCorrelation(margin.mean(), 1.0, 1.0)
    variance = margin.var()
    return StrengthCorrelation(margin.mean(), variance / spread**2, variance / spread)


def breiman_bound(strength: np.ndarray, correlation: np.ndarray) -> np.ndarray:
    """Breiman's upper bound of the generalisation error: rho (1 - s^2) / s^2 (vrtrees 5.2 prints it as a lower one)."""
    return correlation * (1 - np.square(strength)) / np.square(strength)


def pairwise_disagreement(votes: np.ndarray, classes: int) -> float:
    """The chance that two different trees disagree on a case: 1 - mean_i sum_c n_ic (n_ic - 1) / (N (N - 1))."""
    trees = len(votes)
    counts = vote_counts(votes, classes).astype(float)
    agree = np.sum(counts * (counts - 1), axis=1) / (trees * (trees - 1))
    return float(1 - agree.mean())
