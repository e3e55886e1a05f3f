"""Problems in the plane: the concepts of vrtrees, the mixture of Hastie et al., Breiman's examples of infinity."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri

from arboretum.datasets.generators.columns import classes, normals, numeric_frame, on_grid

GAUSSIAN_WIDTHS = (0.71, 1.36)
CIRCLE = 0.49  # squared radius


def concept(
    kind: str, n: int, rng: np.random.Generator, irrelevant: int = 0, class_noise: float = 0.0
) -> tuple[pd.DataFrame, pd.Series]:
    """Concept A (+1 where v_a > v_b) or B (+1 where v_a > 0), uniform on the square [-1, 1]^2 (vrtrees, 5.4).

    ``irrelevant`` attributes are uniform on [-1, 1]; the class of a random share ``class_noise`` is inverted.
    """
    values = rng.uniform(-1, 1, size=(n, 2 + irrelevant))
    label = _concept(kind, values)
    flipped = rng.permutation(n)[: round(class_noise * n)]
    label[flipped] = ~label[flipped]
    return _concept_frame(values), classes(label, ["-1", "+1"])


def concept_lattice(
    kind: str, side: int = 100, irrelevant: int = 0, rng: np.random.Generator | None = None
) -> tuple[pd.DataFrame, pd.Series]:
    """The centres of ``side`` x ``side`` equal cells with clean classes; irrelevant attributes are drawn."""
    centres = (np.arange(side) + 0.5) * 2 / side - 1
    values = np.stack(np.meshgrid(centres, centres, indexing="ij"), axis=-1).reshape(-1, 2)
    if irrelevant:
        values = np.hstack([values, rng.uniform(-1, 1, size=(len(values), irrelevant))])
    return _concept_frame(values), classes(_concept(kind, values), ["-1", "+1"])


def _concept(kind: str, values: np.ndarray) -> np.ndarray:
    if kind not in {"A", "B"}:
        raise ValueError(f"kind must be 'A' or 'B', not {kind!r}")
    return values[:, 0] > (values[:, 1] if kind == "A" else 0)


def _concept_frame(values: np.ndarray) -> pd.DataFrame:
    names = ["va", "vb"] + [f"irrelevant{i}" for i in range(1, values.shape[1] - 1)]
    return pd.DataFrame(values, columns=names)


def gaussian_mixture(n_per_class: int, rng: np.random.Generator, centres: int = 10) -> tuple[pd.DataFrame, pd.Series]:
    """The mixture described by Hastie, Tibshirani and Friedman (2001, section 2.3.3).

    The ``centres`` of each class are drawn from N((1, 0), I) and N((0, 1), I); a case picks one centre of its
    class at random and is drawn from N(centre, I/5). This is the construction, not the book's own sample.
    """
    drawn = mixture_centres(centres, rng)
    label = np.repeat([0, 1], n_per_class)
    chosen = drawn[label, rng.integers(centres, size=len(label))]
    values = chosen + normals(rng, (len(label), 2)) / np.sqrt(5)
    return numeric_frame(values), classes(label, ["blue", "orange"])


def mixture_centres(centres: int, rng: np.random.Generator) -> np.ndarray:
    """The centres that :func:`gaussian_mixture` draws first: (classes, centres, 2)."""
    return np.array([[[1.0, 0.0]], [[0.0, 1.0]]]) + normals(rng, (2, centres, 2))


def mixture_posterior(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Probability of the second class at each point: the classes are equal mixtures of N(centre, I/5)."""
    distance = np.sum((points[:, None, None, :] - centres[None]) ** 2, axis=-1)
    density = np.exp(-distance * 5 / 2).sum(axis=2)
    return density[:, 1] / density.sum(axis=1)


def breiman_plane(example: str, n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.Series]:
    """Samples of the examples in section 8 of infinity, on the unit square.

    ``gaussians``: two normals centred at the origin with standard deviations 0.71 and 1.36, both cut to the
    square and of mass 1/2. ``linear``: class 1 where x1 + x2 <= 1. ``circle``: class 1 where x1^2 + x2^2 <= 0.49.
    The last two are uniform on the square.
    """
    if example == "gaussians":
        label = rng.integers(2, size=n)
        width = np.asarray(GAUSSIAN_WIDTHS)[label][:, None]
        values = on_grid(width * ndtri(0.5 + rng.random((n, 2)) * (ndtr(1 / width) - 0.5)))
    elif example in {"linear", "circle"}:
        values = rng.random((n, 2))
        inside = values.sum(axis=1) <= 1 if example == "linear" else (values**2).sum(axis=1) <= CIRCLE
        label = 1 - inside.astype(int)
    else:
        raise ValueError(f"example must be 'gaussians', 'linear' or 'circle', not {example!r}")
    return numeric_frame(values), classes(label, ["1", "-1"])
