"""Identities that must hold between ensembles, whatever the data."""

import pickle

import numpy as np
import pandas as pd
import pytest

from arboretum.ensembles import (
    PERT,
    BoostedTrees,
    Coalescence,
    ExtraTrees,
    PurelyRandomForest,
    RandomForest,
    SearchedAlpha,
    VRForest,
    VRTree,
)
from arboretum.trees import table_of

ALL = [
    VRForest("aggregating", 0.5, 10, random_state=1),
    VRForest("bagging+subspacing", 0.5, 10, random_state=1),
    Coalescence(10, random_state=1),
    SearchedAlpha(n_estimators=3, random_state=1),
    VRTree(),
    RandomForest("r", 10, random_state=1),
    RandomForest("weka", 10, random_state=1),
    ExtraTrees(10, random_state=1),
    PERT(10, random_state=1),
    PurelyRandomForest(10, random_state=1),
    BoostedTrees("c45", 5, random_state=1),
    BoostedTrees("cart", 5, max_depth=2, random_state=1),
]


def mixed(n=160, missing=True, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(np.round(rng.normal(size=(n, 5)), 1), columns=list("abcde"))
    X["colour"] = pd.Categorical(rng.choice(["red", "green", "blue"], n), categories=["red", "green", "blue", "white"])
    y = np.where(X["a"] + (X["colour"] == "red") > rng.normal(scale=0.4, size=n), "yes", "no")
    if missing:
        X = X.mask(rng.random(X.shape) < 0.08)
        X["colour"] = X["colour"].astype("category").cat.set_categories(["red", "green", "blue", "white"])
    return X, y


def same(one, two):
    return all(
        np.array_equal(getattr(one.forest_, name), getattr(two.forest_, name))
        for name in ("nodes", "counts", "sides", "starts")
    )


@pytest.mark.parametrize("missing", [False, True])
def test_aggregating_at_alpha_one_is_c45_a_hundred_times(missing):
    X, y = mixed(missing=missing)
    forest = VRForest("aggregating", 1.0, 100, random_state=3).fit(X, y)
    tree = VRTree(alpha=1.0, curtailment=True).fit(X, y)
    assert (forest.n_nodes_ == tree.n_nodes_[0]).all()
    assert all(forest.forest_.nested(i) == tree.forest_.nested() for i in (0, 50, 99))
    assert forest.predict_proba(X) == pytest.approx(tree.predict_proba(X))
    assert (forest.deterministic_share_ == 1).all()


def test_bagging_at_alpha_one_is_bagged_c45():
    X, y = mixed(missing=False)
    forest = VRForest("bagging", 1.0, 12, random_state=3).fit(X, y)
    drawn = [np.flatnonzero(~row) for row in forest.oob_mask_]
    from arboretum.trees.forest import drawn_rows

    times = drawn_rows(forest._seeds_, len(X))
    for i in range(12):
        tree = VRTree(alpha=1.0).fit(X, y, sample_weight=times[i])
        assert forest.forest_.nested(i) == tree.forest_.nested()
        assert set(drawn[i]) == set(np.flatnonzero(times[i]))


@pytest.mark.parametrize(("q", "used"), [(1, 1), (2, 1), (5, 2), (9, 4)])
def test_subspacing_uses_half_of_the_features(q, used):
    rng = np.random.default_rng(q)
    X = rng.normal(size=(300, q))
    y = rng.integers(0, 2, 300)
    forest = VRForest("subspacing", 0.0, 200, random_state=0).fit(X, y)
    use = forest.feature_use_ > 0
    assert (use.sum(axis=1) == used).all()
    assert use.mean(axis=0) == pytest.approx(np.full(q, used / q), abs=0.13)


def test_coalescence_has_one_tree_for_each_alpha():
    X, y = mixed()
    forest = Coalescence(random_state=5).fit(X, y)
    assert forest.alphas_ == pytest.approx(np.arange(100) * 0.005)
    seeds = VRForest("aggregating", 0.0, 100, random_state=5)._seeds()
    from arboretum.trees import grow_forest, vr_rule

    for i in (0, 40, 99):
        codes = np.unique(y, return_inverse=True)[1]
        alone = grow_forest(table_of(X), codes, 2, vr_rule(i * 0.005), seeds[i : i + 1], n_min=4)
        assert alone.nested() == forest.forest_.nested(i)


def test_share_of_deterministic_nodes_is_about_alpha():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 10))
    y = rng.integers(0, 3, 2000)
    for alpha in (0.0, 0.3, 0.7):
        forest = VRForest("aggregating", alpha, 10, mdl=False, random_state=0).fit(X, y)
        assert forest.deterministic_share_.mean() == pytest.approx(alpha, abs=0.05)


