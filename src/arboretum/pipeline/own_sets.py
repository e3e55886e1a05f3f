"""Data sets of one's own on the command line: ``dataset=mine.csv target=class kinds.zip=nominal missing=[-9]``."""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from arboretum.datasets.formats import OPENML, is_own
from arboretum.datasets.inferred import Settings
from arboretum.datasets.own import Own, name_of, own_dataset
from arboretum.errors import ArboretumError

LISTS = ("missing", "drop", "columns")
LONGEST = 100  # letters of the name of a folder of results


def take_settings(words: Iterable[str]) -> tuple[Settings, list[str]]:
    """What the words of a command say of data sets of one's own, and the words that are left."""
    found: dict[str, Any] = {"kinds": {}}
    rest = []
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key == "target":
            found["target"] = unquoted(value)
        elif equals and key.startswith("kinds."):
            found["kinds"][key.removeprefix("kinds.")] = value
        elif equals and key in LISTS:
            found[key] = listed(value)
        else:
            rest.append(word)
    return Settings(**found), rest


def listed(text: str) -> list[str]:
    """The texts of ``[a, b]`` or ``a,b``; an empty text stands in quotes."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return [unquoted(part.strip()) for part in inner.split(",")] if inner.strip() else []


def unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def as_settings(values: Mapping[str, Any]) -> Settings:
    """Settings from their plain values."""
    return Settings(**{name: value for name, value in values.items() if value is not None})


def absolute(reference: str) -> str:
    return reference if reference.startswith(OPENML) else str(Path(reference).expanduser().resolve())


def read_own(reference: str, settings: Settings, name: str | None = None) -> Own:
    """A data set of one's own, read once per process as long as its file does not change."""
    place = absolute(reference)
    try:
        at = () if reference.startswith(OPENML) else ((found := Path(place).stat()).st_mtime_ns, found.st_size)
    except OSError:
        at = ()
    return _read(place, at, json.dumps(asdict(settings)), name)


@lru_cache(maxsize=16)
def _read(place: str, at: tuple[int, ...], settings: str, name: str | None) -> Own:
    return own_dataset(place, as_settings(json.loads(settings)), name)


def own_name(reference: str, known: Collection[str]) -> str:
    """What a set of one's own is called beside those of conf/dataset: its file's name, with its ending if need be."""
    name = name_of(reference)
    name = Path(reference).name if name in known else name
    return "".join(letter if letter.isalnum() or letter in "._-" else "-" for letter in name)


def say(own: Own) -> None:
    """Print what was inferred in one line, and what may be meant otherwise."""
    print(own.said, flush=True)
    for warning in own.warnings:
        print(f"arboretum: {own.data.name}: {warning}", file=sys.stderr)


def named(references: Iterable[str], known: Collection[str]) -> dict[str, str]:
    """Names of data sets, each with its file if it is one of one's own; two sets of one name are refused."""
    found: dict[str, str] = {}
    for reference in references:
        name = own_name(reference, known) if is_own(reference) else reference
        if name in found:
            raise ArboretumError(f"two data sets are called {name!r}: {found[name]} and {reference}. Rename a file.")
        found[name] = reference
    return found


def check_folder_name(option: str, name: str) -> None:
    """Refuse what cannot name a folder of results everywhere, before anything is computed."""
    if not name.replace("-", "").replace("_", "").isalnum() or len(name.encode()) > LONGEST:
        shown = name if len(name) <= LONGEST else name[:20] + "..."
        raise ArboretumError(
            f"{option}{shown}: must be letters, digits, hyphens and underscores, {LONGEST} of them at most."
        )
