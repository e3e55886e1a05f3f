"""What sample weights mean: only their ratios count.

``n_min``, ``min_cases``, pruning and curtailment have limits in numbers of cases, so weights need a unit:

- If all weights are whole multiples of the smallest positive one, they are repeats: three times the smallest weight
  means three such rows. 1, 2, 3 and 0.1, 0.2, 0.3 are the same weights, and equal weights are no weights.
- Otherwise the cases of positive weight have a mean weight of 1.

A weight of 0 leaves the case out. Trees are the same for weights multiplied by any positive number.
"""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import _check_sample_weight

from arboretum.trees.elementary import total

RELATIVE = 1e-9  # rounding that a whole multiple may have: weights such as k / n are not exact
MOST_REPEATS = 1e6  # beyond this every number is whole within rounding


def checked_weights(sample_weight, cells, by_class=None) -> np.ndarray | None:
    """Sample weights times those of the classes of the cases, in the unit above; None if all are 1."""
    if sample_weight is None and by_class is None:
        return None
    weights = _check_sample_weight(sample_weight, cells, dtype=np.float64, ensure_non_negative=True)
    if not weights.any():
        raise ValueError("every sample weight is zero; at least one case needs a weight above zero")
    if by_class is not None:
        weights = weights / weights.max() * (by_class / by_class.max())
    return in_cases(weights)


def in_cases(weights: np.ndarray) -> np.ndarray:
    """Weights in numbers of cases: repeats if they are whole multiples of the smallest, otherwise of mean 1."""
    weights = weights / weights.max()  # sums of very large weights would be infinite
    positive = weights > 0
    with np.errstate(over="ignore"):
        repeats = weights / weights[positive].min()
    if repeats.max() <= MOST_REPEATS:
        whole = np.rint(repeats)
        if (np.abs(repeats - whole) <= RELATIVE * repeats).all():
            return whole
    return weights / (total(weights) / np.count_nonzero(positive))


def least_to_split(n_min: float, weights: np.ndarray | None) -> float:
    """``n_min`` of trees that split every impure node: 2 cases always have a weight of 2 only if weights are whole."""
    whole = weights is None or (weights == np.floor(weights)).all()
    return n_min if whole or n_min > 2 else 0.0


def least_leaf(estimator, n: int, weights: np.ndarray | None) -> float:
    """Least weight of a leaf that ``estimator`` allows, for n cases; min_samples_leaf=1 is no limit."""
    whole = n if weights is None else total(weights)
    cases = estimator.min_samples_leaf if estimator.min_samples_leaf > 1 else 0
    return float(max(cases, estimator.min_weight_fraction_leaf * whole))
