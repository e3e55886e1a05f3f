"""What users of scikit-learn expect by name: out-of-bag answers, warm start, class weights, paths, proximities."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.exceptions import NotFittedError
from sklearn.inspection import partial_dependence, permutation_importance
from sklearn.metrics import balanced_accuracy_score
from sklearn.model_selection import GridSearchCV

from arboretum.datasets import load
from arboretum.ensembles import (
    PERT,
    BoostedTrees,
    Coalescence,
    DynamicIntegration,
    ExtraTrees,
    PurelyRandomForest,
    RandomForest,
    VRForest,
    VRTree,
)
from arboretum.errors import ArboretumError

BAGGED = {
    "r": RandomForest(n_estimators=30, random_state=0),
    "weka": RandomForest("weka", n_estimators=30, random_state=0),
    "extra": ExtraTrees(n_estimators=30, bootstrap=True, random_state=0),
    "bagging": VRForest("bagging", n_estimators=30, random_state=0),
    "coalescence": Coalescence(n_estimators=30, bagged=True, random_state=0),
    "pert": PERT(n_estimators=30, bagged=True, random_state=0),
    "purely random": PurelyRandomForest(n_estimators=30, bootstrap=True, random_state=0),
}


def test_a_forest_counts_and_hands_out_its_trees():
    X, y = load_wine(return_X_y=True)
    forest = RandomForest(n_estimators=4, random_state=0).fit(X, y)
    assert len(forest) == 4 and forest.n_classes_ == 3
    assert [tree.n_nodes_[0] for tree in forest] == forest.n_nodes_.tolist()
    np.testing.assert_array_equal(forest[2].tree_votes(X)[0], forest.tree_votes(X)[2])
    np.testing.assert_array_equal(forest[-1].predict(X), forest.estimators_[3].predict(X))
    with pytest.raises(IndexError):
        forest[4]


@pytest.mark.parametrize("forest", [RandomForest(), VRForest(), VRTree(), ExtraTrees(), PERT(), BoostedTrees()])
def test_what_is_read_from_trees_that_are_not_grown_yet(forest):
    X = np.zeros((2, 2))
    reads = ["feature_importances_", "n_leaves_", "n_nodes_", "depths_", "feature_use_", "n_classes_", "estimators_"]
    for name in reads:
        with pytest.raises(NotFittedError):
            getattr(forest, name)
        assert not hasattr(forest, name)
    for call in (len, lambda one: one.apply(X), lambda one: one.decision_path(X), lambda one: one.predict(X)):
        with pytest.raises(NotFittedError):
            call(forest)
    assert forest, "a forest that is not fitted is no empty list"


@pytest.mark.filterwarnings("ignore:.*cases are in the bag of every tree", "ignore:warm_start=True and no more")
@pytest.mark.parametrize("flavour", ["r", "weka"])
def test_a_warm_start_that_adds_no_tree_scores_out_of_bag_where_that_is_new(flavour):
    X, y = load_wine(return_X_y=True)
    X[::7, 2] = np.nan
    forest = RandomForest(flavour, n_estimators=30, warm_start=True, random_state=0).fit(X, y)
    once = RandomForest(flavour, n_estimators=30, oob_score=True, random_state=0).fit(X, y)
    forest.set_params(oob_score=True).fit(X, y)
    assert forest.oob_score_ == once.oob_score_ and len(forest) == 30
    np.testing.assert_array_equal(forest.oob_decision_function_, once.oob_decision_function_)
    del forest.oob_score_
    with pytest.raises(ValueError, match="these differ"):
        forest.fit(X[:-1], y[:-1])


@pytest.mark.parametrize("name", BAGGED)
def test_out_of_bag_by_hand(name):
    X, y = load_wine(return_X_y=True)
    forest = BAGGED[name].set_params(oob_score=True).fit(X, y)
    one_tree = np.eye(3)[forest.tree_votes(X)] if forest._combine == "votes" else forest.tree_proba(X)
    out = forest.oob_mask_[:, :, None]
    shares = (one_tree * out).sum(axis=0) / out.sum(axis=0)
    np.testing.assert_allclose(forest.oob_decision_function_, shares, atol=1e-12)
    assert forest.oob_score_ == np.mean(forest._best_class(shares) == y)
    assert not hasattr(forest.head(20), "oob_score_")


def test_out_of_bag_is_what_the_tree_did_not_see():
    """A tree of pure leaves is right on every case of its bag, so that it errs on others only."""
    X, y = make_classification(300, flip_y=0.3, random_state=0)
    for forest in (RandomForest(n_estimators=10, random_state=0), PERT(10, bagged=True, tries=1000, random_state=0)):
        wrong = forest.fit(X, y).tree_votes(X) != y
        assert wrong.any()
        assert not (wrong & ~forest.oob_mask_).any()


def test_out_of_bag_scores_of_ones_own_and_too_few_trees():
    X, y = load_wine(return_X_y=True)
    forest = RandomForest(n_estimators=50, oob_score=balanced_accuracy_score, random_state=0).fit(X, y)
    assert forest.oob_score_ == balanced_accuracy_score(y, forest._best_class(forest.oob_decision_function_))
    with pytest.warns(UserWarning, match="Grow more trees"):
        few = RandomForest(n_estimators=1, oob_score=True, random_state=0).fit(X, y)
    assert np.isnan(few.oob_decision_function_).any()
    assert 0.5 < few.oob_score_ <= 1


WARM = [
    RandomForest(random_state=0),
    VRForest("bagging+subspacing", random_state=0),
    ExtraTrees(random_state=0),
    PERT(random_state=0),
    PurelyRandomForest(random_state=0),
]


@pytest.mark.parametrize("forest", WARM, ids=lambda forest: type(forest).__name__)
def test_warm_start_gives_the_trees_of_one_fit(forest):
    X, y = load_wine(return_X_y=True)
    nodes = forest.set_params(warm_start=False, n_estimators=9).fit(X, y).forest_.nodes.copy()
    forest.set_params(n_estimators=4).fit(X, y)
    kept = forest.set_params(warm_start=True, n_estimators=9).fit(X, y).forest_
    assert np.array_equal(kept.nodes[["feature", "cut", "child", "kind"]], nodes[["feature", "cut", "child", "kind"]])
    with pytest.raises(ValueError, match=r"only adds trees; head\(k\) gives fewer"):
        forest.set_params(n_estimators=3).fit(X, y)
    with pytest.warns(UserWarning, match="no tree is grown"):
        forest.set_params(n_estimators=9).fit(X, y)
    for rows in (y > 0, np.arange(len(y)) > 0):
        with pytest.raises(ValueError, match="same cases, columns, levels and classes"):
            forest.set_params(n_estimators=12).fit(X[rows], y[rows])
    assert len(forest.classes_) == 3


def test_warm_start_without_a_seed_and_out_of_bag():
    X, y = load_wine(return_X_y=True)
    forest = RandomForest(n_estimators=30, warm_start=True, oob_score=True).fit(X, y)
    first = forest.tree_votes(X)
    forest.set_params(n_estimators=60).fit(X, y)
    assert np.array_equal(forest.tree_votes(X)[:30], first)
    assert not np.array_equal(forest.tree_votes(X)[30:], first)
    assert not ((forest.tree_votes(X) != y) & ~forest.oob_mask_).any()


def test_class_weights_are_weights_of_cases():
    X, y = load_iris(return_X_y=True)
    X, y = X[30:], y[30:]
    for model in (VRTree(), VRForest(n_estimators=5, random_state=0), RandomForest("weka", 5, random_state=0)):
        by_case = model.set_params(class_weight=None).fit(X, y, np.where(y == 0, 2.5, 1.0)).predict_proba(X)
        by_class = model.set_params(class_weight={0: 5, 1: 2, 2: 2}).fit(X, y).predict_proba(X)
        np.testing.assert_allclose(by_class, by_case, atol=1e-9)
        balanced = model.set_params(class_weight="balanced").fit(X, y, np.full(len(y), 3.0)).predict_proba(X)
        np.testing.assert_allclose(balanced, by_case, atol=1e-9)


@pytest.mark.parametrize("flavour", ["r", "weka"])
def test_least_leaf(flavour):
    X, y = make_classification(300, flip_y=0.3, random_state=0)
    data = pd.DataFrame(X).assign(level=pd.Categorical(np.arange(300) % 7))
    data.columns = data.columns.astype(str)
    for table in (X, data):
        forest = RandomForest(flavour, 5, min_samples_leaf=20, bootstrap=False, random_state=0).fit(table, y)
        leaf = forest.forest_.nodes["kind"] == 0
        weight = forest.forest_.nodes["weight"][leaf]
        assert weight[weight > 0].min() >= 20
        assert forest.n_leaves_.max() > 2
    share = RandomForest(flavour, 5, min_weight_fraction_leaf=20 / 300, bootstrap=False, random_state=0).fit(data, y)
    assert np.array_equal(share.forest_.nodes, forest.forest_.nodes)


def test_least_leaf_of_extra_trees():
    X, y = make_classification(300, flip_y=0.3, random_state=0)
    for tried in (1, 5):
        forest = ExtraTrees(5, max_features=tried, min_samples_leaf=20, random_state=0).fit(X, y)
        leaf = forest.forest_.nodes["kind"] == 0
        assert forest.forest_.nodes["weight"][leaf].min() >= 20
        assert forest.n_leaves_.max() > 2


ONE_BY_ONE = [
    RandomForest("weka", 6, random_state=0),
    RandomForest(n_estimators=6, random_state=0),
    Coalescence(6, random_state=0),
    BoostedTrees("cart", 6, max_depth=2),
]


@pytest.mark.parametrize("forest", ONE_BY_ONE, ids=lambda forest: type(forest).__name__)
def test_trees_one_by_one(forest):
    X, y = load_wine(return_X_y=True)
    trees = forest.fit(X, y).estimators_
    assert len(trees) == len(forest.forest_)
    for tree, vote in zip(trees, forest.tree_votes(X), strict=True):
        assert np.array_equal(tree.tree_votes(X)[0], vote)
        assert np.array_equal(tree.predict(X), forest.classes_[vote])
    weight = getattr(forest, "estimator_weights_", np.ones(len(trees)))
    mean = np.average([tree.predict_proba(X) for tree in trees], axis=0, weights=weight)
    np.testing.assert_allclose(forest.predict_proba(X), mean, atol=1e-12)


def test_parts_of_forests_keep_what_belongs_to_their_trees():
    X, y = load_wine(return_X_y=True)
    forest = Coalescence(10, bagged=True, random_state=0).fit(X, y)
    assert forest.head(4).alphas_.tolist() == forest.alphas_[:4].tolist()
    assert forest.estimators_[7].alphas_ == forest.alphas_[7]
    assert np.array_equal(forest.estimators_[7].oob_mask_[0], forest.oob_mask_[7])
    integrated = DynamicIntegration(RandomForest("weka", 5), random_state=0).fit(X, y)
    assert np.array_equal(integrated.estimators_[3].tree_votes(X)[0], integrated.tree_votes(X)[3])


def test_paths_end_in_the_leaves():
    X, y = load_wine(return_X_y=True)
    forest = RandomForest(n_estimators=4, random_state=0).fit(X, y)
    path, starts = forest.decision_path(X)
    assert path.shape == (len(X), forest.n_nodes_.sum())
    leaves = forest.apply(X)
    for tree, first in enumerate(starts[:-1]):
        part = path[:, first : starts[tree + 1]].toarray()
        assert part.max() == 1
        for row in range(0, len(X), 17):
            assert np.flatnonzero(part[row]).tolist() == sorted(forest.forest_.paths(forest._read(X), tree)[row])
            assert part[row, leaves[row, tree]] == 1
    tree = VRTree().fit(X, y)
    assert tree.apply(X).shape == (len(X),)
    assert tree.decision_path(X).shape == (len(X), tree.n_nodes_[0])


def test_proximities_by_hand():
    X, y = load_wine(return_X_y=True)
    forest = RandomForest(n_estimators=20, random_state=0).fit(X, y)
    leaves, out = forest.apply(X), forest.oob_mask_.T
    same = leaves[:, None, :] == leaves[None, :, :]
    np.testing.assert_allclose(forest.proximities(X), same.mean(axis=2))
    np.testing.assert_allclose(forest.proximities(X[:5], X[7:9]), same[:5, 7:9].mean(axis=2))
    both = out[:, None, :] & out[None, :, :]
    with np.errstate(invalid="ignore"):
        expected = (same & both).sum(axis=2) / both.sum(axis=2)
    np.testing.assert_allclose(forest.proximities(X, oob=True), expected)
    with pytest.raises(ValueError, match="needs the 178 training cases"):
        forest.proximities(X[:5], oob=True)
    with pytest.raises(AttributeError, match="drew no bootstrap samples"):
        VRForest(n_estimators=2).fit(X, y).proximities(X, oob=True)


def test_logarithms():
    X, y = load_iris(return_X_y=True)
    forest = VRForest(n_estimators=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(np.exp(forest.predict_log_proba(X)), forest.predict_proba(X))


def test_inspection_and_search():
    data = load_iris(as_frame=True)
    X = data.data.assign(level=pd.Categorical(np.where(data.target == 2, "b", "a")))
    forest = VRForest(n_estimators=10, random_state=0).fit(X, data.target)
    found = partial_dependence(forest, X, ["petal width (cm)", "level"], categorical_features=["level"])
    assert found["average"].shape[0] == 3
    found = partial_dependence(forest, X, ["petal width (cm)"], grid_resolution=5)
    assert np.ptp(found["average"][0]) > 0.1
    assert permutation_importance(forest, X, data.target, n_repeats=2).importances_mean.shape == (5,)
    search = GridSearchCV(VRForest(n_estimators=5, random_state=0), {"alpha": [0.0, 0.5]}, cv=3).fit(X, data.target)
    assert search.best_score_ > 0.8


def test_data_sets_by_name():
    data = load("labor")
    assert repr(data) == "<Dataset labor: 57 cases, 8 numeric and 8 nominal columns, 2 classes; X and y>"
    X, y = load("labor", return_X_y=True)
    assert VRForest(n_estimators=5, random_state=0).fit(X, y).score(X, y) > 0.8
    with pytest.raises(ArboretumError, match=r"unknown data set 'labour'\. Did you mean 'labor'"):
        load("labour")
