"""AdaBoost by resampling: its weights, its restarts, and that it boosts where reweighting stops at once."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from arboretum.ensembles import ArcedTrees, BoostedTrees, RandomForest


def noisy(cases=300, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(cases, 6))
    return X, (X[:, :3].sum(axis=1) + rng.normal(scale=0.7, size=cases) > 0).astype(int)


@pytest.mark.filterwarnings("ignore")
def test_check_estimator():
    estimator = ArcedTrees(n_estimators=5, random_state=0)
    check_estimator(estimator, expected_failed_checks=estimator.expected_failed_checks, on_skip=None)


def test_reweighting_stops_at_once_and_resampling_goes_on():
    X, y = noisy()
    assert len(BoostedTrees("cart", 20, random_state=1).fit(X, y).forest_) == 1
    assert len(ArcedTrees(20, random_state=1).fit(X, y).forest_) > 10


def test_votes_follow_from_the_weighted_errors():
    """Replay the boosting from its trees: the vote of each is log((1 - e) / e) of the weights before it."""
    X, y = noisy()
    model = ArcedTrees(12, random_state=3).fit(X, y)
    assert len(model.forest_) == 12  # no restart on these data
    wrong = model.tree_votes(X) != y
    chance = np.full(len(y), 1 / len(y))
    for k in range(12):
        error = chance[wrong[k]].sum()
        assert model.estimator_weights_[k] == pytest.approx(np.log((1 - error) / error))
        chance = np.where(wrong[k], chance * (1 - error) / error, chance)
        chance /= chance.sum()
        assert chance[wrong[k]].sum() == pytest.approx(0.5)  # the tree errs on half of the new weight


def test_weights_restart_on_easy_data_and_votes_stay_finite():
    X = np.arange(40.0)[:, None]
    y = (X[:, 0] > 19.5).astype(int)
    model = ArcedTrees(10, random_state=1).fit(X, y)
    assert np.isfinite(model.estimator_weights_).all()
    assert model.estimator_weights_.max() <= np.log(2 * 40 - 1) + 1e-12
    assert (model.predict(X) == y).mean() > 0.9


def test_pure_noise_with_many_classes_still_predicts():
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 2)), rng.integers(6, size=60)
    model = ArcedTrees(10, max_depth=1, random_state=1).fit(X, y)
    assert model.predict_proba(X).shape == (60, 6)
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)


def test_boosting_beats_a_single_tree():
    X, y = noisy(600)
    test_X, test_y = noisy(3000, seed=2)
    tree = RandomForest(n_estimators=1, max_features="all", bootstrap=False, random_state=1).fit(X, y)
    boosted = ArcedTrees(50, random_state=1).fit(X, y)
    assert np.mean(boosted.predict(test_X) != test_y) < np.mean(tree.predict(test_X) != test_y) - 0.02


def test_a_tree_without_error_has_the_vote_of_one_case_in_two_n():
    """Its odds would be infinite: they are taken as if half a case of n were wrong, 2n - 1 to 1."""
    X = np.arange(10.0)[:, None]
    model = ArcedTrees(30, random_state=1).fit(X, (X[:, 0] > 4.5).astype(int))
    right = (model.tree_votes(X) == (X[:, 0] > 4.5)).all(axis=1)
    assert right.sum() > 3
    np.testing.assert_allclose(model.estimator_weights_[right], np.log(2 * 10 - 1), rtol=1e-12)
