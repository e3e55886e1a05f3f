"""The LED display of Breiman, Friedman, Olshen and Stone (1984, section 2.6.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.datasets.generators.columns import classes, nominal_frame

# Segments of the digits 0 to 9: top, upper left, upper right, middle, lower left, lower right, bottom.
SEGMENTS = np.array(
    [
        [1, 1, 1, 0, 1, 1, 1],
        [0, 0, 1, 0, 0, 1, 0],
        [1, 0, 1, 1, 1, 0, 1],
        [1, 0, 1, 1, 0, 1, 1],
        [0, 1, 1, 1, 0, 1, 0],
        [1, 1, 0, 1, 0, 1, 1],
        [1, 1, 0, 1, 1, 1, 1],
        [1, 0, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 0, 1, 1],
    ]
)


def led(n: int, rng: np.random.Generator, irrelevant: int = 0, noise: float = 0.1) -> tuple[pd.DataFrame, pd.Series]:
    """A digit drawn uniformly, each of its seven segments inverted with probability ``noise``.

    ``irrelevant`` more binary attributes are fair coins (17 of them give led24).
    """
    digit = rng.integers(10, size=n)
    lights = SEGMENTS[digit] ^ (rng.random((n, 7)) < noise)
    coins = rng.integers(2, size=(n, irrelevant))
    codes = np.hstack([lights, coins])
    names = [f"segment{i}" for i in range(1, 8)] + [f"irrelevant{i}" for i in range(1, irrelevant + 1)]
    X = nominal_frame(codes, [["0", "1"]] * codes.shape[1], names)
    return X, classes(digit, [str(d) for d in range(10)])
