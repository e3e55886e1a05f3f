"""The kernel of perfect random trees and of VR-Trees at alpha 0, exactly, on a small sample.

K(x, z) is the chance that x and z end in one leaf of a random tree grown on n training cases. A node is a set of cases;
what cut it gets depends on the set alone, so K is a recursion over the sets that boxes can contain, from the large ones
to the small ones. There are up to (n (n + 1) / 2) ** features of them: some thousands for 20 cases in the plane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


class Cut(NamedTuple):
    """A cut of a node: uniform between ``low`` and ``high`` (at ``low`` where they are equal), with its chance."""

    feature: int
    low: float
    high: float
    chance: float


Cuts = Callable[[Array, Rows], Iterator[Cut]]


def pert_cuts(x: Array, classes: Rows) -> Iterator[Cut]:
    """Two cases of different classes and a feature, uniformly; a cut uniform between their values, gap by gap."""
    one, two = np.nonzero(classes[:, None] < classes[None, :])
    for feature, column in enumerate(x.T):
        start, end = np.minimum(column[one], column[two]), np.maximum(column[one], column[two])
        for low, high in pairwise(np.unique(column)):
            inside = (start <= low) & (high <= end)
            share = float(np.sum((high - low) / (end[inside] - start[inside])))
            if share:
                yield Cut(feature, low, high, share / (len(one) * x.shape[1]))


def vr_cuts(x: Array, classes: Rows) -> Iterator[Cut]:
    """A feature that varies, a case, and a case with another value, uniformly; the midpoint of the two values."""
    varying = [column for column in range(x.shape[1]) if np.ptp(x[:, column]) > 0]
    for feature in varying if len(np.unique(classes)) > 1 else ():
        values, counts = np.unique(x[:, feature], return_counts=True)
        for low in range(len(values)):
            for high in range(low + 1, len(values)):
                together = counts[low] * counts[high] / len(x)
                chance = together / (len(x) - counts[low]) + together / (len(x) - counts[high])
                cut = values[low] + (values[high] - values[low]) / 2
                yield Cut(feature, cut, cut, chance / len(varying))


RULES: dict[str, Cuts] = {"pert": pert_cuts, "vr": vr_cuts}


def finite_kernel(
    X: ArrayLike,
    y: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    rule: str = "pert",
    tries: int = 10,
    max_sets: int = 200_000,
) -> Array:
    """K between each row of ``first`` and the same row of ``second``, for trees grown on the cases ``X``, ``y``.

    ``rule`` is ``pert``, whose node becomes a leaf if ``tries`` tries give no cut, or ``vr``: VR-Trees at alpha 0 that
    are grown until leaves are pure (``n_min=2``). Features are numeric.
    """
    if rule not in RULES:
        raise ValueError(f"the rule is 'pert' or 'vr', not {rule!r}")
    X, classes = np.asarray(X, dtype=float), np.unique(np.asarray(y), return_inverse=True)[1]
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    near, far = np.minimum(first, second), np.maximum(first, second)
    together = np.zeros(len(first))
    reach = {tuple(range(len(X))): np.ones(len(first))}
    for sets in range(len(X), 0, -1):  # a cut leaves fewer cases, so larger sets are finished first
        for cases in [one for one in reach if len(one) == sets]:
            arrived, rows = reach.pop(cases), np.array(cases)
            cuts = list(RULES[rule](X[rows], classes[rows]))
            chance = sum(cut.chance for cut in cuts)
            leaf = 1.0 if not cuts else max(1 - chance, 0.0) ** tries if rule == "pert" else 0.0
            together += leaf * arrived
            for cut in cuts:
                share = cut.chance * (1 - leaf) / chance
                below, above = _same_side(cut, near[:, cut.feature], far[:, cut.feature])
                low = X[rows, cut.feature] <= cut.low
                for side, both in ((rows[low], below), (rows[~low], above)):
                    if both.any():
                        key = tuple(side.tolist())
                        reach[key] = reach.get(key, 0.0) + share * both * arrived
            if len(reach) > max_sets:
                raise ValueError(
                    f"{len(X)} cases of {X.shape[1]} features have more than max_sets={max_sets} open sets"
                )
    return together


def _same_side(cut: Cut, near: Array, far: Array) -> tuple[Array, Array]:
    """The chances that a cut leaves both points at or below it, and above it."""
    if cut.high == cut.low:
        return (far <= cut.low).astype(float), (near > cut.low).astype(float)
    width = cut.high - cut.low
    return np.clip((cut.high - far) / width, 0, 1), np.clip((near - cut.low) / width, 0, 1)
