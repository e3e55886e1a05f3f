"""Readings of a paper: what it leaves open, decided one way or another, each a named set of choices.

``conf/paper/<key>/readings.yaml`` says of each reading why it is defensible, where it comes from and what it changes in
the settings of the profile ``full``. Only the experiments that it changes are run, at the profile ``extended``, where
they are called ``accuracy@midpoint``; everything else is read from the stored results of ``full``. Choices that do
not depend on each other are ``crossed``: every combination of their options is a reading, named by the options that
are not the first of their choice. A setting that is changed to nothing (``~``) is left out, an experiment too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from arboretum import papers
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.results import TEXT, Headline
from arboretum.papers.settings import Section, check
from arboretum.project.schema import Text, read_mapping, settings_of
from arboretum.strict_yaml import load_yaml

MARK = "@"  # between the name of an experiment and that of a reading


class _Reading(Section):
    why: Text
    source: Text
    decided_by: Text = None
    choices: dict[str, str]
    change: dict[str, Any] = None


class _Option(Section):
    why: Text
    source: Text
    decided_by: Text = None
    change: dict[str, Any] = None


class _Headline(Section):
    claim: Text
    check: Text
    title: Text


class _File(Section):
    headline: _Headline
    size: dict[str, Any] = None
    crossed: dict[str, dict[str, _Option]] = None
    readings: dict[str, _Reading] = None


@dataclass(frozen=True)
class Reading:
    """One reading: its words, its choices by name, and by experiment what it changes in the settings."""

    name: str
    why: str
    source: str
    choices: Mapping[str, str]
    change: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    decided_by: str = ""
    crossed: bool = False  # one of all combinations of options


@dataclass(frozen=True)
class Readings:
    """The readings of a paper by name; ``size`` is what all of them, the text too, change to cost less."""

    path: Path
    headline: Headline
    readings: Mapping[str, Reading]
    size: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def sections(self, full: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
        """The settings of every experiment that a reading runs, by ``experiment@reading``."""
        found = {}
        for name, reading in self.readings.items():
            for experiment in self.run_by(name, full):
                changes = (self.size.get(experiment, {}), reading.change.get(experiment, {}))
                found[f"{experiment}{MARK}{name}"] = merged(merged(full[experiment], changes[0]), changes[1])
        return found

    def run_by(self, name: str, known: Iterable[str]) -> list[str]:
        """The experiments that a reading runs; one whose size is nothing is left out under every reading."""
        change = self.readings[name].change
        return [one for one in known if (one in self.size or one in change) and one not in self.left_out]

    @property
    def left_out(self) -> list[str]:
        """Experiments that are not run under readings, so that nothing is said of claims that rest on them."""
        return [name for name, size in self.size.items() if size is None]


def merged(section: Any, change: Any) -> Any:
    """A section with some settings changed: mappings key by key, all else replaced; None leaves a setting out."""
    if not isinstance(change, Mapping):
        return change
    section = section if isinstance(section, Mapping) else {}
    both = {**section, **{key: merged(section.get(key), value) for key, value in change.items()}}
    return {key: value for key, value in both.items() if key not in change or value is not None}


def joined(one: Any, other: Any) -> Any:
    """Two changes as one: mappings key by key, else the second; what leaves a setting out still does."""
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return other
    return {**one, **{key: joined(one.get(key), value) for key, value in other.items()}}


def combined(crossed: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Every combination of the options of choices, as readings; the one of the first options is the text."""
    found = {}
    for options in product(*(choice.items() for choice in crossed.values())):
        others = [
            (name, option)
            for (name, option), choice in zip(options, crossed.values(), strict=True)
            if name != next(iter(choice))
        ]
        told = others or list(options)
        entry: dict[str, Any] = {key: _told(told, key) for key in ("why", "source")}
        entry["choices"] = {choice: name for choice, (name, _) in zip(crossed, options, strict=True)}
        entry["change"] = reduce(joined, [option.get("change") or {} for _, option in options])
        decided = [(name, option) for name, option in told if option.get("decided_by")]
        entry |= {"decided_by": _told(decided, "decided_by")} if decided else {}
        found["+".join(name for name, _ in others) or TEXT] = entry
    return found


