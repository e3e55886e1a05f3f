"""What ``params.yaml``, ``conf/dataset`` and ``conf/learner`` may say.

The section of a paper is declared by the paper (``papers/<key>/settings.py``), in the same words.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from pydoc import ErrorDuringImport, locate
from typing import Annotated, Any

import yaml
from pydantic import BeforeValidator, Field, create_model

from arboretum import papers
from arboretum.datasets.fetch import KINDS
from arboretum.datasets.rules import contradictions
from arboretum.datasets.table import FORMATS
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.settings import (
    Count,
    Generated,
    Number,
    Section,
    Whole,
    check,
    check_estimator,
    learner,
    one_of,
    wrong,
)
from arboretum.project.workspace import PROFILES, SEEDS
from arboretum.strict_yaml import load_yaml

ENGINES = ("serial", "processes", "dask")
Text = Annotated[str, Field(min_length=1)]
Texts = list[str]
Seed = Annotated[int, Field(ge=0, lt=10**18)]
SHA256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

# ------------------------------------------------------------------ reading


def read_mapping(path: Path, advice: str) -> dict[str, Any]:
    """The keys and values of a YAML file; an error names the file, what is wrong with it, and ``advice``."""
    try:
        found = load_yaml(path.read_text("utf-8"))
    except yaml.YAMLError as problem:
        raise ArboretumError(f"{path} is not valid YAML: {' '.join(str(problem).split())}. {advice}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise ArboretumError(f"{path} cannot be read: {problem}. {advice}") from None
    if not isinstance(found, dict) or not found:
        what = "is empty" if not found else f"holds {str(found)[:40]!r}"
        raise ArboretumError(f"{path} {what}; it must hold keys with values. {advice}")
    return found


# ------------------------------------------------------------------ params.yaml


class Data(Section):
    mirror: str | None
    source: one_of(KINDS) | None
    offline: bool
    workers: Count
    allow_missing: bool


class Run(Section):
    engine: one_of(ENGINES)
    workers: Whole
    address: Annotated[str, Field(pattern=r"^[a-z]+://\S+$")] | None


@cache
def settings_of(paper: str) -> type[Section]:
    """The schema of a paper's section."""
    module = f"{papers.__name__}.{paper}.settings"
    try:
        return importlib.import_module(module).Settings
    except ModuleNotFoundError as problem:
        if problem.name != module:
            raise
        raise ArboretumError(
            f"the paper {paper!r} does not say what its settings are. Declare them in papers/{paper}/settings.py, "
            "as the skeleton of `arboretum init paper` does."
        ) from None


@cache
def _params(keys: tuple[str, ...]) -> type[Section]:
    """The schema of ``params.yaml`` when it names the papers ``keys``."""
    sections = {key: (settings_of(key) | None, None) for key in keys}
    profile = create_model("Profile", __base__=Section, seed=(Seed, 1), **sections)
    profiles = dict.fromkeys((*PROFILES, SEEDS), (profile | None, None))
    return create_model("Params", __base__=Section, data=(Data, ...), run=(Run, ...), **profiles)


def check_params(
    params: Mapping[str, Any],
    datasets: Mapping[str, Any],
    name: Any,
    advice: str = "",
    only: Collection[str] | None = None,
) -> None:
    """Raise an error that names every wrong setting of ``params``; ``name(path)`` says where a setting stands.

    With ``only`` the sections of other papers are not looked into.
    """
    named = {key for profile in (*PROFILES, SEEDS) for key in _keys(params.get(profile)) if key != "seed"}
    for key in sorted(named, key=str):
        if key not in papers.present():
            path = next((profile, key) for profile in (*PROFILES, SEEDS) if key in _keys(params.get(profile)))
            said = f"{name(path)}: unknown paper {key!r}. {nearest(str(key), ['seed', *papers.present()])}"
            raise ArboretumError(f"{said} {advice}".rstrip())
    looked = dict(params)
    for profile in (*PROFILES, SEEDS) if only is not None else ():
        if isinstance(section := params.get(profile), Mapping):
            looked[profile] = {key: value for key, value in section.items() if key == "seed" or key in only}
    known = named if only is None else named.intersection(only)
    check(_params(tuple(sorted(known))), looked, name, {"datasets": datasets}, advice)


