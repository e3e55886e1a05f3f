"""A small table of cases, and the functions that every grower needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

TOLERANCE = 1e-6


@dataclass(frozen=True)
class Cases:
    """Columns of floats (NaN is missing; a nominal value is its code), class codes and case weights."""

    columns: list
    kinds: list
    levels: list
    y: np.ndarray
    n_classes: int
    weights: np.ndarray

    @property
    def n_features(self) -> int:
        return len(self.columns)

    @property
    def total(self) -> float:
        return float(sum(self.weights))

    def take(self, rows, weights=None) -> Cases:
        """The cases ``rows``, with new weights when some of them are only fractions of a case."""
        rows = np.asarray(rows, dtype=int)
        weights = self.weights[rows] if weights is None else np.asarray(weights, dtype=float)
        return replace(self, columns=[c[rows] for c in self.columns], y=self.y[rows], weights=weights)

    def counts(self, rows=None) -> list:
        """Class weights of ``rows`` (all rows by default)."""
        totals = [0.0] * self.n_classes
        for row in range(len(self.y)) if rows is None else rows:
            totals[int(self.y[row])] += float(self.weights[row])
        return totals

    def known(self, feature) -> list:
        """The rows whose value of ``feature`` is not missing."""
        return [row for row, value in enumerate(self.columns[feature]) if not math.isnan(value)]


def table(columns, kinds, levels, y, n_classes=None, weights=None) -> Cases:
    """A table from plain lists; -1 in a nominal column is read as missing, cases of weight 0 are left out."""
    y = np.asarray(y, dtype=int)
    weights = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=float)
    columns = [np.array(column, dtype=float) for column in columns]
    for column, kind in zip(columns, kinds, strict=True):
        if kind == "nominal":
            column[column < 0] = np.nan
    n_classes = int(y.max()) + 1 if n_classes is None else n_classes
    whole = Cases(columns, list(kinds), list(levels), y, n_classes, weights)
    return whole.take(np.flatnonzero(weights > 0))


def entropy(counts) -> float:
    """Shannon entropy in bits of unnormalised counts."""
    total = sum(counts)
    return -sum(c / total * math.log2(c / total) for c in counts if c > TOLERANCE) if total > 0 else 0.0


def gini(counts) -> float:
    """Gini index 1 - sum p^2 of unnormalised counts."""
    total = sum(counts)
    return 1.0 - sum((c / total) ** 2 for c in counts) if total > 0 else 0.0


def mean_impurity(impurity, branches) -> float:
    """Impurity of the branches, weighted by their size."""
    total = sum(map(sum, branches))
    return sum(sum(branch) * impurity(branch) for branch in branches) / total


def greater(a, b) -> bool:
    """Is a > b by more than the tolerance? Then the first of several equal tests wins."""
    return a - b > TOLERANCE


def nodes(tree):
    """Every node of a nested tree, parents first."""
    yield tree
    for child in tree.get("children", []):
        yield from nodes(child)


def size(tree) -> int:
    """Number of nodes, leaves included."""
    return sum(1 for _ in nodes(tree))
