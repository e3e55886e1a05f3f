"""Between-repetition spread, pooled over data sets."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures.repetitions import dispersion, quantile, repetition_deviation, single_run_error


def test_by_hand():
    rates = np.array([[0.1, 0.3], [0.5, 0.5]])
    cases = np.array([100, 50])
    # variances 0.02 and 0; binomial 0.2 * 0.8 / 100 and 0.5 * 0.5 / 50
    assert dispersion(rates, cases) == pytest.approx((0.02 / 0.0016 + 0) / 2)
    np.testing.assert_allclose(repetition_deviation(rates, cases), np.sqrt(6.25 * np.array([0.0016, 0.005])))
    np.testing.assert_allclose(single_run_error(rates, cases), repetition_deviation(rates, cases) * np.sqrt(1.5))


def test_independent_samples_have_dispersion_one_and_the_interval_covers_a_further_run():
    rng = np.random.default_rng(4)
    cases = rng.integers(50, 400, size=300)
    share = rng.uniform(0.1, 0.5, size=300)
    runs = rng.binomial(cases[:, None], share[:, None], size=(300, 6)) / cases[:, None]
    rates, further = runs[:, :5], runs[:, 5]
    assert dispersion(rates, cases) == pytest.approx(1, abs=0.1)
    z = np.abs(further - rates.mean(axis=1)) / single_run_error(rates, cases)
    assert np.mean(z < quantile(rates)) == pytest.approx(0.95, abs=0.035)


def test_a_set_without_errors_still_has_a_spread():
    rates = np.array([[0.0, 0.0], [0.1, 0.2]])
    assert repetition_deviation(rates, np.array([500, 100]))[0] > 0


def test_one_repetition_is_refused():
    with pytest.raises(ValueError, match="at least two"):
        dispersion(np.array([[0.1]]), np.array([10]))
