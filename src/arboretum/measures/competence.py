"""Competence of a voting ensemble (diversity, section 4.4, after Theisen and others 2023), corrected and as printed.

Input is counts of votes (cases, classes), whole numbers with the same sum M in every row, the true classes as codes
and, where cases are not equally likely, their ``mass``. W(x, y) is the share of members that are wrong, kappa(x, y) is
1 less the largest share of a wrong class.

Ties: equations 4.3 and 4.4 call an ensemble right where W < kappa, so a tie between the true class and another counts
as an error. That is ``ties="against"``. ``ties="first"`` is the plurality vote, the first class on ties.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

Array = np.ndarray


def _members(counts: Array) -> int:
    return int(np.asarray(counts)[0].sum())


def _right_votes(counts: Array, truth: Array) -> Array:
    counts = np.asarray(counts)
    return counts[np.arange(len(truth)), truth]


def _wrong_votes(counts: Array, truth: Array) -> Array:
    return _members(counts) - _right_votes(counts, truth)


def _rival_votes(counts: Array, truth: Array) -> Array:
    """Votes for the wrong class that has most of them."""
    others = np.array(counts)
    others[np.arange(len(truth)), truth] = -1
    return others.max(axis=1)


def _mass(mass: ArrayLike | None, cases: int) -> Array:
    return np.full(cases, 1 / cases) if mass is None else np.asarray(mass)


def wrong_share(counts: Array, truth: Array) -> Array:
    """W(x, y): the share of wrong members of each case (Definition 4.4.3)."""
    return _wrong_votes(counts, truth) / _members(counts)


def kappa(counts: Array, truth: Array) -> Array:
    """kappa(x, y) = 1 - max over z != y of the share that votes for z (section 4.4.4)."""
    return (_members(counts) - _rival_votes(counts, truth)) / _members(counts)


def is_wrong(counts: Array, truth: Array, ties: str = "against") -> Array:
    """Does the vote err? ``ties``: "against" the ensemble (W >= kappa), or to the "first" class."""
    if ties == "against":
        return _rival_votes(counts, truth) >= _right_votes(counts, truth)
    if ties == "first":
        return np.argmax(counts, axis=1) != truth
    raise ValueError(f"ties={ties!r} must be 'against' or 'first'")


def diversity_effect(counts: Array, truth: Array, mass: ArrayLike | None = None, ties: str = "against") -> float:
    """E W - P(the vote errs): the ensemble improvement (proof of Theorem 4.4.8)."""
    mass = _mass(mass, len(truth))
    return float(np.sum(mass * (wrong_share(counts, truth) - is_wrong(counts, truth, ties))))


# ------------------------------------------------------------------ competence


def _gap(left: Array, right: Array, wrong: Array, members: int, mass: Array) -> Array:
    """P(left, W >= t) - P(right, W <= 1 - t) at t = 0, 1/M, ..., 1; between these values of t nothing changes."""
    above = np.bincount(wrong, weights=mass * left, minlength=members + 1)[::-1].cumsum()[::-1]
    below = np.bincount(members - wrong, weights=mass * right, minlength=members + 1)[::-1].cumsum()[::-1]
    return above - below


def two_competence_gap(counts: Array, truth: Array, mass: ArrayLike | None = None, printed: bool = False) -> Array:
    """P(W in [t, 1/2)) - P(W in [1/2, 1-t]) at t = 0, 1/M, ..., 1 (Definition 4.4.5).

    Print closes the first interval too, so that a case at W = 1/2 counts on both sides; the source leaves it open.
    The sum over t > 0, divided by M, is E[W; W < 1/2] - E[1-W; W >= 1/2]: for two classes the diversity-effect.
    """
    wrong, members = _wrong_votes(counts, truth), _members(counts)
    right = 2 * wrong >= members
    left = 2 * wrong <= members if printed else ~right
    return _gap(left, right, wrong, members, _mass(mass, len(truth)))


def k_competence_gap(counts: Array, truth: Array, mass: ArrayLike | None = None, printed: bool = False) -> Array:
    """P(W in [t, kappa)) - P(W in [kappa, 1-t]) at t = 0, 1/M, ..., 1 (Definition 4.4.6, corrected).

    The sum over t > 0, divided by M, is the diversity-effect. Print has [t, kappa] and [1-kappa, 1-t], under which a
    perfect ensemble is not competent and two classes do not give 2-competence.
    """
    wrong, rival, members = _wrong_votes(counts, truth), _rival_votes(counts, truth), _members(counts)
    right = wrong >= rival if printed else wrong >= members - rival
    left = wrong <= members - rival if printed else ~right
    return _gap(left, right, wrong, members, _mass(mass, len(truth)))


def is_competent(gap: Array, tolerance: float = 1e-12) -> bool:
    """Is the gap nowhere negative? The tolerance is for sums of masses that should be equal."""
    return bool(np.min(gap) >= -tolerance)


def is_weak_everywhere(counts: Array, truth: Array) -> bool:
    """W <= 1/2 on every case: Definition 4.4.4 in the form in which Theorem 4.4.5 holds (print: an average over x)."""
    return bool(np.all(2 * _wrong_votes(counts, truth) <= _members(counts)))


class Dominance(NamedTuple):
    """Both sides of Lemma 4.4.10 for f(w) = w."""

    left: float  # E[W; W < kappa]
    right: float  # E[1-W; 1-W <= 1-kappa]; as printed E[1-W; 1-W <= kappa]


def dominance(counts: Array, truth: Array, mass: ArrayLike | None = None, printed: bool = False) -> Dominance:
    """Lemma 4.4.10, corrected (1-W <= 1-kappa) or as printed (1-W <= kappa, which always holds)."""
    wrong, rival, members = _wrong_votes(counts, truth), _rival_votes(counts, truth), _members(counts)
    mass = _mass(mass, len(truth))
    left = np.sum(mass * wrong * (wrong < members - rival)) / members
    bound = members - rival if printed else rival
    return Dominance(float(left), float(np.sum(mass * (members - wrong) * (members - wrong <= bound)) / members))


# ------------------------------------------------------------------ good and bad diversity


class GoodBad(NamedTuple):
    """Member error = ensemble error + good - bad (Corollary 4.4.3); integrals over X+ and X-, not conditional means."""

    good: float
    bad: float


def good_bad_diversity(counts: Array, truth: Array, mass: ArrayLike | None = None, ties: str = "against") -> GoodBad:
    """E[W; the vote is right] and E[1-W; it errs] (Lemma 4.4.4): by correctness, for any number of classes."""
    share, wrong, mass = wrong_share(counts, truth), is_wrong(counts, truth, ties), _mass(mass, len(truth))
    return GoodBad(float(np.sum(mass * share * ~wrong)), float(np.sum(mass * (1 - share) * wrong)))


def good_bad_disagreement(counts: Array, truth: Array, mass: ArrayLike | None = None) -> GoodBad:
    """Mean disagreement with the vote where it is right and where it errs (Corollary 4.4.3), the first class on ties.

    Two classes: the same as :func:`good_bad_diversity` with ties to the first class. More: the second term differs,
    since a member that disagrees with a wrong vote need not be right.
    """
    counts, mass = np.asarray(counts), _mass(mass, len(truth))
    differ = 1 - counts.max(axis=1) / _members(counts)
    wrong = is_wrong(counts, truth, "first")
    return GoodBad(float(np.sum(mass * differ * ~wrong)), float(np.sum(mass * differ * wrong)))


# ------------------------------------------------------------------ bounds and rates


def expected_disagreement(counts: Array, mass: ArrayLike | None = None) -> float:
    """E D: the chance that two members, drawn with replacement, differ on a case: 1 - E sum_c share_c^2."""
    shares = np.asarray(counts) / _members(counts)
    return float(np.sum(_mass(mass, len(shares)) * (1 - np.sum(shares**2, axis=1))))


class Bounds(NamedTuple):
    """Bounds of the diversity-effect and of the ensemble's error."""

    upper: float  # E D >= effect, any ensemble (Theorem 4.4.11)
    lower: float  # 2(k-1)/k E D - (3k-4)/k E W <= effect, competent ensembles (Theorem 4.4.12)
    error_upper: float  # 2 E W >= error (section 4.4)
    error_upper_squared: float  # 2 E W^2 >= error, competent ensembles (Lemma 4.4.13)


