"""Kernels of purely random trees: closed forms, a whole-tree simulation, and independent quadrature."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from numba import njit
from scipy.integrate import quad
from scipy.special import i0e
from scipy.stats import chi2

from arboretum.seeds import generator
from arboretum.theory import kernels


@njit(cache=True)
def share_a_leaf(x, z, leaves, u):
    """Grow whole trees from the uniforms ``u`` (trees, leaves-1, 3); count those that keep x with z."""
    variables = x.shape[0]
    together = 0
    low = np.empty((leaves, variables))
    high = np.empty((leaves, variables))
    for tree in range(u.shape[0]):
        low[0, :] = 0.0
        high[0, :] = 1.0
        for n in range(1, leaves):
            node = min(int(u[tree, n - 1, 0] * n), n - 1)
            m = min(int(u[tree, n - 1, 1] * variables), variables - 1)
            cut = low[node, m] + (high[node, m] - low[node, m]) * u[tree, n - 1, 2]
            low[n, :] = low[node, :]
            high[n, :] = high[node, :]
            high[node, m] = cut
            low[n, m] = cut
        for leaf in range(leaves):
            inside = True
            for m in range(variables):
                inside = inside and low[leaf, m] < x[m] <= high[leaf, m] and low[leaf, m] < z[m] <= high[leaf, m]
            together += inside
    return together


def random_case(rng):
    """A pair in the cube's inside, its dimension and a number of leaves; some pairs are near, some far."""
    variables, leaves = int(rng.integers(1, 7)), int(rng.choice([2, 3, 4, 6, 10, 20, 50]))
    x = rng.random(variables)
    z = x + rng.choice([0.1, 0.3, 1.0]) * (rng.random(variables) - x)
    return x, z, leaves


def test_exact_kernel_agrees_with_whole_trees_on_200_random_pairs():
    rng = generator(test="kernel simulation")
    trees, z_scores, printed_scores = 12_000, [], []
    for _ in range(200):
        x, z, leaves = random_case(rng)
        hits = share_a_leaf(x, z, leaves, rng.random((trees, leaves - 1, 3)))
        for kernel, scores in ((kernels.exact_kernel, z_scores), (kernels.printed_kernel, printed_scores)):
            expected = float(kernel(x, z, leaves))
            scores.append((hits / trees - expected) / np.sqrt(expected * (1 - expected) / trees))
    z_scores = np.array(z_scores)
    assert np.abs(z_scores).max() < 4.5
    assert 0.001 < chi2.sf(np.sum(z_scores**2), 200) < 0.999
    assert np.abs(printed_scores).max() > 20, "the simulation must be able to refute a wrong kernel"


def test_two_leaves_by_hand():
    # one cut: separated with probability mean_m |x_m - z_m|
    x, z = np.array([0.2, 0.5, 0.9]), np.array([0.6, 0.4, 0.9])
    for kernel in (kernels.exact_kernel, kernels.printed_kernel):
        assert kernel(x, z, 2) == pytest.approx(1 - (0.4 + 0.1 + 0.0) / 3, abs=1e-14)


def test_three_leaves_in_one_dimension_by_hand():
    # P(K=1) = P(K=2) = 1/2; two cuts miss [l, l+d] with probability l + r - d log 1/((l+d)(r+d))
    left, gap = 0.2, 0.3
    right = 1 - left - gap
    two_cuts = left + right - gap * np.log(1 / ((left + gap) * (right + gap)))
    assert kernels.exact_kernel([left], [left + gap], 3) == pytest.approx((1 - gap + two_cuts) / 2, abs=1e-13)
    two_one_sided = 1 - gap + gap * np.log(gap)
    assert kernels.printed_kernel([left], [left + gap], 3) == pytest.approx((1 - gap + two_one_sided) / 2, abs=1e-13)


def test_misses_satisfy_the_recursion_they_come_from():
    # f_k(u, v) = (integral_0^u f_{k-1}(s, v) ds + integral_0^v f_{k-1}(u, s) ds) / (u + d + v)
    def missed(left, gap, right, k):
        side = left + gap + right
        return kernels.exact_misses(left / side, (left + gap) / side, k)[k]

    left, gap, right = 0.25, 0.15, 0.6
    for k in (1, 2, 3, 5):
        from_left = quad(lambda s, k=k: missed(s, gap, right, k - 1), 0, left, epsabs=1e-11)[0]
        from_right = quad(lambda s, k=k: missed(left, gap, s, k - 1), 0, right, epsabs=1e-11)[0]
        assert missed(left, gap, right, k) == pytest.approx(from_left + from_right, abs=1e-9)


