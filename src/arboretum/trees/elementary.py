"""Logarithms, exponentials and sums that every processor rounds alike.

NumPy and the C library choose their code by processor, and round the last bit of exp, log and sums accordingly. One bit
in the weights of a sample becomes another sample, another tree, another count. What lies between a seed and a count
therefore uses + - * / and sqrt only, in a fixed order, which IEEE 754 defines to the last bit; exp and log are built
from these here. Parts run inside kernels; the other functions take arrays.
"""

from __future__ import annotations

import numpy as np

from arboretum.trees.bits import bits_of, from_bits
from arboretum.trees.compiled import kernel, part

LN2 = 0.6931471805599453
_LN2_HIGH, _LN2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10  # their sum is ln 2 to 97 bits
#: log2 m = 2 / ln 2 * (s + s^3 / 3 + s^5 / 5 + ...) with s = (m - 1) / (m + 1)
SERIES = tuple(2 / LN2 / (2 * k + 1) for k in range(11))
SQRT_HALF = np.int64(0x3FE6A09E667F3BCD)  # the bits of sqrt(1/2)
TINY = np.finfo(np.float64).tiny
_MOST, _LEAST = 709.782712893384, -745.1332191019412  # beyond these exp is infinite, or 0


@part
def log2(x):
    """The binary logarithm of a normal number above 0; relative error below 8e-16, exact for powers of two.

    x is 2^e m with m from sqrt(1/2) to sqrt(2), and log2 m comes from a series whose first term left out is below
    1e-18.
    """
    word = bits_of(x)
    exponent = (word - SQRT_HALF) >> 52
    m = from_bits(word - (exponent << 52))
    s = (m - 1.0) / (m + 1.0)
    square, rest = s * s, SERIES[10]
    rest = rest * square + SERIES[9]
    rest = rest * square + SERIES[8]
    rest = rest * square + SERIES[7]
    rest = rest * square + SERIES[6]
    rest = rest * square + SERIES[5]
    rest = rest * square + SERIES[4]
    rest = rest * square + SERIES[3]
    rest = rest * square + SERIES[2]
    rest = rest * square + SERIES[1]
    return np.float64(exponent) + (s * SERIES[0] + s * square * rest)


@part
def exp(x):
    """e^x; relative error below 4e-16 where the result is a normal number.

    x is k ln 2 + r with |r| <= ln 2 / 2, and e^r is its Taylor series, whose first term left out is below 5e-18.
    """
    if not x <= _MOST:
        return x if np.isnan(x) else np.inf
    if x < _LEAST:
        return 0.0
    k = np.int64(np.floor(x / LN2 + 0.5))
    r = (x - np.float64(k) * _LN2_HIGH) - np.float64(k) * _LN2_LOW
    e_r = 1.0
    for n in range(13, 0, -1):
        e_r = 1.0 + r * e_r / np.float64(n)
    half = k >> 1  # 2^k alone may be too large or too small for a number
    return e_r * from_bits((half + 1023) << 52) * from_bits((k - half + 1023) << 52)


@kernel
def total(values):
    """The sum, added from the first to the last."""
    found = 0.0
    for i in range(values.shape[0]):
        found += values[i]
    return found


@kernel
def _exps(values, found):
    for i in range(values.shape[0]):
        found[i] = exp(values[i])


@kernel
def _logs(values, found):
    for i in range(values.shape[0]):
        found[i] = log2(values[i]) * LN2


def exp_of(values) -> np.ndarray:
    """e to the power of each value."""
    return _by_value(_exps, values)


def log_of(values) -> np.ndarray:
    """The natural logarithm of each value, which must be a normal number above 0."""
    return _by_value(_logs, values)


def power_of(values, power: float) -> np.ndarray:
    """Each value, not below 0, to a power not below 0; by repeated multiplication where the power is whole."""
    values = np.asarray(values, dtype=np.float64)
    if power == int(power) and power <= 64:
        found = np.ones_like(values)
        for _ in range(int(power)):
            found = found * values
        return found
    return np.where(values < TINY, 0.0, exp_of(power * log_of(np.maximum(values, TINY))))


def _by_value(function, values) -> np.ndarray:
    values = np.asarray(values, dtype=np.float64)
    found = np.empty(values.size)
    function(np.ascontiguousarray(values).ravel(), found)
    return found.reshape(values.shape)
