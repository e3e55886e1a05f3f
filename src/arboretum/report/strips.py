"""A claim as a picture: one strip per check, with its limits as a band, our interval, and the printed value."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from arboretum.papers.kit.checks import FAILS, HOLDS, OPEN, Check
from arboretum.report import numbers

WIDTH, HEIGHT = 260, 18
EDGE = 8  # pixels left free on both sides, for a value that has no end
SIGNS = {HOLDS: "✓", FAILS: "✕", OPEN: "≈", "": "·"}
Row = Mapping[str, str]


@dataclass(frozen=True)
class Strip:
    """One check: the cell that it is about ("" where it stands alone), its picture and its numbers in words."""

    cell: str
    verdict: str
    sign: str
    drawing: Markup
    words: str


@dataclass(frozen=True)
class Group:
    """One entry of claims.yaml: a strip, or one for each cell."""

    name: str
    rule: str
    kind: str
    changed: str
    unit: str
    strips: tuple[Strip, ...]

    @property
    def held(self) -> int:
        return sum(strip.verdict == HOLDS for strip in self.strips)

    @property
    def alone(self) -> bool:
        return len(self.strips) == 1 and not self.strips[0].cell

    @property
    def verdict(self) -> str:
        """Of the whole entry: holds if all do, fails if one does."""
        found = {strip.verdict for strip in self.strips}
        return FAILS if FAILS in found else OPEN if OPEN in found else HOLDS if HOLDS in found else ""

    @property
    def sign(self) -> str:
        return SIGNS[self.verdict]


def groups(rows: Sequence[Row], checks: Mapping[str, Check]) -> list[Group]:
    """The rows of checks.csv of one claim, entry by entry of claims.yaml; strips of an entry share their scale."""
    found = []
    for name, check in checks.items():
        members = [row for row in rows if row["check"] == name or (check.each and row["check"].startswith(f"{name}: "))]
        if not members:
            continue
        scale = Scale.of(members)
        strips = tuple(_strip(row, row["check"].removeprefix(name).removeprefix(": "), scale) for row in members)
        found.append(Group(name, check.rule, check.kind, check.changed, check.unit, strips))
    return found


@dataclass(frozen=True)
class Scale:
    """What a strip spans: every finite number of its entry, and a little more."""

    low: float
    high: float

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Scale:
        wanted = ("value", "low", "high", "limit_low", "limit_high", "printed")
        values = [value for row in rows for key in wanted if math.isfinite(value := _number(row[key]))]
        low, high = min(values), max(values)
        room = 0.06 * (high - low) or max(abs(high), 1.0) / 2
        return cls(low - room, high + room)

    def at(self, value: float) -> float:
        """The place of a value in pixels; one without end lies at the edge."""
        if math.isinf(value):
            return 0.0 if value < 0 else float(WIDTH)
        return EDGE + (WIDTH - 2 * EDGE) * (value - self.low) / (self.high - self.low)


def _strip(row: Row, cell: str, scale: Scale) -> Strip:
    value, low, high = (_number(row[key]) for key in ("value", "low", "high"))
    least, most, printed = (_number(row[key]) for key in ("limit_low", "limit_high", "printed"))
    middle, parts = HEIGHT / 2, []
    if row["kind"] != "shown" and not (math.isinf(least) and math.isinf(most)):
        left, right = scale.at(least), scale.at(most)
        parts.append(f'<rect class="band" x="{left:.1f}" width="{max(right - left, 1.5):.1f}" height="{HEIGHT}"/>')
    ends = f'x1="{scale.at(low):.1f}" x2="{scale.at(high):.1f}" y1="{middle}" y2="{middle}"'
    parts.append(f'<line class="{"interval" if math.isfinite(high - low) else "interval unknown"}" {ends}/>')
    parts.append(f'<circle cx="{scale.at(value):.1f}" cy="{middle}" r="3.4"/>')
    if math.isfinite(printed):
        x = scale.at(printed)
        corners = [(x, middle - 5.5), (x + 5, middle), (x, middle + 5.5), (x - 5, middle)]
        parts.append('<polygon points="' + " ".join(f"{a:.1f},{b:.1f}" for a, b in corners) + '"/>')
    words = _words(value, low, high, printed, row["varies"])
    picture = f'<svg class="strip" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{{}}">{"".join(parts)}</svg>'
    return Strip(cell, row["verdict"], SIGNS[row["verdict"]], Markup(picture).format(words), words)


def _words(value: float, low: float, high: float, printed: float, varies: str) -> str:
    finite = math.isfinite(high - low)
    decimals = _decimals((high - low) / 2 if finite and high > low else abs(value) / 100)
    text = _written(value, decimals)
    if not finite:
        text += f" (no interval: {varies})"
    elif high > low:
        text += f" ({_written(low, decimals)} to {_written(high, decimals)})"
    if math.isfinite(printed):
        text += f", printed {_written(printed, numbers.own_decimals(f'{printed:.6g}'))}"
    return text


def _decimals(width: float) -> int:
    """Decimals that show two digits of a width."""
    return min(6, max(0, 1 - math.floor(math.log10(width)))) if width > 1e-12 else 0


def _written(value: float, decimals: int) -> str:
    if abs(value) < 1e-12 or not math.isfinite(value):
        return "0" if abs(value) < 1e-12 else str(value)
    return numbers.written(str(value), 0 if value == int(value) and abs(value) >= 10 else decimals)


def _number(text: str) -> float:
    return float(text) if text else math.nan
