"""Votes and margins of an ensemble, case by case; strength and correlation are made of them in ``vote_sums``.

vrtrees, appendix C. Input is an array of votes (trees x cases) and the true classes, both as codes 0..classes-1.
"""

from __future__ import annotations

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


def breiman_bound(strength: np.ndarray, correlation: np.ndarray) -> np.ndarray:
    """Breiman's upper bound of the generalisation error: rho (1 - s^2) / s^2 (vrtrees 5.2 prints it as a lower one)."""
    return correlation * (1 - np.square(strength)) / np.square(strength)
