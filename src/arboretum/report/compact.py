"""A wide table of methods beside print, small enough to read: one cell for each method, the best of a row marked."""

from __future__ import annotations

from dataclasses import dataclass

from arboretum.report import numbers
from arboretum.report.frames import Measure, readable
from arboretum.report.tables import TableView

LEAST_METHODS = 3
STANDARD_ERRORS = 1.96  # half of a 95% interval
STEPS = (1.0, 2.0, 3.0)  # standard errors at which the shade of a cell changes
DIRECTIONS = {"error": min, "accuracy": max, "margin": max}


@dataclass
class CompactCell:
    ours: str
    printed: str = ""
    said: str = ""
    classes: str = ""
    sort: str = ""


@dataclass
class CompactRow:
    label: str
    anchor: str
    link: str
    classes: str
    cells: list[CompactCell]
    remark: str = ""


@dataclass
class CompactView:
    """``heading`` stands over the rows, ``methods`` are the columns; ``shaded``: cells are, by distance from print."""

    heading: str
    methods: list[str]
    rows: list[CompactRow]
    shaded: bool
    best: str
    remarks: bool


def compact(table: TableView, title: str) -> CompactView | None:
    """The compact view of a table whose columns are methods with print beside them; None where it is no such table."""
    methods = [
        measure
        for measure in table.measures
        if measure.numeric and measure.decimals and {"", "printed"} <= set(measure.members)
    ]
    direction = next((word for word in DIRECTIONS if word in title.lower()), "")
    if len(methods) < LEAST_METHODS or not direction or table.frame.length > 100:
        return None
    rows = [_row(table, methods, position, direction) for position in range(table.frame.length)]
    return CompactView(
        " / ".join(readable(key) for key in table.keys if key in table.frame.columns) or "row",
        [measure.label for measure in methods],
        [row for row in rows if "summary" in row.classes] + [row for row in rows if "summary" not in row.classes],
        any("shade" in cell.classes for row in rows for cell in row.cells),
        "lowest" if DIRECTIONS[direction] is min else "highest",
        any(row.remark for row in rows),
    )


def _row(table: TableView, methods: list[Measure], position: int, direction: str) -> CompactRow:
    columns = table.frame.columns
    name = columns["dataset"][position] if "dataset" in columns else ""
    cells = [_cell(measure, position) for measure in methods]
    for side, mark in (("", "best"), ("printed", "printed-best")):
        found = [numbers.number(measure.texts(side)[position] or "") for measure in methods]
        known = [value for value in found if value is not None]
        for cell, value in zip(cells, found, strict=True):
            if value is not None and len(known) > 1 and value == DIRECTIONS[direction](known):
                cell.classes += f" {mark}"
    return CompactRow(
        table.label(position),
        table.anchors[position],
        table.link(name),
        table.row_classes(position),
        cells,
        columns["remark"][position] if "remark" in columns else "",
    )


def _cell(measure: Measure, position: int) -> CompactCell:
    ours, printed = measure.texts("")[position], measure.texts("printed")[position]
    if not ours:
        return CompactCell("–", numbers.printed_text(printed, measure.printed_decimals) if printed else "", "", "none")
    cell = CompactCell(numbers.written(ours, measure.decimals), sort=ours)
    if printed:
        difference = float(ours) - float(printed)
        cell.printed = numbers.printed_text(printed, measure.printed_decimals)
        cell.said = f"{numbers.written(str(difference), measure.decimals, signed=True)} from print"
        error = standard_error(measure, position)
        if error:
            cell.said += f", {numbers.written(str(difference / error), 1, signed=True)} standard errors"
            cell.classes = f"shade {shade(difference / error)}"
    return cell


def standard_error(measure: Measure, position: int) -> float | None:
    """The standard error of a cell, from its own column or from its 95% interval; None where neither is known."""
    if "standard_error" in measure.members:
        return numbers.number(measure.texts("standard_error")[position] or "")
    ends = [numbers.number(measure.texts(end)[position] or "") for end in ("low", "high")]
    return None if None in ends else (ends[1] - ends[0]) / (2 * STANDARD_ERRORS)


def shade(deviations: float) -> str:
    """The class of a difference in standard errors: ``near``, or ``above-1`` to ``above-3`` and ``below-1`` to ..."""
    size = sum(abs(deviations) > step for step in STEPS)
    return f"{'above' if deviations > 0 else 'below'}-{size}" if size else "near"
