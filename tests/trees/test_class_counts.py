"""n log2 n of real weights: the series against numbers of more digits."""

import numba
import numpy as np
import pytest

from arboretum.trees.class_counts import xlogs_of


@numba.njit
def _all(values):
    xlogs_of(values, values.shape[0])


def found(numbers):
    values = np.array(numbers, dtype=np.float64)
    _all(values)
    return values


RNG = np.random.default_rng(1)
NUMBERS = {
    "weights": RNG.uniform(0, 100, 20_000),
    "of every size": np.exp(RNG.normal(0, 100, 20_000)),
    "near one": 1 + RNG.uniform(-1e-3, 1e-3, 20_000),
    "at the seams": np.concatenate([np.sqrt(2) * 2.0**e * (1 + np.arange(-4, 5) * 1e-16) for e in range(-300, 300, 7)]),
}


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="this machine has no numbers of more digits")
@pytest.mark.parametrize("numbers", NUMBERS.values(), ids=NUMBERS)
def test_every_digit_but_the_last_is_right(numbers):
    numbers = numbers[numbers != 1]
    exact = numbers.astype(np.longdouble)
    exact *= np.log2(exact)
    assert np.max(np.abs((found(numbers) - exact) / exact)) < 6e-16


def test_powers_of_two_are_exact():
    exponents = np.arange(-1000, 1000)
    assert np.array_equal(found(2.0**exponents), exponents * 2.0**exponents)


def test_nothing_and_less_than_nothing_give_zero():
    """A weight that is left over by rounding may be a little below 0."""
    assert np.array_equal(found([0.0, -1e-17, -0.0, -3.0]), np.zeros(4))


def test_the_smallest_numbers_do_no_harm():
    assert np.isfinite(found([5e-324, 1e-310, np.finfo(float).tiny])).all()
