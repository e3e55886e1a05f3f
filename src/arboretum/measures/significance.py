"""Comparing classifiers over data sets: Friedman's test and what may follow it, after Demsar (2006, JMLR 7).

Input is an array of scores (sets x methods). The direction is always explicit: ``lower_is_better`` for errors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from arboretum.measures.ties import TOLERANCE, rank


def rank_methods(scores: np.ndarray, *, lower_is_better: bool) -> np.ndarray:
    """Ranks within each set, 1 for the best; scores that are equal up to rounding share the mean of their ranks."""
    scores = np.asarray(scores, dtype=float)
    if scores.ndim != 2 or min(scores.shape) < 2 or not np.isfinite(scores).all():
        raise ValueError("scores must be a finite array of at least two sets and two methods")
    return rank(scores if lower_is_better else -scores)


class Friedman(NamedTuple):
    """Friedman's statistic and Iman and Davenport's, each with its p-value, and the mean rank of each method."""

    ranks: np.ndarray
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float


def friedman(scores: np.ndarray, *, lower_is_better: bool, correct_ties: bool = False) -> Friedman:
    """Friedman's test on mean ranks R_j of k methods over N sets.

    chi2 = 12 N / (k (k + 1)) * (sum_j R_j^2 - k (k + 1)^2 / 4), and F = (N - 1) chi2 / (N (k - 1) - chi2) with
    k - 1 and (k - 1)(N - 1) degrees of freedom. ``correct_ties`` divides chi2 by 1 - sum (t^3 - t) / (N (k^3 - k))
    over groups of t equal scores, as scipy does; Demsar does not.
    """
    ranks = rank_methods(scores, lower_is_better=lower_is_better)
    sets, methods = ranks.shape
    means = ranks.mean(axis=0)
    chi_square = 12 * sets / (methods * (methods + 1)) * (np.sum(means**2) - methods * (methods + 1) ** 2 / 4)
    if correct_ties:
        chi_square /= _tie_correction(ranks)
    rest = sets * (methods - 1) - chi_square
    f = (sets - 1) * chi_square / rest if rest > 0 else np.inf
    return Friedman(
        means,
        chi_square,
        stats.chi2.sf(chi_square, methods - 1),
        f,
        stats.f.sf(f, methods - 1, (methods - 1) * (sets - 1)),
    )


def _tie_correction(ranks: np.ndarray) -> float:
    sets, methods = ranks.shape
    tied = sum(np.sum(counts**3 - counts) for row in ranks for counts in [np.unique(row, return_counts=True)[1]])
    return 1 - tied / (sets * (methods**3 - methods))


def rank_error(sets: int, methods: int) -> float:
    """Standard error of a difference of two mean ranks: sqrt(k (k + 1) / (6 N))."""
    return np.sqrt(methods * (methods + 1) / (6 * sets))


def bonferroni_dunn(sets: int, methods: int, level: float = 0.05) -> float:
    """Critical difference of mean ranks against a control: two-tailed, corrected for k - 1 comparisons."""
    return stats.norm.isf(level / (2 * (methods - 1))) * rank_error(sets, methods)


def nemenyi(sets: int, methods: int, level: float = 0.05) -> float:
    """Critical difference of mean ranks between all pairs: studentised range / sqrt(2)."""
    return stats.studentized_range.isf(level, methods, np.inf) / np.sqrt(2) * rank_error(sets, methods)


def holm(ranks: np.ndarray, control: int, sets: int) -> np.ndarray:
    """Holm's step-down p-values of each method against a control chosen beforehand (the control's own is 1).

    z_j = (R_j - R_control) / sqrt(k (k + 1) / (6 N)), two-tailed; the i-th smallest of the k - 1 p-values is
    multiplied by k - i, and no adjusted value is smaller than the one before it.
    """
    ranks = np.asarray(ranks, dtype=float)
    others = np.flatnonzero(np.arange(len(ranks)) != control)
    z = (ranks[others] - ranks[control]) / rank_error(sets, len(ranks))
    p = 2 * stats.norm.sf(np.abs(z))
    adjusted = np.ones(len(ranks))
    adjusted[others] = step_down(p)
    return adjusted


def step_down(p: np.ndarray) -> np.ndarray:
    """Holm's adjustment of m p-values: the i-th smallest times m - i + 1, never smaller than the one before it."""
    p = np.asarray(p, dtype=float)
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * (len(p) - np.arange(len(p)))), 1.0)
    return adjusted


class Wilcoxon(NamedTuple):
    """Sums of the ranks of positive and of negative differences, and the two-sided p-value."""

    positive: float
    negative: float
    p: float


def wilcoxon(differences: np.ndarray) -> Wilcoxon:
    """Wilcoxon's signed-rank test of one difference per set.

    Differences that are equal up to rounding share the mean of their ranks, and the ranks of zeros are split evenly
    (Demsar 2006, section 3.1.3). Up to 14 sets p is exact: the share of all choices of signs whose sums are as far
    apart; beyond, it comes from the normal with the variance of these ranks.
    """
    differences = np.asarray(differences, dtype=float)
    sizes = np.abs(differences)
    ranks = rank(sizes)
    sign = np.where(sizes <= TOLERANCE, 0, np.sign(differences))
    positive = float(ranks @ ((sign + 1) / 2))
    negative = float(ranks.sum() - positive)
    moving = ranks[sign != 0]
    if not len(moving):
        return Wilcoxon(positive, negative, 1.0)
    apart = abs(positive - negative)
    if len(moving) <= 14:
        sums = np.zeros(1)
        for one in moving:
            sums = np.concatenate([sums + one, sums - one])
        return Wilcoxon(positive, negative, float(np.mean(np.abs(sums) >= apart - TOLERANCE)))
    return Wilcoxon(positive, negative, float(2 * stats.norm.sf(apart / np.sqrt(np.sum(moving**2)))))
