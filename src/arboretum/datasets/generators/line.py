"""Problems on a line: the segments of appendix B of vrtrees, measured."""

from __future__ import annotations

import numpy as np


def segments(size: int, count: int, irrelevant: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Uniform attributes; the class, -1 or +1, changes between ``count`` equal segments of the first one."""
    X = rng.random((size, 1 + irrelevant))
    return X, 1 - 2 * (np.floor(X[:, 0] * count).astype(int) % 2)
