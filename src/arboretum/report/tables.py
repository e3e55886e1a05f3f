"""A frame as a table to look at: the columns of one measure stand together under one heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from arboretum.report import numbers
from arboretum.report.comparison import Comparison, compare, shared_rows
from arboretum.report.frames import Frame, Measure, measures

MOST_ROWS = 300
LONG_TEXT = 48
TOLD_BELOW = ("status", "reason")  # a row that could not be computed is greyed, and a note below says why
UNAVAILABLE_UNLESS = ("", "available")
SUMMARY = ("mean", "average", "all", "overall", "total")
YES_NO = {"True": "yes", "False": "no"}
PARTS = {"interval": "our interval", "standard_error": "standard error", "": "ours"}
NONE = "–"


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
    anchor: str = ""  # its address on the page
    label: str = ""


@dataclass
class View:
    """A table ready for its template."""

    headings: list[Heading]
    rows: list[Row]
    length: int
    unavailable: dict[str, str]
    comparisons: list[Comparison]
    timed: bool  # some column holds seconds

    @property
    def width(self) -> int:
        return sum(len(heading.parts) or 1 for heading in self.headings)

    @property
    def two_rows(self) -> bool:
        return any(heading.parts for heading in self.headings)

    def marked(self, mark: str) -> bool:
        """Whether some cell is marked: ``differs`` from print, or print is ``outside`` our interval."""
        return any(mark in cell.classes.split() for row in self.rows for cell in row.cells)


class TableView:
    """Makes the :class:`View` of a frame.

    ``reasons`` says why a data set cannot be had, ``link`` where its page is. Without ``printed`` columns of print and
    rows of means that are print's alone are left out: they speak of other data sets than ours do.
    """

    def __init__(
        self,
        frame: Frame,
        keys: Sequence[str] = (),
        timing: Sequence[str] = (),
        reasons: Mapping[str, str] | None = None,
        link: Callable[[str], str] = lambda name: "",
        name: str = "",
        printed: bool = True,
    ) -> None:
        frame = frame if printed else without_print(frame)
        self.frame, self.keys, self.timing = frame, tuple(keys), set(timing)
        self.reasons, self.link, self.name = reasons or {}, link, name
        order = {name: place for place, name in enumerate(keys)}
        found = measures(frame, [name for name in frame.columns if name not in TOLD_BELOW])
        kept = [measure for measure in found if self._has_content(measure)]
        self.measures = sorted(kept, key=lambda measure: order.get(measure.name, len(order)))

    def _has_content(self, measure: Measure) -> bool:
        """A column of remarks without a single remark is left out."""
        return not measure.alone or measure.name in self.keys or any(measure.texts(""))

    def view(self) -> View:
        shown = range(min(self.frame.length, MOST_ROWS))
        data = [position for position in range(self.frame.length) if not self.is_summary(position)]
        compared = [compare(measure, data, self.label) for measure in self.measures]
        columns = [column for measure in self.measures for column in self._columns(measure)]
        return View(
            headings=[self._heading(measure) for measure in self.measures],
            rows=[
                Row([make(place) for make in columns], self.row_classes(place), self.anchors[place], self.label(place))
                for place in shown
            ],
            length=self.frame.length,
            unavailable={self.label(position): self.reason(position) for position in shown if self.reason(position)},
            comparisons=[comparison for comparison in compared if comparison],
            timed=any(measure.name in self.timing for measure in self.measures),
        )

    def pairs(self) -> tuple[str, list[tuple[float, float]]]:
        """The first measure with at least five numbers on both sides, and (printed, ours) of each row."""
        data = [position for position in range(self.frame.length) if not self.is_summary(position)]
        for measure in self.measures:
            shared = shared_rows(measure, data)
            if measure.numeric and len(shared) >= 5:
                ours, printed = measure.texts(""), measure.texts("printed")
                return measure.label, [(float(printed[position]), float(ours[position])) for position in shared]
        return "", []

    # what a row is

    def label(self, position: int) -> str:
        names = [key for key in self.keys if key in self.frame.columns] or list(self.frame.columns)[:1]
        return " / ".join(self.frame.columns[name][position] for name in names)

    @cached_property
    def anchors(self) -> list[str]:
        """The address of each row on its page, such as ``table3.glass``; rows of one name are numbered."""
        taken: dict[str, int] = {}
        found = []
        for position in range(self.frame.length):
            stem = f"{self.name}.{re.sub(r'[^A-Za-z0-9]+', '-', self.label(position)).strip('-')}"
            taken[stem] = taken.get(stem, 0) + 1
            found.append(stem if taken[stem] == 1 else f"{stem}.{taken[stem]}")
        return found

    def places(self) -> dict[str, str]:
        """The address of the first row of each label, and of each first key."""
        found: dict[str, str] = {}
        for position in range(min(self.frame.length, MOST_ROWS)):
            for name in (self.label(position), self.label(position).split(" / ")[0]):
                found.setdefault(name, self.anchors[position])
        return found

    def reason(self, position: int) -> str:
        """Why a row could not be computed; empty where it was."""
        columns = self.frame.columns
        status = columns["status"][position] if "status" in columns else ""
        known = self.reasons.get(self._dataset(position), "")
        if status in UNAVAILABLE_UNLESS:
            return known
        return (columns["reason"][position] if "reason" in columns else "") or known or status

    def _dataset(self, position: int) -> str:
        return self.frame.columns["dataset"][position] if "dataset" in self.frame.columns else ""

    def is_summary(self, position: int) -> bool:
        """A row of means or averages where data sets stand is none."""
        name = self._dataset(position)
        return not self.link(name) and name.lower().startswith(SUMMARY)

    def row_classes(self, position: int) -> str:
        unavailable = "unavailable" if self.reason(position) else ""
        return f"{unavailable} {'summary' if self.is_summary(position) else ''}".strip()

    # what a column is

    def _heading(self, measure: Measure) -> Heading:
        timing = " timing" if measure.name in self.timing else ""
        if measure.alone:
            return Heading(measure.label, f"first {self._kind(measure)}{timing}")
        align = "number" if measure.numeric else "text"
        parts = [(PARTS.get(part, part), f"{align} {part}") for part in _parts(measure)]
        return Heading(measure.label, f"family{timing}", [(parts[0][0], f"{parts[0][1]} first"), *parts[1:]])

    def _kind(self, measure: Measure) -> str:
        texts = measure.texts("")
        if measure.name == "dataset":
            return "name"
        if measure.numeric:
            return "number"
        return "long" if max(map(len, texts), default=0) > LONG_TEXT else "text"

    def _columns(self, measure: Measure) -> list[Callable[[int], Cell]]:
        if measure.alone:
            return [self._plain(measure)]
        made = [_interval(measure) if part == "interval" else _column(measure, part) for part in _parts(measure)]
        return [_first(made[0]), *made[1:]]

    def _plain(self, measure: Measure) -> Callable[[int], Cell]:
        kind = self._kind(measure)

        def cell(position: int) -> Cell:
            text = measure.texts("")[position]
            if not text:
                return Cell(NONE if kind == "number" else "", f"first {kind} none")
            if kind == "number":
                return Cell(numbers.free_text(text, measure.decimals), "first number", text)
            no = " no" if measure.name == "agrees" and text == "False" and not self.reason(position) else ""
            link = self.link(text) if measure.name == "dataset" else ""
            return Cell(YES_NO.get(text, text), f"first {kind}{no}", link=link)

        return cell


def without_print(frame: Frame) -> Frame:
    """The frame without columns of print and their differences, and without rows that hold print alone."""
    beside = [name for name in frame.columns if name.endswith(("_printed", "_difference")) or name == "printed"]
    ours = [name for name in frame.columns if name not in (*beside, "dataset", *TOLD_BELOW)]
    kept = [place for place in range(frame.length) if any(frame.columns[name][place] for name in ours)]
    dropped = beside if "dataset" not in frame.columns else []
    return Frame(
        {name: [cells[place] for place in kept] for name, cells in frame.columns.items() if name not in dropped}
    )


def _parts(measure: Measure) -> list[str]:
    """The columns of a measure in the order of reading; an interval is one column."""
    ends = ["interval"] if measure.has_interval else ["low", "high"]
    order = ["printed", "", *ends, "standard_error", "difference"]
    return [part for part in order if part in measure.members or part == "interval"]


def _column(measure: Measure, part: str) -> Callable[[int], Cell]:
    """A column of a family: printed values as printed, ours with one digit more, differences with a sign."""
    align = "number" if measure.numeric else "text"
    decimals = measure.decimals + (part == "standard_error")

    def cell(position: int) -> Cell:
        text = measure.texts(part)[position]
        if not text:
            return Cell(NONE, f"{part or 'ours'} none")
        mark = ""
        if part == "" and measure.differs(position):
            mark = " differs"
        if part == "difference" and measure.outside(position):
            mark = " outside"
        if not measure.numeric:
            shown = text
        elif part == "printed":
            shown = numbers.printed_text(text, measure.printed_decimals)
        else:
            shown = numbers.written(text, decimals, signed=part == "difference")
        return Cell(shown, f"{part or 'ours'} {align}{mark}", text)

    return cell


def _interval(measure: Measure) -> Callable[[int], Cell]:
    def cell(position: int) -> Cell:
        ends = [measure.texts(suffix)[position] for suffix in ("low", "high")]
        if not all(ends):
            return Cell(NONE, "interval none")
        low, high = (numbers.written(end, measure.decimals) for end in ends)
        return Cell(f"{low} to\N{NO-BREAK SPACE}{high}", "interval number", ends[0])

    return cell


def _first(make: Callable[[int], Cell]) -> Callable[[int], Cell]:
    """The same column with a rule at its left: a family begins there."""

    def cell(position: int) -> Cell:
        made = make(position)
        made.classes = f"first {made.classes}"
        return made

    return cell
