"""The misprints of a paper, from its NOTES.md: a heading, a pipe table and lines of remarks."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Notes:
    """``header`` and ``rows`` of the table, and the remarks that follow it."""

    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def read_notes(text: str) -> Notes:
    """The table and the remarks of a NOTES.md; its headings are dropped, the page has its own."""
    notes = Notes()
    for line in text.splitlines():
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if all(cell and not cell.strip("-: ") for cell in cells):
                continue
            if notes.header:
                notes.rows.append((cells + [""] * len(notes.header))[: len(notes.header)])
            else:
                notes.header = cells
        elif line.strip() and not line.startswith("#"):
            notes.remarks.append(line.strip().lstrip("-* "))
    return notes
