"""The waveform recognition problem of Breiman, Friedman, Olshen and Stone (1984, section 2.6.2)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.datasets.generators.columns import classes, normals, numeric_frame

POSITIONS = np.arange(1, 22)
# Three triangles of height 6, with their tops at positions 7, 15 and 11.
WAVES = np.array([np.maximum(6 - np.abs(POSITIONS - top), 0) for top in (7, 15, 11)], dtype=float)
PAIRS = np.array([[0, 1], [0, 2], [1, 2]])  # the two waves that each class mixes


def waveform(n: int, rng: np.random.Generator, noise: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """u h + (1 - u) h' + N(0, 1) at 21 positions, u uniform, the pair of waves h, h' given by the class.

    ``noise`` more attributes are N(0, 1) (19 of them give waveform40). The Bayes error is about 14%.
    """
    label = rng.integers(3, size=n)
    u = rng.random((n, 1))
    first, second = WAVES[PAIRS[label, 0]], WAVES[PAIRS[label, 1]]
    values = u * first + (1 - u) * second + normals(rng, (n, 21))
    values = np.hstack([values, normals(rng, (n, noise))])
    return numeric_frame(values), classes(label, ["0", "1", "2"])
