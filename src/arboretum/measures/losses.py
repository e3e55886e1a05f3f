"""Loss functions with the centres that they imply (diversity, sections 1.5, 1.6, 2.2 and Table 1.1).

Every loss has ``loss(y, q)``, elementwise, and ``centre(q, axis)``, the prediction z of least mean loss(z, q): the
central model (Definition 1.5.2) over trials, the combiner (Definition 2.2.2) over members. ``label_centre(y, axis)`` is
the z of least mean loss(y, z): the central label. Bregman divergences add their generator, its gradient and the inverse
of the gradient. Where ``vector`` is true the last axis holds the components of one label or prediction.

Corrections to Table 1.1: the generator of the Mahalanobis distance is x'Ax (printed x'Ay); the Poisson divergence is
x log(x/y) - (x - y) (printed: its generator again). Logarithms are natural; print has the KL-divergence in bits.
"""

from __future__ import annotations

import numpy as np
from scipy.special import expit, kl_div, logit, logsumexp, rel_entr, xlogy

Array = np.ndarray


class Loss:
    """What every loss has; a symmetric one has the same centre on both sides."""

    name: str
    vector = False
    metric = False  # symmetric, with the triangle inequality (Lemma 4.5.1)

    def loss(self, y: Array, q: Array) -> Array:
        """l(y, q) of each label and prediction."""
        raise NotImplementedError

    def centre(self, q: Array, axis: int = 0) -> Array:
        """argmin_z mean l(z, q) along ``axis``."""
        raise NotImplementedError

    def label_centre(self, y: Array, axis: int = 0) -> Array:
        """argmin_z mean l(y, z) along ``axis``."""
        return self.centre(y, axis)


class ZeroOne(Loss):
    """l(y, q) = 1[y != q] on class codes (Definition 4.4.1). Centre: the plurality, the first class on ties."""

    name, metric = "0/1", True

    def __init__(self, n_classes: int) -> None:
        self.n_classes = n_classes

    def loss(self, y: Array, q: Array) -> Array:
        return (np.asarray(y) != np.asarray(q)).astype(float)

    def centre(self, q: Array, axis: int = 0) -> Array:
        return np.argmax([np.sum(np.asarray(q) == k, axis=axis) for k in range(self.n_classes)], axis=0)


class Absolute(Loss):
    """l(y, q) = |y - q|. Centre: the median, for an even number the middle of the two middle values."""

    name, metric = "absolute", True

    def loss(self, y: Array, q: Array) -> Array:
        return np.abs(np.subtract(y, q))

    def centre(self, q: Array, axis: int = 0) -> Array:
        return np.median(q, axis=axis)


