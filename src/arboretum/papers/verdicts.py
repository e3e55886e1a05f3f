"""How a claim is judged: a verdict for each of its parts, the numbers it rests on, and a text made from them.

A claim is a function ``(results, stated) -> Verdict`` with the decorator :func:`claim`. ``stated`` is what claims.yaml
says of it: what is printed, and the limits that decide. Verification compares verdicts exactly and numbers within
their tolerance; it never compares text, which is made from the numbers by :func:`say`.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from arboretum.errors import ArboretumError, nearest
from arboretum.measures.ties import TOLERANCE

if TYPE_CHECKING:
    from arboretum.papers.results import Results

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
INCONCLUSIVE = "inconclusive"
NOT_ASSESSED = "not assessed"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE, NOT_ASSESSED)

POSITIVE = (0.0, np.inf)
NEGATIVE = (-np.inf, 0.0)


@dataclass(frozen=True)
class Verdict:
    """What we conclude on one claim.

    ``parts`` is a verdict, or one for each named part of the claim. ``values`` are the numbers, counts and names that
    it rests on, by name; a value may be a mapping of its own (``{"bagging": 1.2}``). ``observed`` and ``note`` are
    templates over the values: ``"a drop of {drop:.2f}"``.
    """

    parts: str | Mapping[str, str]
    values: Mapping[str, Any]
    observed: str
    note: str = ""

    @property
    def verdict(self) -> str:
        return self.parts if isinstance(self.parts, str) else all_parts(*self.parts.values())


@dataclass(frozen=True)
class Stated:
    """A claim as claims.yaml states it."""

    id: str
    where: str
    statement: str
    published: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)
    informed_by_print: bool = False
    file: str = "claims.yaml"

    @classmethod
    def read(cls, entry: Mapping[str, Any], file: str) -> Stated:
        return cls(
            id=entry["id"],
            where=entry["where"],
            statement=" ".join(entry["statement"].split()),
            published=entry.get("published") or {},
            limits=entry.get("limits") or {},
            informed_by_print=bool(entry.get("informed_by_print", False)),
            file=file,
        )

    def limit(self, name: str) -> Any:
        """A tolerance or threshold of the claim: a number, or a pair for a range."""
        if name not in self.limits:
            raise ArboretumError(f"{self.file}: {self.id} has no limit {name!r}. {nearest(name, self.limits)}")
        found = self.limits[name]
        return tuple(map(float, found)) if isinstance(found, list) else found

    def printed(self, name: str) -> Any:
        """A number that the paper prints on this claim."""
        if name not in self.published:
            raise ArboretumError(f"{self.file}: {self.id} publishes no value {name!r}. {nearest(name, self.published)}")
        return self.published[name]


@dataclass(frozen=True)
class Claim:
    """One claim: ``judge(results, stated)`` gives the verdict; ``tolerance`` is what verification allows in a value."""

    name: str
    judge: Callable[[Results, Stated], Verdict]
    tolerance: float = TOLERANCE


def claim(name: str, *, tolerance: float = TOLERANCE) -> Callable[[Callable], Claim]:
    """Make a claim of the function below: ``@claim("vrtrees-c01")``."""
    return lambda judge: Claim(name, judge, tolerance)


# ------------------------------------------------------------------ judging


def judge(low: float, high: float, inside: tuple[float, float]) -> str:
    """The verdict of an interval ``[low, high]`` against a tolerance ``inside``.

    Reproduced when the interval lies inside the tolerance, not reproduced when it lies wholly outside, otherwise
    inconclusive. Ends that differ by rounding alone are equal.
    """
    accepted_low, accepted_high = inside
    if low >= accepted_low - TOLERANCE and high <= accepted_high + TOLERANCE:
        return REPRODUCED
    if high < accepted_low - TOLERANCE or low > accepted_high + TOLERANCE:
        return NOT_REPRODUCED
    return INCONCLUSIVE


def decide(holds: bool) -> str:
    """The verdict of a statement that was decided exactly: reproduced or not reproduced."""
    return REPRODUCED if holds else NOT_REPRODUCED


def all_parts(*verdicts: str) -> str:
    """All parts reproduced: reproduced; one not reproduced: not reproduced; else inconclusive."""
    if NOT_REPRODUCED in verdicts:
        return NOT_REPRODUCED
    return REPRODUCED if set(verdicts) == {REPRODUCED} else INCONCLUSIVE


def around(value: float, tolerance: float) -> tuple[float, float]:
    return value - tolerance, value + tolerance


# ------------------------------------------------------------------ saying


RESIDUE = 1e-12


class _Wording(string.Formatter):
    """Formats values so that rounding never shows: see :func:`say`."""

    def format_field(self, value: Any, spec: str) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {self.format_field(item, spec)}" for name, item in value.items()) or "none"
        if isinstance(value, list | tuple):
            return " / ".join(self.format_field(item, spec) for item in value) or "none"
        if spec.startswith("below "):
            limit = spec.removeprefix("below ")
            return f"below {limit}" if abs(value) < float(limit) else f"{value:.1e}"
        if isinstance(value, float | np.floating):
            value = 0.0 if abs(value) < RESIDUE else float(f"{value:.10g}")
        return format(value, spec)


def say(template: str, **values: Any) -> str:
    """``template`` filled with ``values``, as :meth:`str.format` does, for text that is the same on every processor.

    Floats are first rounded to ten significant digits, so that 16.25 and the number one bit above it read the same, and
    a residue of rounding is zero, so that none reads "-0.00".
    ``{gap:below 1e-12}`` writes "below 1e-12" for a residue of rounding. A mapping reads ``name value, name value``
    with the format given for each value, a list ``value / value``.
    """
    return _Wording().vformat(template, (), values)


def flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Values by name; those of a mapping or list as ``name.key``."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, list | tuple):
            yield from flat(dict(enumerate(value)), f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
