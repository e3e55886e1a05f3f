"""AdaBoost on finite data: sets, weights and the statistics of its path, against plain oracles."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.seeds import generator
from arboretum.theory import finite_boosting as fb


def sample(n=30, variables=3):
    rng = generator(test="finite boosting")
    x = rng.normal(size=(n, variables))
    return x, np.where(x.sum(axis=1) + rng.normal(size=n) > 0, 1, -1)


def test_the_sets_are_those_of_all_stumps():
    x = np.array([[0.0], [1.0], [2.0]])
    y = np.array([1, -1, 1])
    # predictions: all +, + above .5, + above 1.5, and their negatives
    expected = {(0, 1, 0), (1, 0, 1), (1, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 1)}
    assert {tuple(row) for row in fb.stump_errors(x, y).astype(int)} == expected


def test_a_round_raises_its_set_to_one_half():
    wrong = fb.stump_errors(*sample())
    run = fb.boost(wrong, 200, [200])
    assert len(run.chosen) == 200
    for t in range(199):
        assert run.weights[t + 1] @ wrong[run.chosen[t]] == pytest.approx(0.5, abs=1e-5)
        mass = wrong @ run.weights[t].astype(float)
        assert run.weight_of_chosen[t] == pytest.approx(mass.min(), abs=1e-6)
    np.testing.assert_allclose(run.weights.sum(axis=1), 1, atol=1e-5)


def test_a_round_moves_the_weights_by_half_its_edge():
    run = fb.boost(fb.stump_errors(*sample()), 100, [])
    np.testing.assert_allclose(fb.moved(run.weights, 1), 0.5 - run.weight_of_chosen[:-1], atol=1e-6)


def test_margins_and_weights_are_those_of_the_exponential_loss():
    wrong = fb.stump_errors(*sample())
    run = fb.boost(wrong, 60, [59, 60])
    signs = 1 - 2.0 * wrong[run.chosen]
    np.testing.assert_allclose(run.margins[60], run.step @ signs / run.step.sum(), atol=1e-12)
    weight = np.exp(-(run.step[:59] @ signs[:59]))
    np.testing.assert_allclose(run.weights[59], weight / weight.sum(), atol=1e-6)


def test_two_stumps_that_share_no_error_cycle_with_period_three():
    # three instances, three classifiers, each wrong on one instance: the classical cycle
    run = fb.boost(np.eye(3, dtype=bool), 600, [])
    assert fb.period(run.chosen, 20) == 3
    lag, near = fb.nearest_return(run.weights, 50)
    assert lag % 3 == 0
    assert near < 1e-6
    assert (fb.return_times(run.chosen[-300:]) == 3).all()
    assert fb.moved(run.weights, 1)[-1] > 0.2
    assert fb.moved(run.weights, 3)[-1] < 1e-6
    # the golden mean rules this cycle: the least set weighs (3 - sqrt 5)/4
    assert run.weight_of_chosen[-1] == pytest.approx((3 - np.sqrt(5)) / 4, abs=1e-6)


def test_conflicting_copies_settle():
    # the same x with both labels cannot be separated: the edge dies out and the weights stand still
    x = np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [1.0]])
    wrong = fb.stump_errors(x, np.array([1, 1, -1, -1, -1, 1]))
    run = fb.boost(wrong, 500, [])
    assert len(run.chosen) < 500 or fb.moved(run.weights, 1)[-1] < 1e-3


def test_no_period_and_return_times():
    assert fb.period(generator(test="period").integers(0, 50, 400), 30) == 0
    assert fb.return_times(np.array([4, 1, 4, 4, 1])).tolist() == [3, 2, 1]


def test_the_heap_counts_a_classifier_and_its_negation_once():
    # classifiers wrong on one of three instances each, and their negations; sorted, as stump_errors gives them
    single = np.eye(3, dtype=bool)
    wrong = np.unique(np.concatenate([single, ~single]), axis=0)
    assert (wrong == ~wrong[::-1]).all()
    chosen = int(np.flatnonzero((wrong == single[2]).all(axis=1))[0])
    before, after = np.array([0.45, 0.4, 0.15]), np.array([0.26, 0.24, 0.5])
    # of the other two, wrong on the first or second instance, both are below the chosen one and both became lighter
    assert fb.heap_after(wrong, before, after, chosen) == (1.0, 1.0)
    assert fb.heap_after(wrong, before, np.array([0.46, 0.5, 0.04]), chosen) == (0.0, 0.0)
    assert fb.heap_after(wrong, before, np.array([0.52, 0.3, 0.4]) / 1.22, chosen) == (0.5, 1.0)


def test_stump_errors_are_sorted_and_closed_under_negation():
    wrong = fb.stump_errors(*sample())
    assert (wrong == ~wrong[::-1]).all()


def test_a_start_weighs_the_exponential_loss():
    wrong = fb.stump_errors(*sample())
    start = generator(test="start").integers(1, 10, wrong.shape[1]).astype(float)
    start /= start.sum()
    run = fb.boost(wrong, 40, [], start)
    np.testing.assert_allclose(run.weights[0], start, atol=1e-7)
    weight = start * np.exp(-(run.step[:39] @ (1 - 2.0 * wrong[run.chosen[:39]])))
    np.testing.assert_allclose(run.weights[39], weight / weight.sum(), atol=1e-6)


def test_time_averages_join_instances_that_no_classifier_tells_apart():
    x = np.array([[0.0], [0.0], [1.0], [2.0]])
    wrong = fb.stump_errors(x, np.array([1, 1, -1, 1]))
    run = fb.Run(np.zeros(8, int), np.zeros(8), np.zeros(8), np.repeat([[0.1, 0.2, 0.3, 0.4]], 8, axis=0), {})
    third, last = fb.time_averages(run, wrong)
    assert sorted(third) == pytest.approx([0.3, 0.3, 0.4])
    np.testing.assert_allclose(third, last)
