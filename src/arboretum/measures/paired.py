"""Comparing two classifiers on one data set by their differences over repeated splits.

Splits of one set share most of their cases, so that differences are not independent: the plain t-test finds too much.
Nadeau and Bengio (2003, Machine Learning 52, section 4.2) correct its variance. Both are given side by side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats


class PairedTests(NamedTuple):
    """Mean difference, and two-sided p-values of the plain and of the corrected resampled t-test."""

    mean: np.ndarray
    t: np.ndarray
    p: np.ndarray
    corrected_t: np.ndarray
    corrected_p: np.ndarray


def paired_tests(differences: np.ndarray, test_over_train: float) -> PairedTests:
    """Tests of differences (runs x ...) against zero, along the first axis.

    t = mean / sqrt(s^2 / J) for J runs, and corrected t = mean / sqrt((1 / J + n_test / n_train) s^2), both with J - 1
    degrees of freedom. Differences that are all zero have p = 1, differences all equal and not zero p = 0.
    """
    differences = np.asarray(differences, dtype=float)
    runs = len(differences)
    if runs < 2:
        raise ValueError("a paired test needs at least two runs")
    mean, spread = differences.mean(axis=0), differences.std(axis=0, ddof=1)
    t = statistic(mean, spread / np.sqrt(runs))
    corrected = statistic(mean, spread * np.sqrt(1 / runs + test_over_train))
    return PairedTests(
        mean, t, 2 * stats.t.sf(np.abs(t), runs - 1), corrected, 2 * stats.t.sf(np.abs(corrected), runs - 1)
    )


def statistic(mean: np.ndarray, error: np.ndarray) -> np.ndarray:
    """mean / error; 0 where the mean is 0, infinite where the error is 0 (up to rounding) and the mean is not."""
    mean, error = np.asarray(mean, dtype=float), np.asarray(error, dtype=float)
    vanishing = error <= 1e-12 * np.maximum(np.abs(mean), 1e-3)
    t = np.divide(mean, error, out=np.zeros_like(mean), where=~vanishing)
    return np.where(vanishing & (np.abs(mean) > 1e-12), np.copysign(np.inf, mean), t)


class BestOfMany(NamedTuple):
    """The best of many configurations on one set: its place, mean difference, and p-values of its improvement.

    ``p`` is that of the plain t-test, as if it had been the only one. The others account for the choice: ``bonferroni``
    is p times the number of configurations, ``max_t`` compares the greatest t with the greatest |t| of all
    configurations under random signs, ``corrected_bonferroni`` is Bonferroni's on the corrected resampled t-test. All
    are 1 if no configuration has a positive mean.
    """

    place: int
    mean: float
    p: float
    bonferroni: float
    max_t: float
    corrected_bonferroni: float


def best_of_many(
    differences: np.ndarray, test_over_train: float, rng: np.random.Generator, draws: int = 9999
) -> BestOfMany:
    """Is the best of several configurations better than the common rival? ``differences`` is (runs x configurations).

    Under the hypothesis that no configuration differs from the rival the differences of a run may change sign, all
    together, since configurations share the split: the greatest |t| over configurations of many such draws is what
    the greatest t is set against (Westfall and Young 1993).
    """
    tests = paired_tests(differences, test_over_train)
    place = int(np.argmax(tests.t >= tests.t.max() - 1e-9))
    if not tests.t[place] > 0:
        return BestOfMany(place, float(tests.mean[place]), 1.0, 1.0, 1.0, 1.0)
    many = differences.shape[1]
    signs = rng.choice([-1.0, 1.0], size=(draws, len(differences)))
    greatest = np.abs(flipped_t(differences, signs)).max(axis=1)
    as_large = np.count_nonzero(greatest >= tests.t[place] * (1 - 1e-9))
    return BestOfMany(
        place,
        float(tests.mean[place]),
        float(tests.p[place]),
        min(1.0, many * float(tests.p[place])),
        (1 + as_large) / (1 + draws),
        min(1.0, many * float(tests.corrected_p[place])),
    )


def flipped_t(differences: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """t of each configuration under each draw of signs: (draws x configurations). Squares do not change sign."""
    runs = len(differences)
    mean = signs @ differences / runs
    squares = np.sum(np.square(differences), axis=0)
    return statistic(mean, np.sqrt(np.maximum(squares - runs * mean**2, 0.0) / (runs * (runs - 1))))


def count_improved(found: list[BestOfMany], level: float = 0.05) -> dict[str, int]:
    """Of several sets, how many are improved at ``level``: by the best configuration as it is, and corrected."""
    names = ("p", "bonferroni", "max_t", "corrected_bonferroni")
    return {name: sum(getattr(one, name) < level for one in found) for name in names}


def resampled_t(differences: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """t of bootstrap samples of the runs: (draws x ...) from differences (runs x ...), which share the samples."""
    differences = np.asarray(differences, dtype=float)
    runs = len(differences)
    flat = differences.reshape(runs, -1)
    weights = rng.multinomial(runs, np.full(runs, 1 / runs), size=draws).astype(float)
    mean = weights @ flat / runs
    spread = np.maximum(weights @ np.square(flat) - runs * mean**2, 0.0) / (runs * (runs - 1))
    return statistic(mean, np.sqrt(spread)).reshape(draws, *differences.shape[1:])


def critical_t(runs: int, level: float = 0.05) -> float:
    """The |t| beyond which a two-sided test of ``runs`` differences finds them significant."""
    return float(stats.t.isf(level / 2, runs - 1))
