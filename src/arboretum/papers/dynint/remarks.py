"""What was looked at where a cell differs from print by more than was allowed."""

from __future__ import annotations

REMARKS: dict[tuple[str, str], str] = {}


def remark_on(table: str, dataset: str, column: str) -> str:
    """What is known of a cell; "unexplained" where nothing was found."""
    return REMARKS.get((table, dataset), "unexplained")
