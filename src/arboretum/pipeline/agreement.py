"""Whether regenerated results agree with stored ones: tables cell by cell, texts, drawings.

Keys, counts and names must be equal; floats may differ by the tolerance of their table, because libraries round the
last bit differently from processor to processor; seconds are never compared. Sentences are never compared by a
verification; to decide whether a stored file can stay, they agree when they have the same words and numbers.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_numeric_dtype

from arboretum.papers.contract import TOLERANCE


@dataclass(frozen=True)
class Difference:
    """One place where found and stored results differ; ``tolerance`` is None where they must be equal."""

    file: str
    row: str
    column: str
    stored: object
    found: object
    tolerance: float | None = None

    @property
    def changed_verdict(self) -> bool:
        return self.file.endswith(("claims.csv", "checks.csv")) and self.column in ("conclusion", "numbers", "verdict")

    def __str__(self) -> str:
        place = ", ".join(part for part in (self.row and f"row {self.row}", self.column) if part)
        allowed = "" if self.tolerance is None else f" (tolerance {self.tolerance:g})"
        return f"{self.file}: {place}: stored {self.stored}, found {self.found}{allowed}"


@dataclass
class Comparison:
    """How many cells were compared, and where they differ."""

    cells: int = 0
    differences: list[Difference] = field(default_factory=list)

    def __add__(self, other: Comparison) -> Comparison:
        return Comparison(self.cells + other.cells, self.differences + other.differences)


def compare_frames(
    file: str,
    stored: pd.DataFrame,
    found: pd.DataFrame,
    keys: Sequence[str],
    *,
    ignored: Sequence[str] = (),
    tolerance: float = TOLERANCE,
) -> Comparison:
    """Every difference between two frames whose rows are identified by ``keys`` (none: by their place)."""
    if list(stored.columns) != list(found.columns):
        return Comparison(0, [Difference(file, "", "columns", *_unlike(list(stored.columns), list(found.columns)))])
    keys = [key for key in keys if key in stored.columns]
    stored_rows, found_rows = _row_names(stored, keys), _row_names(found, keys)
    if stored_rows != found_rows:
        return Comparison(0, [Difference(file, "", "rows", *_unlike(stored_rows, found_rows))])
    comparison = Comparison()
    for column in stored.columns:
        if column in ignored:
            continue
        floats = _are_floats(stored[column], found[column])
        unequal = np.flatnonzero(~_equal(stored[column], found[column], floats, tolerance))
        comparison.cells += len(stored)
        comparison.differences += [
            Difference(
                file,
                stored_rows[place],
                column,
                stored[column].iloc[place],
                found[column].iloc[place],
                tolerance if floats else None,
            )
            for place in unequal
        ]
    return comparison


def _unlike(stored: list[str], found: list[str], most: int = 5) -> tuple[str, str]:
    """What only one side has, as text; where both have the same names, their order or number differs."""
    lost, new = ([name for name in one if name not in set(other)] for one, other in ((stored, found), (found, stored)))
    if not lost and not new:
        return "the same names", "in another order or number"
    return tuple(", ".join(names[:most]) + (" ..." if len(names) > most else "") or "-" for names in (lost, new))


def _row_names(frame: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    if not keys:
        return [str(place) for place in range(len(frame))]
    return ["/".join(map(str, row)) for row in frame[list(keys)].itertuples(index=False)]


def _are_floats(one: pd.Series, other: pd.Series) -> bool:
    numbers = all(is_numeric_dtype(side) and not is_bool_dtype(side) for side in (one, other))
    return numbers and (is_float_dtype(one) or is_float_dtype(other))


def _equal(stored: pd.Series, found: pd.Series, floats: bool, tolerance: float) -> np.ndarray:
    if floats:
        left, right = stored.to_numpy(float), found.to_numpy(float)
        return np.isclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True)
    left, right = stored.astype(object), found.astype(object)
    return ((left == right) | (left.isna() & right.isna())).to_numpy(bool)


# ------------------------------------------------------------------ texts and drawings

NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")


def same_text(one: str, other: str, slack: float | None = None) -> bool:
    """The same words, and numbers that differ by at most one unit of their last digit (or by ``slack``)."""
    if one == other:
        return True
    if NUMBER.split(one) != NUMBER.split(other):
        return False
    pairs = zip(NUMBER.findall(one), NUMBER.findall(other), strict=True)
    return all(a == b or abs(float(a) - float(b)) <= (slack or max(_unit(a), _unit(b)) * 1.001) for a, b in pairs)


def _unit(number: str) -> float:
    """One unit of the last digit of a number as it is written."""
    return float(Decimal(1).scaleb(Decimal(number).as_tuple().exponent))


def same_prose(stored: pd.DataFrame, found: pd.DataFrame, columns: Sequence[str]) -> bool:
    """Whether the sentences of two frames with the same rows say the same."""
    for column in columns:
        pairs = zip(stored[column].fillna("").astype(str), found[column].fillna("").astype(str), strict=True)
        if not all(same_text(one, other) for one, other in pairs):
            return False
    return True


PICTURE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=\s]+)")
PIXELS = 0.02  # how far a point of a drawing may move: a fiftieth of a pixel
SHADES = 2  # how much a pixel of a dense layer may change, of 255


def same_drawing(one: str, other: str) -> bool:
    """Whether two SVG texts show the same: elements and words equal, points and shades equal up to rounding."""
    if one == other:
        return True
    return _same_pictures(PICTURE.findall(one), PICTURE.findall(other)) and same_text(
        PICTURE.sub("", one), PICTURE.sub("", other), PIXELS
    )


def _same_pictures(one: list[str], other: list[str]) -> bool:
    try:
        return len(one) == len(other) and all(
            left == right or _same_pixels(*map(_pixels, (left, right))) for left, right in zip(one, other, strict=True)
        )
    except (OSError, ValueError, SyntaxError):  # a damaged picture is not the same
        return False


def _pixels(encoded: str) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(base64.b64decode("".join(encoded.split())))), dtype=int)


def _same_pixels(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and bool(np.abs(one - other).max(initial=0) <= SHADES)


def listed(differences: Sequence[Difference], most: int = 50) -> Iterator[str]:
    """Differences as lines, one each; a long list is cut."""
    yield from (f"  {difference}" for difference in differences[:most])
    if len(differences) > most:
        yield f"  ... and {len(differences) - most} more"


def judged(differences: Sequence[Difference]) -> str:
    """One line: how many differences there are, and of which kind."""
    verdicts = sum(difference.changed_verdict for difference in differences)
    floats = sum(difference.tolerance is not None for difference in differences)
    others = len(differences) - verdicts - floats
    kinds = [
        f"{count} {name}"
        for count, name in (
            (verdicts, "changed verdicts"),
            (floats, "numbers beyond their tolerance"),
            (others, "other cells, rows or files"),
        )
        if count
    ]
    return f"{len(differences)} differences between stored and regenerated results: {', '.join(kinds)}"
