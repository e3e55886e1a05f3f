"""Posteriors of differences against an independent implementation, hand cases, and draws from known truths."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from arboretum.measures.paired import paired_tests
from arboretum.measures.practical import correlated_t, signed_rank

FOLDS = np.array([0.5, 1.2, 0.3, 0.9, -0.8, 0.1, 0.4, 0.6, -0.2, 0.7])
SETS = np.array([0.41, -0.23, 1.37, 0.83, 2.11, -1.53, 0.07, 0.97, 0.61, -0.31, 1.13, 0.19])


@pytest.mark.parametrize(
    ("ratio", "rope", "expected"),
    [  # baycomp 1.0.3 (the library of Benavoli et al. 2017): one run of ten folds, and two runs of five
        (1 / 9, 0.0, (0.09557241772287717, 0.0, 0.9044275822771228)),
        (1 / 9, 0.1, (0.05306759211257244, 0.11154932786549587, 0.8353830800219317)),
        (1 / 9, 0.5, (0.00444403652731048, 0.6798830198456164, 0.3156729436270731)),
        (1 / 4, 0.1, (0.09831361457667696, 0.1235410358703044, 0.7781453495530186)),
        (1 / 4, 0.5, (0.014816358819903497, 0.6308497814211944, 0.3543338597589021)),
    ],
)
def test_one_set_as_baycomp_computes_it(ratio, rope, expected):
    np.testing.assert_allclose(correlated_t(FOLDS, ratio, rope), expected, rtol=1e-10, atol=1e-12)


def test_without_a_region_it_is_the_corrected_test():
    found = correlated_t(FOLDS, 1 / 9, 0)
    assert 2 * min(found.below, found.above) == pytest.approx(float(paired_tests(FOLDS, 1 / 9).corrected_p))


@pytest.mark.parametrize(("value", "expected"), [(0.0, (0, 1, 0)), (0.5, (0, 1, 0)), (2.0, (0, 0, 1)), (-2, (1, 0, 0))])
def test_differences_without_spread(value, expected):
    assert correlated_t(np.full(10, value), 1 / 9, 1.0) == expected


@pytest.mark.parametrize(
    ("rope", "expected"),
    [  # baycomp 1.0.3, 400,000 draws
        (0.1357, (0.0309025, 0.00324, 0.9658575)),
        (0.5123, (0.00314, 0.491005, 0.505855)),
        (1.0321, (0.0, 0.9853875, 0.0146125)),
    ],
)
def test_several_sets_as_baycomp_computes_them(rope, expected):
    found = signed_rank(SETS, rope, np.random.default_rng(0), draws=50_000)
    np.testing.assert_allclose(found, expected, atol=0.009)
    assert sum(found) == pytest.approx(1)


def test_exchanging_the_learners_exchanges_the_chances():
    one = signed_rank(SETS, 0.5, np.random.default_rng(1))
    other = signed_rank(-SETS, 0.5, np.random.default_rng(1))
    np.testing.assert_allclose(one, other[::-1], atol=1e-12)


def test_all_sets_within_the_region_are_the_same_for_practical_purposes():
    assert signed_rank(np.full(20, 0.2), 1.0, np.random.default_rng(0)).same == 1
    assert signed_rank(np.full(20, 5.0), 1.0, np.random.default_rng(0)).above > 0.999


def test_the_posterior_of_one_set_is_calibrated():
    """Of independent differences without overlap, the truth lies below its posterior's median in half of the draws."""
    rng = np.random.default_rng(2)
    tails = [correlated_t(rng.normal(0.3, 1, 8) - 0.3, 0.0, 0.0).below for _ in range(2000)]
    assert stats.kstest(tails, "uniform").pvalue > 0.001


@pytest.mark.parametrize("call", [lambda: correlated_t([1.0], 0.1, 0), lambda: correlated_t([1.0, 2], 0.1, -1)])
def test_too_little_is_refused(call):
    with pytest.raises(ValueError, match="at least two runs"):
        call()
    with pytest.raises(ValueError, match="at least two sets"):
        signed_rank([1.0], 0.1, np.random.default_rng(0))
