"""What claims.yaml expects of an estimate: one entry per check, under the name that the claim's function returns.

    Coalescence ahead of forest: {kind: conclusion, inside: [-1.03, 1.03], unit: ranks, why: critical difference}
    forest ahead of C5.0: {kind: number, printed: 0.17, within: 0.3, unit: ranks}
    error: {kind: number, each: set, as: one run, within: 0.05, unit: "%", why: print rounds to a tenth}
    points above Bayes: {kind: shown, unit: "%"}

``conclusion`` checks decide whether the sentence holds: ``inside: [low, high]``, ``above: x`` or ``below: x`` (x itself
is neither), ``at_least: x`` or ``at_most: x``.
``number`` checks say whether a printed number comes out: ``within`` a tolerance (``within: 5%`` is a share of the
printed number), or, ``as: one run``, if the printed one lies where one run of ours may fall, give or take ``within``.
``shown`` ones have no limits: they are there to be read. With ``each: set`` the function returns one estimate for each
set (cell, step), and each is a check of its own; printed values may come with the estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from arboretum.errors import ArboretumError, nearest
from arboretum.measures.ties import TOLERANCE
from arboretum.papers.kit.estimate import LEVEL, Estimate

HOLDS, FAILS, OPEN, SHOWN = "holds", "fails", "open", ""
CONCLUSION, NUMBER = "conclusion", "number"
ENDS = ("inside", "above", "below", "at_least", "at_most")
LIMITS = {CONCLUSION: ENDS, NUMBER: ("within", "as"), "shown": ()}
KEYS = ("kind", "each", "printed", "unit", "why", "changed", "correction", *ENDS, "within", "as")


@dataclass(frozen=True)
class Check:
    """One entry. ``correction`` checks are about the corrected statement; ``changed`` says what limit moved and why."""

    name: str
    kind: str
    low: float = -np.inf
    high: float = np.inf
    strict: bool = False
    printed: float | None = None
    within: float = 0.0
    relative: bool = False
    one_run: bool = False
    each: str = ""
    unit: str = ""
    why: str = ""
    changed: str = ""
    correction: bool = False
    printed_by: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, name: str, entry: Any, place: str) -> Check:
        """The check as the file has it; ``place`` names file and claim in messages."""
        place = f"{place}: check {name!r}"
        if not isinstance(entry, Mapping):
            raise ArboretumError(f"{place} needs keys such as kind and above, not {entry!r}.")
        for key in entry:
            if key not in KEYS:
                raise ArboretumError(f"{place} has an unknown key {key!r}. {nearest(key, KEYS)}")
        kind, each = entry.get("kind"), str(entry.get("each", ""))
        if kind not in LIMITS:
            raise ArboretumError(f"{place} needs kind: conclusion, number or shown, not {kind!r}.")
        given = [key for key in (*ENDS, "within", "as") if key in entry]
        if not set(given) <= set(LIMITS[kind]) or (kind != "shown" and not given) or len(given) > (kind == NUMBER) + 1:
            wanted = {CONCLUSION: f"one of {', '.join(ENDS)}", NUMBER: "within or as: one run", "shown": "no limit"}
            raise ArboretumError(f"{place}: a {kind} needs {wanted[kind]}, not {' and '.join(given) or 'nothing'}.")
        printed, printed_by = entry.get("printed"), {}
        if isinstance(printed, Mapping) and each and all(map(_is_number, printed.values())):
            printed, printed_by = None, {str(cell): float(value) for cell, value in printed.items()}
        elif printed is not None and not _is_number(printed):
            raise ArboretumError(f"{place}: printed needs a number, or with each one for each {each or 'cell'}.")
        if kind == NUMBER and not each and printed is None:
            raise ArboretumError(f"{place}: a number needs printed: the value that the paper prints.")
        if "as" in entry and entry["as"] != "one run":
            raise ArboretumError(f"{place}: as: one run is all that can stand there, not {entry['as']!r}.")
        low, high = _ends(given[0], entry[given[0]], place) if kind == CONCLUSION else (-np.inf, np.inf)
        within, relative = _tolerance(entry.get("within", 0.0), place)
        return cls(
            name,
            kind,
            low,
            high,
            given[:1] in (["above"], ["below"]),
            None if printed is None else float(printed),
            within,
            relative,
            "as" in entry,
            each,
            correction=bool(entry.get("correction", False)),
            printed_by=printed_by,
            **{key: str(entry.get(key, "")) for key in ("unit", "why", "changed")},
        )

    def of(self, cell: str, estimate: Estimate, place: str) -> Check:
        """The check of one cell of those that ``each`` names; its printed value comes with the estimate or the file."""
        printed = self.printed_by.get(cell, self.printed) if estimate.printed is None else estimate.printed
        if self.kind == NUMBER and (printed is None or np.isnan(printed)):
            raise ArboretumError(f"{place}: check {self.name!r} has no printed value for {cell!r}.")
        return replace(self, name=f"{self.name}: {cell}", printed=printed)

    @property
    def limits(self) -> tuple[float, float]:
        """Where the value must lie; of a printed number the number itself, give or take its tolerance."""
        if self.kind != NUMBER or self.printed is None:
            return self.low, self.high
        room = self.within * abs(self.printed) if self.relative else self.within
        return self.printed - room, self.printed + room

    def outcome(self, estimate: Estimate, level: float = LEVEL) -> str:
        """Does the interval at this level lie inside the limits, wholly outside, or neither?"""
        if self.kind == "shown":
            return SHOWN
        (low, high), (least, most) = estimate.at(level), self.limits
        if self.one_run:  # is the printed value where one run may fall?
            if not np.isfinite([low, high]).all():
                return OPEN
            return HOLDS if low - TOLERANCE <= most and high + TOLERANCE >= least else FAILS
        least, most = least - self._residue(least), most + self._residue(most)
        if low >= least and high <= most:
            return HOLDS
        return FAILS if high < least or low > most else OPEN

    def _residue(self, limit: float) -> float:
        """What rounding may leave between a value and the limit that it equals; outside where the limit is strict."""
        residue = TOLERANCE * (abs(limit) or 1.0) if np.isfinite(limit) else 0.0
        return -residue if self.strict else residue

    @property
    def rule(self) -> str:
        """How it is judged, in words."""
        unit = f" {self.unit}" if self.unit else ""
        printed = "the printed value" if self.printed is None else f"the printed {self.printed:g}{unit}"
        room = f"{100 * self.within:g}%" if self.relative else f"{self.within:g}{unit}"
        if self.kind == "shown":
            words = "for information"
        elif self.one_run:
            words = f"{printed} lies where one run may fall" + (f", give or take {room}" if self.within else "")
        elif self.kind == NUMBER:
            words = f"within {room} of {printed}"
        elif np.isinf(self.high):
            words = f"{'above' if self.strict else 'at least'} {self.low:g}{unit}"
        elif np.isinf(self.low):
            words = f"{'below' if self.strict else 'at most'} {self.high:g}{unit}"
        else:
            words = f"from {self.low:g} to {self.high:g}" if self.low < self.high else f"exactly {self.low:g}"
            words += unit
        return words + (f" ({self.why})" if self.why else "")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _ends(key: str, value: Any, place: str) -> tuple[float, float]:
    if key == "inside":
        if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)) or value[0] > value[1]:
            raise ArboretumError(f"{place}: inside needs two numbers, the lower one first, not {value!r}.")
        return float(value[0]), float(value[1])
    if not _is_number(value):
        raise ArboretumError(f"{place}: {key} needs a number, not {value!r}.")
    return (float(value), np.inf) if key in ("above", "at_least") else (-np.inf, float(value))


def _tolerance(value: Any, place: str) -> tuple[float, bool]:
    """A tolerance, and whether it is a share of the printed number: 0.3, or 5%."""
    relative = isinstance(value, str) and value.endswith("%")
    try:
        number = float(value[:-1]) / 100 if relative else float(value)
    except (TypeError, ValueError):
        number = -1.0
    if number < 0 or isinstance(value, bool) or (isinstance(value, str) and not relative):
        raise ArboretumError(f"{place}: within needs a number of at least 0, or a share such as 5%, not {value!r}.")
    return number, relative


# ------------------------------------------------------------------ what a text may name


@dataclass(frozen=True)
class Value:
    """One check as a text sees it; ``entry`` is its name in claims.yaml, ``name`` that of its cell."""

    entry: str
    name: str
    value: float
    low: float
    high: float
    printed: float | None
    held: bool


def entry_of(name: str, checks: Mapping[str, Check]) -> str:
    """The entry of claims.yaml that a check stands under: its own name, or that before its cell."""
    if name in checks and not checks[name].each:
        return name
    return max((entry for entry in checks if name.startswith(f"{entry}: ")), key=len, default=name)


def values_by_name(values: Iterable[Value]) -> dict[str, float]:
    """``check``, ``check.low``, ``check.high`` and ``check.printed``; of an entry with cells ``entry.held`` and
    ``entry.of``, how many hold of how many, ``entry.least`` and ``entry.greatest``."""
    found: dict[str, float] = {}
    cells: dict[str, list[Value]] = {}
    for one in values:
        found |= {one.name: one.value, f"{one.name}.low": one.low, f"{one.name}.high": one.high}
        if one.printed is not None:
            found[f"{one.name}.printed"] = one.printed
        if one.name != one.entry:
            cells.setdefault(one.entry, []).append(one)
    for entry, members in cells.items():
        found |= {f"{entry}.held": sum(one.held for one in members), f"{entry}.of": len(members)}
        found[f"{entry}.least"] = min(one.value for one in members)
        found[f"{entry}.greatest"] = max(one.value for one in members)
    return found