class Bregman(Loss):
    """B(p, q) = phi(p) - phi(q) - <grad phi(q), p - q> (Definition 1.6.1).

    The left centroid is the dual mean, grad^-1(mean grad phi(q)); the right one is the mean (Lemma 1.6.1).
    """

    domain: str

    def generator(self, x: Array) -> Array:
        """phi(x)."""
        raise NotImplementedError

    def gradient(self, x: Array) -> Array:
        """grad phi(x)."""
        raise NotImplementedError

    def inverse(self, g: Array) -> Array:
        """The x with grad phi(x) = g."""
        raise NotImplementedError

    def centre(self, q: Array, axis: int = 0) -> Array:
        """Undefined (NaN) where members are certain of opposite outcomes: no z has a finite mean divergence then."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.inverse(np.mean(self.gradient(np.asarray(q, dtype=float)), axis=axis))

    def label_centre(self, y: Array, axis: int = 0) -> Array:
        return np.mean(y, axis=axis)


class Squared(Bregman):
    """(p - q)^2 from phi = q^2. Centre: the arithmetic mean."""

    name, domain = "squared", "R"

    def loss(self, y: Array, q: Array) -> Array:
        return np.square(np.subtract(y, q))

    def generator(self, x: Array) -> Array:
        return np.square(x)

    def gradient(self, x: Array) -> Array:
        return 2 * np.asarray(x)

    def inverse(self, g: Array) -> Array:
        return np.asarray(g) / 2


class Mahalanobis(Bregman):
    """(p - q)' A (p - q) from phi = x' A x, A symmetric and positive definite. Centre: the arithmetic mean.

    The identity as A gives the squared Euclidean distance.
    """

    name, domain, vector = "Mahalanobis", "R^d", True

    def __init__(self, matrix: Array) -> None:
        self.matrix = np.asarray(matrix, dtype=float)

    def loss(self, y: Array, q: Array) -> Array:
        return self.generator(np.subtract(y, q))

    def generator(self, x: Array) -> Array:
        return np.sum(np.asarray(x) @ self.matrix * x, axis=-1)

    def gradient(self, x: Array) -> Array:
        return 2 * np.asarray(x) @ self.matrix

    def inverse(self, g: Array) -> Array:
        return np.asarray(g) @ np.linalg.inv(self.matrix) / 2


class Logistic(Bregman):
    """p log(p/q) + (1-p) log((1-p)/(1-q)) on probabilities. Centre: the sigmoid of the mean logit."""

    name, domain = "logistic", "[0, 1]"

    def loss(self, y: Array, q: Array) -> Array:
        y, q = np.asarray(y, dtype=float), np.asarray(q, dtype=float)
        return rel_entr(y, q) + rel_entr(1 - y, 1 - q)

    def generator(self, x: Array) -> Array:
        x = np.asarray(x, dtype=float)
        return xlogy(x, x) + xlogy(1 - x, 1 - x)

    def gradient(self, x: Array) -> Array:
        return logit(np.asarray(x, dtype=float))

    def inverse(self, g: Array) -> Array:
        return expit(g)


class KL(Bregman):
    """sum_j p_j log(p_j / q_j) on distributions. Centre: the normalised geometric mean.

    The gradient log x + 1 is used up to its constant, which does not count on the simplex.
    """

    name, domain, vector = "KL", "simplex", True

    def loss(self, y: Array, q: Array) -> Array:
        return np.sum(rel_entr(np.asarray(y, dtype=float), np.asarray(q, dtype=float)), axis=-1)

    def generator(self, x: Array) -> Array:
        return np.sum(xlogy(x, x), axis=-1)

    def gradient(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(x)

    def inverse(self, g: Array) -> Array:
        return np.exp(g - logsumexp(g, axis=-1, keepdims=True))


class Poisson(Bregman):
    """p log(p/q) - (p - q) on positive numbers, p = 0 allowed. Centre: the geometric mean."""

    name, domain = "Poisson", "R >= 0"

    def loss(self, y: Array, q: Array) -> Array:
        return kl_div(np.asarray(y, dtype=float), np.asarray(q, dtype=float))

    def generator(self, x: Array) -> Array:
        return xlogy(x, x) - x

    def gradient(self, x: Array) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(x)

    def inverse(self, g: Array) -> Array:
        return np.exp(g)


class GeneralisedI(Poisson):
    """The Poisson divergence summed over components. Centre: the geometric mean of each component."""

    name, domain, vector = "generalised I", "R^d >= 0", True

    def loss(self, y: Array, q: Array) -> Array:
        return np.sum(super().loss(y, q), axis=-1)

    def generator(self, x: Array) -> Array:
        return np.sum(super().generator(x), axis=-1)


class ItakuraSaito(Bregman):
    """p/q - log(p/q) - 1 on positive numbers, from phi = -log x. Centre: the harmonic mean."""

    name, domain = "Itakura-Saito", "R > 0"

    def loss(self, y: Array, q: Array) -> Array:
        ratio = np.divide(y, q)
        return ratio - np.log(ratio) - 1

    def generator(self, x: Array) -> Array:
        return -np.log(x)

    def gradient(self, x: Array) -> Array:
        return -1 / np.asarray(x, dtype=float)

    def inverse(self, g: Array) -> Array:
        return -1 / np.asarray(g, dtype=float)