def test_the_printed_misses_are_exact_at_a_face_and_a_lower_bound_inside():
    gaps = np.array([1e-3, 0.05, 0.3, 0.7, 0.95])
    for near in (np.zeros(5), 1 - gaps):
        np.testing.assert_allclose(
            kernels.exact_misses(near, near + gaps, 12),
            kernels.printed_misses(near, near + gaps, 12),
            atol=1e-12,
        )
    near = (1 - gaps) / 3
    difference = kernels.exact_misses(near, near + gaps, 12) - kernels.printed_misses(near, near + gaps, 12)
    np.testing.assert_allclose(difference[:, :2], 0, atol=1e-13)
    assert (difference[:, 2] > 0).all()
    assert (difference > -1e-14).all()


@pytest.mark.parametrize("gap", [1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.2, 0.9])
@pytest.mark.parametrize("place", [0.0, 1e-6, 0.01, 0.4, 0.5, 1.0])
def test_quadrature_reproduces_the_closed_forms_of_few_cuts_for_every_distance(gap, place):
    near = (1 - gap) * place
    gap = (near + gap) - near  # what the computer has of it
    ends = (near + gap) * (1 - near)
    misses = kernels.exact_misses(near, near + gap, 2)
    assert misses[1] == pytest.approx(1 - gap, abs=2e-14)
    assert misses[2] == pytest.approx(1 - gap + gap * np.log(ends), abs=2e-14)


@pytest.mark.parametrize("gap", [1e-5, 1e-3, 0.1])
def test_quadrature_of_many_cuts_is_that_of_the_generating_function(gap):
    # f(k) - f(k+1) is the k-th coefficient of d ((l+d)(r+d))^-u 2F1(u, u; 1; rho), here by Cauchy's formula
    near = 0.3
    ends = (near + gap) * (1 - near)
    angles = 2 * np.pi * np.arange(64) / 64
    u = 0.5 * np.exp(1j * angles)
    values = gap * ends ** (-u) * gauss_series(u, near * (1 - near - gap) / ends)
    k = np.arange(20)
    expected = (values * np.exp(-1j * k[:, None] * angles)).mean(axis=1).real / 0.5**k
    assert -np.diff(kernels.exact_misses(near, near + gap, 20)) == pytest.approx(expected, abs=1e-9)


def gauss_series(u, rho):
    """2F1(u, u; 1; rho) as the mean of |1 - sqrt(rho) e^it|^(-2u) over the circle."""
    t = np.linspace(0, np.pi, 400_001)
    logs = -np.log(np.abs(1 - np.sqrt(rho) * np.exp(1j * t)) ** 2)
    values = np.exp(u[:, None] * logs)
    return (values[:, 1:-1].sum(axis=1) + (values[:, 0] + values[:, -1]) / 2) / (len(t) - 1)


@pytest.mark.parametrize("kernel", [kernels.exact_kernel, kernels.printed_kernel])
def test_corners_of_the_kernel(kernel):
    x = np.array([0.3, 0.8])
    assert kernel(x, x, 40) == pytest.approx(1, abs=1e-13)
    assert kernel([0.0, 0.0], [1.0, 1.0], 2) == pytest.approx(0.0, abs=1e-14)
    assert kernel(x, [0.1, 0.2], 1) == pytest.approx(1)
    assert kernel(x, [0.1, 0.2], 7) == pytest.approx(float(kernel([0.1, 0.2], x, 7)), abs=1e-14)
    assert kernel(x, [0.1, 0.2], 7) == pytest.approx(float(kernel(x[::-1], [0.2, 0.1], 7)), abs=1e-14)


def test_one_dimension_from_a_face_in_closed_form():
    # E[u^K] = prod (n-1+u)/n and K's leaf misses d with S(k, w): T=4 has P(K=1,2,3) = 2/6, 3/6, 1/6
    np.testing.assert_allclose(kernels.cut_count(4), [0, 2 / 6, 3 / 6, 1 / 6], atol=1e-15)
    d = 0.35
    w = np.log(1 / d)
    tails = [1 - d, 1 - d * (1 + w), 1 - d * (1 + w + w**2 / 2)]
    assert kernels.exact_kernel([0.0], [d], 4) == pytest.approx(np.dot([2 / 6, 3 / 6, 1 / 6], tails), abs=1e-13)


def test_cut_count_has_the_mean_and_variance_of_its_bernoullis():
    probability = kernels.cut_count(500)
    k, p = np.arange(len(probability)), 1 / np.arange(1, 500)
    assert probability.sum() == pytest.approx(1, abs=1e-13)
    assert k @ probability == pytest.approx(p.sum(), abs=1e-11)
    assert (k - p.sum()) ** 2 @ probability == pytest.approx((p * (1 - p)).sum(), abs=1e-10)


@pytest.mark.parametrize(("variables", "leaves"), [(1, 3), (2, 3), (2, 12), (5, 12)])
def test_gram_matrices_are_positive_definite(variables, leaves):
    points = generator(test="gram", variables=variables).random((80, variables))
    gram = kernels.exact_kernel(points[:, None, :], points[None, :, :], leaves)
    np.testing.assert_allclose(gram, gram.T, atol=1e-14)
    np.testing.assert_allclose(np.diag(gram), 1.0, atol=1e-13)
    assert np.linalg.eigvalsh(gram).min() > 0


