"""Votes and margins against what was counted by hand."""

from __future__ import annotations

import numpy as np

from arboretum.measures.margins import (
    breiman_bound,
    margins,
    share_margins,
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


def test_bound():
    np.testing.assert_allclose(breiman_bound(np.array([0.5, 1.0]), np.array([0.1, 0.1])), [0.3, 0.0])


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
