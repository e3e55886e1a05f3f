"""Portable exp, log, powers and sums against numbers of 40 digits, and at their ends."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numba
import numpy as np
import pytest

from arboretum.trees.elementary import exp_of, log2, log_of, power_of, total

RNG = np.random.default_rng(1)
POWERS = {
    "small": RNG.uniform(-1, 1, 2_000),
    "large": RNG.uniform(-700, 700, 2_000),
    "tiny": RNG.uniform(-1e-9, 1e-9, 500),
    "at the seams": np.log(2) * (np.arange(-300, 300) + 0.5) * (1 + RNG.uniform(-1e-15, 1e-15, 600)),
}
NUMBERS = {
    "near one": 1 + RNG.uniform(-1e-3, 1e-3, 2_000),
    "of every size": np.exp(RNG.uniform(-690, 700, 2_000)),
    "odds": (1 - RNG.uniform(0.001, 0.5, 2_000)) / RNG.uniform(0.001, 0.5, 2_000),
}


def greatest_error(found: np.ndarray, exact: list[Decimal]) -> float:
    return max(float(abs((Decimal(float(one)) - other) / other)) for one, other in zip(found, exact, strict=True))


@pytest.mark.parametrize("values", POWERS.values(), ids=POWERS)
def test_exp_is_right_to_the_last_place_but_one(values):
    with localcontext(prec=40):
        assert greatest_error(exp_of(values), [Decimal(float(x)).exp() for x in values]) < 4e-16


@pytest.mark.parametrize("values", NUMBERS.values(), ids=NUMBERS)
def test_log_is_right_to_the_last_place_but_two(values):
    values = values[values != 1]
    with localcontext(prec=40):
        assert greatest_error(log_of(values), [Decimal(float(x)).ln() for x in values]) < 8e-16


def test_ends_of_exp():
    with np.errstate(over="ignore"):
        values = np.array([0.0, -0.0, 709.78, 709.79, np.inf, -745.1, -745.2, -np.inf, -708.5, -720.0])
        np.testing.assert_allclose(exp_of(values), np.exp(values), rtol=1e-15)
    assert np.isnan(exp_of(np.nan))


def test_binary_logarithms_of_powers_of_two_are_whole():
    compiled = numba.njit(lambda x: log2(x))
    assert all(compiled(2.0**e) == e for e in range(-1022, 1024))


def test_whole_powers_are_products_and_others_agree_with_the_c_library():
    shares = RNG.random(200)
    assert np.array_equal(power_of(shares, 3), shares * shares * shares)
    assert np.array_equal(power_of(np.arange(101), 3), np.arange(101) ** 3)
    np.testing.assert_allclose(power_of(shares, 1.7), shares**1.7, rtol=2e-15)
    assert power_of(np.zeros(1), 0.5)[0] == 0 and power_of(np.zeros(1), 0)[0] == 1


def test_sums_run_from_the_first_to_the_last():
    values = np.array([1e16, 1.0, -1e16, 1.0])  # pairwise or sorted sums give 2 or 0
    assert total(values) == 1.0


def test_arrays_of_any_shape():
    values = RNG.random((3, 4))[:, ::2]
    assert exp_of(values).shape == values.shape
    assert float(log_of(2.0)) == pytest.approx(np.log(2))
