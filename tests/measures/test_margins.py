"""Strength, correlation and disagreement against votes counted by hand and against identities."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from arboretum.measures.margins import (
    breiman_bound,
    margins,
    pairwise_disagreement,
    share_margins,
    strength_correlation,
    vote_counts,
    weighted_counts,
)

# Three trees, four cases, three classes; the truth is 0, 0, 1, 2.
VOTES = np.array([[0, 0, 1, 2], [0, 1, 1, 0], [1, 1, 1, 1]])
TRUTH = np.array([0, 0, 1, 2])


def test_margins_by_hand():
    counts = vote_counts(VOTES, 3)
    np.testing.assert_array_equal(counts, [[2, 1, 0], [1, 2, 0], [0, 3, 0], [1, 1, 1]])
    np.testing.assert_allclose(margins(counts, TRUTH), [1 / 3, -1 / 3, 1, 0])


def test_strength_and_correlation_by_hand():
    # rivals c(i): 1, 1, 0 (first of two with no vote), 0 (first of two with one vote)
    # tree 1: p1 = 4/4, p2 = 0; tree 2: p1 = 2/4, p2 = 2/4; tree 3: p1 = 1/4, p2 = 2/4
    spread = (np.sqrt(1 - 1) + np.sqrt(1 - 0) + np.sqrt(0.75 - 0.0625)) / 3
    variance = (1 / 9 + 1 / 9 + 1 + 0) / 4 - (1 / 4) ** 2
    result = strength_correlation(VOTES, TRUTH, 3)
    assert result.strength == pytest.approx(1 / 4)
    assert result.correlation == pytest.approx(variance / spread**2)
    assert result.correlation_as_printed == pytest.approx(variance / spread)


def test_identical_trees_have_correlation_one():
    random = np.random.default_rng(1)
    tree = random.integers(0, 3, 200)
    truth = random.integers(0, 3, 200)
    result = strength_correlation(np.tile(tree, (7, 1)), truth, 3)
    # Every wrong vote of identical trees goes to the rival, so equation (7) is the variance of the margin itself.
    assert result.correlation == pytest.approx(1)
    assert result.correlation_as_printed < 1


def test_independent_coins_have_correlation_near_zero():
    random = np.random.default_rng(2)
    truth = np.zeros(5000, dtype=int)
    votes = (random.random((200, 5000)) < 0.3).astype(int)
    result = strength_correlation(votes, truth, 2)
    assert result.strength == pytest.approx(0.4, abs=0.01)
    assert result.correlation == pytest.approx(1 / 200, abs=0.001)


def test_perfect_trees():
    truth = np.array([0, 1, 2])
    assert strength_correlation(np.tile(truth, (5, 1)), truth, 3) == (1.0, 1.0, 1.0)


def test_bound():
    np.testing.assert_allclose(breiman_bound(np.array([0.5, 1.0]), np.array([0.1, 0.1])), [0.3, 0.0])


def test_disagreement_is_the_mean_over_pairs():
    random = np.random.default_rng(3)
    votes = random.integers(0, 4, (6, 50))
    expected = np.mean([np.mean(votes[a] != votes[b]) for a, b in combinations(range(6), 2)])
    assert pairwise_disagreement(votes, 4) == pytest.approx(expected)


def test_margins_of_weighted_votes_by_hand():
    weights = np.array([[0.5, 0.2, 1, 0.6], [0.25, 0.4, 0, 0.2], [0.25, 0.4, 0, 0.2]])
    counts = weighted_counts(VOTES, weights, 3)
    np.testing.assert_allclose(counts, [[0.75, 0.25, 0], [0.2, 0.8, 0], [0, 1, 0], [0.2, 0.2, 0.6]])
    np.testing.assert_allclose(margins(counts, TRUTH), [0.5, -0.6, 1, 0.4])
    np.testing.assert_allclose(share_margins(counts.T, TRUTH), [0.5, -0.6, 1, 0.4])


def test_equal_weights_give_the_margins_of_counts():
    rng = np.random.default_rng(1)
    votes, truth = rng.integers(0, 4, (25, 60)), rng.integers(0, 4, 60)
    counts = weighted_counts(votes, np.full(votes.shape, 1 / 25), 4)
    np.testing.assert_allclose(counts, vote_counts(votes, 4) / 25)
    both = np.stack([counts.T, counts.T[::-1]], axis=-1)
    expected = np.stack([margins(vote_counts(votes, 4), truth), margins(vote_counts(3 - votes, 4), truth)], axis=-1)
    np.testing.assert_allclose(share_margins(both, truth), expected, atol=1e-12)
