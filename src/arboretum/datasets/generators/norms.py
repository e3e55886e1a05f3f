"""Breiman's twonorm, threenorm and ringnorm (Bias, variance, and arcing classifiers, 1996), as used in pert."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.datasets.generators.columns import classes, normals, numeric_frame


def twonorm(n: int, rng: np.random.Generator, dimension: int = 20) -> tuple[pd.DataFrame, pd.Series]:
    """Two unit normals with means (a, ..., a) and (-a, ..., -a), a = 2/sqrt(d). Bayes error Phi(-2) = 2.3%."""
    a = 2 / np.sqrt(dimension)
    label = rng.integers(2, size=n)
    mean = np.where(label == 0, a, -a)[:, None]
    return numeric_frame(mean + normals(rng, (n, dimension))), classes(label, ["1", "2"])


def threenorm(n: int, rng: np.random.Generator, dimension: int = 20) -> tuple[pd.DataFrame, pd.Series]:
    """Class 1: mean (a, ..., a) or (-a, ..., -a), equally likely; class 2: mean (a, -a, a, ...).

    All covariances are I, and a = 2/sqrt(d).
    """
    a = 2 / np.sqrt(dimension)
    label = rng.integers(2, size=n)
    sign = 2 * rng.integers(2, size=n) - 1
    alternating = a * (-1.0) ** np.arange(dimension)
    mean = np.where((label == 0)[:, None], (a * sign)[:, None], alternating)
    return numeric_frame(mean + normals(rng, (n, dimension))), classes(label, ["1", "2"])


def ringnorm(n: int, rng: np.random.Generator, dimension: int = 20) -> tuple[pd.DataFrame, pd.Series]:
    """Class 1: mean 0, covariance 4 I; class 2: mean (a, ..., a), covariance I, a = 1/sqrt(d).

    The constant is also found as 2/sqrt(d); 1/sqrt(d) gives the error and tree size printed in pert.
    """
    a = 1 / np.sqrt(dimension)
    label = rng.integers(2, size=n)
    values = normals(rng, (n, dimension))
    values = np.where((label == 0)[:, None], 2 * values, a + values)
    return numeric_frame(values), classes(label, ["1", "2"])


def ringnorm_evidence(values: np.ndarray) -> np.ndarray:
    """The logarithm of the density N((a, ..., a), I) of :func:`ringnorm` less that of N(0, 4 I), for each case.

    The Bayes rule answers class 2 where it is above 0.
    """
    dimension = values.shape[1]
    wide = -np.sum(values**2, axis=1) / 8 - dimension * np.log(2)
    narrow = -np.sum((values - 1 / np.sqrt(dimension)) ** 2, axis=1) / 2
    return narrow - wide
