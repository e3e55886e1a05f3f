"""What ties decide, against what was counted by hand and against draws."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures.margins import vote_counts
from arboretum.measures.tied_votes import tied_votes


def test_tied_votes_by_hand():
    counts = np.array([[2, 2, 0], [1, 1, 2], [1, 1, 1], [0, 3, 0]])
    assert tied_votes(counts, np.array([1, 2, 0, 0])) == (2, 2, pytest.approx(1 / 2 + 1 + 1 / 3 + 0))
    assert tied_votes(counts / 4, np.array([0, 0, 2, 1])) == (2, 2, pytest.approx(1 / 2 + 0 + 1 / 3 + 1))


def test_a_draw_among_tied_classes_has_this_mean():
    rng = np.random.default_rng(2)
    votes, truth = rng.integers(0, 3, (4, 200)), rng.integers(0, 3, 200)
    counts = vote_counts(votes, 3)
    drawn = [np.sum((counts + rng.random(counts.shape) / 2).argmax(axis=1) == truth) for _ in range(4000)]
    assert np.mean(drawn) == pytest.approx(tied_votes(counts, truth).drawn, abs=0.3)
