"""Sides of leaves: products against exact recursions, one-variable integrals and whole trees."""

from fractions import Fraction

import numpy as np
import pytest

from arboretum.theory import kernels, leaf_sides


@pytest.mark.parametrize("weight", [0, 1, 2])
@pytest.mark.parametrize(("variables", "leaves"), [(1, 2), (1, 9), (2, 5), (3, 30)])
def test_the_products_by_exact_fractions(weight, variables, leaves):
    other, own = Fraction(2, weight + 1), Fraction(2, weight + 3)
    total = squared = Fraction(1)
    for n in range(1, leaves):
        total += total * (other - 1) / n
        squared += squared * (other * (variables - 1) / variables + own / variables - 1) / n
    assert leaf_sides.mean_leaf_sum(weight, leaves) == pytest.approx(float(total), rel=1e-12)
    assert leaf_sides.mean_squared_side(variables, leaves, weight) == pytest.approx(float(squared / total), rel=1e-12)


def test_the_leaf_of_a_uniform_point_has_the_stated_product():
    n = np.arange(1, 200)
    assert leaf_sides.mean_squared_side(4, 200) == pytest.approx(np.prod(1 - 1 / (8 * n)), rel=1e-12)
    assert leaf_sides.mean_leaf_sum(2, 200) == pytest.approx(kernels.mean_leaf_volume(200), rel=1e-12)


@pytest.mark.parametrize("cuts", [0, 1, 2, 5, 12])
def test_the_exact_chance_of_being_missed_has_these_moments(cuts):
    """The mean of f(k) over uniform pairs is (2/3)^k, and of f(k) (x-z)^2 it is (2/5)^k / 6: leaves of one variable."""
    y = np.arange(-60, 61) / 20  # the tanh-sinh rule, in place and in distance: f has logarithms at the ends
    t = 1 / (1 + np.exp(-np.pi * np.sinh(y)))
    dt = np.pi * t * (1 - t) * np.cosh(y) / 20
    missed = kernels.exact_misses(low := (1 - t)[:, None] * t, low + t[:, None], 12)[..., cuts] @ dt
    density = 2 * (1 - t) * dt * missed
    assert density.sum() == pytest.approx((2 / 3) ** cuts, abs=1e-10)
    assert (density * t**2).sum() == pytest.approx((2 / 5) ** cuts / 6, abs=1e-10)


@pytest.mark.parametrize(("variables", "leaves"), [(1, 10), (2, 40), (5, 20)])
def test_whole_trees_agree(variables, leaves):
    trees = 20_000
    sides = leaf_sides.grow_sides(variables, leaves, trees, np.random.default_rng(variables))
    volume = sides.prod(axis=2)
    assert volume.sum(axis=1) == pytest.approx(np.ones(trees))
    for weight in (0, 1, 2):
        found = (volume**weight * sides[..., 0] ** 2).sum(axis=1)
        exact = leaf_sides.mean_squared_side(variables, leaves, weight) * leaf_sides.mean_leaf_sum(weight, leaves)
        assert abs(found.mean() - exact) < 4 * found.std() / np.sqrt(trees)


def test_exponents_are_the_slopes_of_the_products():
    for variables, weight in ((1, 0), (2, 1), (5, 2)):
        ends = [leaf_sides.mean_squared_side(variables, leaves, weight) for leaves in (10**6, 10**7)]
        slope = -np.log10(ends[1] / ends[0])
        assert slope == pytest.approx(leaf_sides.bandwidth_exponent(variables, weight), abs=1e-5)
    assert leaf_sides.bandwidth_exponent(2, 2) == pytest.approx(4 / 30)
    assert leaf_sides.bandwidth_exponent(2, 2, together=2) == pytest.approx(16 / 70)
    assert leaf_sides.squared_bandwidth(3, 1, "kernel") == pytest.approx(1 / 6)
    with pytest.raises(ValueError, match="'kernel' or 'proportion'"):
        leaf_sides.squared_bandwidth(3, 1, "vote")
