"""Arrays to the columns that a data set holds."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.datasets.dataset import category_type


def on_grid(values: np.ndarray) -> np.ndarray:
    """Values rounded to multiples of 2^-32: another C library may compute another last bit, and data would differ.

    A value lies so near the middle of two multiples that its last bit decides with a chance of about 1e-6.
    """
    return np.rint(values * 2.0**32) / 2.0**32


def normals(rng: np.random.Generator, size) -> np.ndarray:
    """Standard normal numbers. Those beyond 3.65, one in 4,000, come from a logarithm of the C library: see on_grid."""
    return on_grid(rng.standard_normal(size))


def numeric_frame(values: np.ndarray, prefix: str = "x") -> pd.DataFrame:
    """Columns ``x1, x2, ...`` of float64."""
    names = [f"{prefix}{number}" for number in range(1, values.shape[1] + 1)]
    return pd.DataFrame(np.asarray(values, dtype=np.float64), columns=names)


def nominal_frame(codes: np.ndarray, levels: list[list[str]], names: list[str]) -> pd.DataFrame:
    """One categorical a column of ``codes``, with its own declared levels."""
    return pd.DataFrame({name: nominal(codes[:, j], levels[j]) for j, name in enumerate(names)})


def nominal(codes: np.ndarray, levels: list[str]) -> pd.Categorical:
    """Codes to a categorical with the declared levels."""
    return pd.Categorical.from_codes(np.asarray(codes, dtype=np.int64), dtype=category_type(levels))


def classes(codes: np.ndarray, names: list[str]) -> pd.Series:
    """The class column."""
    return pd.Series(nominal(codes, names), name="class")
