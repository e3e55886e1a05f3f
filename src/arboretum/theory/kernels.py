"""Kernels of purely random trees: the probability that two points share a leaf.

Breiman (2000), Some Infinity Theory for Predictor Ensembles, sections 6 and 7 and appendix III. A tree on the
unit cube in M dimensions is grown to T leaves: each step cuts a leaf chosen uniformly, on a variable chosen
uniformly, at a point uniform on that side of the leaf. Three statements are kept apart here:

- the number of cuts that hit the leaf of x and z (:func:`cut_count`), which the paper has right;
- the chance that k cuts on one variable all miss [x_m, z_m]: as printed (:func:`printed_misses`, right only
  when the interval touches a face of the cube) and exactly (:func:`exact_misses`);
- how the variables combine (:func:`kernel_from_misses`), which the paper has right.

``docs/infinity-kernel.md`` derives the exact form.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import binom, comb, expit, gammainc, gammaln

Array = NDArray[np.float64]
Misses = Callable[[ArrayLike, ArrayLike, int], Array]

NEGLIGIBLE = 1e-17
NODE_STEP = 0.28  # of the trapezoidal rule in exact_misses, whose error is about exp(-pi^2 / step)
NODES = NODE_STEP * np.arange(-140, 141)


def poisson_tail(at_least: ArrayLike, mean: ArrayLike) -> Array:
    """S(k, w) = P(Poisson(w) >= k), section 7; ``mean`` may be infinite."""
    k, w = np.broadcast_arrays(np.asarray(at_least, dtype=float), np.asarray(mean, dtype=float))
    return np.where(k == 0, 1.0, gammainc(np.maximum(k, 1.0), w))


@lru_cache(maxsize=64)
def cut_count(leaves: int) -> Array:
    """P(K = k), K the number of cuts that hit the leaf of a pair while the tree grows to T ``leaves``.

    K is a sum of T-1 independent Bernoulli variables, the n-th with mean 1/n (section 7): with n leaves
    present the leaf of the pair is chosen with probability 1/n. The far tail, below 1e-17, is dropped.
    """
    if leaves < 1:
        raise ValueError(f"a tree has at least one leaf, not {leaves}")
    probability = np.ones(1)
    for n in range(1, leaves):
        probability = np.convolve(probability, [1 - 1 / n, 1 / n])
        while probability[-1] < NEGLIGIBLE:
            probability = probability[:-1]
    probability.setflags(write=False)  # it is kept for the next call
    return probability


def printed_misses(x: ArrayLike, z: ArrayLike, cuts: int) -> Array:
    """S(k, log 1/|x-z|) for k = 0..``cuts`` on the last axis: appendix III as printed.

    The chance that k successive cuts all miss [x, z] when every cut falls on the same side of it.
    """
    with np.errstate(divide="ignore"):
        w = -np.log(np.abs(np.subtract(x, z)))
    return poisson_tail(np.arange(cuts + 1), w[..., None])


def exact_misses(x: ArrayLike, z: ArrayLike, cuts: int) -> Array:
    """The chance that k uniform cuts in turn all miss [x, z], for k = 0..``cuts`` on the last axis.

    With d = |x-z|, margins l and r on either side, rho = l r / ((l+d)(r+d)) and b = sqrt(rho) / (1 +
    sqrt(1-rho)), it is the average of S(k, Lambda(t)) over the circle, where

        Lambda(t) = log(1/d) + log((1 + 2 b cos t + b^2) / (1 - 2 b cos t + b^2))

    and t has the density (1 - b^2) / (1 - 2 b cos t + b^2) / (2 pi). A margin of zero gives b = 0, the
    printed S(k, log 1/d).

    The integrand is smooth but for small d all of its mass lies near t = 0 and t = pi. With cos t = -tanh y it varies
    on the scale of one everywhere, so that the trapezoidal rule in y is good to 1e-13 for every d (tried to 1e-12).
    """
    x, z = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(z, dtype=float))
    near, far = np.minimum(x, z), np.maximum(x, z)
    apart = far > near
    gap = np.where(apart, far - near, 1.0)
    left, right = np.where(apart, near, 0.0), np.where(apart, 1.0 - far, 0.0)
    ends = (left + gap) * (right + gap)
    root = np.sqrt(gap / ends)  # sqrt(1 - rho)
    b = np.sqrt(left * right / ends) / (1 + root)
    one_less_b2 = 2 * root / (1 + root)  # 1 - b^2, and (1 - b)^2 below, without cancellation
    squared = ((one_less_b2 / (1 + b)) ** 2)[..., None]
    inner = squared + 4 * b[..., None] * expit(2 * NODES)  # 1 - 2 b cos t + b^2
    outer = squared + 4 * b[..., None] * expit(-2 * NODES)
    rate = np.maximum(np.log(1 / gap)[..., None] + np.log(outer / inner), 0.0)
    weight = NODE_STEP / np.pi / np.cosh(NODES)
    term = one_less_b2[..., None] / inner * np.exp(-rate) * weight
    missed = np.ones((*x.shape, cuts + 1))
    for k in range(1, cuts + 1):
        missed[..., k] = missed[..., k - 1] - term.sum(axis=-1)
        term *= rate / k
    return np.where(apart[..., None], np.clip(missed, 0.0, 1.0), 1.0)


def kernel_from_misses(misses: list[Array], leaves: int) -> Array:
    """K(x, z) from each variable's chance of being missed by k cuts (equation 8, section 7).

    The K cuts on the pair's leaf fall on the M variables as a multinomial with equal probabilities, and the
    variables are missed independently. Variables are added one at a time: of k cuts on the first m
    variables, a Binomial(k, 1/m) number falls on the m-th.
    """
    count = cut_count(leaves)
    k_max = len(count) - 1
    together = misses[0][..., : k_max + 1]
    for m, added in enumerate(misses[1:], start=2):
        grown = np.empty(np.broadcast_shapes(together.shape, added[..., : k_max + 1].shape))
        for k in range(k_max + 1):
            j = np.arange(k + 1)
            share = binom(k, j) * (1 / m) ** j * (1 - 1 / m) ** (k - j)
            grown[..., k] = np.sum(share * added[..., : k + 1] * together[..., k::-1], axis=-1)
        together = grown
    return together @ count


def _kernel(x: ArrayLike, z: ArrayLike, leaves: int, misses: Misses) -> Array:
    x, z = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(z, dtype=float))
    cuts = len(cut_count(leaves)) - 1
    return kernel_from_misses([misses(x[..., m], z[..., m], cuts) for m in range(x.shape[-1])], leaves)


def printed_kernel(x: ArrayLike, z: ArrayLike, leaves: int) -> Array:
    """Theorem 4 as printed; points are rows of [0, 1]^M (last axis M), the other axes broadcast."""
    return _kernel(x, z, leaves, printed_misses)


def exact_kernel(x: ArrayLike, z: ArrayLike, leaves: int) -> Array:
    """The kernel that the assumptions of section 7 imply, anywhere in the cube; shapes as in Theorem 4's."""
    return _kernel(x, z, leaves, exact_misses)


