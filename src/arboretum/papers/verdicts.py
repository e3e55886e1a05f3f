"""What claims share beside `judge` and `decide`: several parts put together, a tolerance about a value."""

from __future__ import annotations

from arboretum.papers.shape import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED


def together(*verdicts: str) -> str:
    """All parts reproduced: reproduced; one not reproduced: not reproduced; else inconclusive."""
    if NOT_REPRODUCED in verdicts:
        return NOT_REPRODUCED
    return REPRODUCED if set(verdicts) == {REPRODUCED} else INCONCLUSIVE


def around(value: float, tolerance: float) -> tuple[float, float]:
    return value - tolerance, value + tolerance
