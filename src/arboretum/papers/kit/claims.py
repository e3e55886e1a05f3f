"""One judge for all claims: code gives estimates, claims.yaml says what is expected of each.

A check is an entry of claims.yaml under the name that the claim's function returns:

    Coalescence ahead of forest: {kind: conclusion, inside: [-1.03, 1.03], unit: ranks, why: critical difference}
    forest ahead of C5.0: {kind: number, printed: 0.17, within: 0.3, unit: ranks}
    glass: {kind: number, printed: 21.4, as: one run, unit: "%"}

``conclusion`` checks decide whether the sentence holds, ``number`` checks whether printed numbers come out. The limits
of a conclusion are ``inside: [low, high]``, ``above: x`` or ``below: x``. A number agrees ``within`` a tolerance of the
printed one, or, ``as: one run``, if the printed one lies where one run of ours may fall.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from arboretum.errors import ArboretumError, nearest
from arboretum.measures.ties import TOLERANCE
from arboretum.papers.kit.estimate import LEVEL, Estimate

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
INCONCLUSIVE = "inconclusive"
CORRECTED = "reproduced once corrected"
CONTRADICTED = "the paper contradicts itself"
CONCLUSIONS = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE, CORRECTED, CONTRADICTED)
HOLDS, FAILS, OPEN = "holds", "fails", "open"
KINDS = ("conclusion", "number")
LIMITS = ("inside", "above", "below", "within", "as")
KEYS = ("kind", "printed", "unit", "why", "changed", "correction", *LIMITS)


@dataclass(frozen=True)
class Check:
    """What claims.yaml expects of one estimate. ``correction`` checks hold for the corrected statement only."""

    name: str
    kind: str
    low: float
    high: float
    printed: float | None = None
    one_run: bool = False
    unit: str = ""
    why: str = ""
    changed: str = ""
    correction: bool = False

    @classmethod
    def read(cls, name: str, entry: Mapping[str, Any], place: str) -> Check:
        """The check as the file has it; ``place`` names file and claim in messages."""
        place = f"{place}: check {name!r}"
        for key in entry:
            if key not in KEYS:
                raise ArboretumError(f"{place} has an unknown key {key!r}. {nearest(key, KEYS)}")
        if entry.get("kind") not in KINDS:
            raise ArboretumError(f"{place} needs kind: conclusion or kind: number, not {entry.get('kind')!r}.")
        given = [key for key in LIMITS if key in entry]
        allowed = ("within", "as") if entry["kind"] == "number" else ("inside", "above", "below")
        if len(given) != 1 or given[0] not in allowed:
            raise ArboretumError(f"{place}: a {entry['kind']} needs exactly one of {', '.join(allowed)}, not {given}.")
        if entry["kind"] == "number" and not _is_number(entry.get("printed")):
            raise ArboretumError(f"{place}: a number needs printed: the value that the paper prints.")
        low, high = _limits(given[0], entry, place)
        texts = {key: str(entry.get(key, "")) for key in ("unit", "why", "changed")}
        printed = float(entry["printed"]) if _is_number(entry.get("printed")) else None
        one_run, correction = given == ["as"], bool(entry.get("correction", False))
        return cls(name, entry["kind"], low, high, printed, one_run, correction=correction, **texts)

    def outcome(self, estimate: Estimate, level: float = LEVEL) -> str:
        """Does the interval at this level lie inside the limits, wholly outside, or neither?"""
        low, high = estimate.at(level)
        if self.one_run:  # is the printed value where one run may fall?
            if not np.isfinite([low, high]).all():
                return OPEN
            return HOLDS if low - TOLERANCE <= self.printed <= high + TOLERANCE else FAILS
        if low >= self.low - TOLERANCE and high <= self.high + TOLERANCE:
            return HOLDS
        if high < self.low - TOLERANCE or low > self.high + TOLERANCE:
            return FAILS
        return OPEN


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _limits(key: str, entry: Mapping[str, Any], place: str) -> tuple[float, float]:
    value = entry[key]
    if key == "as":
        if value != "one run":
            raise ArboretumError(f"{place}: as: one run is all that can stand there, not {value!r}.")
        return float(entry["printed"]), float(entry["printed"])
    if key == "inside":
        if not isinstance(value, list) or len(value) != 2 or not all(map(_is_number, value)) or value[0] > value[1]:
            raise ArboretumError(f"{place}: inside needs two numbers, the lower one first, not {value!r}.")
        return float(value[0]), float(value[1])
    if not _is_number(value):
        raise ArboretumError(f"{place}: {key} needs a number, not {value!r}.")
    if key == "within":
        if value < 0:
            raise ArboretumError(f"{place}: within needs a number of at least 0, not {value!r}.")
        return float(entry["printed"]) - value, float(entry["printed"]) + value
    return (float(value), np.inf) if key == "above" else (-np.inf, float(value))


@dataclass(frozen=True)
class Checked:
    """A check beside its estimate, and what became of it."""

    check: Check
    estimate: Estimate
    outcome: str


@dataclass(frozen=True)
class Judged:
    """A verdict: on the conclusion, and how many printed numbers agree. No conclusion check: the conclusion is ""."""

    conclusion: str
    checked: tuple[Checked, ...]

    @property
    def numbers(self) -> list[Checked]:
        return [one for one in self.checked if one.check.kind == "number"]

    @property
    def agreeing(self) -> int:
        return sum(one.outcome == HOLDS for one in self.numbers)

    @property
    def chance_of_so_many_outside(self) -> float:
        """The chance that so many numbers judged ``as: one run``, or more, lie outside if all came from our runs."""
        cells = [one for one in self.numbers if one.check.one_run]
        outside = sum(one.outcome == FAILS for one in cells)
        return float(stats.binom.sf(outside - 1, len(cells), 1 - LEVEL)) if cells else 1.0


def judge(
    checks: Mapping[str, Check], estimates: Mapping[str, Estimate], place: str, contradicted: bool = False
) -> Judged:
    """The verdict of one claim.

    Reproduced: every interval of 95% lies inside its limits, which is a valid test of "all". Not reproduced: some check
    lies outside at the level 1 - 0.05/m for m checks, because each of m checks has its chance to fail by luck; which
    ones fail goes by Holm. ``contradicted``: claims.yaml says that the statement and the printed numbers disagree.
    """
    _same_names(checks, estimates, place)
    stated = {name: check for name, check in checks.items() if check.kind == "conclusion" and not check.correction}
    corrected = {name: check for name, check in checks.items() if check.kind == "conclusion" and check.correction}
    outcomes = _outcomes(stated, estimates) | _outcomes(corrected, estimates)
    outcomes |= {name: check.outcome(estimates[name]) for name, check in checks.items() if check.kind == "number"}
    conclusion = _conclusion([outcomes[name] for name in stated])
    if conclusion == NOT_REPRODUCED and corrected and _conclusion([outcomes[name] for name in corrected]) == REPRODUCED:
        conclusion = CORRECTED
    if contradicted:
        conclusion = CONTRADICTED
    return Judged(conclusion, tuple(Checked(checks[name], estimates[name], outcomes[name]) for name in checks))


def _same_names(checks: Mapping[str, Check], estimates: Mapping[str, Estimate], place: str) -> None:
    for name in checks:
        if name not in estimates:
            raise ArboretumError(f"{place}: check {name!r} has no estimate. {nearest(name, estimates)}")
    for name in estimates:
        if name not in checks:
            raise ArboretumError(f"{place}: the claim's function returns {name!r}, but no check expects it.")


def _outcomes(checks: Mapping[str, Check], estimates: Mapping[str, Estimate]) -> dict[str, str]:
    """Holds at 95%; fails by Holm: step by step at 1 - 0.05/m for the m checks that have not failed yet."""
    failed: set[str] = set()
    while len(failed) < len(checks):
        level = 1 - (1 - LEVEL) / (len(checks) - len(failed))
        more = {name for name in checks if name not in failed and checks[name].outcome(estimates[name], level) == FAILS}
        if not more:
            break
        failed |= more
    held = {name for name in checks if name not in failed and checks[name].outcome(estimates[name]) == HOLDS}
    return {name: FAILS if name in failed else HOLDS if name in held else OPEN for name in checks}


def _conclusion(outcomes: list[str]) -> str:
    if not outcomes:
        return ""
    if FAILS in outcomes:
        return NOT_REPRODUCED
    return REPRODUCED if set(outcomes) == {HOLDS} else INCONCLUSIVE
