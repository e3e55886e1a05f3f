"""Corollary 5 done right: the bounds on U - K, the sharp constant, and the regime; the exact kernel decides."""

import numpy as np
import pytest
from scipy.special import gammaln

from arboretum.theory import kernel_limits, kernels

CASES = [(1, 5), (2, 3), (2, 50), (3, 12), (5, 30), (20, 100)]


@pytest.mark.parametrize(("variables", "leaves"), CASES)
def test_doubling_gives_the_kernel_of_theorem_4_and_the_exact_one(variables, leaves):
    for x, z in ((0.0, 0.3), (0.2, 0.45), (0.4, 0.4)):
        at = [np.full(variables, v) for v in (x, z)]
        cuts = len(kernels.cut_count(leaves)) - 1
        for misses, kernel in (
            (kernels.printed_misses, kernels.printed_kernel),
            (kernels.exact_misses, kernels.exact_kernel),
        ):
            doubled = kernel_limits.kernel_of_equal_variables(misses(x, z, cuts), variables, leaves)
            assert doubled == pytest.approx(kernel(*at, leaves), abs=1e-13)


@pytest.mark.parametrize(("variables", "leaves"), CASES)
def test_the_gap_obeys_its_bounds_everywhere(variables, leaves):
    rng = np.random.default_rng(0)
    x, z = rng.random((2, 200, variables))
    z = x + rng.choice([0.03, 0.1, 0.3, 1.0], size=(200, 1)) * (z - x)
    upper = kernels.upper_bound(x, z, leaves)
    gap = upper - kernels.exact_kernel(x, z, leaves)
    printed = upper - kernels.printed_kernel(x, z, leaves)
    largest, _ = kernel_limits.largest_gap(variables, leaves)
    assert gap.min() > -1e-12
    assert (printed - gap).min() > -1e-12
    assert printed.max() <= largest + 1e-12
    assert largest <= kernel_limits.repeat_bound(variables, leaves)
    assert largest <= kernel_limits.gap_bound(variables, leaves)


def test_unequal_distances_do_not_widen_the_gap():
    rng = np.random.default_rng(1)
    for variables, leaves in ((2, 10), (3, 100), (5, 1000)):
        largest, at = kernel_limits.largest_gap(variables, leaves)
        z = at * np.exp(rng.normal(0, 0.3, (300, variables)))
        x = np.zeros_like(z)
        assert (kernels.upper_bound(x, z, leaves) - kernels.printed_kernel(x, z, leaves)).max() < largest


def test_three_leaves_by_hand():
    """Two cuts at most, the second with chance 1/2: U - K is (d log(1/d) - d (1-d)) / (2M), for every M."""
    d = np.array([0.05, 0.2, 0.7])
    for variables in (1, 4, 1000):
        gap = kernel_limits.limit_of_many_variables(d, 3) - kernel_limits.from_a_corner(d, variables, 3)
        assert gap == pytest.approx((d * np.log(1 / d) - d * (1 - d)) / (2 * variables), abs=1e-13)
    constant, at = kernel_limits.gap_constant(3)
    assert at == pytest.approx(0.2031878700, abs=1e-6)  # the smaller root of log d = 2 d - 2
    assert np.log(at) == pytest.approx(2 * at - 2, abs=1e-6)
    assert constant == pytest.approx(at * (1 - at) / 2, abs=1e-8)  # where -log d = 2 - 2 d


@pytest.mark.parametrize("leaves", [3, 10, 100, 1000])
def test_the_constant_is_the_limit_and_is_approached_from_below(leaves):
    constant, _ = kernel_limits.gap_constant(leaves)
    scaled = [m * kernel_limits.largest_gap(m, leaves)[0] for m in (2, 20, 200, 20_000)]
    assert (np.diff(scaled) > -1e-9).all()
    assert scaled[-1] <= constant + 1e-9
    assert scaled[-1] == pytest.approx(constant, rel=1e-3)


def test_the_repeat_bound_counts_pairs_of_cuts():
    for variables, leaves in ((3, 4), (7, 40)):
        k = np.arange(len(count := kernels.cut_count(leaves)))
        assert kernel_limits.repeat_bound(variables, leaves) == pytest.approx(count @ (k * (k - 1) / 2) / variables)


def test_the_bound_for_every_m_is_of_the_order_of_the_constant():
    for leaves in (10, 1000, 10**5):
        bound, constant = 10**6 * kernel_limits.gap_bound(10**6, leaves), kernel_limits.gap_constant(leaves)[0]
        assert constant < bound < 5 * constant
    assert kernel_limits.gap_bound(1, 10**5) == np.inf


def test_the_regime_is_log_t_times_log_log_t():
    assert kernel_limits.gap_limit(1e-6) == pytest.approx(1e-6 / 2 / np.e, rel=1e-4)
    limits = [kernel_limits.gap_limit(c) for c in (0.1, 1, 10, 100)]
    assert (np.diff(limits) > 0).all()
    assert limits[-1] > 0.99
    # the family behind it: log H = log(1/d) here, where the limit is nearly reached
    c, total = 0.5, 400.0
    rate = c / total  # lambda, with w = log(1/d) = 400: log T = H, M = H / lambda
    j = np.arange(60)
    terms = np.exp(j * np.log(rate * total) - gammaln(j + 1) - gammaln(j + 2)).sum()
    s = np.linspace(0.01, 8, 4000)
    assert np.max(np.exp(-s) - np.exp(-terms * s)) == pytest.approx(kernel_limits.gap_limit(c), rel=1e-5)


def test_pairs_along_the_diagonal_by_direct_summation():
    """T = 3, with f(0..2) in closed form, on a grid of midpoints."""
    side = (np.arange(60) + 0.5) / 60
    t, u, v = np.meshgrid(side, side, side, indexing="ij")

    def misses(low):
        left, right = low, 1 - low - t
        return 1 - t, 1 - t - t * np.log(1 / ((left + t) * (right + t)))

    one, two = misses((1 - t) * u)
    other, other_two = misses((1 - t) * v)
    kernel = 0.5 * (one + other) / 2 + 0.5 * (two / 4 + other_two / 4 + one * other / 2)
    weight = kernel * (1 - t) ** 2
    direct = np.sum(weight * t**2) / np.sum(weight)
    assert kernel_limits.bandwidth_along_diagonal(3) == pytest.approx(direct, rel=2e-3)
