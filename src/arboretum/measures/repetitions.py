"""How much one cross-validation differs from another on the same cases, pooled over data sets.

The cases are those of the paper, so binomial spread is far too wide; with few repetitions the spread of one set
alone is too uncertain. Between them: the between-repetition variance of a set is taken as phi * p (1 - p) / n, and
the one factor phi is the mean of its estimates from all sets.
"""

from __future__ import annotations

import numpy as np
from scipy import stats


def binomial_variance(rates: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """p (1 - p) / n of each set; p is kept half a case away from 0 and 1."""
    share = np.clip(rates.mean(axis=1), 0.5 / cases, 1 - 0.5 / cases)
    return share * (1 - share) / cases


def dispersion(rates: np.ndarray, cases: np.ndarray) -> float:
    """phi from error rates (sets x repetitions) and the number of cases of each set."""
    if rates.shape[1] < 2:
        raise ValueError("the spread between repetitions needs at least two of them")
    return float(np.mean(rates.var(axis=1, ddof=1) / binomial_variance(rates, cases)))


def repetition_deviation(rates: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """Standard deviation of one cross-validation of each set."""
    return np.sqrt(dispersion(rates, cases) * binomial_variance(rates, cases))


def single_run_error(rates: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """Standard error of one further run about the mean of these: deviation * sqrt(1 + 1 / repetitions)."""
    return repetition_deviation(rates, cases) * np.sqrt(1 + 1 / rates.shape[1])


def quantile(rates: np.ndarray, level: float = 0.95) -> float:
    """Two-sided quantile of Student's t with sets * (repetitions - 1) degrees of freedom."""
    return float(stats.t.ppf((1 + level) / 2, rates.shape[0] * (rates.shape[1] - 1)))
