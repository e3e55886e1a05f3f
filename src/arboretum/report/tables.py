"""A stored csv as a table to look at.

Columns ``<measure>``, ``<measure>_printed``, ``<measure>_low``, ``<measure>_high`` and ``<measure>_difference``
are one family and stand together under one heading: printed, ours, our interval, difference.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from arboretum.report import numbers

SUFFIXES = ("printed", "low", "high", "standard_error", "difference")
MOST_ROWS = 300
LONG_TEXT = 48
TOLD_BELOW = ("status", "reason")  # a row that could not be computed is greyed, and a note below says why
UNAVAILABLE_UNLESS = ("", "available")
SUMMARY = ("mean", "average", "all sets", "overall", "total", "rank")
YES_NO = {"True": "yes", "False": "no"}


@dataclass(frozen=True)
class Frame:
    """A csv as text: column names, and the cells of each column."""

    columns: dict[str, list[str]]

    @property
    def length(self) -> int:
        return len(next(iter(self.columns.values()), []))


def read_frame(path: Path) -> Frame:
    """A csv with its cells as they stand in the file."""
    with path.open(encoding="utf-8", newline="") as lines:
        header, *rows = list(csv.reader(lines)) or [[]]
    return Frame({name: [row[position] for row in rows] for position, name in enumerate(header)})


@dataclass(frozen=True)
class Family:
    """The columns of one measure."""

    name: str
    members: tuple[str, ...]  # suffixes present; "" is ours

    def column(self, frame: Frame, suffix: str) -> list[str]:
        return frame.columns[f"{self.name}_{suffix}" if suffix else self.name]

    @property
    def has_interval(self) -> bool:
        return "low" in self.members and "high" in self.members


def families(names: Sequence[str]) -> list[Family]:
    """Column names as families, in the order in which each first appears."""
    found: dict[str, list[str]] = {}
    for name in names:
        base, suffix = _split(name, names)
        found.setdefault(base, []).append(suffix)
    return [Family(base, tuple(suffixes)) for base, suffixes in found.items()]


def _split(name: str, names: Sequence[str]) -> tuple[str, str]:
    for suffix in SUFFIXES:
        base = name.removesuffix(f"_{suffix}")
        if base != name and (base in names or f"{base}_printed" in names):
            return base, suffix
    return name, ""


@dataclass
class Cell:
    text: str
    classes: str = ""
    sort: str = ""
    link: str = ""


@dataclass
class Heading:
    label: str
    classes: str = ""
    parts: list[tuple[str, str]] = field(default_factory=list)  # label and classes of each column under it


@dataclass
class Row:
    cells: list[Cell]
    classes: str = ""


@dataclass
class Comparison:
    """How one measure compares with print over the rows of data sets."""

    measure: str
    rows: int
    equal: int
    mean: str
    largest: str
    largest_row: str
    outside: int | None


@dataclass
class View:
    """A table ready for its template."""

    headings: list[Heading]
    rows: list[Row]
    length: int
    unavailable: dict[str, str]
    comparisons: list[Comparison]
    differs: bool  # some cell is marked as unequal to print
    outside: bool  # some printed value is marked as outside our interval
    timed: bool  # some column holds seconds

    @property
    def columns(self) -> Iterator[tuple[str, str]]:
        for heading in self.headings:
            yield from heading.parts or [(heading.label, heading.classes)]

    @property
    def two_rows(self) -> bool:
        return any(heading.parts for heading in self.headings)


class TableView:
    """Makes the :class:`View` of a frame. ``reasons`` says why a data set cannot be had, ``link`` where its page is."""

    def __init__(
        self,
        frame: Frame,
        keys: Sequence[str] = (),
        timing: Sequence[str] = (),
        reasons: Mapping[str, str] | None = None,
        link: Callable[[str], str] = lambda name: "",
    ) -> None:
        self.frame, self.keys, self.timing = frame, tuple(keys), set(timing)
        self.reasons, self.link = reasons or {}, link
        shown = [name for name in frame.columns if name not in TOLD_BELOW]
        self.families = self._keys_first([family for family in families(shown) if self._has_content(family)])
        self.columns = [column for family in self.families for column in self._columns(family)]

    def _has_content(self, family: Family) -> bool:
        """A column of remarks without a single remark is left out."""
        return family.members != ("",) or any(self.frame.columns[family.name]) or family.name in self.keys

    def _keys_first(self, found: list[Family]) -> list[Family]:
        return sorted(
            found, key=lambda family: self.keys.index(family.name) if family.name in self.keys else len(self.keys)
        )

    def view(self) -> View:
        shown = min(self.frame.length, MOST_ROWS)
        rows = [self._row(position) for position in range(shown)]
        classes = " ".join(cell.classes for row in rows for cell in row.cells)
        return View(
            headings=[self._heading(family) for family in self.families],
            rows=rows,
            length=self.frame.length,
            unavailable={
                self.label(position): self.reason(position) for position in range(shown) if self.reason(position)
            },
            comparisons=[self._comparison(family) for family in self.families if self._is_compared(family)],
            differs="differs" in classes,
            outside="outside" in classes,
            timed=any(family.name in self.timing for family in self.families),
        )

    # what a row is

    def label(self, position: int) -> str:
        names = [key for key in self.keys if key in self.frame.columns] or list(self.frame.columns)[:1]
        return " / ".join(self.frame.columns[name][position] for name in names)

    def reason(self, position: int) -> str:
        """Why a row could not be computed; empty where it was."""
        columns = self.frame.columns
        status = columns["status"][position] if "status" in columns else ""
        if status not in UNAVAILABLE_UNLESS:
            reason = columns["reason"][position] if "reason" in columns else ""
            return reason or self.reasons.get(self._dataset(position), "") or status
        return self.reasons.get(self._dataset(position), "")

    def _dataset(self, position: int) -> str:
        return self.frame.columns["dataset"][position] if "dataset" in self.frame.columns else ""

    def is_summary(self, position: int) -> bool:
        """A row of means or averages is no data set."""
        words = self.label(position).lower().replace("_", " ")
        return not self.link(self._dataset(position)) and words.startswith(SUMMARY)

    def _row(self, position: int) -> Row:
        classes = []
        if self.reason(position):
            classes.append("unavailable")
        if self.is_summary(position):
            classes.append("summary")
        return Row([make(position) for make in self.columns], " ".join(classes))

    # what a column is

    def _heading(self, family: Family) -> Heading:
        label = spoken(family.name)
        timing = " timing" if family.name in self.timing else ""
        if family.members == ("",):
            return Heading(label, f"first {self._kind(family.name)}{timing}")
        align = _align(self._numeric(family))
        parts = [(_part_label(part), f"{align} {part}") for part in _parts(family)]
        return Heading(label, f"family{timing}", [(parts[0][0], parts[0][1] + " first"), *parts[1:]])

    def _kind(self, name: str) -> str:
        texts = self.frame.columns[name]
        if name == "dataset":
            return "name"
        if numbers.is_numeric(texts):
            return "number"
        return "long" if max(map(len, texts), default=0) > LONG_TEXT else "text"

    def _columns(self, family: Family) -> list[Callable[[int], Cell]]:
        if family.members == ("",):
            return [self._plain(family.name)]
        makers = {
            "printed": self._printed,
            "ours": self._ours,
            "interval": self._interval,
            "low": lambda family: self._bound(family, "low"),
            "high": lambda family: self._bound(family, "high"),
            "error": lambda family: self._bound(family, "standard_error"),
            "difference": self._difference,
        }
        made = []
        for order, part in enumerate(_parts(family)):
            made.append(_first(makers[part](family)) if order == 0 else makers[part](family))
        return made

    def _plain(self, name: str) -> Callable[[int], Cell]:
        texts, kind = self.frame.columns[name], self._kind(name)
        decimals = numbers.column_decimals(texts) if kind == "number" else 0

        def cell(position: int) -> Cell:
            text = texts[position]
            if kind == "number" and text:
                return Cell(numbers.written(text, decimals), "first number", text)
            answer = YES_NO.get(text, text)
            no = " no" if name == "agrees" and text == "False" and not self.reason(position) else ""
            link = self.link(text) if name == "dataset" else ""
            blank = "–" if kind == "number" else ""
            return Cell(answer or blank, f"first {kind}{no}" + ("" if text else " none"), link=link)

        return cell

    def _decimals(self, family: Family) -> tuple[int, int]:
        """Decimals of printed values and of ours: one more than printed, unless ours are whole numbers."""
        ours = self._texts(family, "")
        free = numbers.column_decimals(ours) if numbers.is_numeric(ours) else 0
        if "printed" not in family.members or not numbers.is_numeric(self._texts(family, "printed")):
            return free, free
        printed = numbers.printed_decimals(self._texts(family, "printed"))
        return printed, printed + 1 if free else 0

    def _texts(self, family: Family, suffix: str) -> list[str]:
        if suffix not in family.members:
            return [""] * self.frame.length
        return family.column(self.frame, suffix)

    def _numeric(self, family: Family) -> bool:
        """Whether what a family has of ours and of print are numbers."""
        return all(
            numbers.is_numeric(texts) or not any(texts)
            for texts in (self._texts(family, ""), self._texts(family, "printed"))
        )

    def _printed(self, family: Family) -> Callable[[int], Cell]:
        texts, numeric, decimals = self._texts(family, "printed"), self._numeric(family), self._decimals(family)[0]

        def cell(position: int) -> Cell:
            text = texts[position]
            if not text:
                return Cell("–", "printed none")
            return Cell(numbers.printed_text(text, decimals) if numeric else text, "printed " + _align(numeric), text)

        return cell

    def _ours(self, family: Family) -> Callable[[int], Cell]:
        texts, numeric, decimals = self._texts(family, ""), self._numeric(family), self._decimals(family)[1]

        def cell(position: int) -> Cell:
            text = texts[position]
            if not text:
                return Cell("–", "ours none")
            differs = " differs" if self._differs(family, position) else ""
            return Cell(numbers.written(text, decimals) if numeric else text, f"ours {_align(numeric)}{differs}", text)

        return cell

    def _differs(self, family: Family, position: int) -> bool:
        """Counts and words unlike the printed ones; where there is a difference column that says it."""
        if "difference" in family.members or "printed" not in family.members:
            return False
        ours, printed = self._texts(family, "")[position], self._texts(family, "printed")[position]
        if not ours or not printed:
            return False
        if self._numeric(family):
            return self._decimals(family)[1] == 0 and float(ours) != float(printed)
        return ours != printed

    def _interval(self, family: Family) -> Callable[[int], Cell]:
        low, high, decimals = self._texts(family, "low"), self._texts(family, "high"), self._decimals(family)[1]

        def cell(position: int) -> Cell:
            if not low[position] or not high[position]:
                return Cell("–", "interval none")
            ends = [numbers.written(texts[position], decimals) for texts in (low, high)]
            return Cell(f"{ends[0]} to\N{NO-BREAK SPACE}{ends[1]}", "interval number", low[position])

        return cell

    def _bound(self, family: Family, suffix: str) -> Callable[[int], Cell]:
        texts = self._texts(family, suffix)
        decimals = self._decimals(family)[1] + (suffix == "standard_error")
        return lambda position: (
            Cell(numbers.written(texts[position], decimals), "interval number", texts[position])
            if texts[position]
            else Cell("–", "interval none")
        )

    def _difference(self, family: Family) -> Callable[[int], Cell]:
        texts, decimals = self._texts(family, "difference"), self._decimals(family)[1]

        def cell(position: int) -> Cell:
            text = texts[position]
            if not text:
                return Cell("–", "difference none")
            outside = " outside" if self._outside(family, position) else ""
            return Cell(numbers.written(text, decimals, signed=True), f"difference number{outside}", text)

        return cell

    def _outside(self, family: Family, position: int) -> bool:
        """Whether the printed value lies outside our interval."""
        if not family.has_interval or "printed" not in family.members:
            return False
        texts = [self._texts(family, suffix)[position] for suffix in ("low", "printed", "high")]
        if not all(texts):
            return False
        low, printed, high = map(float, texts)
        return not low <= printed <= high

    # how a measure compares with print

    def _is_compared(self, family: Family) -> bool:
        return "" in family.members and "printed" in family.members and bool(self._pairs(family))

    def _pairs(self, family: Family) -> list[tuple[int, str, str]]:
        ours, printed = self._texts(family, ""), self._texts(family, "printed")
        return [
            (position, ours[position], printed[position])
            for position in range(self.frame.length)
            if ours[position] and printed[position] and not self.is_summary(position)
        ]

    def pairs(self) -> tuple[str, list[tuple[float, float]]]:
        """The first measure with at least five numbers on both sides, and (printed, ours) of each row."""
        for family in self.families:
            if self._is_compared(family) and self._numeric(family) and len(self._pairs(family)) >= 5:
                return spoken(family.name), [(float(printed), float(ours)) for _, ours, printed in self._pairs(family)]
        return "", []

    def _comparison(self, family: Family) -> Comparison:
        pairs = self._pairs(family)
        outside = sum(self._outside(family, position) for position, _, _ in pairs) if family.has_interval else None
        if not self._numeric(family):
            equal = sum(ours == printed for _, ours, printed in pairs)
            return Comparison(spoken(family.name), len(pairs), equal, "", "", "", outside)
        differences = {position: float(ours) - float(printed) for position, ours, printed in pairs}
        far = max(differences, key=lambda position: abs(differences[position]))
        decimals = self._decimals(family)[1]
        equal = sum(
            abs(differences[position]) <= (0.5 * 10.0 ** -_given(printed, self._decimals(family)[0]) + 1e-9)
            if decimals
            else differences[position] == 0
            for position, _, printed in pairs
        )
        return Comparison(
            spoken(family.name),
            len(pairs),
            equal,
            numbers.written(str(sum(differences.values()) / len(pairs)), max(decimals + 1, 2), signed=True),
            numbers.written(str(differences[far]), decimals, signed=True) if differences[far] else "0",
            self.label(far) if differences[far] else "",
            outside,
        )


def _given(printed: str, decimals: int) -> int:
    return max(decimals, min(numbers.own_decimals(printed), numbers.VERBATIM))


def _parts(family: Family) -> list[str]:
    """The columns of a family in the order of reading; an interval is one column."""
    parts = []
    if "printed" in family.members:
        parts.append("printed")
    if "" in family.members:
        parts.append("ours")
    if family.has_interval:
        parts.append("interval")
    else:
        parts += [bound for bound in ("low", "high") if bound in family.members]
    if "standard_error" in family.members:
        parts.append("error")
    if "difference" in family.members:
        parts.append("difference")
    return parts


def _part_label(part: str) -> str:
    return {"interval": "our interval", "error": "standard error"}.get(part, part)


def _align(numeric: bool) -> str:
    return "number" if numeric else "text"


def _first(make: Callable[[int], Cell]) -> Callable[[int], Cell]:
    def cell(position: int) -> Cell:
        made = make(position)
        made.classes = f"first {made.classes}"
        return made

    return cell


def spoken(name: str) -> str:
    """A column name as words."""
    return name.replace("_", " ")
