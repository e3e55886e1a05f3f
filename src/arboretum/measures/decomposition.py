"""The bias-variance-diversity decomposition of an ensemble's error (diversity, chapters 1 and 4).

Predictions are an array (trials, members, cases): entry t, i is member i of the ensemble that trial t learnt from its
own training sample D. Labels are (cases,), or (draws, cases) where a case has more than one label. For vector losses
both have one more axis at the end. With q_i* the centre of member i over trials, qbar the combiner, qbar* its centre
over trials, and y* the central label:

    E l(Y, qbar) = noise + average bias + average variance - diversity        (Theorem 4.2.2, noise added)
    noise             E l(Y, y*)
    average bias      E mean_i [l(Y, q_i*) - l(Y, y*)]
    average variance  E mean_i [l(Y, q_i) - l(Y, q_i*)]
    diversity         E [mean_i l(Y, q_i) - l(Y, qbar)]                       (Theorem 4.2.1: the ambiguity-effect)

These are effects: they hold for any loss, and Theorem 4.2.2 as printed lacks the noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from arboretum.measures.losses import Bregman, Loss

Array = np.ndarray
CHUNK = 65_536  # cases at a time: bounds the memory that counts of votes take


class Components(NamedTuple):
    """Every term, averaged over trials and cases."""

    expected_ensemble_loss: float
    expected_member_loss: float
    noise: float
    average_bias: float
    average_variance: float
    diversity: float
    ensemble_bias: float
    ensemble_variance: float
    disparity: float  # average bias less ensemble bias: Delta of section 4.2


def _losses(loss: Loss, labels: Array, predictions: Array) -> Array:
    """Loss of predictions (..., cases), averaged over the draws of the labels where there are several."""
    case_axes = 2 if loss.vector else 1
    predictions, labels = np.asarray(predictions), np.asarray(labels)
    if labels.ndim == case_axes:
        return loss.loss(labels, predictions)
    return np.mean([loss.loss(draw, predictions) for draw in labels], axis=0)


def central_label(labels: Array, loss: Loss) -> Array:
    """y* (Definition 1.5.3): the label itself, or the centre of its draws."""
    labels = np.asarray(labels)
    return labels if labels.ndim == (2 if loss.vector else 1) else loss.label_centre(labels, 0)


def decompose(
    labels: Array, predictions: Array, loss: Loss, combiner: Callable[[Array, int], Array] | None = None
) -> Components:
    """All components of an ensemble's expected loss (Theorems 1.5.1, 4.2.1 and 4.2.2).

    ``combiner(predictions, axis)`` makes one prediction of the members'; by default the one that the loss implies, its
    centre. The components sum up for any: ``np.mean`` under :class:`~arboretum.measures.losses.KL` is a forest that
    averages probabilities and is judged by cross-entropy. Only with the implied one is the diversity never negative
    for a Bregman divergence.

    >>> from arboretum.measures.losses import KL
    >>> sure, unsure = [0.9, 0.1], [0.4, 0.6]
    >>> terms = decompose(np.array([[1.0, 0.0]]), np.array([[[sure], [unsure]]]), KL(), np.mean)
    >>> round(terms.expected_member_loss, 3), round(terms.diversity, 3), round(terms.expected_ensemble_loss, 3)
    (0.511, 0.08, 0.431)
    """
    combined = (combiner or loss.centre)(predictions, 1)
    noise = float(np.mean(_losses(loss, labels, central_label(labels, loss))))
    ensemble = float(np.mean(_losses(loss, labels, combined)))
    member = float(np.mean(_losses(loss, labels, predictions)))
    central_member = float(np.mean(_losses(loss, labels, loss.centre(predictions, 0))))
    central_ensemble = float(np.mean(_losses(loss, labels, loss.centre(combined, 0))))
    return _components(ensemble, member, noise, central_member, central_ensemble)


def _components(
    ensemble: float, member: float, noise: float, central_member: float, central_ensemble: float
) -> Components:
    """From the mean losses of qbar, q_i, y*, q_i* and qbar*."""
    return Components(
        expected_ensemble_loss=ensemble,
        expected_member_loss=member,
        noise=noise,
        average_bias=central_member - noise,
        average_variance=member - central_member,
        diversity=member - ensemble,
        ensemble_bias=central_ensemble - noise,
        ensemble_variance=ensemble - central_ensemble,
        disparity=central_member - central_ensemble,
    )


def ambiguity(labels: Array, predictions: Array, loss: Loss) -> Array:
    """mean_i l(Y, q_i) - l(Y, qbar) of each trial and case (Theorem 4.2.1); its mean is the diversity."""
    members = np.mean(_losses(loss, labels, predictions), axis=1)
    return members - _losses(loss, labels, loss.centre(predictions, 1))


# ------------------------------------------------------------------ Bregman divergences: no labels needed


def variance_without_labels(predictions: Array, loss: Bregman) -> float:
    """mean_i E_D B(q_i*, q_i) (Theorem 4.3.3): equals the average variance-effect (Lemma 4.3.2)."""
    return float(np.mean(loss.loss(loss.centre(predictions, 0), predictions)))


def diversity_without_labels(predictions: Array, loss: Bregman) -> float:
    """E_D mean_i B(qbar, q_i) (Theorem 4.3.3): equals the diversity-effect (Lemma 4.3.2)."""
    return float(np.mean(loss.loss(np.expand_dims(loss.centre(predictions, 1), 1), predictions)))


def bias_without_draws(labels: Array, predictions: Array, loss: Bregman) -> float:
    """mean_i B(y*, q_i*) (Theorem 4.3.3): equals the average bias-effect (Lemma 4.3.1)."""
    return float(np.mean(loss.loss(central_label(labels, loss), loss.centre(predictions, 0))))


# ------------------------------------------------------------------ squared loss: covariance


class Covariances(NamedTuple):
    """Terms of Theorem 4.1.1 and of section 4.1.6, averaged over cases."""

    squared_bias: float  # E (mean_i E_D q_i - y)^2, pointwise before the square; printed without it
    variance: float
    covariance: float  # 0 for a single member, which has no pair
    ensemble_loss: float  # squared bias + variance / M + (1 - 1/M) covariance
    omega: float  # variance + mean_i (E q_i - E qbar)^2
    member_loss: float  # squared bias + omega (printed: bias + omega)
    ambiguity: float  # omega - (variance / M + (1 - 1/M) covariance)


def bias_variance_covariance(labels: Array, predictions: Array) -> Covariances:
    """Squared loss of an arithmetic mean, labels without noise (Theorem 4.1.1; section 4.1.6)."""
    predictions = np.asarray(predictions, dtype=float)
    members = predictions.shape[1]
    means = predictions.mean(axis=0)
    gaps = predictions - means
    variance = float(np.mean(gaps**2))
    pairs = gaps.sum(axis=1) ** 2 - np.sum(gaps**2, axis=1)  # sum over i != j of the products
    covariance = float(np.mean(pairs)) / (members * (members - 1)) if members > 1 else 0.0
    squared_bias = float(np.mean((means.mean(axis=0) - labels) ** 2))
    omega = variance + float(np.mean((means - means.mean(axis=0)) ** 2))
    spread = variance / members + (1 - 1 / members) * covariance
    return Covariances(
        squared_bias, variance, covariance, squared_bias + spread, omega, squared_bias + omega, omega - spread
    )


# ------------------------------------------------------------------ 0/1 loss: every prefix of the members


class PrefixCounts(NamedTuple):
    """Whole numbers that give all components of the first ``members`` trees (0/1 loss, labels without noise)."""

    members: Array
    ensemble_errors: Array  # over trials and cases
    member_errors: Array  # over trials, members and cases
    central_member_errors: Array  # of q_i*, over members and cases
    central_ensemble_errors: Array  # of qbar*, over cases
    trials: int
    cases: int


def prefix_counts(votes: Array, truth: Array, n_classes: int, sizes: Iterable[int], chunk: int = CHUNK) -> PrefixCounts:
    """Errors of the first m members for each m of ``sizes``: one pass over the votes, in chunks of cases.

    ``votes`` (trials, members, cases) and ``truth`` are class codes; plurality, the first class on ties.
    """
    votes, truth = np.asarray(votes), np.asarray(truth)
    trials, members, cases = votes.shape
    sizes = np.unique(np.asarray(list(sizes), dtype=int))
    if not len(sizes) or sizes[0] < 1 or sizes[-1] > members:
        raise ValueError(f"sizes must lie between 1 and the number of members ({members})")
    totals = np.zeros((4, len(sizes)), dtype=np.int64)
    for first in range(0, cases, chunk):
        part = slice(first, first + chunk)
        totals += _chunk_counts(votes[:, :, part], truth[part], n_classes, sizes)
    ensemble, member, central_member, central_ensemble = totals
    return PrefixCounts(sizes, ensemble, member, central_member, central_ensemble, trials, cases)


def _chunk_counts(votes: Array, truth: Array, n_classes: int, sizes: Array) -> Array:
    """The four counts of :class:`PrefixCounts` on some of the cases."""
    trials, _, cases = votes.shape
    counts = np.zeros((trials * cases, n_classes), dtype=np.int32)
    places, leader = np.arange(trials * cases), np.zeros(trials * cases, dtype=np.int64)
    found, member_errors, central_errors = np.zeros((4, len(sizes)), dtype=np.int64), 0, 0
    for member in range(sizes[-1]):
        vote = votes[:, member].reshape(-1).astype(np.int64)
        counts[places, vote] += 1
        gained, most = counts[places, vote], counts[places, leader]
        leader = np.where((gained > most) | ((gained == most) & (vote < leader)), vote, leader)
        member_errors += int(np.count_nonzero(votes[:, member] != truth))
        central_errors += int(np.count_nonzero(plurality(votes[:, member], n_classes) != truth))
        if member + 1 in sizes:
            answers = leader.reshape(trials, cases)
            wrong = np.count_nonzero(answers != truth)
            central_wrong = np.count_nonzero(plurality(answers, n_classes) != truth)
            found[:, np.searchsorted(sizes, member + 1)] = wrong, member_errors, central_errors, central_wrong
    return found


def plurality(votes: Array, n_classes: int) -> Array:
    """The class that most rows of ``votes`` (voters, cases) name; the first class on ties."""
    if len(votes) == 1:
        return votes[0]
    return np.argmax([np.sum(votes == k, axis=0) for k in range(n_classes)], axis=0)


def prefix_components(counts: PrefixCounts) -> list[Components]:
    """The components of each prefix; they equal :func:`decompose` of that prefix with 0/1 loss."""
    cases, trials = counts.cases, counts.trials
    ensemble = counts.ensemble_errors / (trials * cases)
    member = counts.member_errors / (trials * counts.members * cases)
    central_member = counts.central_member_errors / (counts.members * cases)
    central_ensemble = counts.central_ensemble_errors / cases
    rows = zip(ensemble, member, central_member, central_ensemble, strict=True)
    return [_components(e, m, 0.0, cm, ce) for e, m, cm, ce in rows]
