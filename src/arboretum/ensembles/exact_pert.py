"""The infinite PERT ensemble, computed exactly on small data (pert, section 6)."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from arboretum.ensembles.parameters import constraints, whole
from arboretum.trees.columns import with_different_names


class Node(NamedTuple):
    """One set of training cases, and the chance of every gap in which its cut may fall."""

    classes: np.ndarray  # vote of the node as a leaf: 1 for its class, 0 for the others
    leaf: float  # chance that it is a leaf
    feature: np.ndarray  # of each gap
    low: np.ndarray
    high: np.ndarray
    chance: np.ndarray  # chance that the cut falls into the gap
    below: list[int]  # the set of cases at or below the gap, as bits
    above: list[int]


class ExactPERT(ClassifierMixin, BaseEstimator):
    """Q_j(x), the chance that a perfect random tree grown on the training data predicts class j at x.

    A node of a perfect random tree is a set of training cases. Its cut falls into one of the gaps between neighbouring
    values of one feature, with a chance that depends on the set alone: the mean, over pairs of cases of different
    classes, of the share of the pair's distance that the gap takes. Below the cut the tree goes on with the cases
    below the gap, above it with those above. If x lies inside the gap, the cut falls on either side of x in proportion
    to its distances from the two ends. So Q is a recursion over the sets of cases that boxes can contain, from the
    large sets to the small ones.

    There are up to (n (n + 1) / 2) ** features such sets: some hundreds for 30 cases on a line, tens of thousands for
    20 cases in the plane. This class is for finding the limit, not for classifying real data: with more than
    ``max_sets`` sets ``fit`` raises ValueError. For real data use :class:`PERT`.

    Parameters
    ----------
    tries : a node that finds no split in this many tries is a leaf, as in :class:`PERT`. Its vote goes to its most
        frequent class, the first if several tie.
    max_sets : greatest number of sets of cases that may be visited.
    """

    _parameter_constraints: ClassVar = constraints("tries", max_sets=whole(1))

    def __init__(self, *, tries=10, max_sets=200_000):
        self.tries = tries
        self.max_sets = max_sets

    def fit(self, X, y):
        """Find every set of cases that a node can hold, and the chances of its cuts."""
        self._validate_params()
        X, y = validate_data(self, with_different_names(X), y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError("the training data holds only one class; a classifier needs at least two classes")
        self.nodes_ = {}
        waiting = [(1 << len(X)) - 1]
        while waiting:
            cases = waiting.pop()
            if cases in self.nodes_:
                continue
            if len(self.nodes_) == self.max_sets:
                raise ValueError(
                    f"{len(X)} cases of {X.shape[1]} features have more than max_sets={self.max_sets} sets of cases; "
                    "use fewer cases, or PERT"
                )
            node = self.nodes_[cases] = self._node(X, codes, cases)
            waiting += node.below + node.above
        self.order_ = sorted(self.nodes_, key=int.bit_count, reverse=True)
        return self

    def _node(self, X, codes, cases: int) -> Node:
        rows = members(cases)
        counts = np.bincount(codes[rows], minlength=len(self.classes_))
        vote = np.zeros(len(counts))
        vote[counts.argmax()] = 1.0
        one, two = (rows[side] for side in np.nonzero(codes[rows][:, None] < codes[rows][None, :]))
        gaps = [gaps_of(X[:, f], rows, one, two) for f in range(X.shape[1])]
        chance = np.concatenate([gap[2] for gap in gaps]) / max(len(one) * X.shape[1], 1)
        definite = chance.sum()
        if definite <= 0:
            empty = np.empty(0)
            return Node(vote, 1.0, empty.astype(int), empty, empty, empty, [], [])
        leaf = max(1 - definite, 0.0) ** self.tries
        low, high = (np.concatenate([gap[side] for gap in gaps]) for side in (0, 1))
        feature = np.repeat(np.arange(len(gaps)), [len(gap[0]) for gap in gaps])
        used = chance > 0
        low, high, feature, chance = low[used], high[used], feature[used], chance[used] * (1 - leaf) / definite
        below = [bits(rows[X[rows, f] <= value]) for f, value in zip(feature, low, strict=True)]
        above = [cases & ~side for side in below]
        return Node(vote, leaf, feature, low, high, chance, below, above)

    def predict_proba(self, X) -> np.ndarray:
        """Q_j at each row of X, in the order of ``classes_``: exact up to rounding."""
        check_is_fitted(self, "nodes_")
        X = validate_data(self, with_different_names(X), dtype=np.float64, reset=False)
        shares = np.zeros((len(X), len(self.classes_)))
        reach = {self.order_[0]: np.ones(len(X))}
        for cases in self.order_:
            arrived, node = reach.pop(cases, None), self.nodes_[cases]
            if arrived is None:
                continue
            shares += node.leaf * arrived[:, None] * node.classes
            here = np.flatnonzero(arrived)
            for gap, f in enumerate(node.feature):
                part = node.chance[gap] * arrived[here]
                low = np.clip((node.high[gap] - X[here, f]) / (node.high[gap] - node.low[gap]), 0, 1)
                for side, share in ((node.below[gap], low), (node.above[gap], 1 - low)):
                    if share.any():
                        reach.setdefault(side, np.zeros(len(X)))[here] += part * share
        return shares

    def predict_log_proba(self, X) -> np.ndarray:
        """Logarithms of Q_j; minus infinity for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    def predict(self, X) -> np.ndarray:
        """The class of greatest probability; the first if several tie."""
        shares = self.predict_proba(X)
        return self.classes_[shares.argmax(axis=1)]


def members(cases: int) -> np.ndarray:
    """The rows in a set of cases."""
    return np.array([place for place in range(cases.bit_length()) if cases >> place & 1])


def bits(rows) -> int:
    """The set of ``rows``, one bit per row."""
    return sum(1 << int(row) for row in rows)


def gaps_of(column, rows, one, two) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gaps between neighbouring values of a column: low ends, high ends, and the chances summed over pairs."""
    values = np.unique(column[rows])
    low, high = values[:-1], values[1:]
    start, end = np.minimum(column[one], column[two]), np.maximum(column[one], column[two])
    apart = end > start
    start, end = start[apart], end[apart]
    inside = (start[:, None] <= low) & (high <= end[:, None])
    return low, high, (inside * ((high - low) / (end - start)[:, None])).sum(axis=0)
