"""Guided forests: weights by hand, whose weight a case carries, and growth that goes on where it stopped."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import chisquare
from sklearn.base import clone

from arboretum.ensembles import GuidedForest, RandomForest
from arboretum.ensembles.growth_strategies import STRATEGIES, register
from arboretum.trees import cart_rule, grow_forest, table_of, weighted_draws

# Votes of three trees on six cases of class 0 (the last: class 2): right 3, 2, 1, 0, 0 and 1 times.
COUNTS = np.array([[3, 0, 0], [2, 1, 0], [1, 1, 1], [0, 3, 0], [0, 2, 1], [1, 1, 1]])
TRUTH = np.array([0, 0, 0, 0, 0, 2])
WRONG = np.array([0, 1, 2, 3, 3, 2]) / 3
RIVAL = np.array([0, 1, 1, 3, 2, 1]) / 3


def weights(name, counts=COUNTS, truth=TRUTH, trees=3, b_max=15, m_max=10):
    return STRATEGIES[name](counts, truth, trees, b_max, m_max)


BY_HAND = {
    "uniform": [1, 1, 1, 1, 1, 1],
    "drf": WRONG,
    "xuchen": [0, 1 / 9, np.sqrt(2 / 3), 1, 1, np.sqrt(2 / 3)],
    "sigmoid": [expit(-7.5), expit(-2.5), 0.5, 0.5, 0.5, 0.5],
    "lerp": [expit(-2.25), expit(-0.75), 0.5, 0.5, 0.5, 0.5],  # b = 15 * 3 / 10
    "dynamic": [expit(-4.5), expit(-1.5), 0.5, 0.5, 0.5, 0.5],  # kappa 1, 2/3, 2/3, 0, 1/3, 2/3
    "sigmoid_as_run": [0.5, 0.5, expit(-2.5), expit(-7.5), expit(-7.5), expit(-2.5)],
    "dynamic_as_run": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
}


def test_every_strategy_has_its_weights_by_hand():
    assert set(BY_HAND) == set(STRATEGIES)


@pytest.mark.parametrize("name", BY_HAND)
def test_weights_by_hand(name):
    np.testing.assert_allclose(weights(name), BY_HAND[name], rtol=1e-12)


def test_xuchen_takes_the_root_from_one_half_on_by_hand():
    assert weights("xuchen", np.array([[2, 2], [3, 1]]), np.array([0, 0])) == pytest.approx([np.sqrt(1 / 2), 1 / 16])


def test_the_sigmoid_rises_and_the_one_that_was_run_falls():
    counts = np.array([[20 - w, w] for w in range(21)])
    truth = np.zeros(21, dtype=int)
    for name, sign in (("sigmoid", 1), ("lerp", 1), ("sigmoid_as_run", -1)):
        found = weights(name, counts, truth, 20)
        assert (sign * np.diff(found) >= 0).all() and np.ptp(found) > 0.4
        assert found.max() == 0.5


def test_lerp_reaches_the_sigmoid():
    np.testing.assert_array_equal(weights("lerp", trees=10), weights("sigmoid", trees=10))
    assert np.ptp(weights("lerp", trees=1)) < np.ptp(weights("lerp", trees=5)) < np.ptp(weights("sigmoid"))


def random_votes(classes, trees=12, cases=300, seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(trees, rng.dirichlet(np.ones(classes), size=cases))
    return counts, rng.integers(classes, size=cases)


def test_the_dynamic_threshold():
    counts, truth = random_votes(2)
    share = 1 - counts[np.arange(300), truth] / 12
    np.testing.assert_allclose(weights("dynamic", counts, truth, 12), np.minimum(expit(15 * (2 * share - 1)), 0.5))
    counts, truth = random_votes(5)
    assert np.ptp(weights("dynamic", counts, truth, 12)) > 0.4


@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("trees", [1, 7, 150])
def test_the_dynamic_threshold_that_was_run_weighs_all_alike(classes, trees):
    counts, truth = random_votes(classes, trees)
    assert (weights("dynamic_as_run", counts, truth, trees) == 0.5).all()


# ------------------------------------------------------------------ growing


def cases(n=200, features=5, classes=3, seed=1):
    rng = np.random.default_rng(seed)
    X = rng.random((n, features))
    y = (X[:, 0] * classes).astype(int)
    y[rng.random(n) < 0.15] = 0
    return X, y


def same_trees(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("nodes", "counts", "starts"))


def test_the_uniform_strategy_is_the_random_forest():
    X, y = cases()
    plain = RandomForest(n_estimators=20, redraw_constants="until_one_varies", random_state=3).fit(X, y)
    guided = GuidedForest("uniform", n_estimators=20, random_state=3).fit(X, y)
    assert same_trees(plain.forest_, guided.forest_)
    for name in ("drf", "lerp"):
        first = GuidedForest(name, n_estimators=3, random_state=3).fit(X, y).forest_.tree(0)
        np.testing.assert_array_equal(first.nodes, plain.forest_.tree(0).nodes)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("mechanism", ["bootstrap", "fit", "both", "fit_as_run"])
@pytest.mark.parametrize("source", ["all", "out_of_bag"])
def test_growing_on_gives_the_same_forest(name, mechanism, source):
    X, y = cases(80)
    whole = GuidedForest(name, mechanism, source, n_estimators=9, random_state=1).fit(X, y)
    parts = GuidedForest(name, mechanism, source, n_estimators=4, random_state=1).fit(X, y).grow(2).grow(3)
    assert same_trees(whole.forest_, parts.forest_) and parts.n_estimators == 9
    assert parts.fallbacks_ == whole.fallbacks_
    model = clone(whole)
    steps = list(model.stream(X, y))
    np.testing.assert_array_equal([step.tree.tree_votes(table_of(X))[0] for step in steps], whole.tree_votes(X))
    np.testing.assert_array_equal([step.votes for step in steps], whole.tree_votes(X))
    assert all(10 < step.unseen.sum() < 80 for step in steps)
    assert model.fallbacks_ == whole.fallbacks_


def test_votes_on_training_cases_are_those_of_the_tree():
    """With and without cases that no tree can tell apart, nominal attributes, and cases of no weight."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"x": rng.integers(4, size=90) * 1.0, "c": pd.Categorical(rng.choice(list("abc"), 90))})
    X["u"] = rng.random(90)
    y, given = rng.integers(3, size=90), (rng.random(90) > 0.3).astype(float)
    for columns in (["x", "c"], ["x", "c", "u"]):
        model = GuidedForest("drf", "both", n_estimators=10, random_state=0)
        for step in model.stream(X[columns], y, given):
            np.testing.assert_array_equal(step.votes, step.tree.tree_votes(table_of(X[columns]))[0])
            assert step.unseen[given == 0].all()


