"""Symmetry and skewness on kernels for which both are known."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.theory import kernels
from arboretum.theory.kernel_symmetry import skewness, symmetry

ROWS, COLUMNS = (a.ravel() for a in np.indices((6, 6)))
POINTS = np.column_stack([ROWS, COLUMNS]) / 6 + 1 / 12
LABEL = ROWS + COLUMNS < 5


def test_the_printed_kernel_is_symmetric_and_the_exact_one_is_not():
    printed = kernels.printed_kernel(POINTS[:, None], POINTS[None], 12)
    exact = kernels.exact_kernel(POINTS[:, None], POINTS[None], 12)
    assert symmetry(printed, ROWS, COLUMNS) == pytest.approx(1, abs=1e-12)
    assert 0.5 < symmetry(exact, ROWS, COLUMNS) < 0.999


def test_a_kernel_of_displacement_alone_is_not_skewed():
    printed = kernels.printed_kernel(POINTS[:, None], POINTS[None], 12)
    assert skewness(printed, ROWS, COLUMNS, LABEL) == pytest.approx(0, abs=1e-12)


def test_a_bonus_for_like_pairs_is_the_skewness():
    printed = kernels.printed_kernel(POINTS[:, None], POINTS[None], 12)
    bonus = 0.07 * (LABEL[:, None] == LABEL[None, :])
    assert skewness(printed + bonus, ROWS, COLUMNS, LABEL) == pytest.approx(0.07, abs=1e-12)
    assert symmetry(printed + bonus, ROWS, COLUMNS) < 0.999
