"""A column of text as numbers of double precision: what would become another number is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from arboretum.errors import ArboretumError

EXACT = 2**53  # from here on not every whole number is a double of its own
SHOWN = 40  # characters of a value that a message shows
ZERO = re.compile(r"[+-]?[0.]+([eE][+-]?\d+)?")


def numbers(name: str, column: str, text: pa.ChunkedArray, tokens: Iterable[str] = ()) -> np.ndarray:
    """The values of a column, missing ones as nan; ``tokens`` are the texts that mean missing in it."""
    try:
        values = text.cast(pa.float64()).to_numpy().astype(np.float64)
    except pa.ArrowInvalid:
        wrong = next(value for value in pc.unique(pc.drop_null(text)).to_pylist() if not is_number(value))
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds {shown(wrong)}, which is not a number. Declare the column in "
            "parse.nominal of its dataset configuration, or name the value in parse.missing."
        ) from None
    endless = text.is_valid().to_numpy() & ~np.isfinite(values)
    if endless.any():
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds {shown(text[int(np.argmax(endless))].as_py())}, which is not a "
            "finite number of double precision. If it stands for a missing value, name it in parse.missing of its "
            "dataset configuration; else mend the file."
        )
    _check_zero(name, column, text, values)
    _check_merged(name, column, text, values)
    _check_codes(name, column, text)
    _check_tokens(name, column, text, values, tokens)
    return values


def is_number(value: str) -> bool:
    """Whether Arrow reads a text as a number: Python would take 1_000 too."""
    try:
        pa.scalar(value).cast(pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def shown(value: str) -> str:
    return repr(value) if len(value) <= SHOWN else repr(value[:SHOWN] + "...")


def _check_zero(name: str, column: str, text: pa.ChunkedArray, values: np.ndarray) -> None:
    """Refuse numbers that are too small to differ from zero."""
    for value in _distinct(text, values == 0):
        if not ZERO.fullmatch(value):
            raise ArboretumError(
                f"Data set {name}: column {column!r} holds {shown(value)}, which is zero in double precision. Give the "
                "column in another unit, or write 0."
            )


def _check_merged(name: str, column: str, text: pa.ChunkedArray, values: np.ndarray) -> None:
    """Refuse large numbers that are different in the file and the same as doubles."""
    read: dict[float, Decimal] = {}
    for value in _distinct(text, np.abs(values) >= EXACT):
        exact = Decimal(value)
        before = read.setdefault(float(value), exact)
        if before != exact:
            raise ArboretumError(
                f"Data set {name}: column {column!r} holds {before} and {exact}, which are the same number in "
                "double precision. Leave the column out (parse.drop) if it names cases, or declare it in "
                "parse.nominal of its dataset configuration."
            )


def _check_codes(name: str, column: str, text: pa.ChunkedArray) -> None:
    """Refuse 007 beside 7: two names that would become one number."""
    if not pc.any(pc.match_substring_regex(text, "^0[0-9]+$")).as_py():
        return
    spelled: dict[int, str] = {}
    for value in filter(str.isdecimal, pc.unique(pc.drop_null(text)).to_pylist()):
        before = spelled.setdefault(int(value), value)
        if before != value:
            raise ArboretumError(
                f"Data set {name}: column {column!r} holds {before!r} and {value!r}, the same number. If they "
                "are names, declare it in parse.nominal of its dataset configuration; else mend the file."
            )


def _check_tokens(name: str, column: str, text: pa.ChunkedArray, values: np.ndarray, tokens: Iterable[str]) -> None:
    """Refuse -1.0 where -1 means missing: the same number, spelled in another way."""
    for token in filter(is_number, tokens):
        for value in _distinct(text, values == float(token)):
            raise ArboretumError(
                f"Data set {name}: column {column!r} holds {value!r}, the number {token!r} that means missing. "
                "Name both in parse.missing, or neither."
            )


def _distinct(text: pa.ChunkedArray, chosen: np.ndarray) -> list[str]:
    """The different texts at the chosen places."""
    return pc.unique(text.filter(pa.array(chosen))).to_pylist() if chosen.any() else []