def upper_bound(x: ArrayLike, z: ArrayLike, leaves: int) -> Array:
    """prod_{n < T} (1 - d/n) = Gamma(T-d) / (Gamma(T) Gamma(1-d)), d the mean of |x_m - z_m|: no kernel lies above it.

    With n leaves the pair's leaf is cut with probability 1/n, and a cut parts the pair with probability d at least,
    because no side of a leaf is longer than one. It lies below exp(-H_{T-1} d), the ``harmonic`` exponential kernel.
    """
    d = np.abs(np.subtract(x, z)).mean(axis=-1)
    return np.exp(gammaln(leaves - d) - gammaln(leaves) - gammaln(1 - d))


def mean_leaf_volume(leaves: int) -> float:
    """prod_{n < T} (1 - 1/(3n)): the mean of K(x, z) over uniform x and z, for any number of variables.

    A uniform point stays uniform in its leaf, and a cut of the leaf leaves it 2/3 of the volume on average.
    """
    return float(np.exp(gammaln(leaves - 1 / 3) - gammaln(leaves) - gammaln(2 / 3)))


def sharpness(variables: int, leaves: int, form: str = "log") -> float:
    """lambda of Corollary 5: log(T)/M as printed, or H_{T-1}/M (``harmonic``), the sum it stands for."""
    if form == "log":
        return float(np.log(leaves) / variables)
    if form == "harmonic":
        return float(np.sum(1 / np.arange(1, leaves)) / variables)
    raise ValueError(f"the form of lambda is 'log' or 'harmonic', not {form!r}")


def exponential_kernel(x: ArrayLike, z: ArrayLike, leaves: int, form: str = "log") -> Array:
    """Corollary 5: exp(-lambda sum_m |x_m - z_m|)."""
    distance = np.abs(np.subtract(x, z))
    return np.exp(-sharpness(distance.shape[-1], leaves, form) * distance.sum(axis=-1))


def poisson_mixed_tail(rate: float, distance: ArrayLike, terms: int = 80) -> Array:
    """U(lambda, w) = sum_k e^-lambda lambda^k / k! S(k, w) at w = log(1/d): one variable of appendix III."""
    d = np.asarray(distance, dtype=float)
    weight = np.empty(terms)
    weight[0] = np.exp(-rate)
    for k in range(1, terms):
        weight[k] = weight[k - 1] * rate / k
    return printed_misses(d, np.zeros_like(d), terms - 1) @ weight


def smooth_on_square(field: Array, misses_1: Array, misses_2: Array, leaves: int) -> Array:
    """sum_z K(x, z) field(z) on a product grid in two dimensions, without forming K.

    ``misses_m`` has shape (points x, points z, cuts+1). K is a sum of products of one-variable terms,
    P(K = a+b) C(a+b, a) 2^-(a+b) misses_1[a] misses_2[b], so that the sum is a chain of matrix products.
    """
    count = cut_count(leaves)
    out = np.zeros((misses_1.shape[0], misses_2.shape[0]))
    for a in range(len(count)):
        left = misses_1[..., a] @ field
        weighted = np.zeros(misses_2.shape[:2])
        for b in range(len(count) - a):
            weighted += count[a + b] * comb(a + b, a) / 2.0 ** (a + b) * misses_2[..., b]
        out += left @ weighted.T
    return out
