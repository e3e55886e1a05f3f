"""The problems of section 8 on a grid, against quadrature, Monte Carlo and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.stats import truncnorm

from arboretum.seeds import generator
from arboretum.theory import population as pop

POINTS = pop.unit_points(200)


def test_the_bayes_risk_of_the_gaussians_is_that_of_quadrature():
    def density(sd):
        # the square is a product, so that the normalising constant is a product too
        mass = dblquad(lambda y, x: np.exp(-(x * x + y * y) / (2 * sd * sd)), 0, 1, 0, 1)[0]
        return lambda r2: 0.5 * np.exp(-r2 / (2 * sd * sd)) / mass

    narrow, wide = density(0.71), density(1.36)
    exact = dblquad(lambda y, x: min(narrow(x * x + y * y), wide(x * x + y * y)), 0, 1, 0, 1, epsabs=1e-6)[0]
    masses = pop.gaussians(POINTS, 0, 1, (0.71, 1.36), "exp(-r2/(2 s^2))", "density")
    assert pop.bayes_risk(masses) == pytest.approx(exact, abs=2e-5)


def test_the_error_of_a_rule_is_that_of_monte_carlo():
    masses = pop.gaussians(POINTS, 0, 1, (0.71, 1.36), "exp(-r2/(2 s^2))", "density")
    rng = generator(test="population error")
    n = 200_000
    draws = [truncnorm.rvs(0, 1 / sd, scale=sd, size=(n, 2), random_state=rng) for sd in (0.71, 1.36)]
    wrong = np.mean(draws[0].sum(axis=1) > 0.9) / 2 + np.mean(draws[1].sum(axis=1) <= 0.9) / 2
    predicted = POINTS[:, None] + POINTS[None, :] <= 0.9
    assert pop.error(masses, predicted) == pytest.approx(wrong, abs=4.5 * 0.5 / np.sqrt(2 * n) + 2e-3)


def test_masses_sum_to_one_and_balance():
    for balanced in (False, True):
        masses = pop.region(pop.circle, POINTS, 0, 1, "share", balanced)
        assert masses.plus.sum() + masses.minus.sum() == pytest.approx(1)
        assert masses.plus.sum() == pytest.approx(0.5 if balanced else np.pi * 0.49 / 4, abs=2e-5)


def test_cells_on_the_diagonal_count_half_by_share_and_whole_by_centre():
    centre = pop.region(pop.half_plane, pop.unit_points(10), 0, 1, "centre", False)
    share = pop.region(pop.half_plane, pop.unit_points(10), 0, 1, "share", False)
    assert centre.plus.sum() == pytest.approx(0.55)
    assert share.plus.sum() == pytest.approx(0.5, abs=1e-12)
    assert pop.bayes_risk(centre) == 0


def test_the_rise_over_bayes_is_the_disagreement_integral():
    masses = pop.gaussians(POINTS, -1, 1, (0.71, 1.36), "exp(-r2/s^2)", "uniform")
    predicted = generator(test="rise").random((200, 200)) < 0.5
    rise = pop.error(masses, predicted) - pop.bayes_risk(masses)
    assert rise == pytest.approx(pop.disagreement(masses, predicted), abs=1e-13)
    assert pop.error(masses, masses.signed > 0) == pytest.approx(pop.bayes_risk(masses), abs=1e-15)


def test_ties_go_to_the_minus_class_whatever_the_rounding():
    assert pop.positive(np.array([1.0, 1e-14, 0.0, -1e-14, 1e-3])).tolist() == [
        True,
        False,
        False,
        False,
        True,
    ]


@pytest.mark.parametrize(
    "call",
    [
        lambda: pop.gaussians(POINTS, 0, 1, (1, 2), "exp(-r2/s)", "flat"),
        lambda: pop.region(pop.circle, POINTS, 0, 1, "corner", False),
    ],
)
def test_unknown_readings_are_refused(call):
    with pytest.raises(ValueError, match="not '"):
        call()
