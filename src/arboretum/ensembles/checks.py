"""Checks of parameters and arrays that take microseconds, for the case that nothing is wrong.

A fit on a small table takes a millisecond, and scikit-learn's own checks would take a fifth of it. So what is plainly
right is not checked again. Whatever is not goes to scikit-learn, which says what is wrong.
"""

from __future__ import annotations

import functools
import threading

import numpy as np
from sklearn.utils import check_random_state

PLAIN = (bool, int, float, str)
_LAST_PASSED: dict[type, tuple] = {}  # parameters that passed scikit-learn's check, by estimator
_OWN = threading.local()


@functools.cache
def _parameter_names(estimator: type) -> tuple[str, ...]:
    return tuple(estimator._get_param_names())


def check_parameters(estimator) -> None:
    """Raise an error if a parameter is not what it may be. The very same objects are not checked twice in a row."""
    values = tuple(getattr(estimator, name) for name in _parameter_names(type(estimator)))
    passed = _LAST_PASSED.get(type(estimator))
    if passed is None or any(one is not other for one, other in zip(values, passed, strict=True)):
        estimator._validate_params()
        if all(value is None or type(value) in PLAIN for value in values):  # others may be large: do not keep them
            _LAST_PASSED[type(estimator)] = values


def are_plain_numbers(X) -> bool:
    """Is X an array of finite float64 numbers, with rows and columns?"""
    if type(X) is not np.ndarray or X.dtype != np.float64 or X.ndim != 2 or not X.size:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))


def are_plain_labels(y) -> bool:
    """Is y a one-dimensional array of truth values, whole numbers or strings?"""
    return type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU"


def labels_and_codes(y) -> tuple[np.ndarray, np.ndarray]:
    """The labels that occur, sorted, and the position of each case's label among them. Small numbers need no sort."""
    if y.dtype.kind not in "iu" or not len(y) or y.min() < 0 or y.max() >= len(y):
        return np.unique(y, return_inverse=True)
    occurs = np.bincount(y.astype(np.intp, copy=False)) > 0
    return np.flatnonzero(occurs).astype(y.dtype), (np.cumsum(occurs) - 1)[y]


def random_source(random_state) -> np.random.RandomState:
    """A generator of the numbers that scikit-learn's ``check_random_state`` gives; draw them at once.

    Making a generator is slow, so each thread has one, and every seed sets it anew.
    """
    if type(random_state) is not int or not 0 <= random_state < 2**32:
        return check_random_state(random_state)
    if not hasattr(_OWN, "source"):
        _OWN.source = np.random.RandomState(0)
    _OWN.source.seed(random_state)
    return _OWN.source
