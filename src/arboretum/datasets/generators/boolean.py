"""Concepts on discrete grids: parity, three of nine, and the three problems of the monks."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from arboretum.datasets.generators.columns import classes, nominal_frame

MONK_SIZES = (3, 3, 2, 3, 4, 2)  # numbers of values of the six attributes


def parity(n: int, rng: np.random.Generator, relevant: int = 2, irrelevant: int = 10) -> tuple[pd.DataFrame, pd.Series]:
    """Fair binary attributes; the class is the parity of the first ``relevant`` ones (dynint, section 4.1)."""
    codes = rng.integers(2, size=(n, relevant + irrelevant))
    names = [f"parity{i}" for i in range(1, relevant + 1)] + [f"irrelevant{i}" for i in range(1, irrelevant + 1)]
    X = nominal_frame(codes, [["0", "1"]] * codes.shape[1], names)
    return X, classes(codes[:, :relevant].sum(axis=1) % 2, ["0", "1"])


def three_of_nine(rng: np.random.Generator | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """All 512 vectors of nine bits; class 1 if and only if three *adjacent* bits are 1 (238 of them).

    Not "at least three of nine", which 466 vectors are. Nothing is random.
    """
    bits = np.array(list(product((0, 1), repeat=9)))
    runs = bits[:, :-2] & bits[:, 1:-1] & bits[:, 2:]
    X = nominal_frame(bits, [["0", "1"]] * 9, [f"bit{i}" for i in range(1, 10)])
    return X, classes(runs.any(axis=1), ["0", "1"])


def monk(problem: int, rng: np.random.Generator | None = None) -> tuple[pd.DataFrame, pd.Series]:
    """All 432 robots of the monk's problem 1, 2 or 3 with the noise-free concept. Nothing is random."""
    values = np.array(list(product(*(range(1, size + 1) for size in MONK_SIZES))))
    a1, a2, _, a4, a5, _ = values.T
    concept = {
        1: (a1 == a2) | (a5 == 1),
        2: (values == 1).sum(axis=1) == 2,
        3: ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3)),
    }[problem]
    levels = [[str(value) for value in range(1, size + 1)] for size in MONK_SIZES]
    X = nominal_frame(values - 1, levels, [f"a{i}" for i in range(1, 7)])
    return X, classes(concept, ["0", "1"])
