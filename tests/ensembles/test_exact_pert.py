"""ExactPERT: hand-computed cases, the properties of section 6, and forests that must agree with it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from arboretum.ensembles import PERT, ExactPERT


def small(features, cases, seed, classes=2):
    rng = np.random.default_rng(seed)
    return rng.random((cases, features)), rng.permutation(np.arange(cases) % classes)


def test_two_cases_give_a_straight_line():
    # one pair of cases; the cut is uniform between them
    exact = ExactPERT().fit([[0.0], [2.0]], [0, 1])
    assert exact.predict_proba([[-1], [0], [0.5], [2], [3]])[:, 1].tolist() == [0, 0, 0.25, 1, 1]


def test_two_cases_in_the_plane_average_the_features():
    exact = ExactPERT().fit([[0.0, 0.0], [1.0, 2.0]], [0, 1])
    assert exact.predict_proba([[0.5, 0.5]])[0, 1] == pytest.approx((0.5 + 0.25) / 2)


def test_three_cases_by_hand():
    # classes 0, 1, 0 at 0, 1, 3: pairs (0, 1) and (1, 3), each with chance 1/2. At 0.5 the answer is 1 if the first cut
    # falls below 0.5 (1/4; the rest {1, 3} then gives 1), or falls into (1, 3) (1/2) and the second, uniform on (0, 1),
    # below 0.5.
    exact = ExactPERT().fit([[0.0], [1.0], [3.0]], [0, 1, 0])
    assert exact.predict_proba([[0.5]])[0, 1] == pytest.approx(1 / 4 + 1 / 2 * 1 / 2)
    assert exact.predict_proba([[2.0]])[0, 1] == pytest.approx(1 / 2)


def test_a_node_without_a_definite_split_votes_for_its_first_largest_class():
    X, y = [[1.0], [1.0], [1.0]], ["a", "b", "b"]
    assert ExactPERT().fit(X, y).predict_proba([[1.0]]).tolist() == [[0, 1]]
    assert ExactPERT().fit(X[:2], y[:2]).predict_proba([[1.0]]).tolist() == [[1, 0]]


def test_ties_use_up_tries():
    # feature 2 is tied: a try succeeds with chance 1/2, so the node is a leaf with chance (1/2)^tries
    X, y = [[0.0, 5.0], [1.0, 5.0]], [0, 1]
    for tries in (1, 3):
        share = ExactPERT(tries=tries).fit(X, y).predict_proba([[1.0, 5.0]])[0, 1]
        assert share == pytest.approx(1 - 0.5**tries)


@pytest.mark.parametrize(("features", "cases"), [(1, 15), (2, 9), (3, 6)])
def test_q_interpolates_and_sums_to_one(features, cases):
    X, y = small(features, cases, 3, classes=3)
    exact = ExactPERT().fit(X, y)
    np.testing.assert_allclose(exact.predict_proba(X), np.eye(3)[y], atol=1e-12)
    assert (exact.predict(X) == y).all()
    points = np.random.default_rng(1).random((20, features))
    np.testing.assert_allclose(exact.predict_proba(points).sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize(("features", "cases"), [(1, 12), (2, 8)])
def test_q_is_linear_within_a_block_and_bends_at_its_borders(features, cases):
    X, y = small(features, cases, 5)
    exact = ExactPERT().fit(X, y)
    values = np.sort(X[:, 0])
    other = np.full(features - 1, 0.37)

    def q(first):
        return exact.predict_proba(np.array([[v, *other] for v in first]))[:, 1]

    bends = []
    for low, high in pairwise(values):
        inside = q(np.linspace(low, high, 5))
        np.testing.assert_allclose(np.diff(inside, 2), 0, atol=1e-12)
        width = 1e-9
        assert abs(np.diff(q([low - width, low + width]))[0]) < 1e-5
        bends.append(abs(q([low - 0.01, low, low + 0.01]) @ [1, -2, 1]))
    assert max(bends) > 1e-3


@pytest.mark.parametrize(("features", "cases", "classes"), [(1, 9, 2), (2, 7, 3), (3, 5, 2)])
def test_forests_agree_with_q(features, cases, classes):
    # one forest and one point per sample: the squared z-scores are independent and their sum follows a chi-square law
    total, tests, trees = 0.0, 0, 4000
    for seed in range(25):
        X, y = small(features, cases, seed, classes)
        point = np.random.default_rng(1000 + seed).uniform(X.min(axis=0), X.max(axis=0), (1, features))
        q = ExactPERT().fit(X, y).predict_proba(point)[0, 1]
        if q * (1 - q) * trees < 10:
            continue
        found = PERT(trees, random_state=seed).fit(X, y).predict_proba(point)[0, 1]
        total, tests = total + (found - q) ** 2 / (q * (1 - q) / trees), tests + 1
    assert tests >= 10
    assert 1e-4 < stats.chi2.sf(total, tests) < 1 - 1e-6


def test_forests_agree_with_q_where_values_are_tied():
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0, 0], [2, 1]], dtype=float)
    y = np.array([0, 1, 1, 0, 1, 0])
    points = np.array([[0.0, 0.0], [0.5, 0.5], [1.5, 0.2], [2.0, 1.0]])
    exact = ExactPERT(tries=2).fit(X, y).predict_proba(points)[:, 1]
    found = PERT(20_000, tries=2, random_state=1).fit(X, y).predict_proba(points)[:, 1]
    np.testing.assert_allclose(found, exact, atol=4 * 0.5 / np.sqrt(20_000))


def test_errors_for_what_it_cannot_do():
    X, y = small(2, 10, 0)
    with pytest.raises(ValueError, match="max_sets=20"):
        ExactPERT(max_sets=20).fit(X, y)
    with pytest.raises(ValueError, match="tries"):
        ExactPERT(tries=0).fit(X, y)
    with pytest.raises(ValueError, match="one class"):
        ExactPERT().fit(X, np.zeros(10))
    with pytest.raises(ValueError, match="features"):
        ExactPERT().fit(X, y).predict([[1.0]])