def _keys(section: Any) -> Iterable[Any]:
    return section if isinstance(section, Mapping) else ()


# ------------------------------------------------------------------ conf/dataset


class Member(Section):
    path: Text
    sha256: SHA256


class Block(Section):
    columns: Texts
    levels: Texts


class MissingIn(Section):
    column: Text
    values: Texts


class Kept(Section):
    in_order = ("begins",)
    first: Whole
    last: Whole
    begins: Texts


class Group(Section):
    name: Text = Field(alias="class")
    max: Number = None


class Rules(Section):
    """How files become columns; docs/datasets.md says what each key means."""

    in_order = ("add_rows",)
    format: one_of([*FORMATS, "windows"]) = None
    separator: Text = None
    skip: Whole = None
    columns: Texts = None
    target: Text = None
    classes: Texts = None
    relabel: dict[str, str] = None
    group: list[Group] = None
    drop: Texts = None
    nominal: list[Block] = None
    numeric: one_of(["all"]) = None
    missing: Texts = None
    missing_in: list[MissingIn] = None
    missing_means: dict[str, str] = None
    empty: Texts = None
    without_class: Texts = None
    keep: list[Kept] = None
    add_rows: list[Texts] = None
    side: Count = None
    per_image: Count = None
    seed: Whole = None


class Source(Section):
    parse: Rules = None


class Members(Source):
    kind: one_of(KINDS)
    members: Annotated[list[Member], Field(min_length=1)]


class Package(Members):
    package: Text
    version: Text
    filename: Text
    sha256: SHA256
    size: Count


class Address(Source):
    kind: one_of(KINDS)
    url: Annotated[str, Field(pattern="^https?://")]
    sha256: SHA256
    size: Count = None


class OpenML(Source):
    kind: one_of(KINDS)
    id: Count


class Generator(Generated):
    kind: one_of(KINDS)
    seed: Whole


SOURCES = {
    "generator": Generator,
    "sklearn": Members,
    "bundled": Members,
    "mirror": Members,
    "pypi": Package,
    "url": Address,
    "openml": OpenML,
}


class Printed(Section):
    rows: Whole = None
    numeric: Whole = None
    nominal: Whole = None
    binary: Whole = None
    categorical: Whole = None
    classes: Whole = None


class PrintedSet(Section):
    """What one paper says of a data set; ``difference``: why its sizes are not those of the set."""

    name: Text
    printed: Printed = None
    difference: Text = None


class Specification(Section):
    name: Text
    title: Text
    rows: Count
    attributes: Count
    official_train: Count = None
    fingerprint: SHA256 = None
    sources: list[dict[str, Any]]
    parse: Rules = None
    quirks: Texts = None
    licence: Text
    unavailable: Text = None


def file_place(path: Path, *before: Any) -> Callable[[tuple], str]:
    """How an error names a key of a file, below the keys ``before``."""
    return lambda place: f"{path}: {'.'.join(map(str, (*before, *place)))}".removesuffix(": ")


def check_specification(path: Path, spec: Mapping[str, Any]) -> None:
    """Raise an error that names every wrong key of a data set's file."""
    if spec.get("name") != path.stem:
        raise ArboretumError(f"{path}: its key `name` must be {path.stem!r}, the name of the file.")
    check(Specification, spec, file_place(path), {})
    for number, source in enumerate(spec["sources"]):
        name, kind = file_place(path, "sources", number), source.get("kind")
        if kind not in SOURCES:
            raise ArboretumError(f"{name(('kind',))}: found {kind!r}, unknown. {nearest(str(kind), SOURCES)}")
        check(SOURCES[kind], source, name, {})
        _check_rules(name(("parse",)), source.get("parse") or {})
        _check_artifact(name(()), source)
    _check_rules(f"{path}: parse", spec.get("parse") or {})
    _check_sizes(path, spec)
    if bool(spec["sources"]) == bool(spec.get("unavailable")):
        raise ArboretumError(f"{path}: sources must hold a source, or `unavailable` say why there is none, not both.")


