"""Random numbers and bootstrap samples."""

import numba
import numpy as np
import pytest

from arboretum.trees import drawn_rows
from arboretum.trees.buffers import STATE
from arboretum.trees.random_stream import randbelow, uniform


@numba.njit
def _draws(state, n, how_many):
    whole, real = np.empty(how_many, np.int64), np.empty(how_many)
    for i in range(how_many):
        whole[i], real[i] = randbelow(state, n), uniform(state)
    return whole, real


def test_draws_are_uniform():
    state = np.zeros(1, STATE)
    state["stream"] = 7
    whole, real = _draws(state, 10, 100_000)
    chi2 = ((np.bincount(whole, minlength=10) - 10_000) ** 2 / 10_000).sum()
    assert chi2 < 27.9  # 0.999 quantile, 9 degrees of freedom
    assert real.min() > 0
    assert real.max() <= 1
    chi2 = ((np.histogram(real, 20, (0, 1))[0] - 5_000) ** 2 / 5_000).sum()
    assert chi2 < 43.8


def test_bootstrap_is_a_sample_with_replacement():
    drawn = drawn_rows(np.arange(200, dtype=np.uint64), 500)
    assert (drawn.sum(axis=1) == 500).all()
    assert (drawn == 0).mean() == pytest.approx((1 - 1 / 500) ** 500, abs=0.005)
