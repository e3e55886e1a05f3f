"""Bias and variance of a classifier under zero-one loss, from what it says of each case in several runs.

dynint, section 4.4: the decompositions of Kohavi and Wolpert (1996) and of Breiman (1996), with the irreducible error
left inside bias and variance. Input is an array of predictions (cases x runs) and the true classes, both as codes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Numbers = Any  # a number, or an array of them: elementwise


class Decomposition(NamedTuple):
    """Error, bias and variance of each case; error = bias + variance."""

    error: np.ndarray
    bias: np.ndarray
    variance: np.ndarray

    def mean(self) -> Decomposition:
        """The three in the mean over cases."""
        return Decomposition(*(part.mean() for part in self))


def prediction_counts(predictions: np.ndarray, classes: int) -> np.ndarray:
    """In how many runs each class is predicted: (cases x classes)."""
    return np.stack([np.sum(predictions == code, axis=1) for code in range(classes)], axis=1)


def kohavi_wolpert(predictions: np.ndarray, truth: np.ndarray, classes: int) -> Decomposition:
    """Equations 8 and 9: variance = (1 - sum_i P(h(x) = y_i)^2) / 2, bias = P(h(x) != y(x)) - variance.

    P is the share of the runs; Kohavi and Wolpert's correction for a small number of runs is not applied.
    """
    runs = predictions.shape[1]
    counts = prediction_counts(predictions, classes)
    wrong = runs - counts[np.arange(len(truth)), truth]
    variance = (runs**2 - np.sum(counts**2, axis=1)) / (2 * runs**2)
    return Decomposition(wrong / runs, wrong / runs - variance, variance)


def breiman(predictions: np.ndarray, truth: np.ndarray, classes: int) -> Decomposition:
    """Equations 10 and 11: an error is bias if it is the central tendency h0(x), and else variance.

    bias = P(h(x) != y(x) and h(x) = h0(x)), variance = P(h(x) != y(x) and h(x) != h0(x)); h0(x) is the class predicted
    most often, the lowest code of tied ones.
    """
    runs, cases = predictions.shape[1], np.arange(len(truth))
    counts = prediction_counts(predictions, classes)
    central = counts.argmax(axis=1)
    wrong = runs - counts[cases, truth]
    bias = np.where(central == truth, 0, counts[cases, central])
    return Decomposition(wrong / runs, bias / runs, (wrong - bias) / runs)


def decomposition_sums(predictions: np.ndarray, truth: np.ndarray, classes: int) -> dict[str, int]:
    """What both decompositions are made of, summed over cases, in whole numbers.

    ``wrong`` predictions in all runs; ``disagreements``, ordered pairs of runs that differ on a case;
    ``central_wrong``, wrong predictions that are the central tendency. With R runs and n cases: error = wrong / (R n),
    variance of Kohavi and Wolpert = disagreements / (2 R^2 n), bias of Breiman = central_wrong / (R n).
    """
    runs, cases = predictions.shape[1], np.arange(len(truth))
    counts = prediction_counts(predictions, classes)
    central = counts.argmax(axis=1)
    return {
        "wrong": int(np.sum(runs - counts[cases, truth])),
        "disagreements": int(np.sum(runs**2 - np.sum(counts**2, axis=1))),
        "central_wrong": int(np.sum(np.where(central == truth, 0, counts[cases, central]))),
    }


def from_sums(
    wrong: Numbers, disagreements: Numbers, central_wrong: Numbers, runs: Numbers, cases: Numbers
) -> dict[str, Decomposition]:
    """Error, bias and variance in the mean over cases, by decomposition, from the sums above; elementwise."""
    error, variance = wrong / (runs * cases), disagreements / (2 * runs**2 * cases)
    bias = central_wrong / (runs * cases)
    return {
        "kw": Decomposition(error, error - variance, variance),
        "breiman": Decomposition(error, bias, (wrong - central_wrong) / (runs * cases)),
    }