def _told(options: Sequence[tuple[str, Mapping[str, Any]]], key: str) -> str:
    """What options say, each with its name where there are several."""
    if len(options) == 1:
        return options[0][1][key]
    return "; ".join(f"{name}: {option[key]}" for name, option in options)


@cache
def read_readings(path: Path) -> Readings | None:
    """The readings of a paper; None where it has none. An error names the file, the line and the nearest right word."""
    if not path.is_file():
        return None
    found = read_mapping(path, "Fix the file.")
    check(_File, found, lambda place: place_in(path, place), {})
    known = list(papers.get(path.parent.name).experiments)
    crossed = found.get("crossed") or {}
    own = found.get("readings") or {}
    found["readings"] = {**(combined(crossed) if crossed else {}), **own}
    for above, changes in [
        (("size",), found.get("size")),
        *((("readings", name, "change"), entry.get("change")) for name, entry in own.items()),
        *(
            (("crossed", choice, name, "change"), option.get("change"))
            for choice, options in crossed.items()
            for name, option in options.items()
        ),
    ]:
        for experiment in changes or ():
            if experiment not in known:
                place = place_in(path, (*above, experiment))
                raise ArboretumError(f"{place}: unknown experiment {experiment!r}. {nearest(experiment, known)}")
    first = next(iter(found["readings"]), None)
    if first != TEXT or found["readings"][TEXT].get("change"):
        raise ArboretumError(f"{path}: the first reading must be {TEXT!r}, which changes nothing.")
    choices = found["readings"][TEXT]["choices"]
    readings = {}
    for name, entry in found["readings"].items():
        if MARK in name:
            raise ArboretumError(f"{place_in(path, ('readings', name))}: a name of a reading has no {MARK!r}.")
        for choice in entry["choices"]:
            if choice not in choices:
                place = place_in(path, ("readings", name, "choices", choice))
                raise ArboretumError(f"{place}: unknown choice {choice!r}. {nearest(choice, choices)}")
        readings[name] = Reading(
            name, **{**entry, "choices": {**choices, **entry["choices"]}}, crossed=bool(crossed) and name not in own
        )
    return Readings(path, Headline(**found["headline"]), readings, found.get("size", {}))


def check_readings(path: Path, full: Mapping[str, Any], datasets: Mapping[str, Any]) -> None:
    """Raise an error that names a setting that a reading gets wrong, with the line on which it stands."""
    readings = read_readings(path)
    for name, section in (readings.sections(full) if readings else {}).items():
        experiment, _, reading = name.partition(MARK)

        def place(keys: tuple, reading: str = reading) -> str:
            chosen = readings.readings[reading].choices.items()
            above = [("readings", reading, "change"), *(("crossed", *choice, "change") for choice in chosen)]
            return place_in(
                path, next(((*one, *keys) for one in above if line_of(path, (*one, *keys))), ("size", *keys))
            )

        check(settings_of(path.parent.name), {**full, experiment: section}, place, {"datasets": datasets})


def place_in(path: Path, keys: Sequence[Any]) -> str:
    """How an error names a key of a file: with its line."""
    line = line_of(path, keys) or next(
        (found for end in range(len(keys), 0, -1) if (found := line_of(path, keys[:end]))), 1
    )
    return f"{path}, line {line}: {'.'.join(map(str, keys))}"


def line_of(path: Path, keys: Sequence[Any]) -> int | None:
    """The line of a file on which a key stands; None where it is not there."""
    node, line = yaml.compose(path.read_text("utf-8")), None
    for key in keys:
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            line = node.start_mark.line + 1
            continue
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        found = next(
            ((name, value) for name, value in pairs if load_yaml(name.value) == key or name.value == key), None
        )
        if found is None:
            return None
        line, node = found[0].start_mark.line + 1, found[1]
    return line
