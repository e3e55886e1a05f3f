"""A claim as claims.yaml states it: what the paper says, and the checks that decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.kit.checks import Check
from arboretum.papers.kit.claims import Estimates, Judged, judge
from arboretum.papers.kit.wording import say

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
        for key in entry:
            if key not in KEYS:
                raise ArboretumError(f"{place} has an unknown key {key!r}. {nearest(key, KEYS)}")
        for key in ("id", "where", "statement"):
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                raise ArboretumError(f"{place} needs {key}: a text.")
        if not isinstance(entry.get("checks") or {}, Mapping):
            raise ArboretumError(f"{place}: checks needs one entry per name, not {entry['checks']!r}.")
        return cls(
            id=entry["id"],
            where=entry["where"],
            statement=_line(entry["statement"]),
            checks={name: Check.read(name, given, place) for name, given in (entry.get("checks") or {}).items()},
            remark=_line(entry.get("remark") or ""),
            contradicted=_line(entry.get("contradicted") or ""),
            informed_by_print=bool(entry.get("informed_by_print", False)),
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


def _line(text: str) -> str:
    return " ".join(text.split())