def test_searched_alpha_has_the_least_training_error():
    X, y = mixed(missing=False)
    found = SearchedAlpha(n_estimators=7, random_state=2).fit(X, y)
    errors = []
    for alpha in np.arange(6) / 10:
        forest = VRForest("aggregating", alpha, 7, n_min=5, random_state=2).fit(X, y)
        errors.append(np.mean([1 - forest.head(k).score(X, y) for k in range(1, 8)]))
    assert found.training_errors_ == pytest.approx(errors)
    assert found.alpha_ == np.argmin(np.round(errors, 12)) / 10
    assert same(found, VRForest("aggregating", found.alpha_, 7, n_min=5, random_state=2).fit(X, y))


def test_of_alphas_that_err_alike_the_first_is_taken():
    """On separable cases every ensemble errs nowhere: the search keeps what it tried first."""
    X = np.arange(40.0)[:, None]
    model = SearchedAlpha(alphas=[0.7, 0.9], n_estimators=3, random_state=2).fit(X, (X[:, 0] > 19).astype(int))
    np.testing.assert_array_equal(model.training_errors_, 0)
    assert model.alpha_ == 0.7


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_same_forest_again_with_threads_and_after_pickling(estimator):
    X, y = mixed()
    first = estimator.fit(X, y)
    chances = first.predict_proba(X)
    assert chances.sum(axis=1) == pytest.approx(1)
    again = pickle.loads(pickle.dumps(first))
    assert (again.predict_proba(X) == chances).all()
    for jobs in (2, 4):
        other = type(estimator)(**{**estimator.get_params(), "n_jobs": jobs}).fit(X, y)
        assert same(first, other)
        assert (other.predict_proba(X) == chances).all()


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_head_is_the_smaller_forest(estimator):
    if "n_estimators" not in estimator.get_params() or isinstance(estimator, (Coalescence, SearchedAlpha)):
        pytest.skip("its trees depend on their number")
    X, y = mixed()
    whole = estimator.fit(X, y)
    small = type(estimator)(**{**estimator.get_params(), "n_estimators": 3}).fit(X, y)
    assert whole.head(3).predict_proba(X) == pytest.approx(small.predict_proba(X), abs=1e-12)


def test_both_memory_layouts_give_one_forest():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(100, 6))
    y = rng.integers(0, 2, 100)
    rows, columns = (
        VRForest(random_state=0, n_estimators=5).fit(order(X), y) for order in (np.array, np.asfortranarray)
    )
    assert same(rows, columns)


@pytest.mark.parametrize("estimator", ALL, ids=lambda e: type(e).__name__)
def test_a_table_serves_as_well_as_a_frame(estimator):
    X, y = mixed()
    frame = type(estimator)(**estimator.get_params()).fit(X, y)
    table = type(estimator)(**estimator.get_params()).fit(table_of(X), y)
    assert same(frame, table)
    assert (frame.predict_proba(X) == table.predict_proba(table_of(X))).all()


def test_curtailment_can_be_changed_after_fit():
    X, y = mixed()
    forest = VRForest("aggregating", 0.0, 20, random_state=0).fit(X, y)
    curtailed = forest.predict_proba(X)
    plain = forest.set_params(curtailment=False).predict_proba(X)
    assert np.abs(curtailed - plain).max() > 0.01
    assert (
        VRForest("aggregating", 0.0, 20, random_state=0, curtailment=False).fit(X, y).predict_proba(X) == plain
    ).all()


def test_pert_fits_distinct_cases_perfectly():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = rng.integers(0, 3, 200)
    forest = PERT(5, random_state=0).fit(X, y)
    assert (forest.tree_votes(X) == y).all()
    assert (forest.n_nodes_ == 2 * forest.n_leaves_ - 1).all()


def test_purely_random_trees_have_t_leaves():
    X, y = mixed()
    for cut in ("uniform", "triangular"):
        forest = PurelyRandomForest(20, 7, cut=cut, random_state=0).fit(X, y)
        assert (forest.n_leaves_ == 7).all()


def test_permutation_importance_finds_the_feature_that_matters():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = (X[:, 3] > 0).astype(int)
    forest = RandomForest("r", 50, random_state=0).fit(X, y)
    found = forest.permutation_importances(X, y)
    assert found.argmax() == 3
    assert found[3] > 0.2
    assert np.abs(np.delete(found, 3)).max() < 0.05
    assert forest.feature_importances_.argmax() == 3
    assert np.nanmean(forest.oob_votes(X).argmax(axis=1) != y) < 0.05


def test_boosting_reweights_as_adaboost_does():
    """Stumps on one feature: the second round by hand."""
    X = np.arange(8.0)[:, None]
    y = np.array([0, 0, 0, 1, 1, 1, 0, 0])
    two = BoostedTrees("cart", 2, algorithm="SAMME", max_depth=1).fit(X, y)
    error = 2 / 8  # a cut at 2.5 or 5.5 is wrong on two of eight cases
    assert two.estimator_weights_[0] == pytest.approx(np.log((1 - error) / error))
    wrong = two.forest_.tree_votes(table_of(X))[0] != y
    weight = np.where(wrong, 3.0, 1.0)
    second = two.forest_.tree_votes(table_of(X))[1] != y
    error = weight[second].sum() / weight.sum()
    assert two.estimator_weights_[1] == pytest.approx(np.log((1 - error) / error))
