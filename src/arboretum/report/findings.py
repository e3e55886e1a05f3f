"""What a paper's page says before any table: what was claimed, what held, what did not, and one figure.

The texts stand in ``papers/<key>/findings.yaml`` with places for numbers, which are filled from the stored values of
the claims. A text that rests on verdicts which are no longer so is an error, never a sentence that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.kit.checks import HOLDS, Check, Value, entry_of, values_by_name
from arboretum.papers.kit.wording import say
from arboretum.strict_yaml import load_yaml

PARTS = {"claimed": "Claimed", "held": "Held", "failed": "Did not hold"}
KINDS: Mapping[str, Any] = {"headline": str, "figure": str | list, "choices": dict, "explore": list}


@dataclass(frozen=True)
class Sentence:
    """One text, and the ids of the claims that it rests on."""

    label: str
    text: str
    claims: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """``figure`` names the figure of the headline; ``choices`` says what was settled by looking at print, by claim,
    ``explore`` which stored curves a reader can move along (see :mod:`arboretum.report.explorers`)."""

    headline: str = ""
    figure: str = ""
    sentences: tuple[Sentence, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    explore: tuple[Mapping[str, Any], ...] = ()

    def choice(self, identity: str) -> str:
        """The choice behind a claim that print settled, in words; empty where it has no name."""
        return self.choices.get(identity.rpartition("-")[2], self.choices.get("default", ""))


class Values(dict):
    """The values of one claim; asking for one that it has not is an error that names it."""

    def __init__(self, claim: str, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.claim = claim

    def __missing__(self, name: str) -> Any:
        raise ArboretumError(f"claim {self.claim} has no value {name!r}. {nearest(name, list(self))}")


def read_findings(
    path: Path,
    figures: Iterable[str],
    verdicts: Mapping[str, str],
    values: Mapping[str, Mapping[str, float]],
) -> Findings:
    """The findings at ``path``; nothing where there is no such file.

    ``figures`` are the names of those that can be shown; ``verdicts`` and ``values`` go by claim.
    """
    if not path.is_file():
        return Findings()
    stated = _stated(path)
    known = {identity.rpartition("-")[2]: Values(identity, values.get(identity, {})) for identity in verdicts}
    short = {identity.rpartition("-")[2]: identity for identity in verdicts}
    sentences = [
        _sentence(path, label, stated[part], known, {name: verdicts[short[name]] for name in short}, short)
        for part, label in PARTS.items()
        if part in stated
    ]
    wanted = stated.get("figure") or []
    shown = [name for name in ([wanted] if isinstance(wanted, str) else wanted) if name in set(figures)]
    return Findings(
        _filled(path, "headline", stated.get("headline", ""), known),
        shown[0] if shown else "",
        tuple(sentences),
        _known_claims(path, "choices", stated.get("choices") or {}, {**short, "default": ""}),
        tuple(stated.get("explore") or ()),
    )


def _stated(path: Path) -> Mapping[str, Any]:
    """What the file says, its keys known and its texts texts."""
    try:
        stated = load_yaml(path.read_text("utf-8"))
    except yaml.YAMLError as problem:
        raise ArboretumError(f"{path} is not valid YAML: {' '.join(str(problem).split())}.") from None
    _check(path, "the file", stated, {**KINDS, **dict.fromkeys(PARTS, dict)})
    for part in PARTS:
        if part in stated:
            _check(path, part, stated[part], {"text": str, "rests_on": dict}, needed="text")
    return stated


def _check(path: Path, what: str, found: Any, kinds: Mapping[str, Any], needed: str = "") -> None:
    if not isinstance(found, Mapping) or (needed and needed not in found):
        raise ArboretumError(f"{path}: {what} needs keys, such as {needed or 'headline'}, not {str(found)[:40]!r}.")
    for key, value in found.items():
        if key not in kinds:
            raise ArboretumError(f"{path}: {what} has an unknown key {key!r}. {nearest(str(key), kinds)}")
        if not isinstance(value, kinds[key]):
            raise ArboretumError(f"{path}: {key} of {what} cannot be {str(value)[:40]!r}.")


def _known_claims(path: Path, key: str, stated: Mapping[str, Any], known: Mapping[str, str]) -> Mapping[str, Any]:
    """What is stated by claim; an error where it names a claim that was not judged."""
    for name in stated:
        if name not in known:
            raise ArboretumError(f"{path}: {key} names {name}, no claim that was judged. {nearest(name, list(known))}")
    return stated


def _sentence(
    path: Path,
    label: str,
    stated: Mapping[str, Any],
    known: Mapping[str, Values],
    verdicts: Mapping[str, str],
    identities: Mapping[str, str],
) -> Sentence:
    rests_on: Mapping[str, str] = stated.get("rests_on") or {}
    for name, verdict in rests_on.items():
        if verdicts.get(name) != verdict:
            raise ArboretumError(
                f"{path}: the text of {label!r} rests on {name} being {verdict!r}; "
                f"it is {verdicts.get(name, 'not judged')!r}. Write it anew."
            )
    return Sentence(label, _filled(path, label, stated["text"], known), tuple(identities[name] for name in rests_on))


def _filled(path: Path, label: str, text: str, known: Mapping[str, Values]) -> str:
    """A text with the values of claims in its places."""
    try:
        return say(text, **known)
    except ArboretumError as problem:
        raise ArboretumError(f"{path}: {problem}") from None
    except KeyError as problem:
        raise ArboretumError(f"{path}: the text of {label!r} names {problem}, no claim of the paper.") from None


def values_of(rows: Sequence[Mapping[str, str]], checks: Mapping[str, Check]) -> dict[str, float]:
    """What a text may name of a claim, from its rows of checks.csv."""
    return values_by_name(
        Value(
            entry_of(row["check"], checks),
            row["check"],
            *(float(row[key]) for key in ("value", "low", "high")),
            float(row["printed"]) if row["printed"] else None,
            row["verdict"] == HOLDS,
        )
        for row in rows
    )