def test_a_head_cannot_be_grown_on():
    X, y = cases(60)
    forest = GuidedForest(n_estimators=5, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="head"):
        forest.head(3).grow(2)


def test_staged_votes():
    X, y = cases()
    forest = GuidedForest(n_estimators=6, random_state=0).fit(X, y)
    stages = list(forest.staged_votes(X))
    assert [stage.sum() for stage in stages] == [200 * trees for trees in range(1, 7)]
    np.testing.assert_allclose(stages[-1] / 6, forest.predict_proba(X))
    np.testing.assert_array_equal(stages[2] / 3, forest.head(3).predict_proba(X))


def test_weights_that_are_all_zero_become_equal():
    X, y = np.repeat([[0.0], [1.0]], 30, axis=0), np.repeat([0, 1], 30)  # every sample teaches everything
    forest = GuidedForest("drf", n_estimators=8, random_state=0).fit(X, y)
    assert forest.fallbacks_ == 7
    assert GuidedForest("lerp", n_estimators=8, random_state=0).fit(X, y).fallbacks_ == 0


def test_a_floor_keeps_every_case_in_play():
    X, y = np.repeat([[0.0], [1.0]], 30, axis=0), np.repeat([0, 1], 30)
    X[0, 0] = 1.0  # mislabelled
    spied = spy(GuidedForest("drf", n_estimators=5, floor=1.0, random_state=0), X, y)
    assert min(np.count_nonzero(bag) for bag in spied) > 20
    spied = spy(GuidedForest("drf", n_estimators=5, random_state=0), X, y)
    assert any(np.count_nonzero(bag) == 1 for bag in spied)


# ------------------------------------------------------------------ whose weight a case carries


def spy(model, X, y):
    """The weights of the cases in each tree but the first."""
    seen, grow = [], model._grow_trees

    def grow_and_tell(growth, seeds, weights, **options):
        if weights is not None:
            seen.append(weights.copy())
        return grow(growth, seeds, weights, **options)

    model._grow_trees = grow_and_tell
    model.fit(X, y)
    return seen


def mislabelled():
    """Sixty cases of two kinds, one of them mislabelled: all else is learnt by any sample."""
    X, y = np.repeat([[0.0], [1.0]], 30, axis=0), np.repeat([0, 1], 30)
    y[7] = 1
    return X, y


