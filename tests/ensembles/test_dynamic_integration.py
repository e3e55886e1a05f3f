"""Dynamic integration against plain loops, identities of the paper, and the cases at the edges."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from integration_data import SCHEMES, SETS, STRATEGIES, fitted, halves, noisy
from naive_integration import Naive
from sklearn.datasets import load_breast_cancer

from arboretum.ensembles import DynamicIntegration, RandomForest
from arboretum.ensembles.integration import SCALES, padded, tree_weights, vote_shares
from arboretum.ensembles.neighbourhood import leaf_codes

DESLIB = Path(__file__).parents[1] / "fixtures" / "deslib" / "ola.json"


# ------------------------------------------------------------------ 1: equation 3 by plain loops


VARIANTS = [
    *({"similarity": similarity, "weighting": weighting} for similarity, weighting in SCHEMES),
    {"similarity": "forest", "estimate": "all"},
    {"similarity": "heom", "estimate": "all", "n_neighbors": 200},
    {"similarity": "forest", "power": 1.5, "n_neighbors": 4},
    {"similarity": "forest_oob"},
    {"similarity": "forest_oob", "weighting": "none", "n_neighbors": 31},
]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_local_margins_are_those_of_plain_loops(name, options):
    model, X, y, asked = fitted(name, **options)
    naive = Naive(model, X, y.cat.codes.to_numpy())
    np.testing.assert_allclose(model.local_margins(asked), naive.local_margins(asked), rtol=0, atol=1e-12)
    near = model.neighbours(asked)
    leaves = model.apply(asked)
    for case in range(len(asked)):
        expected = naive.neighbours(asked.cells[case], leaves[case])
        assert near.places[case].tolist() == [row for _, row in expected]
        np.testing.assert_allclose(near.nearness[case], [value for value, _ in expected], atol=1e-9)


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(("selection", "scale"), list(product(["half", "midpoint"], SCALES)))
@pytest.mark.parametrize("name", SETS)
def test_votes_are_those_of_plain_loops(name, strategy, selection, scale):
    for similarity, weighting in SCHEMES:
        options = {"strategy": strategy, "selection": selection, "scale": scale}
        options |= {"similarity": similarity, "weighting": weighting}
        model, X, y, asked = fitted(name, n_neighbors=7, **options)
        naive = Naive(model, X, y.cat.codes.to_numpy())
        expected = naive.shares(asked)
        np.testing.assert_allclose(model.predict_proba(asked), expected, rtol=0, atol=1e-12)
        first = [next(k for k, share in enumerate(row) if share >= max(row) - 1e-9) for row in expected]
        assert model.predict(asked).tolist() == model.classes_[first].tolist()
        weights = model.weights(asked)
        np.testing.assert_allclose(weights, [naive.weights(w) for w in model.local_margins(asked).tolist()], atol=1e-12)
        assert (weights >= 0).all()
        np.testing.assert_allclose(weights.sum(axis=1), 1)


@pytest.mark.parametrize("name", SETS)
def test_all_configurations_at_once_are_the_same_one_by_one(name):
    model, _, _, asked = fitted(name, similarity="forest_oob")
    similarities, weightings = ("heom", "forest", "forest_oob"), ("none", "local")
    sizes, numbers = (3, 7, 12), (4, 9, 60)
    parts = list(model.integrate(asked, similarities, weightings, sizes, numbers, STRATEGIES))
    shares = np.concatenate([part for _, part in parts], axis=1)
    assert [row for rows, _ in parts for row in range(rows.start, rows.stop)] == list(range(len(asked)))
    grid = product(*map(enumerate, (similarities, sizes, weightings, numbers, STRATEGIES)))
    for (s, similarity), (t, size), (w, weighting), (n, k), (p, strategy) in grid:
        one = model.head(size)
        one.set_params(similarity=similarity, weighting=weighting, n_neighbors=k, strategy=strategy)
        np.testing.assert_allclose(one.predict_proba(asked), shares[:, :, s, t, w, n, p].T, rtol=0, atol=1e-12)


def test_blocks_of_cases_change_nothing(monkeypatch):
    model, _, _, asked = fitted("nominal")
    before = model.predict_proba(asked), model.neighbours(asked).places, model.local_margins(asked)
    monkeypatch.setattr("arboretum.ensembles.dynamic_integration.AT_ONCE", 1)
    after = model.predict_proba(asked), model.neighbours(asked).places, model.local_margins(asked)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_array_equal(one, other)


def test_codes_of_leaves_have_room_for_large_trees():
    leaves = np.array([[0, 65_535, 70_000]])
    assert leaf_codes(leaves, 70_001).tolist() == leaves.tolist()
    assert leaf_codes(leaves[:, :1], 65_535).dtype == np.uint16


# ------------------------------------------------------------------ weights by hand

# Local margins of four trees at one case, and the weights by each strategy, up to their sum.
BY_HAND = [
    ([0.5, -0.5, 1.0, 0.0], {"dv": [3, 1, 4, 2], "dvs": [3, 0, 4, 2], "ds": [0, 0, 1, 0], "midpoint": [3, 0, 4, 0]}),
    ([-0.5, -0.5, -1.0, -0.8], {"dv": [5, 5, 0, 2], "dvs": [5, 5, 0, 2], "ds": [1, 0, 0, 0], "midpoint": [1, 1, 0, 0]}),
    ([-1.0, -1.0, -1.0, -1.0], {"dv": [1, 1, 1, 1], "dvs": [1, 1, 1, 1], "ds": [1, 0, 0, 0], "midpoint": [1, 1, 1, 1]}),
    ([0.2, 0.6, 0.6, -1.0], {"dv": [3, 4, 4, 0], "dvs": [3, 4, 4, 0], "ds": [0, 1, 0, 0], "ds_vote": [0, 1, 1, 0]}),
]


@pytest.mark.parametrize(("local", "expected"), BY_HAND)
def test_weights_by_hand(local, expected):
    votes = np.array([[0, 1, 2, 1]], dtype=np.int32)
    for name, raw in expected.items():
        code, midpoint = STRATEGIES.index("dvs" if name == "midpoint" else name), name == "midpoint"
        weights = np.array(raw) / sum(raw)
        np.testing.assert_allclose(tree_weights(np.array([local]), code, midpoint)[0], weights, atol=1e-15)
        shares = np.empty((3, 1, 1, 1))
        vote_shares(np.array([local])[:, :, None], votes, np.array([code]), midpoint, 0, shares)
        np.testing.assert_allclose(shares[:, 0, 0, 0], [weights[0], weights[1] + weights[3], weights[2]], atol=1e-15)


# The same four trees, with weights max(w, 0) and w less the least w; where all would be 0 all are equal.
BY_HAND_OF_SCALES = [
    ("positive", [0.5, -0.5, 1.0, 0.0], {"dv": [1, 0, 2, 0], "dvs": [1, 0, 2, 0], "midpoint": [1, 0, 2, 0]}),
    ("positive", [-0.5, 0.0, -1.0, -0.8], {"dv": [1, 1, 1, 1], "dvs": [1, 1, 1, 1], "midpoint": [1, 1, 1, 1]}),
    ("range", [0.5, -0.5, 1.0, 0.0], {"dv": [2, 0, 3, 1], "dvs": [2, 0, 3, 1], "midpoint": [2, 0, 3, 0]}),
    ("range", [-0.5, -0.5, -1.0, -0.75], {"dv": [2, 2, 0, 1], "dvs": [2, 2, 0, 1], "midpoint": [2, 2, 0, 1]}),
    ("range", [0.5, 0.5, 0.5, 0.5], {"dv": [1, 1, 1, 1], "dvs": [1, 1, 1, 1], "midpoint": [1, 1, 1, 1]}),
]


@pytest.mark.parametrize(("scale", "local", "expected"), BY_HAND_OF_SCALES)
def test_weights_of_other_scales_by_hand(scale, local, expected):
    votes, scale = np.array([[0, 1, 2, 1]], dtype=np.int32), SCALES.index(scale)
    for name, raw in expected.items():
        code, midpoint = STRATEGIES.index("dvs" if name == "midpoint" else name), name == "midpoint"
        weights = np.array(raw) / sum(raw)
        np.testing.assert_allclose(tree_weights(np.array([local]), code, midpoint, scale)[0], weights, atol=1e-9)
        shares = np.empty((3, 1, 1, 1))
        vote_shares(np.array([local])[:, :, None], votes, np.array([code]), midpoint, scale, shares)
        np.testing.assert_allclose(shares[:, 0, 0, 0], [weights[0], weights[1] + weights[3], weights[2]], atol=1e-9)


# ------------------------------------------------------------------ identities of the paper


def margins(shares, truth):
    cases = np.arange(len(truth))
    others = shares.copy()
    others[cases, truth] = -1
    return shares[cases, truth] - others.max(axis=1)


def test_two_classes_margin_of_voting_is_twice_the_accuracy_of_the_trees_less_one():
    """2: section 4.3, equation 7."""
    X, y = load_breast_cancer(return_X_y=True)
    model = DynamicIntegration(RandomForest("weka", 25, random_state=1), strategy="sv", random_state=1)
    shares = model.fit(X[:200], y[:200]).predict_proba(X[200:])
    accuracy = np.mean(model.tree_votes(X[200:]) == y[200:])
    assert margins(shares, y[200:]).mean() == pytest.approx(2 * accuracy - 1, abs=1e-12)


@pytest.mark.parametrize(("similarity", "weighting"), SCHEMES)
def test_an_inverted_bag_would_be_noticed(similarity, weighting, monkeypatch):
    """3: local accuracies are those of new cases; cases in the bag make every tree look perfect."""
    X, y = noisy(300, 1)
    asked, truth = noisy(600, 2)
    options = {"similarity": similarity, "weighting": weighting, "random_state": 3}
    model = DynamicIntegration(RandomForest("weka", 40, random_state=1), **options).fit(X, y)
    accuracy = np.mean(model.tree_votes(asked) == truth)
    estimate = (model.local_margins(asked).mean() + 1) / 2
    assert accuracy < 0.75 and abs(estimate - accuracy) < 0.08
    right = model.ensemble_.oob_mask_
    monkeypatch.setattr(RandomForest, "oob_mask_", ~right)
    inverted = DynamicIntegration(RandomForest("weka", 40, random_state=1), **options).fit(X, y)
    assert inverted.local_margins(asked).min() > 0.99


def test_similarity_of_first_trees_is_that_of_the_head():
    """4: and a case is wholly similar to itself."""
    model, X, _, asked = fitted("nominal")
    for trees in (1, 5, 12):
        head = model.head(trees)
        found = model._neighbours(next(model._blocks(asked, 1))[1], "forest", [1, 5, 12], 30)[[1, 5, 12].index(trees)]
        expected = head.set_params(n_neighbors=30).neighbours(asked)
        np.testing.assert_array_equal(model.order_[found.places], expected.places)
        np.testing.assert_allclose(found.nearness / trees, expected.nearness)
    near = model.neighbours(X)
    assert (near.nearness[:, 0] == 1).all()


@pytest.mark.parametrize("similarity", ["heom", "forest", "forest_oob"])
@pytest.mark.parametrize("nominal", [False, True])
def test_ties_are_shuffled(similarity, nominal):
    """5: rows sorted by class, nothing to tell them apart: the neighbours are of both classes, whatever the order."""
    n = 400
    y = np.repeat([0, 1], n // 2)
    X = pd.DataFrame({"a": np.ones(n), "b": np.zeros(n)})
    if nominal:
        X = X.astype("category")
    shares = []
    for seed in range(20):
        model = DynamicIntegration(RandomForest("weka", 5, random_state=seed), similarity=similarity, random_state=seed)
        near = model.fit(X, y).neighbours(X.iloc[:1])
        assert len(np.unique(near.places)) == 15
        shares.append(y[near.places].mean())
    assert abs(np.mean(shares) - 0.5) < 0.15  # standard error 0.03; file order gives 0


def test_tied_neighbours_at_the_border_of_the_neighbourhood_are_shuffled():
    """5: many cases as near as the last neighbour; the first ones of the file must not be preferred."""
    X = np.repeat([[0.0], [1.0]], [5, 200], axis=0)
    y = np.concatenate([np.zeros(5), np.repeat([0, 1], 100)]).astype(int)
    found = []
    for seed in range(30):
        model = DynamicIntegration(RandomForest("weka", 5, random_state=seed), similarity="heom", random_state=seed)
        near = model.fit(X, y).neighbours(np.zeros((1, 1)))
        assert set(near.places[0, :5]) == set(range(5))
        found.append(near.places[0, 5:])
    assert abs(y[np.concatenate(found)].mean() - 0.5) < 0.15


def test_distances_that_differ_by_rounding_are_tied():
    """0.3 - 0.2 and 0.2 - 0.1 are not the same number."""
    model = DynamicIntegration(RandomForest("weka", 2, random_state=0), similarity="heom", n_neighbors=1)
    X, y = np.repeat([[0.1], [0.2], [0.3], [1.1]], 10, axis=0), np.tile([0, 1], 20)
    nearest = [model.set_params(random_state=seed).fit(X, y).neighbours([[0.2]]).places for seed in range(5)]
    assert all((places // 10 == 1).all() for places in nearest)
    X, y = X[(X != 0.2).any(axis=1)], y[10:]
    found = {int(model.set_params(random_state=seed).fit(X, y).neighbours([[0.2]]).places[0, 0]) for seed in range(60)}
    assert {place // 10 for place in found} == {0, 1} and len(found) > 10


@pytest.mark.parametrize("similarity", ["heom", "forest"])
def test_equal_nearness_makes_weighting_void(similarity):
    """6: every training case is equally near."""
    n = 60
    X = np.zeros((n, 2)) if similarity == "forest" else np.eye(n)
    y = np.arange(n) % 2
    asked = np.zeros((1, X.shape[1]))
    models = [
        DynamicIntegration(
            RandomForest("weka", 20, max_depth=0 if similarity == "forest" else None, random_state=1),
            similarity=similarity,
            weighting=weighting,
            n_neighbors=21,
            random_state=4,
        ).fit(X, y)
        for weighting in ("none", "local")
    ]
    plain, local = (model.local_margins(asked) for model in models)
    np.testing.assert_allclose(plain, local, rtol=0, atol=1e-12)
    assert len(np.unique(plain)) > 2


@pytest.mark.parametrize("name", SETS)
def test_all_cases_as_neighbours_give_global_accuracies(name):
    """7: k = n, unweighted: dynamic voting is static weighted voting."""
    for similarity in ("heom", "forest"):
        options = {"similarity": similarity, "weighting": "none", "strategy": "dv", "n_neighbors": 45}
        model, X, y, asked = fitted(name, **options)
        right, out = model.tree_votes(X) == y.cat.codes.to_numpy(), model.ensemble_.oob_mask_
        accuracy = (right & out).sum(axis=1) / out.sum(axis=1)
        expected = np.tile(accuracy / accuracy.sum(), (len(asked), 1))
        np.testing.assert_allclose(model.weights(asked), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", SETS)
def test_first_ten_trees_are_a_forest_of_ten(name):
    """9"""
    X, y, asked, _ = halves(name)
    for similarity, weighting in SCHEMES:
        options = {"similarity": similarity, "weighting": weighting, "random_state": 2}
        large, small = (
            DynamicIntegration(RandomForest("weka", trees, random_state=5), **options).fit(X, y) for trees in (25, 10)
        )
        np.testing.assert_array_equal(large.head(10).local_margins(asked), small.local_margins(asked))
        np.testing.assert_array_equal(large.head(10).predict_proba(asked), small.predict_proba(asked))


def test_judged_on_all_cases_local_accuracies_are_the_competences_of_deslib():
    """11: DESlib's overall local accuracy (OLA); tests/fixtures/deslib/README.md says how the numbers were made."""
    stored = {name: np.array(value) for name, value in json.loads(DESLIB.read_text()).items()}
    X, y = stored["train"], stored["classes"]
    options = {"similarity": "heom", "weighting": "none", "estimate": "all", "n_neighbors": 7}
    model = DynamicIntegration(RandomForest("weka", len(stored["votes"])), random_state=0, **options).fit(X, y)
    model._record = padded(np.where(stored["votes"] == y, 1, -1).T.astype(np.int8)[model.order_])
    np.testing.assert_array_equal(model.neighbours(stored["asked"]).places, stored["neighbours"])
    accuracy = (model.local_margins(stored["asked"]) + 1) / 2
    np.testing.assert_allclose(accuracy, stored["competences"], rtol=0, atol=1e-12)
