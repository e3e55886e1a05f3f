"""How probable is it that one learner is better than another by more than what matters in practice?

A test says that a difference is not due to chance, not that it matters; and without a significant difference it says
nothing. Given a region of practical equivalence (rope), differences within which do not matter, these posteriors say
how probable it is that the first learner has the greater score by more than that, that the two are the same, and that
the second has it (Benavoli, Corani, Demsar and Zaffalon 2017, JMLR 18).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

AT_ONCE = 2_000_000  # products of weights held at a time


class Chances(NamedTuple):
    """Probabilities that the difference is below the region of practical equivalence, in it, and above it."""

    below: float
    same: float
    above: float


def correlated_t(differences: np.ndarray, test_over_train: float, rope: float) -> Chances:
    """One data set: the posterior of the mean of differences over repeated splits, which share cases.

    It is Student's t with J - 1 degrees of freedom, the mean as its place and (1 / J + n_test / n_train) s^2 as its
    squared scale (Corani and Benavoli 2015): the corrected resampled t-test of Nadeau and Bengio, read as a posterior.
    """
    differences = np.asarray(differences, dtype=float)
    runs = len(differences)
    if runs < 2 or rope < 0:
        raise ValueError("at least two runs and a rope of at least 0 are needed")
    mean, scale = differences.mean(), np.sqrt((1 / runs + test_over_train) * differences.var(ddof=1))
    if scale <= 1e-12 * max(abs(mean), 1e-3):  # differences all the same up to rounding
        below, above = float(mean < -rope), float(mean > rope)
        return Chances(below, 1 - below - above, above)
    posterior = stats.t(runs - 1, loc=mean, scale=scale)
    below, above = float(posterior.cdf(-rope)), float(posterior.sf(rope))
    return Chances(below, max(1 - below - above, 0.0), above)


def signed_rank(
    differences: np.ndarray, rope: float, rng: np.random.Generator, prior: float = 0.5, draws: int = 20_000
) -> Chances:
    """Several data sets: the Bayesian signed-rank test on one mean difference per set.

    A Dirichlet process with weight ``prior`` on a difference of 0: each draw gives the sets and the 0 weights w, and
    the share of pairs (i, j), weighted by w_i w_j, whose mean difference is below, in and above the region. The
    probability of a region is the share of draws in which it is the greatest of the three.
    """
    differences = np.concatenate([[0.0], np.asarray(differences, dtype=float)])
    if len(differences) < 3 or rope < 0:
        raise ValueError("at least two sets and a rope of at least 0 are needed")
    sums = differences[:, None] + differences[None, :]
    regions = np.stack([_step(-sums - 2 * rope), np.zeros_like(sums), _step(sums - 2 * rope)])
    regions[1] = 1 - regions[0] - regions[2]
    weights = np.concatenate([[prior], np.ones(len(differences) - 1)])
    wins = np.zeros(3)
    step = max(1, AT_ONCE // len(differences) ** 2)
    for first in range(0, draws, step):
        drawn = rng.dirichlet(weights, min(step, draws - first))
        shares = np.stack([np.einsum("di,ij,dj->d", drawn, region, drawn, optimize=True) for region in regions])
        greatest = shares >= shares.max(axis=0) - 1e-12
        wins += (greatest / greatest.sum(axis=0)).sum(axis=1)
    return Chances(*(wins / draws).tolist())


def _step(values: np.ndarray) -> np.ndarray:
    """1 above 0, a half at 0 (up to rounding), 0 below."""
    return (values > 1e-12) + 0.5 * (np.abs(values) <= 1e-12)
