"""AdaBoost on finite data with a finite set of classifiers, watched: section 9.1 of Breiman (2000).

Every decision stump on the data is a misclassification set Q_n: a row of booleans over the n instances. A
round takes the Q of least weight, raises it to weight 1/2 and lowers its complement to 1/2, which is
AdaBoost with exact search: step c = log((1-e)/e)/2 for a set of weight e.

A round moves the weights by 1/2 - e in total variation, half its edge, whatever the data: they can settle only if
the edge dies out, which it does not where a weighted vote of the classifiers has all margins positive.

The weights may wander for ever and magnify the last bit, so a round is arithmetic in a fixed order, without BLAS:
every machine sees the same path.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from arboretum.measures.ties import equal, first_least, less

Array = NDArray[np.float64]

# stumps whose weights differ by less than this count as equal; the first of them is taken
EQUAL = 1e-13
STORED_ROUNDING = 1e-6  # of a sum of stored weights, which are kept in single precision


class Run(NamedTuple):
    """A run of AdaBoost: one entry per round, weights as they stood *before* the round."""

    chosen: NDArray[np.int64]
    weight_of_chosen: Array
    step: Array
    weights: NDArray[np.float32]
    margins: dict[int, Array]


def stump_errors(x: Array, y: NDArray[np.int64]) -> NDArray[np.bool_]:
    """All distinct sets Q_n: row n tells which instances stump n (either sign) gets wrong; y is +-1."""
    predictions = [np.ones(len(y), dtype=bool)]
    for column in x.T:
        values = np.unique(column)
        predictions += [column > cut for cut in (values[:-1] + values[1:]) / 2]
    positive = np.unique(np.array(predictions), axis=0)
    wrong = positive != (y > 0)
    return np.unique(np.concatenate([wrong, ~wrong]), axis=0)


@njit(cache=True)
def _masses(sets_by_case, weight):
    """The weight of every set: cases are added one after the other."""
    mass = np.zeros(sets_by_case.shape[1])
    for case in range(sets_by_case.shape[0]):
        for q in range(sets_by_case.shape[1]):
            mass[q] += weight[case] * sets_by_case[case, q]
    return mass


@njit(cache=True)
def _reweighted(weight, wrong, e):
    """The weights with the set of weight ``e`` raised to 1/2 and its complement lowered to 1/2."""
    total = 0.0
    out = np.empty_like(weight)
    for case in range(len(weight)):
        out[case] = weight[case] / (2 * e if wrong[case] else 2 * (1 - e))
        total += out[case]
    for case in range(len(weight)):
        out[case] /= total
    return out


def boost(wrong: NDArray[np.bool_], rounds: int, checkpoints: list[int], start: Array | None = None) -> Run:
    """Run AdaBoost; ``margins`` holds y sum(c h) / sum(c) of every instance after the rounds asked for.

    The first weights are uniform, or those of ``start``, which sum to one. Stops early only when a classifier makes no
    error or none is better than chance.
    """
    sets_by_case = np.ascontiguousarray(wrong.T.astype(float))
    n = wrong.shape[1]
    weight, votes = np.full(n, 1 / n) if start is None else start, np.zeros(n)
    chosen, errors, steps, weights, margins = [], [], [], [], {}
    for t in range(1, rounds + 1):
        mass = _masses(sets_by_case, weight)
        best = int(np.flatnonzero(mass <= mass.min() + EQUAL)[0])
        e = float(mass[best])
        if not EQUAL < e < 0.5 - EQUAL:
            break
        step = np.arctanh(1 - 2 * e)
        chosen.append(best), errors.append(e), steps.append(step), weights.append(weight.astype(np.float32))
        votes += step * (1 - 2.0 * wrong[best])
        weight = _reweighted(weight, wrong[best], e)
        if t in checkpoints:
            margins[t] = votes / np.sum(steps)
    return Run(np.array(chosen), np.array(errors), np.array(steps), np.array(weights), margins)


def moved(weights: NDArray[np.float32], lag: int) -> Array:
    """Total variation between the weights of each round and those ``lag`` rounds later; 0 means settled."""
    return np.abs(weights[lag:] - weights[:-lag]).sum(axis=1, dtype=float) / 2


def nearest_return(weights: NDArray[np.float32], lags: int) -> tuple[int, float]:
    """The lag, up to ``lags``, at which the last weights are nearest to an earlier state, and how near."""
    past = np.abs(weights[-1 - lags : -1] - weights[-1]).sum(axis=1, dtype=float)[::-1] / 2
    lag = int(first_least(past))
    return lag + 1, float(past[lag])


def period(chosen: NDArray[np.int64], longest: int) -> int:
    """The least p <= ``longest`` with which the last 2 * ``longest`` choices repeat; 0 when there is none."""
    tail = chosen[-2 * longest :]
    for p in range(1, longest + 1):
        if np.array_equal(tail[p:], tail[:-p]):
            return p
    return 0


def return_times(chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rounds between successive choices of the same set Q."""
    order = np.lexsort((np.arange(len(chosen)), chosen))
    same = chosen[order][1:] == chosen[order][:-1]
    return np.diff(order)[same]


def heap_after(wrong: NDArray[np.bool_], before: Array, after: Array, chosen: int) -> tuple[float, float]:
    """The heap of section 9.1 after a round that changed the weights from ``before`` to ``after``.

    Of the classifiers other than the chosen one: the share that weighs less than it afterwards (1: it is on top), and
    the share that became lighter. A classifier and its negation count once, in the orientation that was no worse than
    chance before the round. ``wrong`` is sorted and closed under negation, as :func:`stump_errors` gives it: the
    negation of row i is the i-th row from the end.
    """
    was, now = wrong @ before, wrong @ after
    first_of_pair = np.arange(len(wrong)) < len(wrong) / 2
    counted = less(was, 0.5, STORED_ROUNDING) | (equal(was, 0.5, STORED_ROUNDING) & first_of_pair)
    counted[chosen] = False
    lighter_than_chosen = less(now[counted], now[chosen], STORED_ROUNDING)
    return float(np.mean(lighter_than_chosen)), float(np.mean(less(now[counted], was[counted], STORED_ROUNDING)))


def time_averages(run: Run, wrong: NDArray[np.bool_]) -> tuple[Array, Array]:
    """The mean weights over the third and over the last quarter of the rounds.

    Instances that every classifier treats alike keep the ratio of their first weights for ever: they count as one.
    """
    kinds = np.unique(wrong.T, axis=0, return_inverse=True)[1].ravel()
    quarters = np.array_split(run.weights, 4)[2:]
    third, last = (np.bincount(kinds, weights=quarter.mean(axis=0, dtype=float)) for quarter in quarters)
    return third, last
