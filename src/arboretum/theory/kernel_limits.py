"""How far the kernel of purely random trees is from its limit of many variables (Breiman 2000, Corollary 5).

With M variables, T leaves and d the mean of |x_m - z_m|, U = prod_{n < T} (1 - d/n) bounds the kernel K from above
(:func:`arboretum.theory.kernels.upper_bound`) and Theorem 4 bounds it from below. ``docs/infinity-kernel.md`` proves

- 0 <= U - K <= U - Theorem 4 <= (H^2 - S) / (2 M), with H = sum_{n < T} 1/n and S = sum 1/n^2 (:func:`repeat_bound`);
- M sup (U - K) -> C_T, about log T log log T / (2 e), as M grows (:func:`gap_constant`);
- a bound of that order for every M (:func:`gap_bound`), so that sup (U - K) -> 0 if and only if
  log T log log T / M -> 0 (:func:`gap_limit`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import minimize_scalar
from scipy.special import binom, iv

from arboretum.theory.kernels import cut_count, exact_misses, printed_misses, upper_bound

Array = NDArray[np.float64]

LOG_DISTANCES = np.linspace(-16, -1e-3, 161)  # where a maximum over distances is looked for first


def harmonic_sums(leaves: int) -> tuple[float, float]:
    """H and S: the sums of 1/n and of 1/n^2 over n < T."""
    share = 1 / np.arange(1, leaves)
    return float(share.sum()), float((share**2).sum())


def kernel_of_equal_variables(misses: ArrayLike, variables: int, leaves: int) -> Array:
    """K(x, z) for M variables with the same chances of being missed (last axis: number of cuts).

    Variables are joined by doubling: of k cuts on m1 + m2 variables a Binomial(k, m1 / (m1 + m2)) number falls on the
    first m1. Every term is positive, so nothing cancels, and M may be a million.
    """
    count = cut_count(leaves)
    block = np.asarray(misses, dtype=float)[..., : len(count)]
    size, done, joined = 1, 0, None
    while True:
        if variables & size:
            joined = block if joined is None else _join(joined, done, block, size)
            done += size
        size *= 2
        if size > variables:
            return joined @ count
        block = _join(block, 1, block, 1)


def _join(one: Array, size: int, other: Array, other_size: int) -> Array:
    share, out = size / (size + other_size), np.empty(one.shape)
    for k in range(one.shape[-1]):
        j = np.arange(k + 1)
        chance = binom(k, j) * share**j * (1 - share) ** (k - j)
        out[..., k] = np.sum(chance * one[..., : k + 1] * other[..., k::-1], axis=-1)
    return out


def from_a_corner(distance: ArrayLike, variables: int, leaves: int) -> Array:
    """K between a corner and the point at this distance in every variable, where Theorem 4 is exact."""
    distance = np.asarray(distance, dtype=float)
    misses = printed_misses(np.zeros_like(distance), distance, len(cut_count(leaves)) - 1)
    return kernel_of_equal_variables(misses, variables, leaves)


def limit_of_many_variables(distance: ArrayLike, leaves: int) -> Array:
    """U at a mean distance d: prod_{n < T} (1 - d/n)."""
    distance = np.asarray(distance, dtype=float)[..., None]
    return upper_bound(distance, np.zeros_like(distance), leaves)


def largest_gap(variables: int, leaves: int) -> tuple[float, float]:
    """The largest U - K over pairs at equal distances in all variables, and the distance at which it is reached.

    It is reached from a corner, where K is least for given distances; unequal distances gave no larger one (tried).
    """
    return _largest(
        lambda distance: limit_of_many_variables(distance, leaves) - from_a_corner(distance, variables, leaves)
    )


def repeat_bound(variables: int, leaves: int) -> float:
    """(H^2 - S) / (2 M): the mean number of pairs of cuts of the pair's leaf that fall on the same variable."""
    total, squares = harmonic_sums(leaves)
    return (total**2 - squares) / (2 * variables)


