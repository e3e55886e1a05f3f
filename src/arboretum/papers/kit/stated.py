"""A claim as claims.yaml states it: what the paper says, and the checks that decide."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.kit.checks import ENDS, Check
from arboretum.papers.kit.checks import KEYS as CHECK_KEYS
from arboretum.papers.kit.claims import Estimates, Judged, judge
from arboretum.papers.kit.wording import say
from arboretum.strict_yaml import load_yaml

FILE_KEYS = ("paper", "claims")
KEYS = ("id", "where", "statement", "checks", "remark", "contradicted", "informed_by_print")


@dataclass(frozen=True)
class Stated:
    """``remark`` is a template over the values of its checks; ``contradicted`` names the two places that disagree."""

    id: str
    where: str
    statement: str
    checks: Mapping[str, Check] = field(default_factory=dict)
    remark: str = ""
    contradicted: str = ""
    informed_by_print: bool = False
    file: str = "claims.yaml"

    @classmethod
    def read(cls, entry: Mapping[str, Any], file: str) -> Stated:
        """One entry of the file; an unknown or missing key is an error that names it."""
        place = f"{file}: {entry.get('id', 'a claim without id')}"
        _check_keys(entry, KEYS, place)
        for key in ("id", "where", "statement"):
            if not _is_text(entry.get(key)):
                raise ArboretumError(f"{place} needs {key}: a text.")
        _check_values(entry, VALUES, place)
        checks = entry.get("checks", {})
        for name, given in checks.items():
            _check_check(name, given, place)
        return cls(
            id=entry["id"],
            where=entry["where"],
            statement=_line(entry["statement"]),
            checks={name: Check.read(name, given, place) for name, given in checks.items()},
            remark=_line(entry.get("remark", "")),
            contradicted=_line(entry.get("contradicted", "")),
            informed_by_print=entry.get("informed_by_print", False),
            file=file,
        )

    def judged(self, estimates: Estimates) -> Judged:
        """What the estimates of the claim come to, with its remark."""
        judged = judge(self.checks, estimates, f"{self.file}: {self.id}", bool(self.contradicted))
        return replace(judged, remark=self._remark(judged))

    def _remark(self, judged: Judged) -> str:
        """Where print contradicts itself, and the remark with its numbers."""
        try:
            remark = say(self.remark, **{self.id.rpartition("-")[2]: judged.values})
        except KeyError as problem:
            known = nearest(str(problem.args[0]), judged.values)
            raise ArboretumError(f"{self.file}: {self.id}: the remark names {problem}, no check. {known}") from None
        return " ".join(filter(None, (self.contradicted, remark)))


def claims_of(text: str, file: str) -> dict[str, Stated]:
    """The claims of the text of a file; a key that stands twice, or that nobody reads, is an error."""
    try:
        found = load_yaml(text)
    except yaml.YAMLError as problem:
        raise ArboretumError(f"{file} is not valid YAML: {' '.join(str(problem).split())}.") from None
    if not isinstance(found, Mapping):
        raise ArboretumError(f"{file} needs paper: its key, and claims: a list.")
    _check_keys(found, FILE_KEYS, file)
    _check_values(found, {"paper": TEXT}, file)
    return read_claims(found.get("claims"), file)


def read_claims(entries: Any, file: str) -> dict[str, Stated]:
    """The claims of a file by id; an id that stands twice is an error."""
    if not isinstance(entries, list):
        raise ArboretumError(f"{file} needs claims: a list of claims with id, where and statement.")
    found: dict[str, Stated] = {}
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise ArboretumError(f"{file}: {entry!r} is no claim; it needs id, where and statement.")
        stated = Stated.read(entry, file)
        if stated.id in found:
            raise ArboretumError(f"{file}: the claim {stated.id} stands twice.")
        found[stated.id] = stated
    return found


# ------------------------------------------------------------------ what may stand there


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_finite(value: Any) -> bool:
    """A number that a double can hold; whole ones of 400 digits are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _is_limit(value: Any) -> bool:
    return _is_finite(value) or (isinstance(value, list) and all(map(_is_finite, value)))


def _is_tolerance(value: Any) -> bool:
    """A finite number, or a share such as 5%."""
    return _is_finite(value) or (isinstance(value, str) and bool(SHARE.fullmatch(value)))


def _is_printed(value: Any) -> bool:
    """A number, or one for each cell."""
    if isinstance(value, Mapping):
        return all(_is_text(cell) and _is_finite(number) for cell, number in value.items())
    return _is_finite(value)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_truth(value: Any) -> bool:
    return isinstance(value, bool)


Wanted = tuple[Callable[[Any], bool], str]
LARGEST = sys.float_info.max
SHARE = re.compile(r"\d+(\.\d+)?%")
TEXT: Wanted = (_is_text, "a text")
TRUTH: Wanted = (_is_truth, "true or false, without quotes")
VALUES: Mapping[str, Wanted] = {
    "checks": (_is_mapping, "one entry per name"),
    "remark": TEXT,
    "contradicted": TEXT,
    "informed_by_print": TRUTH,
}
CHECK_VALUES: Mapping[str, Wanted] = {
    **dict.fromkeys(("kind", "each", "unit", "why", "changed", "as"), TEXT),
    **dict.fromkeys(ENDS, (_is_limit, "a finite number, and inside two")),
    "printed": (_is_printed, "a finite number, or one for each cell by its name"),
    "within": (_is_tolerance, "a finite number of at least 0, or a share such as 5%"),
    "correction": TRUTH,
}


def _check_keys(entry: Mapping[Any, Any], known: Sequence[str], place: str) -> None:
    for key in entry:
        if key not in known:
            raise ArboretumError(f"{place} has an unknown key {key!r}. {nearest(str(key), known)}")


def _check_values(entry: Mapping[str, Any], wanted: Mapping[str, Wanted], place: str) -> None:
    for key, (is_one, words) in wanted.items():
        if key in entry and not is_one(entry[key]):
            raise ArboretumError(f"{place}: {key} needs {words}, not {entry[key]!r}.")


def _check_check(name: Any, given: Any, place: str) -> None:
    """Types, before :meth:`Check.read` looks at what fits together."""
    if not _is_text(name):
        raise ArboretumError(f"{place}: the name of a check must be a text, not {name!r}. Put it in quotes.")
    if isinstance(given, Mapping):
        _check_keys(given, CHECK_KEYS, f"{place}: check {name!r}")
        _check_values(given, CHECK_VALUES, f"{place}: check {name!r}")


def _line(text: str) -> str:
    return " ".join(text.split())
