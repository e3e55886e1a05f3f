"""Symmetry and skewness of a kernel, the two words of Breiman (2000), section 8, made into numbers.

A kernel is symmetric in the paper's sense when it depends on |x_m - z_m| only. It is skewed when points of
one class share leaves more often than points of two classes *at the same displacement*. Both compare pairs
within classes of equal absolute displacement (|x_1 - z_1|, |x_2 - z_2|) on a grid.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


def _displacements(rows: Indices, columns: Indices) -> tuple[Indices, Indices, Indices]:
    """Index pairs a < b and, for each, the number of its displacement class."""
    a, b = np.triu_indices(len(rows), k=1)
    across, along = np.abs(rows[a] - rows[b]), np.abs(columns[a] - columns[b])
    return a, b, across * (along.max() + 1) + along


def symmetry(gram: Array, rows: Indices, columns: Indices) -> float:
    """The share of the variance of K(x, z) over pairs that |x_1 - z_1| and |x_2 - z_2| explain."""
    a, b, group = _displacements(rows, columns)
    values = gram[a, b]
    means = np.bincount(group, values) / np.maximum(np.bincount(group), 1)
    return float(1 - np.sum((values - means[group]) ** 2) / np.sum((values - values.mean()) ** 2))


def skewness(gram: Array, rows: Indices, columns: Indices, label: NDArray[np.bool_]) -> float:
    """The mean over displacement classes of K between like points minus K between unlike points.

    Classes are weighted by n_like n_unlike / (n_like + n_unlike), as a difference of two means deserves; a
    class that has only one kind of pair says nothing.
    """
    a, b, group = _displacements(rows, columns)
    like = label[a] == label[b]
    n_like, n_unlike = np.bincount(group, like), np.bincount(group, ~like)
    both = (n_like > 0) & (n_unlike > 0)
    like_mean = np.bincount(group, gram[a, b] * like)[both] / n_like[both]
    unlike_mean = np.bincount(group, gram[a, b] * ~like)[both] / n_unlike[both]
    weight = (n_like * n_unlike)[both] / (n_like + n_unlike)[both]
    return float(np.average(like_mean - unlike_mean, weights=weight))
