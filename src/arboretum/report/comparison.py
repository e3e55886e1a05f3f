"""How the measures of a table compare with print, over the rows that both sides have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arboretum.report import numbers
from arboretum.report.frames import Measure


@dataclass(frozen=True)
class Comparison:
    """One measure: rows compared, rows equal as printed, mean and largest difference, printed outside our interval."""

    measure: str
    rows: int
    equal: int
    mean: str = ""
    largest: str = ""
    largest_row: str = ""
    outside: int | None = None


def shared_rows(measure: Measure, positions: Sequence[int]) -> list[int]:
    """Those of ``positions`` that have both ours and print."""
    ours, printed = measure.texts(""), measure.texts("printed")
    return [position for position in positions if ours[position] and printed[position]]


def compare(measure: Measure, positions: Sequence[int], label: Callable[[int], str]) -> Comparison | None:
    """The comparison over ``positions``, which ``label`` names; None where there is nothing to compare."""
    shared = shared_rows(measure, positions)
    if not shared or not measure.comparable:
        return None
    outside = sum(map(measure.outside, shared)) if measure.has_interval else None
    ours, printed = measure.texts(""), measure.texts("printed")
    if not measure.numeric:
        equal = sum(ours[position] == printed[position] for position in shared)
        return Comparison(measure.label, len(shared), equal, outside=outside)
    differences = {position: float(ours[position]) - float(printed[position]) for position in shared}
    far = max(differences, key=lambda position: abs(differences[position]))
    return Comparison(
        measure.label,
        len(shared),
        sum(abs(differences[position]) <= _rounding(measure, printed[position]) for position in shared),
        numbers.written(str(sum(differences.values()) / len(shared)), max(measure.decimals + 1, 2), signed=True),
        numbers.written(str(differences[far]), measure.decimals, signed=True),
        label(far) if differences[far] else "",
        outside,
    )


def _rounding(measure: Measure, printed: str) -> float:
    """What rounding to the printed digits can hide: nothing where ours are whole numbers."""
    if not measure.decimals:
        return 0.0
    given = max(measure.printed_decimals, min(numbers.own_decimals(printed), numbers.VERBATIM))
    return 0.5 * 10.0**-given + 1e-9