@pytest.mark.parametrize("kernel", [kernels.exact_kernel, kernels.printed_kernel])
@pytest.mark.parametrize("variables", [1, 2, 3, 5])
def test_the_kernel_is_strictly_definite_if_and_only_if_there_are_more_leaves_than_variables(kernel, variables):
    corners = np.array(list(product((0.3, 0.7), repeat=variables)))
    parity = np.sign(corners - 0.5).prod(axis=1)
    for leaves in (variables, variables + 1):
        gram = kernel(corners[:, None], corners, leaves)
        assert (abs(parity @ gram @ parity) < 1e-12) == (leaves <= variables)
        assert (np.linalg.eigvalsh(gram).min() > 1e-6) == (leaves > variables)


def test_the_kernel_lies_between_theorem_4_and_the_product_bound():
    rng = generator(test="bounds")
    for _ in range(40):
        x, z, leaves = random_case(rng)
        d = np.abs(x - z).mean()
        bound = np.prod(1 - d / np.arange(1, leaves))
        assert kernels.upper_bound(x, z, leaves) == pytest.approx(bound, abs=1e-13)
        lower, exact = kernels.printed_kernel(x, z, leaves), kernels.exact_kernel(x, z, leaves)
        laplace = kernels.exponential_kernel(x, z, leaves, "harmonic")
        assert lower <= exact + 1e-13 <= bound + 2e-13 <= laplace + 3e-13
    assert kernels.upper_bound(np.zeros(3), np.ones(3), 5) == 0.0


@pytest.mark.parametrize(("variables", "leaves"), [(1, 2), (1, 10), (2, 3), (2, 10)])
def test_the_mean_kernel_is_the_mean_volume_of_a_leaf(variables, leaves):
    nodes, weights = np.polynomial.legendre.leggauss(40)
    nodes, weights = (nodes + 1) / 2, weights / 2
    x = nodes[:, None]
    z = np.concatenate([x * nodes, x + (1 - x) * nodes], axis=1)  # the kernel has a cusp at z = x: each side apart
    at_z = np.concatenate([x * weights, (1 - x) * weights], axis=1)
    cuts = len(kernels.cut_count(leaves)) - 1
    means = np.einsum("i,ij,ijk->k", weights, at_z, kernels.exact_misses(x, z, cuts))
    mean = kernels.kernel_from_misses([means] * variables, leaves)
    assert mean == pytest.approx(kernels.mean_leaf_volume(leaves), abs=1e-5)


def test_smoothing_on_a_grid_is_the_double_sum():
    points = (np.arange(7) + 0.5) / 7
    field = generator(test="smooth").normal(size=(7, 7))
    for misses_of, kernel in (
        (kernels.exact_misses, kernels.exact_kernel),
        (kernels.printed_misses, kernels.printed_kernel),
    ):
        misses = misses_of(points[:, None], points[None, :], 8)
        smooth = kernels.smooth_on_square(field, misses, misses, 6)
        grid = np.stack(np.meshgrid(points, points, indexing="ij"), axis=-1)
        gram = kernel(grid[:, :, None, None, :], grid[None, None], 6)
        np.testing.assert_allclose(smooth, np.einsum("ijkl,kl->ij", gram, field), atol=1e-12)


def test_mixed_tail_is_the_bessel_integral_of_appendix_iii():
    # equation 5: U = v(lambda, w) + integral_0^w v(lambda, u) du, v = exp(-lambda-w) I0(2 sqrt(lambda w))
    def v(rate, w):
        root = 2 * np.sqrt(rate * w)
        return np.exp(root - rate - w) * i0e(root)

    for rate in (0.1, 0.5, 2.0):
        for d in (0.01, 0.2, 0.9, 1.0):
            w = np.log(1 / d)
            expected = v(rate, w) + quad(lambda u, rate=rate: v(rate, u), 0, w)[0]
            assert kernels.poisson_mixed_tail(rate, d) == pytest.approx(expected, abs=1e-10)


def test_corollary_5_uses_city_block_distance():
    x, z = np.array([0.1, 0.2, 0.3, 0.4, 0.5]), np.array([0.2, 0.2, 0.1, 0.4, 0.9])
    assert kernels.exponential_kernel(x, z, 6) == pytest.approx(6 ** (-0.7 / 5))
    harmonic = 1 + 1 / 2 + 1 / 3 + 1 / 4 + 1 / 5
    assert kernels.exponential_kernel(x, z, 6, "harmonic") == pytest.approx(np.exp(-0.7 * harmonic / 5))
    with pytest.raises(ValueError, match="harmonic"):
        kernels.sharpness(5, 6, "ln")
