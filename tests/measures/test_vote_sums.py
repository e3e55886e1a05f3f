"""Sums of votes give the same strength, correlation and disagreement as the votes themselves."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures import margins, vote_sums


def random_votes(trees=7, cases=40, classes=3, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=cases)
    votes = np.where(rng.random((trees, cases)) < 0.6, truth, rng.integers(classes, size=(trees, cases)))
    return votes, truth


def test_sums_by_hand():
    votes = np.array([[0, 0, 1, 2], [0, 1, 1, 0], [1, 1, 1, 1]])
    sums = vote_sums.vote_sums(votes, np.array([0, 0, 1, 2]), 3)
    assert (sums.cases, sums.margins, sums.squared_margins) == (4, 1 - 1 + 3 + 0, 1 + 1 + 9 + 0)
    assert sums.agreements == 2 + 2 + 6 + 0
    np.testing.assert_array_equal(sums.right, [4, 2, 1])
    np.testing.assert_array_equal(sums.rival, [0, 2, 2])


def test_sums_agree_with_the_votes():
    votes, truth = random_votes()
    sums = vote_sums.vote_sums(votes, truth, 3)
    expected = margins.strength_correlation(votes, truth, 3)
    spread = vote_sums.mean_spread(sums.right, sums.rival, sums.cases)
    variance = vote_sums.margin_variance(sums.margins, sums.squared_margins, sums.cases, 7)
    assert vote_sums.strength(sums.margins, sums.cases, 7) == pytest.approx(expected.strength)
    assert vote_sums.correlation(variance, spread) == pytest.approx(expected.correlation)
    assert vote_sums.correlation_as_printed(variance, spread) == pytest.approx(expected.correlation_as_printed)
    assert vote_sums.disagreement(sums.agreements, sums.cases, 7) == pytest.approx(
        margins.pairwise_disagreement(votes, 3)
    )


def test_sums_of_two_folds_are_the_sums_of_all_cases():
    votes, truth = random_votes()
    whole = vote_sums.vote_sums(votes, truth, 3)
    parts = [vote_sums.vote_sums(votes[:, part], truth[part], 3) for part in (slice(0, 13), slice(13, None))]
    for name in vote_sums.VoteSums._fields:
        np.testing.assert_array_equal(getattr(whole, name), sum(getattr(part, name) for part in parts))


def test_identical_trees_have_correlation_one_even_when_all_are_right():
    votes, truth = random_votes()
    alike = np.repeat(votes[:1], 5, axis=0)
    for vote in (alike, np.repeat(truth[None], 5, axis=0)):
        sums = vote_sums.vote_sums(vote, truth, 3)
        variance = vote_sums.margin_variance(sums.margins, sums.squared_margins, sums.cases, 5)
        assert vote_sums.correlation(variance, vote_sums.mean_spread(sums.right, sums.rival, 40)) == pytest.approx(1)
        assert vote_sums.disagreement(sums.agreements, sums.cases, 5) == pytest.approx(0)
