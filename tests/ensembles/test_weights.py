"""Only the ratios of sample weights count, whole weights are repeats, and large ones need no large tables."""

import tracemalloc

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import cross_val_score

from arboretum.ensembles import (
    PERT,
    ArcedTrees,
    BoostedTrees,
    Coalescence,
    DynamicIntegration,
    ExtraTrees,
    GuidedForest,
    PurelyRandomForest,
    RandomForest,
    SearchedAlpha,
    VRForest,
    VRTree,
)
from arboretum.ensembles.weights import in_cases

ESTIMATORS = {
    "aggregated": VRForest(n_estimators=5, random_state=0),
    "bagged": VRForest("bagging", n_estimators=5, random_state=0),
    "tree": VRTree(),
    "pruned tree": VRTree(prune=0.25, collapse=True),
    "coalescence": Coalescence(n_estimators=5, random_state=0),
    "searched": SearchedAlpha(n_estimators=3, random_state=0),
    "forest": RandomForest(n_estimators=5, n_min=5, random_state=0),
    "weka": RandomForest("weka", n_estimators=5, random_state=0),
    "extra": ExtraTrees(n_estimators=5, random_state=0),
    "pert": PERT(n_estimators=5, random_state=0),
    "purely random": PurelyRandomForest(n_estimators=5, cut="triangular", random_state=0),
    "boosted": BoostedTrees(n_estimators=3),
    "boosted as C5.0": BoostedTrees(n_estimators=3, algorithm="C5.0"),
    "boosted cart": BoostedTrees("cart", n_estimators=3, max_depth=2),
    "arced": ArcedTrees(n_estimators=3, random_state=0),
    "guided": GuidedForest(n_estimators=5, random_state=0),
    "guided fit": GuidedForest("drf", "fit", n_estimators=5, random_state=0),
    "integrated": DynamicIntegration(RandomForest("weka", n_estimators=5), random_state=0),
}
WEIGHTS = {
    "equal": lambda rng, n: np.ones(n),
    "repeats": lambda rng, n: rng.integers(0, 4, n).astype(float),
    "real": lambda rng, n: rng.uniform(0.5, 3, n),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_only_ratios_count(name, weights):
    X, y = load_wine(return_X_y=True)
    weight, model = WEIGHTS[weights](np.random.default_rng(3), len(y)), ESTIMATORS[name]
    expected = model.fit(X, y, sample_weight=weight)
    nodes, shares = expected.forest_.nodes.copy(), expected.predict_proba(X)
    for scale in (1e-300, 1 / len(y), 2.0, 1000.0, 1e300):
        model.fit(X, y, sample_weight=weight * scale)
        for field in ("kind", "feature", "child", "cut"):
            assert np.array_equal(model.forest_.nodes[field], nodes[field]), (scale, field)
        np.testing.assert_allclose(model.predict_proba(X), shares, atol=1e-9)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_equal_weights_are_no_weights(name):
    X, y = load_wine(return_X_y=True)
    nodes = ESTIMATORS[name].fit(X, y).forest_.nodes.copy()
    assert np.array_equal(ESTIMATORS[name].fit(X, y, sample_weight=np.full(len(y), 1 / len(y))).forest_.nodes, nodes)


def test_the_unit_of_weights():
    assert in_cases(np.array([0.1, 0.2, 0.3])).tolist() == [1, 2, 3]
    assert in_cases(np.array([0.0, 4.0, 2.0])).tolist() == [0, 2, 1]
    np.testing.assert_allclose(in_cases(np.array([2.0, 3.0, 0.0])), [0.8, 1.2, 0.0])
    np.testing.assert_allclose(in_cases(np.array([1e308, 1e308, 0.5e308])), [2, 2, 1])
    assert in_cases(np.array([1.0, 1e-200])).sum() == pytest.approx(2)


def test_repeats_are_repeated_rows():
    """C4.5 draws nothing, so a weight and a repeated row give the same tree."""
    X, y = load_wine(return_X_y=True)
    repeats = np.random.default_rng(0).integers(0, 4, len(y))
    weighted = VRTree().fit(X, y, sample_weight=repeats / 7)
    repeated = VRTree().fit(np.repeat(X, repeats, axis=0), np.repeat(y, repeats))
    assert np.array_equal(weighted.forest_.nodes["cut"], repeated.forest_.nodes["cut"])
    assert np.array_equal(weighted.forest_.nodes["weight"], repeated.forest_.nodes["weight"])


def test_boosted_by_scikit_learn():
    X, y = load_iris(return_X_y=True)
    assert cross_val_score(AdaBoostClassifier(VRTree(), n_estimators=10), X, y).mean() > 0.9


def test_large_weights_need_no_large_tables():
    """One case of weight 20,000 among 2,000: tables of weight times rows would take 40 million entries."""
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(2000, 3)), np.ones(2000)
    y, weight[0] = (X[:, 0] > 0).astype(int), 20_000
    for model in (VRForest("bagging", n_estimators=2, random_state=0), RandomForest(n_estimators=2, random_state=0)):
        model.fit(X, y)
        tracemalloc.start()
        model.fit(X, y, sample_weight=weight)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 20e6
        assert model.score(X, y) > 0.95
