"""Paired tests against scipy and by hand; the best of many configurations under a true null hypothesis."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from arboretum.measures.paired import (
    best_of_many,
    count_improved,
    critical_t,
    flipped_t,
    paired_tests,
    resampled_t,
)

RATIO = 3 / 7


def test_plain_test_is_that_of_scipy():
    rng = np.random.default_rng(1)
    ours, theirs = rng.random((30, 4)), rng.random((30, 4))
    found, peer = paired_tests(ours - theirs, RATIO), stats.ttest_rel(ours, theirs)
    np.testing.assert_allclose(found.t, peer.statistic)
    np.testing.assert_allclose(found.p, peer.pvalue)


def test_corrected_test_by_hand():
    found = paired_tests(np.array([1.0, 2, 3, 4]), RATIO)
    # mean 2.5, variance 5/3; plain: sqrt(5/3/4); corrected: sqrt((1/4 + 3/7) 5/3)
    assert found.t == pytest.approx(2.5 / np.sqrt(5 / 12))
    assert found.corrected_t == pytest.approx(2.5 / np.sqrt((0.25 + 3 / 7) * 5 / 3))
    assert found.corrected_p == pytest.approx(2 * stats.t.sf(found.corrected_t, 3))
    assert found.corrected_p > found.p


def test_without_test_cases_the_correction_is_void():
    found = paired_tests(np.random.default_rng(2).random(20) - 0.4, 0.0)
    assert found.corrected_p == pytest.approx(found.p)


@pytest.mark.filterwarnings("error")
def test_differences_without_spread():
    found = paired_tests(np.column_stack([np.zeros(30), np.full(30, 0.1), np.full(30, -1 / 3)]), RATIO)
    np.testing.assert_array_equal(found.p, [1, 0, 0])
    np.testing.assert_array_equal(found.corrected_p, [1, 0, 0])
    np.testing.assert_array_equal(found.t, [0, np.inf, -np.inf])


def test_one_run_is_refused():
    with pytest.raises(ValueError, match="two runs"):
        paired_tests(np.ones((1, 3)), RATIO)


def test_t_of_changed_signs():
    rng = np.random.default_rng(3)
    differences, signs = rng.normal(0.3, 1, (12, 5)), rng.choice([-1.0, 1.0], (8, 12))
    expected = [paired_tests(differences * row[:, None], RATIO).t for row in signs]
    np.testing.assert_allclose(flipped_t(differences, signs), expected)


def null(rng, runs=30, configurations=20):
    """Configurations that do not differ from the rival, correlated as schemes on one split are."""
    shared = rng.normal(size=(runs, 1))
    return 0.8 * shared + 0.6 * rng.normal(size=(runs, configurations))


def test_choosing_the_best_of_many_finds_too_much_and_the_correction_does_not():
    rng = np.random.default_rng(4)
    found = [best_of_many(null(rng), RATIO, rng, draws=199) for _ in range(200)]
    counts = count_improved(found)
    assert counts["p"] > 20  # far more than the 5 of a single configuration
    assert counts["max_t"] <= 14  # 2.5% of 200 are expected
    assert counts["bonferroni"] <= counts["p"] and counts["corrected_bonferroni"] <= counts["bonferroni"]


def test_a_true_improvement_is_found():
    rng = np.random.default_rng(5)
    differences = null(rng)
    differences[:, 7] += 2.0
    found = best_of_many(differences, RATIO, rng, draws=999)
    assert found.place == 7 and found.max_t < 0.01 and found.bonferroni < 0.01


def test_nothing_better_and_nothing_different():
    rng = np.random.default_rng(6)
    for differences in (np.zeros((10, 3)), -np.ones((10, 3))):
        assert best_of_many(differences, RATIO, rng)[2:] == (1.0, 1.0, 1.0, 1.0)


def test_t_of_bootstrap_samples():
    """Each is the t of some sample of the runs with replacement; their spread is that of t."""
    differences = np.random.default_rng(5).normal(0.3, 1, size=(25, 2))
    found = resampled_t(differences, 3000, np.random.default_rng(6))
    weights = np.random.default_rng(6).multinomial(25, np.full(25, 1 / 25), size=3000)
    rows = np.repeat(np.arange(25), weights[7])
    np.testing.assert_allclose(found[7], paired_tests(differences[rows], RATIO).t)
    assert found.shape == (3000, 2)
    np.testing.assert_allclose(np.median(found, axis=0), paired_tests(differences, RATIO).t, atol=0.15)
    np.testing.assert_array_equal(resampled_t(np.zeros((5, 1)), 10, np.random.default_rng(1)), 0)


def test_critical_t_is_where_p_is_the_level():
    assert critical_t(30) == pytest.approx(2.04523, abs=1e-5)
    assert 2 * stats.t.sf(critical_t(12, 0.01), 11) == pytest.approx(0.01)
