"""One judge for all claims: code gives estimates, claims.yaml says what is expected of each.

    @claim("vrtrees-c17", evidence=("figure6", "figure6_fragility"))
    def forest_ranks_as_coalescence_and_boosting(results):
        '''Random forest is not significantly behind Coalescence, and ranks nearly as C5.0 does.'''
        rank = ranks_by_repetition(results, TABLE3_LEARNERS)
        return {"Coalescence ahead of forest": difference_of(rank["random_forest"], rank["coalescence"]), ...}

What the file may say of each is in :mod:`arboretum.papers.kit.checks`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from arboretum.errors import ArboretumError, nearest
from arboretum.measures.ties import TOLERANCE
from arboretum.papers.kit.checks import CONCLUSION, FAILS, HOLDS, NUMBER, OPEN, Check, Value, values_by_name
from arboretum.papers.kit.estimate import LEVEL, Estimate
from arboretum.papers.kit.wording import settled

if TYPE_CHECKING:
    from arboretum.papers.results import Results

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
INCONCLUSIVE = "inconclusive"
CORRECTED = "reproduced once corrected"
CONTRADICTED = "the paper contradicts itself"
CONCLUSIONS = (REPRODUCED, CORRECTED, INCONCLUSIVE, CONTRADICTED, NOT_REPRODUCED)
MOST_NAMED = 4  # cells that a sentence names

Estimates = Mapping[str, Estimate | Mapping[str, Estimate]]


@dataclass(frozen=True)
class Claim:
    """One claim: ``estimates(results)`` by the names of its checks, and the tables and figures to look at.

    ``tolerance`` is what verification allows in a value, absolute and relative.
    """

    name: str
    estimates: Callable[[Results], Estimates]
    evidence: tuple[str, ...] = ()
    tolerance: float = TOLERANCE


def claim(name: str, *, evidence: tuple[str, ...], tolerance: float = TOLERANCE) -> Callable[[Callable], Claim]:
    """Make a claim of the function below: ``@claim("vrtrees-c01", evidence=("table1",))``."""
    return lambda estimates: Claim(name, estimates, evidence, tolerance)


@dataclass(frozen=True)
class Checked:
    """A check beside its estimate, and what became of it; ``group`` is the name under which the file has it."""

    check: Check
    estimate: Estimate
    outcome: str
    group: str

    @property
    def held(self) -> bool:
        return self.outcome == HOLDS

    @property
    def written(self) -> str:
        """The value with its interval, to two digits of the interval."""
        value, low, high = map(settled, (self.estimate.value, *self.estimate.interval))
        unit = f" {self.check.unit}" if self.check.unit else ""
        if not np.isfinite([low, high]).all():
            return f"{value:.4g}{unit} (no interval: {self.estimate.varies})"
        if low == high:
            return f"{value:.0f}{unit}" if value == round(value) and abs(value) < 1e9 else f"{value:.4g}{unit}"
        decimals = max(0, 1 - int(np.floor(np.log10((high - low) / 2))))
        low_text, text, high_text = (f"{number:.{decimals}f}" for number in (low, value, high))
        return f"{text} ({low_text} to {high_text}){unit}"

    @property
    def precision(self) -> float:
        """Half the interval over the room that the limits leave; nan where they leave room without end, or none.

        So runs are planned: it should be a third at most. A number judged ``as: one run`` has the spread of that run.
        """
        (low, high), (least, most) = self.estimate.interval, self.check.limits
        if self.check.one_run:
            return np.nan
        room = (most - least) / 2
        return (high - low) / 2 / room if 0 < room < np.inf and np.isfinite(high - low) else np.nan


@dataclass(frozen=True)
class Judged:
    """A verdict: on the conclusion, and on how many printed numbers agree; and what there is to say of it."""

    conclusion: str
    checked: tuple[Checked, ...]
    remark: str = ""

    @property
    def numbers(self) -> list[Checked]:
        return [one for one in self.checked if one.check.kind == NUMBER]

    @property
    def agreeing(self) -> int:
        return sum(one.outcome == HOLDS for one in self.numbers)

    @property
    def chance_of_so_many_outside(self) -> float:
        """The chance that so many numbers judged ``as: one run``, or more, lie outside if all came from our runs."""
        return _chance([one.outcome for one in self.numbers if one.check.one_run])

    @property
    def numbers_agree(self) -> str:
        """ "k of n agree", and for cells judged as one run what chance alone leaves out."""
        if not self.numbers:
            return ""
        cells = [one for one in self.numbers if one.check.one_run]
        words = f"{self.agreeing} of {len(self.numbers)} agree"
        if len(cells) >= 1 / (1 - LEVEL) and any(one.outcome == FAILS for one in cells):
            words += f"; chance alone leaves about {(1 - LEVEL) * len(cells):.0f} out, so many or more with "
            words += f"probability {self.chance_of_so_many_outside:.2g}"
        return words

    @cached_property
    def groups(self) -> dict[str, list[Checked]]:
        found: dict[str, list[Checked]] = {}
        for one in self.checked:
            found.setdefault(one.group, []).append(one)
        return found

    @property
    def observed(self) -> str:
        """What was found, one phrase per entry of the file."""
        return "; ".join(_phrase(name, members) for name, members in self.groups.items())

    @cached_property
    def values(self) -> dict[str, float]:
        """What a remark may name; see :func:`arboretum.papers.kit.checks.values_by_name`."""
        return values_by_name(
            Value(one.group, one.check.name, one.estimate.value, *one.estimate.interval, one.check.printed, one.held)
            for one in self.checked
        )


def judge(checks: Mapping[str, Check], estimates: Estimates, place: str, contradicted: bool = False) -> Judged:
    """The verdict of one claim.

    Reproduced: every interval of 95% lies inside its limits, which is a valid test of "all". Not reproduced: some check
    lies outside at the level 1 - 0.05/m for m checks, because each of m checks has its chance to fail by luck; which
    ones fail goes by Holm. A claim that states numbers and nothing else is judged by them: those with a tolerance as
    above, those ``as: one run`` by whether more lie outside than chance leaves out in one table of twenty.
    ``contradicted``: claims.yaml says that the statement and the printed numbers disagree.
    """
    pairs = _pairs(checks, estimates, place)
    stated = [number for number, (check, _, _) in enumerate(pairs) if check.kind == CONCLUSION and not check.correction]
    corrected = [number for number, (check, _, _) in enumerate(pairs) if check.kind == CONCLUSION and check.correction]
    found = {number: check.outcome(estimate) for number, (check, estimate, _) in enumerate(pairs)}
    found |= _outcomes(pairs, stated) | _outcomes(pairs, corrected)
    conclusion = _conclusion([found[number] for number in stated])
    if not stated:
        near = [number for number, (check, _, _) in enumerate(pairs) if check.kind == NUMBER and not check.one_run]
        found |= _outcomes(pairs, near)
        runs = [found[number] for number, (check, _, _) in enumerate(pairs) if check.kind == NUMBER and check.one_run]
        conclusion = _conclusion([*(found[number] for number in near), *_together(runs)])
    if conclusion == NOT_REPRODUCED and corrected and _conclusion([found[one] for one in corrected]) == REPRODUCED:
        conclusion = CORRECTED
    if contradicted:
        conclusion = CONTRADICTED
    checked = (Checked(check, one, found[number], group) for number, (check, one, group) in enumerate(pairs))
    return Judged(conclusion, tuple(checked))


def _pairs(checks: Mapping[str, Check], estimates: Estimates, place: str) -> list[tuple[Check, Estimate, str]]:
    """Every check with its estimate and the name in the file; ``each`` is one for each cell that the function gave."""
    for name in checks:
        if name not in estimates:
            raise ArboretumError(f"{place}: check {name!r} has no estimate. {nearest(name, estimates)}")
    for name in estimates:
        if name not in checks:
            raise ArboretumError(f"{place}: the claim's function returns {name!r}, but no check expects it.")
    pairs: list[tuple[Check, Estimate, str]] = []
    for name, check in checks.items():
        found: Any = estimates[name]
        empty = check.each and check.kind != "shown" and not found  # where nothing is judged there may be nothing
        if bool(check.each) != isinstance(found, Mapping) or empty:
            wanted = f"one estimate for each {check.each}" if check.each else "one estimate (each: is not set)"
            raise ArboretumError(f"{place}: check {name!r} needs {wanted}, not {type(found).__name__} {found!r}.")
        if check.each:
            pairs += [(check.of(str(cell), one, place), one, name) for cell, one in found.items()]
        else:
            pairs.append((check, found, name))
    return pairs


def _outcomes(pairs: list[tuple[Check, Estimate, str]], those: list[int]) -> dict[int, str]:
    """Holds at 95%; fails by Holm: step by step at 1 - 0.05/m for the m checks that have not failed yet."""
    failed: set[int] = set()
    while len(failed) < len(those):
        level = 1 - (1 - LEVEL) / (len(those) - len(failed))
        more = {one for one in those if one not in failed and pairs[one][0].outcome(pairs[one][1], level) == FAILS}
        if not more:
            break
        failed |= more
    held = {one for one in those if one not in failed and pairs[one][0].outcome(pairs[one][1]) == HOLDS}
    return {one: FAILS if one in failed else HOLDS if one in held else OPEN for one in those}


def _chance(outcomes: list[str]) -> float:
    outside = outcomes.count(FAILS)
    return float(stats.binom.sf(outside - 1, len(outcomes), 1 - LEVEL)) if outcomes else 1.0


def _together(outcomes: list[str]) -> list[str]:
    """Cells judged as one run, as one check: more outside than chance leaves, or not; open if some cell is."""
    known = [outcome for outcome in outcomes if outcome != OPEN]
    found = [FAILS if _chance(known) < 1 - LEVEL else HOLDS] if known else []
    return found + [OPEN] * (OPEN in outcomes)


def _conclusion(outcomes: list[str]) -> str:
    if not outcomes:
        return ""
    if FAILS in outcomes:
        return NOT_REPRODUCED
    return REPRODUCED if set(outcomes) == {HOLDS} else INCONCLUSIVE


def _phrase(name: str, members: list[Checked]) -> str:
    first = members[0]
    if not first.check.each:
        return f"{name} {first.written}"
    cells = {one.check.name.removeprefix(f"{name}: "): one for one in members}
    if first.check.kind == "shown":
        return f"{name}: " + ", ".join(f"{cell} {one.written}" for cell, one in cells.items())
    held = sum(one.outcome == HOLDS for one in members)
    words = f"{name}: {held} of {len(members)} {'agree' if first.check.kind == NUMBER else 'hold'}"
    others = sorted((cell for cell, one in cells.items() if one.outcome != HOLDS), key=lambda cell: -_far(cells[cell]))
    if others:
        named = ", ".join(f"{cell} {cells[cell].written}" for cell in others[:MOST_NAMED])
        words += f"; not: {named}" + (f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else "")
    return words


def _far(one: Checked) -> float:
    """How far the value lies from its limits, in halves of its interval."""
    (low, high), (least, most) = one.estimate.interval, one.check.limits
    gap = max(least - one.estimate.value, one.estimate.value - most)
    half = settled((high - low) / 2)
    return float(round(gap / half, 6)) if 0 < half < np.inf else float(np.inf if gap > 0 else 0)
