"""Boosting as C5.0 does it: weights half as far as AdaBoost's, one vote per tree, an early end."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.ensembles import BoostedTrees


def noisy(cases=120):
    rng = np.random.default_rng(3)
    X = rng.random((cases, 3))
    return X, np.where(rng.random(cases) < 0.3, rng.integers(2, size=cases), X[:, 0] > 0.5).astype(int)


def test_weights_move_half_as_far_as_in_adaboost():
    booster = BoostedTrees(algorithm="C5.0")
    booster.classes_ = np.array([0, 1])
    weights, wrong = np.array([1.0, 2.0, 3.0, 2.0]), np.array([True, False, False, True])
    _, moved, last = booster._boost(weights, wrong, 3 / 8, 8.0)
    assert not last and moved.sum() == pytest.approx(8)
    assert moved[wrong].sum() == pytest.approx((3 + 4) / 2)  # half way between the errors' weight and half of all
    np.testing.assert_allclose(moved[wrong] - weights[wrong], 0.25)  # the same for each error
    np.testing.assert_allclose(moved[1] / weights[1], moved[2] / weights[2])


def test_every_tree_has_one_vote_its_class_frequencies():
    X, y = noisy()
    model = BoostedTrees(n_estimators=6, algorithm="C5.0", random_state=1).fit(X, y)
    assert (model.estimator_weights_ == 1).all()
    np.testing.assert_allclose(model.predict_proba(X), model.tree_proba(X).mean(axis=0))


def test_boosting_ends_with_a_tree_that_hardly_errs():
    X = np.arange(40.0)[:, None]
    model = BoostedTrees(n_estimators=20, algorithm="C5.0", random_state=1).fit(X, (X[:, 0] > 19).astype(int))
    assert len(model.estimator_weights_) == 1


@pytest.mark.parametrize(("weight", "ends"), [(0.099, True), (0.101, False)])
def test_boosting_ends_where_errors_weigh_less_than_a_tenth_of_a_case(weight, ends):
    booster = BoostedTrees(algorithm="C5.0")
    booster.classes_ = np.array([0, 1])
    weights = np.array([weight, *(10 - weight) / 9 * np.ones(9)])
    _, moved, last = booster._boost(weights, np.arange(10) == 0, weight / 10, 10.0)
    assert bool(last) is ends
    assert (moved is weights) is ends