def _check_rules(place: str, rules: Mapping[str, Any]) -> None:
    for problem in contradictions(rules):
        raise ArboretumError(f"{place}: {problem}")


def _check_artifact(place: str, source: Mapping[str, Any]) -> None:
    """The name of a package's file holds its name and version, in one spelling or another."""
    if source["kind"] != "pypi":
        return
    stem = re.sub(r"[-_.]+", "-", f"{source['package']}-{source['version']}").lower()
    if not re.sub(r"[-_.]+", "-", source["filename"]).lower().startswith(stem + "-"):
        raise ArboretumError(
            f"{place}: {source['filename']} does not belong to {source['package']} {source['version']}. Mend filename, "
            "package or version."
        )


def _check_sizes(path: Path, spec: Mapping[str, Any]) -> None:
    if spec.get("official_train", 0) >= spec["rows"]:
        raise ArboretumError(
            f"{path}: official_train: found {spec['official_train']}, must be less than rows ({spec['rows']})."
        )


def check_printed_set(path: Path, name: str, said: Any, inventory: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise unless a set of ``sets.yaml`` is known and its printed sizes are those of the set, or it says why not."""
    if name not in inventory:
        raise ArboretumError(
            f"{path}: unknown data set {name!r}: there is no conf/dataset/{name}.yaml. {nearest(str(name), inventory)}"
        )
    check(PrintedSet, said, file_place(path, name), {})
    spec, printed = inventory[name], said.get("printed")
    if not printed or "difference" in said:
        return
    kinds = [printed[kind] for kind in ("numeric", "nominal", "binary", "categorical") if kind in printed]
    found = {"rows": printed.get("rows", spec["rows"]), **({"attributes": sum(kinds)} if kinds else {})}
    for what, number in found.items():
        if number != spec[what]:
            raise ArboretumError(
                f"{path}: {name}.printed: found {number} {what}, and the set has {spec[what]}. Fix the wrong one, or "
                "say in `difference` why the printed size is another."
            )


def check_inventory(folder: Path, inventory: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise unless a package's file has one hash and one size in all data sets that come from it."""
    known: dict[str, tuple[str, dict[str, Any]]] = {}
    for name, spec in inventory.items():
        for source in spec["sources"]:
            if source["kind"] == "pypi":
                pinned = {key: source[key] for key in ("package", "version", "sha256", "size")}
                other, before = known.setdefault(source["filename"], (name, pinned))
                if pinned != before:
                    raise ArboretumError(
                        f"{folder / name}.yaml: {source['filename']} has other numbers or hashes than in {other}.yaml "
                        f"({', '.join(key for key in pinned if pinned[key] != before[key])}). Mend the wrong one."
                    )


# ------------------------------------------------------------------ conf/learner


def check_learner(name: Callable[[tuple], str], spec: Mapping[str, Any]) -> None:
    """Raise an error that names what is wrong with a learner: one of our kinds, or an estimator named by _target_."""
    from arboretum import ensembles
    from arboretum.ensembles.vocabulary import vocabulary

    known = vocabulary(*(getattr(ensembles, estimator) for estimator in ensembles.__all__))
    kind = _target if "_target_" in spec else learner(known)
    check(create_model("Learner", spec=(kind, ...)), {"spec": spec}, lambda place: name(place[1:]), {})


def _estimator(spec: Any) -> Any:
    """The estimator that ``_target_`` names, made of checked options; its own estimators are made first."""
    if not isinstance(spec, Mapping) or "_target_" not in spec:
        return spec
    try:
        kind = locate(str(spec["_target_"]))
    except ErrorDuringImport as problem:
        raise wrong(f"_target_: found {spec['_target_']!r}, which fails to import: {problem}") from None
    if not isinstance(kind, type):
        raise wrong(f"_target_: found {spec['_target_']!r}, must name a class that can be imported")
    options = {name: _estimator(value) for name, value in spec.items() if name != "_target_"}
    check_estimator(kind, options, lambda given: kind(**given))
    return kind(**options)


_target = Annotated[Any, BeforeValidator(_estimator)]
