"""What a table, a figure or a claim may look at: raw results, printed numbers and the other tables, each made once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import pandas as pd
from pandas.api.types import is_float_dtype

DIGITS = 12  # significant digits of a stored table; what lies below them belongs to the processor
TEXT = "text"  # the reading that follows the paper's words


@dataclass(frozen=True)
class Headline:
    """The number of a paper that is shown along all readings: a check of a claim, and words for it."""

    claim: str
    check: str
    title: str


class NotRun(KeyError):
    """A table was asked for whose experiments this profile does not run."""


class Results:
    """The results of one paper at one profile.

    ``raw["spectrum"]`` is the raw result of an experiment, ``printed["table3"]`` a table of printed numbers, and
    ``tables["table3"]`` a table of ours or what a figure plots; it is built when it is first asked for, and once.
    Every look gives a copy, so that nobody can change what others see. ``sets`` has one row per data set of the paper,
    from the manifest: dataset, printed_as, status ("available", or why it cannot be had), explained, rows, ...
    ``stated["vrtrees-c01"]`` is a claim as claims.yaml states it, for a table that needs one of its limits.
    ``readings["midpoint"]`` are the results under a reading of the paper, where there are such.
    """

    def __init__(
        self,
        raw: Mapping[str, pd.DataFrame],
        printed: Mapping[str, pd.DataFrame],
        sets: pd.DataFrame,
        shown: Mapping[str, Any],
        stated: Mapping[str, Any] | None = None,
        readings: Any = None,
    ):
        self.raw, self.printed, self.sets = raw, printed, sets
        self.stated, self.readings = stated or {}, readings
        self.tables = BuiltTables(self, shown)
        self.shared: dict[Any, Any] = {}


class BuiltTables(Mapping[str, pd.DataFrame]):
    """Tables and what figures plot, by name, built on demand."""

    def __init__(self, results: Results, shown: Mapping[str, Any]):
        self.results, self.shown = results, shown
        self.built: dict[str, pd.DataFrame] = {}
        self.building: list[str] = []

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self.shown:
            raise NotRun(name)
        if name not in self.built:
            if name in self.building:
                raise RecursionError(f"the table {name!r} needs itself: {' -> '.join([*self.building, name])}")
            self.building.append(name)
            try:
                self.built[name] = settled(self.shown[name].build(self.results)).reset_index(drop=True)
            finally:
                self.building.pop()
        return self.built[name].copy()

    def __iter__(self):
        return iter(self.shown)

    def __len__(self) -> int:
        return len(self.shown)


def settled(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its floats rounded to :data:`DIGITS` significant digits."""
    columns = {
        name: [float(f"{value:.{DIGITS}g}") for value in column.to_numpy(float)]
        for name, column in frame.items()
        if is_float_dtype(column)
    }
    return frame.assign(**columns) if columns else frame


Value = TypeVar("Value")


def once(step: Callable[..., Value]) -> Callable[..., Value]:
    """A step that several tables share: computed once for each :class:`Results` (and each further argument)."""

    @wraps(step)
    def shared(results: Results, *arguments: Any) -> Value:
        key = (step, arguments)
        if key not in results.shared:
            results.shared[key] = step(results, *arguments)
        found = results.shared[key]
        return found.copy() if isinstance(found, pd.DataFrame | pd.Series) else found

    return shared
