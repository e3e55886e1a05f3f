"""A stored csv, and the columns of it that are about one measure.

Columns ``<measure>``, ``<measure>_printed``, ``<measure>_low``, ``<measure>_high``, ``<measure>_standard_error`` and
``<measure>_difference`` are one family: ours, print, the ends of our interval, its standard error, ours less print.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arboretum.project.stored import reading
from arboretum.report import numbers

REMARKS = ("remark", "explained", "note")
SUFFIXES = ("printed", "low", "high", "standard_error", "difference")


@dataclass(frozen=True)
class Frame:
    """A csv as text: column names, and the cells of each column."""

    columns: dict[str, list[str]]

    @property
    def length(self) -> int:
        return len(next(iter(self.columns.values()), []))


def read_frame(path: Path) -> Frame:
    """A csv with its cells as they stand in the file."""
    with reading(path), path.open(encoding="utf-8", newline="") as lines:
        header, *rows = list(csv.reader(lines, strict=True)) or [[]]
        if not header:
            raise ValueError("it is empty")
        if any(len(row) != len(header) for row in rows):
            raise ValueError("a row has more or fewer cells than there are columns")
    return Frame({name: [row[position] for row in rows] for position, name in enumerate(header)})


def families(names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Column names by measure, in the order in which each first appears: the suffixes it has, ``""`` for ours."""
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        measure, suffix = _split(name, names)
        found[measure] = (*found.get(measure, ()), suffix)
    return found


def _split(name: str, names: Sequence[str]) -> tuple[str, str]:
    for suffix in SUFFIXES:
        measure = name.removesuffix(f"_{suffix}")
        if measure != name and (measure in names or _beside_print(measure, suffix, names)):
            return measure, suffix
    return name, ""


def _beside_print(measure: str, suffix: str, names: Sequence[str]) -> bool:
    """Whether a measure without a column of its own has a printed one and another beside it."""
    others = SUFFIXES[1:] if suffix == "printed" else SUFFIXES[:1]
    return any(f"{measure}_{other}" in names for other in others)


@dataclass(frozen=True)
class Measure:
    """One measure of a frame: its columns, and how they are to be read together."""

    frame: Frame
    name: str
    members: tuple[str, ...]

    @property
    def label(self) -> str:
        return readable(self.name)

    @property
    def alone(self) -> bool:
        """A column with nothing beside it."""
        return self.members == ("",)

    def texts(self, suffix: str) -> list[str]:
        """The cells of one of its columns; empty ones where it has no such column."""
        if suffix not in self.members:
            return [""] * self.frame.length
        return self.frame.columns[f"{self.name}_{suffix}" if suffix else self.name]

    @cached_property
    def numeric(self) -> bool:
        """Whether what it has of ours and of print are numbers."""
        sides = self.texts(""), self.texts("printed")
        return any(map(any, sides)) and all(numbers.is_numeric(texts) or not any(texts) for texts in sides)

    @cached_property
    def comparable(self) -> bool:
        """Numbers always are; words only where both sides use the same ones."""
        return self.numeric or bool({*self.texts("")} & {*self.texts("printed")} - {""})

    @cached_property
    def printed_decimals(self) -> int:
        printed = self.texts("printed")
        return numbers.printed_decimals(printed) if numbers.is_numeric(printed) else 0

    @cached_property
    def decimals(self) -> int:
        """Decimals of ours: one more than printed, unless ours are whole numbers."""
        ours = self.texts("")
        free = numbers.column_decimals(ours) if numbers.is_numeric(ours) else 0
        return self.printed_decimals + 1 if free and numbers.is_numeric(self.texts("printed")) else free

    @property
    def has_interval(self) -> bool:
        return "low" in self.members and "high" in self.members

    def outside(self, position: int) -> bool:
        """Whether the printed value of a row lies outside our interval."""
        low, printed, high = (self.texts(suffix)[position] for suffix in ("low", "printed", "high"))
        return bool(low and printed and high) and not float(low) <= float(printed) <= float(high)

    def differs(self, position: int) -> bool:
        """Counts and words unlike the printed ones; where there is a difference column that says it.

        A row with a remark says for itself why it differs.
        """
        if any(self.frame.columns[name][position] for name in REMARKS if name in self.frame.columns):
            return False
        ours, printed = self.texts("")[position], self.texts("printed")[position]
        if "difference" in self.members or not ours or not printed or not self.comparable:
            return False
        if self.numeric:
            return self.decimals == 0 and float(ours) != float(printed)
        return ours != printed


def measures(frame: Frame, names: Sequence[str]) -> list[Measure]:
    """The measures that the columns ``names`` of a frame are about."""
    return [Measure(frame, name, members) for name, members in families(names).items()]


def readable(name: str) -> str:
    """A column name as words."""
    return name.replace("_", " ")
