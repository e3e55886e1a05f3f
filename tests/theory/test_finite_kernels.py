"""The kernel of PERT and of VR-Trees at alpha 0 on a sample: by hand, by trees of the engine, and its properties."""

import numpy as np
import pytest

from arboretum.ensembles import PERT, VRForest
from arboretum.theory.finite_kernels import RULES, finite_kernel


def sample(cases, features, seed):
    rng = np.random.default_rng(seed)
    y = np.arange(cases) % 2
    return rng.random((cases, features)), y, rng


@pytest.mark.parametrize("rule", RULES)
def test_two_cases_on_a_line_are_parted_by_one_cut(rule):
    X, y = [[0.0], [1.0]], [0, 1]
    places = np.array([[0.2], [0.4], [-3.0], [0.6]])
    others = np.array([[0.3], [0.9], [0.0], [7.0]])
    expected = {"pert": [0.9, 0.5, 1.0, 0.6], "vr": [1.0, 0.0, 1.0, 1.0]}  # a uniform cut; a cut at one half
    assert finite_kernel(X, y, places, others, rule) == pytest.approx(expected[rule], abs=1e-14)


def test_three_cases_on_a_line_by_hand():
    """Values 0, 1, 3 of classes 0, 1, 1: the first cut is in (0, 1) with chance (1 + 1/3) / 2, else in (1, 3).

    In that case the two cases that it leaves below are parted by a cut in (0, 1).
    """
    x, z = np.array([[0.25], [1.5]]), np.array([[0.75], [2.5]])
    first = 2 / 3
    by_hand = [0.5, first + (1 - first) * 0.5]
    assert finite_kernel([[0.0], [1.0], [3.0]], [0, 1, 1], x, z) == pytest.approx(by_hand, abs=1e-14)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("cases", "features"), [(8, 1), (7, 2), (6, 3)])
def test_trees_of_the_engine_obey_it(rule, cases, features):
    X, y, rng = sample(cases, features, seed=cases)
    x, z = rng.random((2, 30, features)) * 1.4 - 0.2
    trees = 20_000
    models = {"pert": PERT(trees, random_state=1), "vr": VRForest(alpha=0, n_estimators=trees, n_min=2, random_state=1)}
    model = models[rule].fit(X, y)
    share = np.mean(model.apply(x) == model.apply(z), axis=1)
    exact = finite_kernel(X, y, x, z, rule)
    spread = np.sqrt(np.maximum(exact * (1 - exact), 1e-9) / trees)
    assert np.abs((share - exact) / spread).max() < 4.5


@pytest.mark.parametrize("rule", RULES)
def test_it_is_symmetric_semidefinite_and_keeps_classes_apart(rule):
    X, y, _ = sample(9, 2, seed=3)
    one, two = (index.ravel() for index in np.indices((9, 9)))
    gram = finite_kernel(X, y, X[one], X[two], rule).reshape(9, 9)
    assert np.abs(gram - gram.T).max() == 0
    assert np.diag(gram) == pytest.approx(np.ones(9), abs=1e-12)
    assert np.linalg.eigvalsh(gram).min() > -1e-12
    assert np.abs(gram[np.ix_(y == 0, y == 1)]).max() < 1e-12
    assert gram[np.ix_(y == 0, y == 0)].max() == pytest.approx(1.0)


def test_a_pair_of_equal_cases_of_two_classes_stays_together():
    same = finite_kernel([[0.0], [0.0], [1.0]], [0, 1, 1], [[0.0]], [[0.0]])
    assert same == pytest.approx([1.0])


def test_too_many_sets_are_refused():
    X, y, _ = sample(12, 2, seed=5)
    with pytest.raises(ValueError, match="max_sets=5 open sets"):
        finite_kernel(X, y, X, X, max_sets=5)
    with pytest.raises(ValueError, match="'pert' or 'vr'"):
        finite_kernel(X, y, X, X, rule="cart")