def gap_constant(leaves: int) -> tuple[float, float]:
    """C_T = max_d (d log(1/d) - d (1-d)) G''(1-d) / 2, the limit of M sup (U - K), and the distance of the maximum.

    G(u) = prod_{n < T} (1 - (1-u)/n) is the generating function of the number of cuts on the pair's leaf.
    """

    def first_order(distance: ArrayLike) -> Array:
        d = np.asarray(distance, dtype=float)
        share = 1 / (np.arange(1, leaves) - d[..., None])
        pairs = (share.sum(axis=-1) ** 2 - (share**2).sum(axis=-1)) / 2
        return (d * np.log(1 / d) - d * (1 - d)) * limit_of_many_variables(d, leaves) * pairs

    return _largest(first_order)


def gap_bound(variables: int, leaves: int) -> float:
    """(1+H)^2 / (2M) e^(H/M) max_d e^(-(H-1) d) d^(1-a) log(1/d), a = (1+H) / (6M): no U - K is larger, if 1 + H <= 3M.

    Infinite for fewer variables, where it was not proved.
    """
    total, _ = harmonic_sums(leaves)
    if 1 + total > 3 * variables:
        return np.inf
    power = 1 - (1 + total) / (6 * variables)
    shape = _largest(lambda d: np.exp(-(total - 1) * d) * np.asarray(d) ** power * np.log(1 / np.asarray(d)))[0]
    return (1 + total) ** 2 / (2 * variables) * np.exp(total / variables) * shape


def gap_limit(c: float) -> float:
    """max_s (e^-s - e^(-kappa s)), kappa = I_1(2 sqrt c) / sqrt c: a lower bound for the limit of sup (U - K) if
    log T log log T / M -> c > 0."""
    kappa = iv(1, 2 * np.sqrt(c)) / np.sqrt(c)
    return float(kappa ** (-1 / (kappa - 1)) * (1 - 1 / kappa))


def bandwidth_along_diagonal(leaves: int, nodes: int = 24) -> float:
    """The mean squared distance, per variable, of pairs x, x + (t, t) in the unit square, weighted by the exact kernel.

    What a smooth boundary that crosses the axes at 45 degrees sees. Gauss-Legendre in the place of the pair, the
    tanh-sinh rule in t.
    """
    cuts = len(count := cut_count(leaves)) - 1
    place, weight = np.polynomial.legendre.leggauss(nodes)
    place, weight = (place + 1) / 2, weight / 2
    y = np.arange(-48, 49) / 16
    t = 1 / (1 + np.exp(-np.pi * np.sinh(y)))
    dt = t * (1 - t) * np.cosh(y)
    low = (1 - t)[:, None] * place
    missed = exact_misses(low, low + t[:, None], cuts)
    moments = np.zeros(2)
    one = np.einsum("tuk,u->tk", missed, weight)
    for k in range(cuts + 1):
        j = np.arange(k + 1)
        both = (binom(k, j) / 2.0**k * one[:, : k + 1] * one[:, k::-1]).sum(axis=1)
        section = both * (1 - t) ** 2 * dt * count[k]
        moments += section.sum(), (section * t**2).sum()
    return float(moments[1] / moments[0])


def _largest(value: Callable[[ArrayLike], Array]) -> tuple[float, float]:
    """The maximum of a function of the distance, and where: the best of a grid in log d, then refined."""
    best = int(np.argmax(value(np.exp(LOG_DISTANCES))))
    ends = LOG_DISTANCES[max(best - 1, 0)], LOG_DISTANCES[min(best + 1, len(LOG_DISTANCES) - 1)]
    found = minimize_scalar(
        lambda log: -float(value(np.exp(log))), bounds=ends, method="bounded", options={"xatol": 1e-10}
    )
    return -float(found.fun), float(np.exp(found.x))
