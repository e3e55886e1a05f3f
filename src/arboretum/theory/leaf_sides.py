"""How long the sides of the leaves of purely random trees are: the bandwidths of their kernels, exactly.

A tree cuts a leaf chosen uniformly, on one of M variables chosen uniformly, at a point uniform on that side. Sums over
leaves of |R|^q (q: the weight; |R|: volume) and of |R|^q L^2 (L: one side) are multiplied in the mean by
1 + (f - 1)/n when the tree of n leaves grows by one, f being what a cut does to the leaf that it hits. The weight is

- 0: leaves count alike;
- 1: points count alike, which is what averaged class proportions do;
- 2: leaves count by volume once more, which is what the kernel K(x, z) of section 6 does.

``docs/infinity-kernel.md`` has the derivation.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Array = NDArray[np.float64]


def _growth(slope: float, leaves: int) -> float:
    """prod_{n < T} (1 + a/n) = Gamma(T+a) / (Gamma(T) Gamma(1+a)), a > -1."""
    return float(np.exp(gammaln(leaves + slope) - gammaln(leaves) - gammaln(1 + slope)))


def mean_leaf_sum(weight: float, leaves: int) -> float:
    """E sum_R |R|^q. A uniform cut leaves 2/(q+1) of it in the leaf that it hits."""
    return _growth(2 / (weight + 1) - 1, leaves)


def mean_squared_side(variables: int, leaves: int, weight: float = 1.0) -> float:
    """E sum_R |R|^q L^2 / E sum_R |R|^q; for q = 1 it is E L^2 of the leaf of a uniform point, prod (1 - 1/(2Mn))."""
    other, own = 2 / (weight + 1), 2 / (weight + 3)
    squared = _growth((1 - 1 / variables) * other + own / variables - 1, leaves)
    return squared / mean_leaf_sum(weight, leaves)


def squared_bandwidth(variables: int, leaves: int, rule: str = "kernel") -> float:
    """The mean of (x_m - z_m)^2 over pairs that share a leaf: a sixth of the squared side.

    ``kernel``: uniform x and z, weighted by K(x, z). ``proportion``: x uniform, z uniform in the leaf of x.
    """
    weights = {"kernel": 2.0, "proportion": 1.0}
    if rule not in weights:
        raise ValueError(f"the rule is 'kernel' or 'proportion', not {rule!r}")
    return mean_squared_side(variables, leaves, weights[rule]) / 6


def bandwidth_exponent(variables: int, weight: float, together: int = 1) -> float:
    """The power of 1/T with which the squared bandwidth falls: 4 s^2 / ((s q + 1) (s q + 3) M).

    Along an axis s = 1: 1/(2M) for proportions and 4/(15M) for the kernel. Along a line on which s variables change
    ``together``, both points are parted by the shortest of s sides, and the bandwidth falls faster: 16/(35M) for s = 2.
    """
    s, q = together, weight
    return 4 * s**2 / ((s * q + 1) * (s * q + 3) * variables)


def grow_sides(variables: int, leaves: int, trees: int, rng: np.random.Generator) -> Array:
    """The sides of all leaves of independent purely random trees: shape (trees, T, M)."""
    sides, tree = np.ones((trees, leaves, variables)), np.arange(trees)
    for n in range(1, leaves):
        leaf, m, share = rng.integers(n, size=trees), rng.integers(variables, size=trees), rng.random(trees)
        sides[:, n] = sides[tree, leaf]
        sides[tree, n, m] *= 1 - share
        sides[tree, leaf, m] *= share
    return sides