@pytest.mark.parametrize("mechanism", ["bootstrap", "fit", "both"])
def test_only_the_mislabelled_case_has_weight(mechanism):
    X, y = mislabelled()
    alone = 0
    for seed in range(10):
        model = GuidedForest("drf", mechanism, n_estimators=2, random_state=seed)
        bag = spy(model, X, y)[0]
        assert np.flatnonzero(bag).tolist() == [7] or model.fallbacks_ == 1  # fit: case 7 was not drawn
        alone += model.fallbacks_ == 0
    assert alone == (10 if mechanism != "fit" else alone) and alone > 3


def test_as_run_the_weight_goes_astray():
    """Votes on case i against the class of the i-th draw: half of them differ, and the weight goes to that draw."""
    X, y = mislabelled()
    for seed in range(10):
        bag = spy(GuidedForest("drf", "fit_as_run", n_estimators=2, random_state=seed), X, y)[0]
        assert np.count_nonzero(np.delete(bag, 7)) > 10


def test_out_of_bag_votes_are_those_of_trees_that_did_not_see_the_case():
    X, y = cases(100)
    model = GuidedForest("drf", weights_from="out_of_bag", n_estimators=25, random_state=2)
    bags = np.array(spy(model, X, y))
    assert bags.shape == (24, 100)
    votes = model.tree_votes(X)
    out = np.vstack([RandomForest(n_estimators=1, random_state=2).fit(X, y).oob_mask_, bags == 0])
    expected = np.stack([((votes == k) & out).sum(axis=0) for k in range(3)], axis=1)
    np.testing.assert_array_equal(model._growth.counts, expected)


def test_whole_weights_by_fit_are_repeated_rows():
    X, y = cases(120)
    repeats = np.random.default_rng(5).integers(0, 4, 120)
    table, rule = table_of(X), cart_rule(n_tried=2, redraw="until_one_varies")
    one = grow_forest(table, y, 3, rule, [11], weights=repeats.astype(float))
    rows = np.repeat(np.arange(120), repeats)
    other = grow_forest(table.take(rows), y[rows], 3, rule, [11])
    for field in ("cut", "feature", "child", "weight"):
        np.testing.assert_array_equal(one.nodes[field], other.nodes[field])

    @register
    def by_place(counts, truth, trees, b_max, m_max):
        return repeats[: len(truth)].astype(float)

    try:
        bags = spy(GuidedForest("by_place", "fit", n_estimators=4, random_state=0), X, y)
    finally:
        del STRATEGIES["by_place"]
    for bag in bags:
        assert (bag % np.maximum(repeats, 1) == 0).all() and (bag[repeats == 0] == 0).all()
        assert np.sum(bag[repeats > 0] // repeats[repeats > 0]) <= 120


def test_a_strategy_that_gives_nonsense_is_named():
    X, y = cases(60)

    @register
    def negative(counts, truth, trees, b_max, m_max):
        return -np.ones(len(truth))

    try:
        with pytest.raises(ValueError, match="strategy 'negative' must give one finite weight"):
            GuidedForest("negative", n_estimators=3).fit(X, y)
    finally:
        del STRATEGIES["negative"]


def test_cases_of_no_sample_weight_are_never_drawn():
    X, y = cases(60)
    given = np.ones(60)
    given[::3] = 0
    for mechanism in ("bootstrap", "fit", "both", "fit_as_run"):
        model = GuidedForest("lerp", mechanism, n_estimators=5, random_state=0)
        seen, grow = [], model._grow_trees
        model._grow_trees = lambda growth, seeds, w, seen=seen, grow=grow, **o: (
            seen.append(w),
            grow(growth, seeds, w, **o),
        )[1]
        model.fit(X, y, sample_weight=given)
        assert all((weight[::3] == 0).all() for weight in seen)


# ------------------------------------------------------------------ draws


def test_draws_are_by_weight():
    whole, counts, stream = np.array([0, 5, 1, 0, 3, 1, 0]), np.zeros(7, dtype=int), np.uint64(1)
    for _ in range(3000):
        order, stream = weighted_draws(stream, whole)
        counts += np.bincount(order, minlength=7)
    assert (counts[whole == 0] == 0).all()
    assert chisquare(counts[whole > 0], counts.sum() * whole[whole > 0] / 10).pvalue > 1e-4


def test_draws_of_large_and_lopsided_weights():
    for whole in ([2**30] * 50, [1] + [0] * 40, [0] * 40 + [3], [2**30, 1, 0, 0, 2**29, 7]):
        order, _ = weighted_draws(np.uint64(9), np.array(whole))
        assert (np.array(whole)[order] > 0).all()