def bounds(counts: Array, truth: Array, mass: ArrayLike | None = None) -> Bounds:
    """Theorems 4.4.11 and 4.4.12, the simple bound of section 4.4 and Lemma 4.4.13, with k classes."""
    k, share, weights = np.asarray(counts).shape[1], wrong_share(counts, truth), _mass(mass, len(truth))
    disagreement, error = expected_disagreement(counts, mass), float(np.sum(weights * share))
    lower = 2 * (k - 1) / k * disagreement - (3 * k - 4) / k * error
    return Bounds(disagreement, lower, 2 * error, float(2 * np.sum(weights * share**2)))


def improvement_rate(counts: Array, truth: Array, mass: ArrayLike | None = None, ties: str = "against") -> float:
    """EIR = (E W - error) / E W (section 5.2); NaN where no member ever errs."""
    member = float(np.sum(_mass(mass, len(truth)) * wrong_share(counts, truth)))
    return diversity_effect(counts, truth, mass, ties) / member if member > 0 else float("nan")


def disagreement_error_ratio(counts: Array, truth: Array, mass: ArrayLike | None = None) -> float:
    """DER = E D / E W (section 5.2); NaN where no member ever errs."""
    member = float(np.sum(_mass(mass, len(truth)) * wrong_share(counts, truth)))
    return expected_disagreement(counts, mass) / member if member > 0 else float("nan")
