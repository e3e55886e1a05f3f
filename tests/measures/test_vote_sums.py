"""Sums of votes give the same strength, correlation and disagreement as the votes themselves."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arboretum.measures import margins, vote_sums

# Three trees, four cases, three classes; the truth is 0, 0, 1, 2.
VOTES = np.array([[0, 0, 1, 2], [0, 1, 1, 0], [1, 1, 1, 1]])
TRUTH = np.array([0, 0, 1, 2])


def random_votes(trees=7, cases=40, classes=3, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.integers(classes, size=cases)
    votes = np.where(rng.random((trees, cases)) < 0.6, truth, rng.integers(classes, size=(trees, cases)))
    return votes, truth


def test_sums_by_hand():
    sums = vote_sums.vote_sums(VOTES, TRUTH, 3)
    assert (sums.cases, sums.margins, sums.squared_margins) == (4, 1 - 1 + 3 + 0, 1 + 1 + 9 + 0)
    assert sums.agreements == 2 + 2 + 6 + 0
    np.testing.assert_array_equal(sums.right, [4, 2, 1])
    np.testing.assert_array_equal(sums.rival, [0, 2, 2])


def naive_strength_correlation(votes, truth, classes):
    """Equations (3) to (7) straight from the votes."""
    counts = margins.vote_counts(votes, classes)
    margin = margins.margins(counts, truth)
    right = (votes == truth).mean(axis=1)
    rival = (votes == margins.strongest_rival(counts, truth)).mean(axis=1)
    spread = np.sqrt(right + rival - (right - rival) ** 2).mean()
    return margin.mean(), margin.var() / spread**2, margin.var() / spread


def test_sums_agree_with_the_votes():
    votes, truth = random_votes()
    assert vote_sums.strength_correlation(votes, truth, 3) == pytest.approx(naive_strength_correlation(votes, truth, 3))


def test_strength_and_correlation_by_hand():
    # rivals c(i): 1, 1, 0 (first of two with no vote), 0 (first of two with one vote)
    # tree 1: p1 = 4/4, p2 = 0; tree 2: p1 = 2/4, p2 = 2/4; tree 3: p1 = 1/4, p2 = 2/4
    spread = (np.sqrt(1 - 1) + np.sqrt(1 - 0) + np.sqrt(0.75 - 0.0625)) / 3
    variance = (1 / 9 + 1 / 9 + 1 + 0) / 4 - (1 / 4) ** 2
    result = vote_sums.strength_correlation(VOTES, TRUTH, 3)
    assert result.strength == pytest.approx(1 / 4)
    assert result.correlation == pytest.approx(variance / spread**2)
    assert result.correlation_as_printed == pytest.approx(variance / spread)


def test_identical_trees_have_correlation_one():
    random = np.random.default_rng(1)
    tree = random.integers(0, 3, 200)
    truth = random.integers(0, 3, 200)
    result = vote_sums.strength_correlation(np.tile(tree, (7, 1)), truth, 3)
    # Every wrong vote of identical trees goes to the rival, so equation (7) is the variance of the margin itself.
    assert result.correlation == pytest.approx(1)
    assert result.correlation_as_printed < 1


def test_independent_coins_have_correlation_near_zero():
    random = np.random.default_rng(2)
    truth = np.zeros(5000, dtype=int)
    votes = (random.random((200, 5000)) < 0.3).astype(int)
    result = vote_sums.strength_correlation(votes, truth, 2)
    assert result.strength == pytest.approx(0.4, abs=0.01)
    assert result.correlation == pytest.approx(1 / 200, abs=0.001)


def test_perfect_trees():
    truth = np.array([0, 1, 2])
    assert vote_sums.strength_correlation(np.tile(truth, (5, 1)), truth, 3) == (1.0, 1.0, 1.0)


def test_disagreement_is_the_mean_over_pairs():
    random = np.random.default_rng(3)
    votes = random.integers(0, 4, (6, 50))
    expected = np.mean([np.mean(votes[a] != votes[b]) for a, b in combinations(range(6), 2)])
    agreements = vote_sums.vote_sums(votes, votes[0], 4).agreements
    assert vote_sums.disagreement(agreements, 50, 6) == pytest.approx(expected)


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
