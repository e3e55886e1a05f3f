"""Two classes on the square with a known distribution: section 8 of Breiman (2000), and its error measures.

A problem is a pair of arrays on a product grid: ``plus[i, j]`` and ``minus[i, j]`` are the probability masses
of class +1 and class -1 in cell (i, j); together they sum to one. D(z) P(dz), the signed mass that kernels
act on, is ``plus - minus``. A prediction is an array of booleans: True where class +1 is predicted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Level = Callable[[Array, Array], Array]

# a signed mass or vote this small, against the largest one present, counts as zero: no last-bit ties
TIE = 1e-10
# points per side of the sub-grid on which the share of a class in a cell is measured
SUBCELLS = 8

GAUSSIAN_EXPONENTS = {
    "exp(-r2/(2 s^2))": lambda r2, s: r2 / (2 * s**2),
    "exp(-r2/s^2)": lambda r2, s: r2 / s**2,
    "exp(-r2/(2 s))": lambda r2, s: r2 / (2 * s),
    "exp(-r2/s)": lambda r2, s: r2 / s,
}


class Masses(NamedTuple):
    """The two class masses of each cell."""

    plus: Array
    minus: Array

    @property
    def signed(self) -> Array:
        """D(z) P(dz)."""
        return self.plus - self.minus


def unit_points(cells: int, ends: bool = False) -> Array:
    """Grid points per side in [0, 1]: cell centres, or with ``ends`` equally spaced from 0 to 1 inclusive."""
    return np.linspace(0, 1, cells) if ends else (np.arange(cells) + 0.5) / cells


def _normalised(plus: Array, minus: Array, balanced: bool) -> Masses:
    if balanced:
        return Masses(plus / (2 * plus.sum()), minus / (2 * minus.sum()))
    total = (plus + minus).sum()
    return Masses(plus / total, minus / total)


def gaussians(
    points: Array, low: float, high: float, deviations: tuple[float, float], exponent: str, measure: str
) -> Masses:
    """Two round Gaussians about the origin on [low, high]^2, each with mass 1/2 on the square (section 8).

    ``exponent`` says what the printed .71 and 1.36 mean. ``measure`` is ``density`` (X follows the mixture)
    or ``uniform`` (X is uniform and only P(y|x) comes from the Gaussians).
    """
    side = low + (high - low) * points
    r2 = side[:, None] ** 2 + side[None, :] ** 2
    densities = [np.exp(-GAUSSIAN_EXPONENTS[exponent](r2, s)) for s in deviations]
    plus, minus = (density / density.sum() for density in densities)
    if measure == "uniform":
        total = plus + minus
        plus, minus = plus / total, minus / total
    elif measure != "density":
        raise ValueError(f"the measure is 'density' or 'uniform', not {measure!r}")
    return _normalised(plus, minus, balanced=measure == "density")


def region(level: Level, points: Array, low: float, high: float, cells: str, balanced: bool) -> Masses:
    """P(1|x) = 1 where ``level(x1, x2) >= 0``, else 0, X uniform on [low, high]^2.

    ``cells`` says how a cell on the boundary counts: by its ``centre``, or by the ``share`` of its area.
    ``balanced`` scales each class to mass 1/2, as the Gaussian example does.
    """
    side = low + (high - low) * points
    if cells == "centre":
        share = (np.round(level(side[:, None], side[None, :]), 9) >= 0).astype(float)
    elif cells == "share":
        half = (side[1] - side[0]) / 2
        offsets = half * (2 * unit_points(SUBCELLS) - 1)
        fine = (side[:, None] + offsets[None, :]).ravel()
        parts = np.heaviside(np.round(level(fine[:, None], fine[None, :]), 9), 0.5)
        share = parts.reshape(len(side), SUBCELLS, len(side), SUBCELLS).mean(axis=(1, 3))
    else:
        raise ValueError(f"cells count by 'centre' or 'share', not {cells!r}")
    return _normalised(share, 1 - share, balanced)


def half_plane(x1: Array, x2: Array) -> Array:
    """Not negative where x1 + x2 <= 1."""
    return 1 - x1 - x2


def circle(x1: Array, x2: Array) -> Array:
    """Not negative where x1^2 + x2^2 <= 0.49."""
    return 0.49 - x1**2 - x2**2


def positive(field: Array) -> NDArray[np.bool_]:
    """Predict +1 where the field is above zero; a tie goes to -1, as section 6 has it."""
    return field > TIE * np.abs(field).max()


def bayes_risk(masses: Masses) -> float:
    """The integral of min(P(1|x), P(-1|x)) P(dx), section 3.2."""
    return float(np.minimum(masses.plus, masses.minus).sum())


def error(masses: Masses, predicted: NDArray[np.bool_]) -> float:
    """L* of section 3.2: the mass of -1 where +1 is predicted, and of +1 elsewhere."""
    return float(np.where(predicted, masses.minus, masses.plus).sum())


def area_error(masses: Masses, predicted: NDArray[np.bool_]) -> float:
    """The share of the square's area where the prediction differs from the Bayes rule."""
    return float(np.mean(predicted != (masses.signed > 0)))


def disagreement(masses: Masses, predicted: NDArray[np.bool_]) -> float:
    """The integral of |D| over the symmetric difference of {D > 0} and the predicted region (8, eq. 9)."""
    differs = predicted != (masses.signed > 0)
    return float(np.abs(masses.signed)[differs].sum())
