"""Bias and variance by hand, by plain loops, and their sum."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures.bias_variance import breiman, decomposition_sums, from_sums, kohavi_wolpert

# Four cases, five runs, three classes; the truth is 0, 1, 2, 0.
PREDICTIONS = np.array([[0, 0, 0, 0, 0], [2, 2, 1, 2, 0], [0, 1, 1, 0, 2], [0, 1, 1, 0, 0]])
TRUTH = np.array([0, 1, 2, 0])


def test_kohavi_wolpert_by_hand():
    found = kohavi_wolpert(PREDICTIONS, TRUTH, 3)
    # shares: (1, 0, 0), (.2, .2, .6), (.4, .4, .2), (.6, .4, 0)
    variance = [0, (1 - 0.04 - 0.04 - 0.36) / 2, (1 - 0.16 - 0.16 - 0.04) / 2, (1 - 0.36 - 0.16) / 2]
    error = [0, 0.8, 0.8, 0.4]
    np.testing.assert_allclose(found.error, error, atol=1e-15)
    np.testing.assert_allclose(found.variance, variance, atol=1e-15)
    np.testing.assert_allclose(found.bias, np.subtract(error, variance), atol=1e-15)
    assert found.mean().error == pytest.approx(0.5)


def test_breiman_by_hand():
    found = breiman(PREDICTIONS, TRUTH, 3)
    # central tendency 0, 2, 0 (the lowest of 0 and 1, which tie), 0
    np.testing.assert_allclose(found.bias, [0, 0.6, 0.4, 0], atol=1e-15)
    np.testing.assert_allclose(found.variance, [0, 0.2, 0.4, 0.4], atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_bias_and_variance_are_those_of_plain_loops_and_sum_to_the_error(seed):
    rng = np.random.default_rng(seed)
    cases, runs, classes = 40, int(rng.integers(1, 12)), int(rng.integers(2, 6))
    predictions, truth = rng.integers(0, classes, (cases, runs)), rng.integers(0, classes, cases)
    kw, b = kohavi_wolpert(predictions, truth, classes), breiman(predictions, truth, classes)
    for case in range(cases):
        said = predictions[case].tolist()
        share = [said.count(code) / runs for code in range(classes)]
        central = share.index(max(share))
        assert kw.variance[case] == pytest.approx((1 - sum(p**2 for p in share)) / 2, abs=1e-12)
        assert b.bias[case] == pytest.approx(sum(h != truth[case] and h == central for h in said) / runs, abs=1e-12)
        assert b.variance[case] == pytest.approx(sum(h != truth[case] and h != central for h in said) / runs, abs=1e-12)
    error = np.mean(predictions != truth[:, None], axis=1)
    for found in (kw, b):
        np.testing.assert_allclose(found.error, error, rtol=0, atol=1e-12)
        np.testing.assert_allclose(found.bias + found.variance, error, rtol=0, atol=1e-12)
        mean = found.mean()
        assert mean.bias + mean.variance == pytest.approx(error.mean(), abs=1e-12)


def test_a_classifier_that_never_changes_has_no_variance():
    predictions = np.repeat([[0], [1], [1]], 10, axis=1)
    for found in (kohavi_wolpert(predictions, np.array([0, 0, 1]), 2), breiman(predictions, np.array([0, 0, 1]), 2)):
        np.testing.assert_array_equal(found.variance, 0)
        np.testing.assert_array_equal(found.bias, [0, 1, 0])


@pytest.mark.parametrize("seed", range(5))
def test_sums_over_cases_hold_both_decompositions(seed):
    rng = np.random.default_rng(seed)
    predictions, truth = rng.integers(3, size=(40, 7)), rng.integers(3, size=40)
    found = from_sums(**decomposition_sums(predictions, truth, 3), runs=7, cases=40)
    for name, decompose in (("kw", kohavi_wolpert), ("breiman", breiman)):
        np.testing.assert_allclose(found[name], decompose(predictions, truth, 3).mean(), atol=1e-15)
