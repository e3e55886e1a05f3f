"""Confidence intervals for what comparisons of learners need: pure functions of arrays.

Each function returns ``(low, high)`` at the confidence ``level``. An interval that cannot be had, because there are too
few runs to see their spread, is ``(-inf, inf)``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

Array = np.ndarray
Interval = tuple[float, float]
NONE: Interval = (-np.inf, np.inf)
LEAST_RUNS = 3


def t_interval(runs: Array, level: float = 0.95) -> Interval:
    """Mean of independent runs: Student's t with n - 1 degrees of freedom; at least three runs."""
    return pooled_interval([np.asarray(runs, dtype=float)], level)


def pooled_interval(runs_by_set: Sequence[Array], level: float = 0.95) -> Interval:
    """Mean over sets of the mean of each set's runs; the sets are fixed, the runs vary.

    The variance is sum_i s_i^2 / n_i over the square of the number of sets. Its degrees of freedom are Welch's and
    Satterthwaite's, (sum v_i)^2 / sum(v_i^2 / (n_i - 1)) with v_i = s_i^2 / n_i: few runs suffice where there are many
    sets, and one noisy set does not pass for many.
    """
    runs_by_set = [np.asarray(runs, dtype=float) for runs in runs_by_set]
    sizes = np.array([len(runs) for runs in runs_by_set])
    if (sizes < 2).any() or np.sum(sizes - 1) < LEAST_RUNS - 1:
        return NONE
    mean = float(np.mean([runs.mean() for runs in runs_by_set]))
    variances = np.array([runs.var(ddof=1) for runs in runs_by_set]) / sizes
    if not variances.any():
        return mean, mean
    freedom = variances.sum() ** 2 / np.sum(variances**2 / (sizes - 1))
    half = stdtrit(freedom, (1 + level) / 2) * np.sqrt(variances.sum()) / len(sizes)
    return float(mean - half), float(mean + half)


def error_interval(value: float, error: float, freedom: float, level: float = 0.95) -> Interval:
    """A value whose standard error has so many degrees of freedom: Student's t; at least two of them."""
    if freedom < LEAST_RUNS - 1:
        return NONE
    half = stdtrit(freedom, (1 + level) / 2) * error
    return float(value - half), float(value + half)


def prediction_interval(
    runs: Array, level: float = 0.95, deviation: float | None = None, freedom: int = 0, of: int = 1
) -> Interval:
    """One further run, or the mean ``of`` so many: mean -+ t * s * sqrt(1/of + 1/n).

    A ``deviation`` pooled over sets comes with its freedom.
    """
    runs = np.asarray(runs, dtype=float)
    if deviation is None:
        if len(runs) < LEAST_RUNS:
            return NONE
        deviation, freedom = float(runs.std(ddof=1)), len(runs) - 1
    half = stdtrit(freedom, (1 + level) / 2) * deviation * np.sqrt(1 / of + 1 / len(runs))
    return float(runs.mean() - half), float(runs.mean() + half)


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Interval:
    """A proportion (Wilson 1927)."""
    if not 0 <= successes <= trials or trials < 1:
        raise ValueError(f"{successes} successes in {trials} trials is no proportion")
    z = ndtri((1 + level) / 2)
    centre = (successes + z * z / 2) / (trials + z * z)
    half = z / (trials + z * z) * np.sqrt(successes * (trials - successes) / trials + z * z / 4)
    return float(max(centre - half, 0.0)), float(min(centre + half, 1.0))


def resampled_rate_interval(
    errors: Array, cases: Array, distinct: int, test_over_train: float, level: float = 0.95
) -> Interval:
    """An error rate from repeated splits of ``distinct`` cases: for new cases from where these come from.

    Splits share cases, so the variance of the mean of J splits is (1 / J + n_test / n_train) s^2 (Nadeau and Bengio
    2003). It is turned into the number of cases that a proportion of this variance would come from, at most those that
    there are, and Wilson's interval of such a proportion is taken, with Student's t in place of the normal. So it lies
    between 0 and 1, and has a width where no case is wrong.
    """
    errors, cases = np.asarray(errors, dtype=float), np.asarray(cases, dtype=float)
    if len(errors) < LEAST_RUNS:
        return NONE
    rate = errors.sum() / cases.sum()
    variance = (1 / len(errors) + test_over_train) * np.var(errors / cases, ddof=1)
    n = min(float(distinct), rate * (1 - rate) / variance) if variance > 0 and 0 < rate < 1 else float(distinct)
    z = stdtrit(len(errors) - 1, (1 + level) / 2)
    centre = (n * rate + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(n * rate * (1 - rate) + z * z / 4)
    return (float(max(centre - half, 0.0)) if rate > 0 else 0.0), (float(min(centre + half, 1.0)) if rate < 1 else 1.0)


def discordant_interval(only_a: int, only_b: int, cases: int, level: float = 0.95) -> Interval:
    """Difference of two error rates on the same cases, from the cases that exactly one of the two gets wrong.

    Half a case is added to each cell of the table (Agresti and Min 2005), so that the interval has a width even where
    both err on the same cases.
    """
    if only_a < 0 or only_b < 0 or only_a + only_b > cases or cases < 1:
        raise ValueError(f"{only_a} and {only_b} errors of one alone do not fit into {cases} cases")
    n = cases + 2
    difference = (only_a - only_b) / n
    error = np.sqrt(only_a + only_b + 1 - n * difference**2) / n
    z = ndtri((1 + level) / 2)
    return float(difference - z * error), float(difference + z * error)


def cluster_interval(
    values: Array, clusters: Sequence, rng: np.random.Generator, level: float = 0.95, draws: int = 4000
) -> Interval:
    """Mean over sets drawn like these: the bootstrap of whole clusters of related sets.

    Percentiles are those of Student's t instead of the normal (Hesterberg 2015, section 3.2): plain percentiles are too
    narrow by a factor of sqrt((n - 1) / n), and by more in the tails.
    """
    values = np.asarray(values, dtype=float)
    names, member = np.unique(np.asarray(clusters), return_inverse=True)
    n = len(names)
    if n < LEAST_RUNS:
        return NONE
    sums, sizes = np.bincount(member, weights=values, minlength=n), np.bincount(member, minlength=n)
    drawn = rng.integers(n, size=(draws, n))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    tail = ndtr(np.sqrt(n / (n - 1)) * stdtrit(n - 1, (1 - level) / 2))
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def choice_samples(runs: Array, pick: Callable[[Array], float], rng: np.random.Generator, draws: int = 2000) -> Array:
    """What ``pick`` makes of the mean of bootstrap samples of runs (runs x ...).

    A sample of n runs has too little spread by a factor of sqrt((n - 1) / n): deviations are stretched by its inverse.
    """
    runs = np.asarray(runs, dtype=float)
    n, mean = len(runs), runs.mean(axis=0)
    stretch = np.sqrt(n / (n - 1))
    drawn = rng.integers(n, size=(draws, n))
    return np.array([pick(mean + stretch * (runs[rows].mean(axis=0) - mean)) for rows in drawn])
