"""Dynamic integration at the edges: missing values, odd training sets, empty leaves, ties; and how it is used."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from integration_data import SCHEMES, SETS, STRATEGIES, fitted, halves, noisy
from naive_integration import Naive
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier

from arboretum.ensembles import PERT, Coalescence, DynamicIntegration, ExtraTrees, RandomForest, VRForest
from arboretum.trees import table_of

# ------------------------------------------------------------------ edges


def test_missing_values_take_the_heaviest_branch_to_a_leaf_and_vote_by_fractions():
    """10: the leaf is one, the vote mixes all branches, which may give another class than that leaf."""
    cells = np.array([[0.0, 0]] * 6 + [[1.0, 0]] * 4 + [[1.0, 1]] * 1 + [[1.0, 0.0]] * 4)
    y = np.array([0] * 3 + [1] * 3 + [1] * 4 + [1] + [1] * 4)
    X = pd.DataFrame(cells, columns=["a", "b"])
    X.loc[0, "b"] = np.nan
    model = DynamicIntegration(RandomForest("weka", 30, max_depth=1, random_state=0), random_state=0).fit(X, y)
    asked = pd.DataFrame({"a": [np.nan, 0.0], "b": [0.0, np.nan]})
    table = table_of(asked)
    leaves, votes = model._leaves_and_votes(table, model._node_votes())
    np.testing.assert_array_equal(leaves, model.ensemble_.apply(table))
    np.testing.assert_array_equal(votes.T, model.ensemble_.tree_votes(table))
    for tree in range(30):
        nested = model.forest_.tree(tree).nodes
        if len(nested) > 1 and nested["feature"][0] == 0:
            first = int(nested["child"][0])
            heaviest = first + int(np.argmax(nested["weight"][first : first + 2]))
            assert leaves[0, tree] == heaviest
    naive = Naive(model, table_of(X), y)
    np.testing.assert_allclose(model.local_margins(table), naive.local_margins(table), atol=1e-12)


def test_vote_by_fractions_can_differ_from_the_vote_of_the_leaf():
    """10: branches of 4 (all class 0), 3 and 3 (class 1): the heaviest leaf says 0, the mixture says 1."""
    X = pd.DataFrame({"a": pd.Categorical(list("xxxxyyyzzz"))})
    y = np.array([0] * 4 + [1] * 6)
    forest = RandomForest("weka", 40, random_state=3).fit(X, y)
    model = DynamicIntegration(forest, random_state=0).fit(X, y)
    asked = pd.DataFrame({"a": pd.Categorical([None], categories=list("xyz"))})
    leaves, votes = model._leaves_and_votes(table_of(asked), model._node_votes())
    leaf_votes = [
        int(np.argmax(model.forest_.class_weights[model.forest_.starts[tree] + leaves[0, tree]])) for tree in range(40)
    ]
    assert (votes[0] != leaf_votes).any()
    np.testing.assert_array_equal(votes[0], model.tree_votes(asked)[:, 0])


@pytest.mark.parametrize(("similarity", "weighting"), [*SCHEMES, ("forest_oob", "local")])
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_odd_training_sets_give_finite_weights_and_no_warning(similarity, weighting, strategy):
    """12: k > n, and a class that is absent from training."""
    X, y = SETS["missing"]
    options = {"similarity": similarity, "weighting": weighting, "strategy": strategy, "n_neighbors": 127}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for n in (3, 9):
            rows = np.concatenate([[np.flatnonzero(y == "one")[0]], np.flatnonzero(y == "two")[: n - 1]])
            model = DynamicIntegration(RandomForest("weka", 5, random_state=1), random_state=1, **options)
            model.fit(X.iloc[rows], y.iloc[rows])
            weights = model.weights(X)
            assert np.isfinite(weights).all() and (weights >= 0).all()
            np.testing.assert_allclose(weights.sum(axis=1), 1)
            assert (model.predict_proba(X)[:, 2:] == 0).all()
            assert model.neighbours(X).places.shape == (len(X), n)


def test_one_class_alone_is_refused_as_everywhere_here():
    """12: and where all trees are always right (a class absent from what they met) their weights are equal."""
    X, _ = SETS["nominal"]
    with pytest.raises(ValueError, match="only one class"):
        DynamicIntegration(random_state=0).fit(X.iloc[:5], np.zeros(5))
    model = DynamicIntegration(RandomForest("weka", 5, random_state=1), random_state=1).fit(X, X["a"])
    model._record = np.abs(model._record)
    np.testing.assert_allclose(model.weights(X), 0.2)


def empty_branch(trees=15):
    """Level "c" is declared and never occurs: a test case with it ends in the empty branch of every tree."""
    X = pd.DataFrame({"a": pd.Categorical(list("ab") * 20, categories=list("abc"))})
    y = np.array([0, 1] * 18 + [1, 0, 1, 0])
    model = DynamicIntegration(RandomForest("weka", trees, random_state=0), random_state=0, n_neighbors=5).fit(X, y)
    return model, X, y, pd.DataFrame({"a": pd.Categorical(["c"], categories=list("abc"))})


@pytest.mark.parametrize("weighting", ["none", "local"])
@pytest.mark.parametrize("similarity", ["forest", "forest_oob"])
def test_all_similarities_zero(similarity, weighting):
    """12 and 14: no training case in any of the leaves: each tree has its own out-of-bag margin."""
    model, X, y, asked = empty_branch()
    model.set_params(similarity=similarity, weighting=weighting).fit(X, y)
    leaves = model.apply(asked)
    assert not (model.apply(X) == leaves).any()
    assert (model.neighbours(asked).nearness == 0).all()
    right, out = model.tree_votes(X) == y, model.ensemble_.oob_mask_
    expected = 2 * (right & out).sum(axis=1) / out.sum(axis=1) - 1
    np.testing.assert_allclose(model.local_margins(asked)[0], expected, atol=1e-12)


def test_a_leaf_of_an_empty_branch_votes_as_its_parent():
    """14"""
    model, _, _, asked = empty_branch()
    weights = [model.forest_.class_weights[start] for start in model.forest_.starts[:-1]]
    np.testing.assert_array_equal(model.tree_votes(asked)[:, 0], np.argmax(weights, axis=1))
    _, votes = model._leaves_and_votes(table_of(asked, model.levels_), model._node_votes())
    np.testing.assert_array_equal(votes[0], np.argmax(weights, axis=1))


def test_selection_takes_one_tree_of_tied_ones():
    """13: three trees are tied and two of them vote for the other class: the first one decides."""
    X, y = noisy(60, 3)
    model = DynamicIntegration(RandomForest("weka", 60, random_state=1), "ds", n_neighbors=3, random_state=1).fit(X, y)
    asked, _ = noisy(200, 4)
    local, votes = model.local_margins(asked), model.tree_votes(asked).T
    first = np.argmax(local >= local.max(axis=1, keepdims=True) - 1e-9, axis=1)
    chosen = votes[np.arange(len(asked)), first]
    np.testing.assert_array_equal(model.predict(asked), chosen)
    np.testing.assert_array_equal(model.predict_proba(asked).max(axis=1), 1)
    majority = model.set_params(strategy="ds_vote").predict(asked)
    assert (majority != chosen).any()


# ------------------------------------------------------------------ use


def test_around_other_bagged_ensembles():
    X, y, asked, _ = halves("missing")
    for forest in (
        VRForest("bagging", 0.5, 6, random_state=1),
        Coalescence(6, bagged=True, random_state=1),
        PERT(6, bagged=True, random_state=1),
        ExtraTrees(6, bootstrap=True, random_state=1),
        RandomForest("r", 6, random_state=1),
    ):
        for similarity, weighting in SCHEMES:
            options = {"similarity": similarity, "weighting": weighting, "random_state": 2}
            model = DynamicIntegration(forest, **options).fit(X, y)
            naive = Naive(model, X, y.cat.codes.to_numpy())
            np.testing.assert_allclose(model.local_margins(asked), naive.local_margins(asked), rtol=0, atol=1e-12)
            np.testing.assert_allclose(model.predict_proba(asked), naive.shares(asked), rtol=0, atol=1e-12)


def test_bagged_coalescence_draws_samples_and_the_plain_one_does_not():
    X, y, _, _ = halves("nominal")
    bagged, plain = (Coalescence(4, bagged=bagged, random_state=1).fit(X, y) for bagged in (True, False))
    assert 0.2 < bagged.oob_mask_.mean() < 0.5
    root = bagged.forest_.class_weights[bagged.forest_.starts[:-1]].sum(axis=1)
    np.testing.assert_array_equal(root, len(y))
    assert not hasattr(plain, "oob_mask_")


def test_a_fitted_forest_is_used_as_it_is():
    X, y, asked, _ = halves("nominal")
    forest = RandomForest("weka", 12, random_state=5).fit(X, y)
    model = DynamicIntegration(forest, random_state=2).fit(X, y)
    assert model.ensemble_ is forest
    np.testing.assert_array_equal(model.predict_proba(asked), fitted("nominal")[0].predict_proba(asked))
    with pytest.raises(ValueError, match="needs these very cases"):
        DynamicIntegration(forest).fit(X.take(np.arange(20)), y.iloc[:20])


def test_seeds():
    X, y, asked, _ = halves("nominal")
    same = [DynamicIntegration(random_state=7).fit(X, y).predict_proba(asked) for _ in range(2)]
    np.testing.assert_array_equal(*same)
    forest = RandomForest("weka", 5)
    DynamicIntegration(forest, random_state=7).fit(X, y)
    assert forest.random_state is None and not hasattr(forest, "forest_")


def test_weightless_cases_are_no_neighbours():
    X, y, asked, _ = halves("nominal")
    weight = np.ones(len(X))
    weight[:10] = 0
    model = DynamicIntegration(RandomForest("weka", 5), n_neighbors=100, random_state=0).fit(X, y, weight)
    assert model.neighbours(asked).places.min() == 10


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strategy": "dsv"}, "The 'strategy' parameter of DynamicIntegration must be"),
        ({"n_neighbors": 0}, "'n_neighbors' parameter"),
        ({"forest": RandomForest("weka", 5, bootstrap=False)}, "needs a forest grown on bootstrap samples"),
        ({"power": -1}, "'power' parameter"),
        ({"forest": RandomForestClassifier()}, "'forest' parameter"),
    ],
)
def test_wrong_parameters(options, message):
    X, y, _, _ = halves("nominal")
    with pytest.raises(ValueError, match=message):
        DynamicIntegration(**options).fit(X, y)


def test_trees_without_samples_can_be_judged_on_all_cases():
    X, y, asked, _ = halves("nominal")
    forest = VRForest("aggregating", 0.5, 5)
    model = DynamicIntegration(forest, estimate="all", random_state=0).fit(X, y)
    assert np.isfinite(clone(model).fit(X, y).weights(asked)).all()
