"""Ensembles equal their definitions, and scikit-learn's if it has the same one."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from arboretum.ensembles import PERT, BoostedTrees, Coalescence, ExtraTrees, RandomForest, VRForest, VRTree


def blobs(classes, n=160, seed=0):
    """Overlapping classes in continuous columns, so that no two tests tie. scikit-learn stores values in 32 bits."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, n)
    X = rng.normal(size=(n, 4)) + y[:, None] * np.array([1.0, 0.5, 0.0, -0.7])
    return X.astype(np.float32).astype(float), y


@pytest.mark.parametrize(("classes", "depth"), [(2, 1), (2, 2), (3, 2), (4, 3)])
def test_samme_equals_scikit_learn(classes, depth):
    """Same trees, weights of trees and predictions."""
    X, y = blobs(classes, n=300)
    peer = AdaBoostClassifier(DecisionTreeClassifier(max_depth=depth), n_estimators=25, random_state=0).fit(X, y)
    ours = BoostedTrees("cart", 25, algorithm="SAMME", max_depth=depth, random_state=0).fit(X, y)
    assert len(ours.forest_) == len(peer.estimators_) == 25
    np.testing.assert_allclose(ours.estimator_weights_, peer.estimator_weights_, rtol=1e-6)
    votes = np.array([tree.predict(X) for tree in peer.estimators_])
    np.testing.assert_array_equal(ours.tree_votes(X), votes)
    np.testing.assert_array_equal(ours.predict(X), peer.predict(X))


def test_m1_by_hand():
    """One column, stumps: the first errs on 1 case of 5, so its vote is log 4 and that case then weighs 1/2."""
    X, y = np.arange(5.0)[:, None], np.array([0, 0, 1, 1, 0])
    one = BoostedTrees("cart", 1, max_depth=1).fit(X, y)
    assert one.estimator_weights_ == pytest.approx([np.log(4)])
    two = BoostedTrees("cart", 2, max_depth=1).fit(X, y)
    weights = np.array([1, 1, 1, 1, 4]) / 8
    wrong = two.tree_votes(X)[1] != y
    assert two.estimator_weights_[1] == pytest.approx(np.log((1 - weights[wrong].sum()) / weights[wrong].sum()))
    assert weights[wrong].sum() == pytest.approx(2 / 8)


def test_votes_and_averages():
    """R's forest counts votes, Weka's and VR-Trees average class frequencies (vrtrees, equation 1)."""
    X, y = blobs(3)
    other, _ = blobs(3, seed=1)
    voting = RandomForest("r", 30, random_state=1).fit(X, y)
    shares = np.stack([(voting.tree_votes(other) == k).mean(axis=0) for k in range(3)], axis=1)
    np.testing.assert_allclose(voting.predict_proba(other), shares, atol=1e-12)
    for model in (RandomForest("weka", 30, random_state=1), VRForest(alpha=0.5, n_estimators=30, random_state=1)):
        model.fit(X, y)
        np.testing.assert_allclose(model.predict_proba(other), model.tree_proba(other).mean(axis=0), atol=1e-12)


def test_deterministic_nodes_of_coalescence_follow_its_alphas():
    """Alphas are 0, 0.005, ..., 0.495, and the share of deterministic nodes follows them."""
    X, y = blobs(3, n=400)
    model = Coalescence(n_estimators=100, random_state=0).fit(X, y)
    np.testing.assert_allclose(model.alphas_, np.arange(100) * 0.005)
    share = model.deterministic_share_
    assert len(share) == 100
    assert share[0] == 0
    assert np.corrcoef(share, np.arange(100))[0, 1] > 0.9
    assert share[-20:].mean() == pytest.approx(0.4475, abs=0.05)


def test_alpha_one_is_one_tree_repeated():
    X, y = blobs(2)
    forest = VRForest(alpha=1.0, n_estimators=3, random_state=0).fit(X, y).forest_
    tree = VRTree(random_state=5).fit(X, y).forest_
    assert forest.nested(0) == forest.nested(2) == tree.nested(0)


def test_perfect_trees_fit_perfectly():
    X, y = blobs(3)
    for model in (
        PERT(5, random_state=0),
        ExtraTrees(5, random_state=0),
        RandomForest(n_estimators=5, bootstrap=False),
    ):
        assert (model.fit(X, y).tree_votes(X) == y).all()


@pytest.mark.filterwarnings("ignore:The number of unique classes")
def test_out_of_bag_rows_were_not_seen():
    """Each case its own class: the root of a tree holds exactly the cases that are not out of bag."""
    X, _ = blobs(2, n=40)
    model = RandomForest(n_estimators=10, random_state=0).fit(X, np.arange(40))
    for t in range(10):
        root = np.array(model.forest_.nested(t)["counts"])
        np.testing.assert_array_equal(root == 0, model.oob_mask_[t])
    assert 0.2 < model.oob_mask_.mean() < 0.5


HEAVY = """
import numpy as np
from arboretum.ensembles import {name}
X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 1, 0, 1, 0]
{name}(n_estimators=5, random_state=0).fit(X, y, sample_weight=[1e15, 0.5, 1.0, 1.0, 1.0]).predict(X)
"""


@pytest.mark.parametrize("name", ["PERT", "VRForest"])
def test_one_heavy_case_does_not_stop_the_draws(name):
    """Draws by weight must also end in nodes without the heavy case. The subprocess is stopped if they hang."""
    command = [sys.executable, "-c", HEAVY.format(name=name)]
    subprocess.run(command, check=True, timeout=120)
