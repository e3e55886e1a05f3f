"""The exact infinite ensemble on one attribute against hand-counted cuts and against trees grown naively."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures.stability import error_bound, infinite_output, left_out_losses, loss, transitions


def grown(x, y, place, rng):
    """One complete-random tree as in Algorithms 1 and 2, read at ``place``."""
    while len(np.unique(y)) > 1:
        one, two = rng.choice(len(x), size=2, replace=False)
        cut = (x[one] + x[two]) / 2
        side = x <= cut if place <= cut else x > cut
        x, y = x[side], y[side]
    return y[0]


def test_transitions():
    assert transitions(np.array([3.0, 1.0, 2.0, 4.0]), np.array([1, -1, 1, -1])) == 2  # in order: - + + -


def test_three_cases_by_hand():
    # Cuts of 0, 11, 21: 5.5 (then - at 10), 10.5 (then +), 16 and then 5.5 (-): + in one tree of three.
    x, y = np.array([0.0, 11.0, 21.0]), np.array([1, -1, -1])
    assert infinite_output(x, y, 10.0) == pytest.approx(1 / 3 - 2 / 3)
    assert infinite_output(x, y, -5.0) == 1
    assert infinite_output(x, y, 12.0) == -1
    assert infinite_output(x, y, 11.0) == -1


@pytest.mark.parametrize("seed", range(3))
def test_naive_trees_agree(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.random(12), rng.choice([-1, 1], size=12)
    for place in rng.random(4):
        sampled = np.mean([grown(x, y, place, rng) for _ in range(1000)])
        assert sampled == pytest.approx(infinite_output(x, y, place), abs=4 * 1 / np.sqrt(1000) + 1e-9)


def test_training_error_is_zero():
    rng = np.random.default_rng(5)
    x, y = rng.random(20), rng.choice([-1, 1], size=20)
    assert all(infinite_output(x, y, place) == label for place, label in zip(x, y, strict=True))


def test_loss_as_printed():
    np.testing.assert_array_equal(loss(np.array([0.4, 0.0, -0.1, -1.0]), 1), [0, 0.5, 1, 1])


def test_one_transition_can_cost_two_errors():
    # Appendix B counts each error against a transition of its own; here both sides of the only one are wrong.
    x, y = np.array([0.0, 10.0, 11.0, 21.0]), np.array([1, 1, -1, -1])
    assert transitions(x, y) == 1
    np.testing.assert_array_equal(left_out_losses(x, y), [0, 1, 1, 0])


def test_errors_are_at_most_twice_the_transitions():
    rng = np.random.default_rng(6)
    for _ in range(12):
        x, y = rng.random(11), rng.choice([-1, 1], size=11)
        assert left_out_losses(x, y).sum() <= 2 * transitions(x, y)


def test_bound():
    assert error_bound(4, 100, 0.9) == pytest.approx(np.sqrt(49 / 20))
