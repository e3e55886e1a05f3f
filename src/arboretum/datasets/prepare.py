"""Raw files to prepared parquet: parse, refuse what is wrong, write, and report what was found."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from arboretum.datasets import generators, windows
from arboretum.datasets.dataset import Dataset, is_nominal, make_dataset, save
from arboretum.datasets.record import read_record
from arboretum.datasets.sources import label
from arboretum.datasets.sources.downloads import sha256_of
from arboretum.datasets.sources.openml import openml_rules
from arboretum.datasets.status import differences
from arboretum.datasets.table import read_table
from arboretum.datasets.typed import typed_dataset
from arboretum.errors import ArboretumError
from arboretum.seeds import generator
from arboretum.writing import atomic_path

log = logging.getLogger(__name__)


Expected = Mapping[str, Mapping[str, str]]  # set -> file that names a fingerprint -> that fingerprint


def prepare(
    specs: dict[str, dict], raw_dir: Path, prepared_dir: Path, expected: Expected | None = None
) -> dict[str, dict]:
    """Write ``prepared_dir/<name>.parquet`` for every set that was fetched.

    A set whose fingerprint is not an expected one is refused, and nothing of it is written. ``expected`` is by default
    what the specifications pin. Returned by name: the facts of :func:`describe` with status "available" and the
    source, or status "unavailable" and the reason.
    """
    facts, expected = {}, pinned(specs) if expected is None else expected
    for name, spec in specs.items():
        record = read_record(Path(raw_dir) / name)
        if record["status"] != "available":
            facts[name] = {"status": "unavailable", "reason": record["reason"]}
            continue
        dataset = prepared(name, spec, Path(raw_dir) / name, record)
        refuse_changed(name, dataset.fingerprint, expected.get(name, {}), record["source"])
        found = describe(dataset)
        _check_printed(name, spec, found)
        with atomic_path(Path(prepared_dir) / f"{name}.parquet") as temporary:
            save(dataset, temporary)
        facts[name] = {"status": "available", "source": record["source"], **found}
        log.info("%s: prepared, %d rows", name, len(dataset.y))
    return facts


def pinned(specs: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """The fingerprints that specifications pin; a set without one is taken as it comes."""
    return {
        name: {f"conf/dataset/{name}.yaml": spec["fingerprint"]}
        for name, spec in specs.items()
        if spec.get("fingerprint")
    }


def is_drawn(spec: Mapping[str, Any]) -> bool:
    """Whether a set depends on the seed of a run: it is generated, or cut at random from pictures."""
    windows_cut = (spec.get("parse") or {}).get("format") == "windows"
    return windows_cut or any(source["kind"] == "generator" for source in spec["sources"])


def refuse_changed(name: str, found: str, expected: Mapping[str, str], source: str) -> None:
    """Raise unless a set has every fingerprint that is expected of it: other data must not become our result."""
    for place, fingerprint in expected.items():
        if found != fingerprint:
            raise ArboretumError(
                f"data set {name!r} is not the one that {place} names: from {source} it has the fingerprint {found}, "
                f"not {fingerprint}. Prepared data, manifests and results are as they were. Use another source "
                f"(data.source), or take it on purpose: `arboretum fetch --accept-changed {name}`; to pin it then, "
                f"write `fingerprint: {found}` in conf/dataset/{name}.yaml."
            )


def prepared(name: str, spec: dict, folder: Path, record: dict) -> Dataset:
    """One data set from its raw files, checked."""
    source = next((entry for entry in spec["sources"] if label(entry) == record["source"]), None)
    if source is None:
        raise ArboretumError(
            f"Data set {name}: its raw files came from {record['source']}, which is no longer among its sources. "
            "Fetch it again."
        )
    if source["kind"] == "generator":
        dataset = _generated(name, source)
    else:
        files = _verified(name, folder, record)
        parse = _rules(spec, source, record)
        if parse["format"] == "windows":
            rng = generator(dataset=name, seed=parse["seed"])
            dataset = make_dataset(name, *windows.image_windows(files, parse, rng))
        else:
            table = read_table(files, parse, name)
            with _read_from(files, record["source"]):
                dataset = typed_dataset(name, table, parse)
    _check(dataset, spec)
    return dataset


@contextmanager
def _read_from(files: list[Path], source: str) -> Iterator[None]:
    """Errors about columns name the files that hold them."""
    try:
        yield
    except ArboretumError as problem:
        raise ArboretumError(
            f"{problem} It was read from {', '.join(file.name for file in files)} ({source})."
        ) from None


def _rules(spec: dict, source: dict, record: dict) -> dict:
    """How to parse: OpenML describes its own columns, other sources follow the set's rules or rules of their own."""
    if source["kind"] == "openml":
        return openml_rules(record["found"], source.get("parse", {}))
    return source.get("parse") or spec["parse"]


def _generated(name: str, source: dict) -> Dataset:
    make = generators.by_name(source["function"])
    rng = generator(dataset=name, seed=source["seed"])
    X, y = make(**source.get("arguments", {}), rng=rng)
    if X.columns.has_duplicates:
        twice = X.columns[X.columns.duplicated()][0]
        raise ArboretumError(
            f"Data set {name}: the generator {source['function']} gives two columns {twice!r}. Name each its own way."
        )
    return make_dataset(name, X, y)


def _verified(name: str, folder: Path, record: dict) -> list[Path]:
    files = []
    for file, sha256 in record["files"].items():
        path = folder / file
        if not path.is_file() or sha256_of(path) != sha256:
            raise ArboretumError(f"Data set {name}: {path} is not the file that was fetched. Fetch the set again.")
        files.append(path)
    return files


def _check(dataset: Dataset, spec: dict) -> None:
    """Refuse a set that is not the one its configuration describes."""
    if len(dataset.y) != spec["rows"]:
        raise ArboretumError(
            f"Data set {dataset.name}: {len(dataset.y)} rows where its configuration says {spec['rows']}. Either the "
            f"source holds another version, or parse.skip or parse.without_class (class column {dataset.y.name!r}) "
            "leaves out the wrong rows, or `rows` is wrong."
        )
    if dataset.X.shape[1] != spec["attributes"]:
        raise ArboretumError(
            f"Data set {dataset.name}: {dataset.X.shape[1]} attributes where its configuration says "
            f"{spec['attributes']} (the last one is {dataset.X.columns[-1]!r}). Mend parse.columns, parse.drop or "
            "`attributes`."
        )
    if dataset.y.isna().any():
        raise ArboretumError(
            f"Data set {dataset.name}: class column {dataset.y.name!r} has missing values. Name their text in "
            "parse.without_class of its dataset configuration to leave those rows out."
        )
    if dataset.y.nunique() < 2:
        raise ArboretumError(
            f"Data set {dataset.name}: class column {dataset.y.name!r} is constant ({dataset.y.iloc[0]!r}). "
            "Choose another parse.target in its dataset configuration."
        )
    if dataset.y.name in dataset.X.columns:
        raise ArboretumError(
            f"Data set {dataset.name}: duplicate column {dataset.y.name!r}, both attribute and class. "
            "Give every column a name of its own in parse.columns of its dataset configuration."
        )


def _check_printed(name: str, spec: dict, found: dict) -> None:
    """Of the pinned data a printed count is right, or ``differences`` says why it is not."""
    if spec.get("fingerprint") != found["fingerprint"]:
        return
    for paper, printed in (spec.get("printed") or {}).items():
        for count, (said, there) in differences(printed, found).items():
            if paper not in (spec.get("differences") or {}):
                raise ArboretumError(
                    f"Data set {name}: data/published/{paper}/sets.yaml has {count} {said} as printed, found {there}."
                    " Fix it there, or say in `difference` why the printed number is another."
                )


def describe(dataset: Dataset) -> dict:
    """Counts as the papers print them; nominal and binary both by declared levels and by values that occur."""
    nominal = [column for column in dataset.X.columns if is_nominal(dataset.X[column])]
    declared = [len(dataset.X[column].cat.categories) for column in nominal]
    occurring = [dataset.X[column].nunique() for column in nominal]
    missing = dataset.X.isna().to_numpy()
    return {
        "fingerprint": dataset.fingerprint,
        "rows": len(dataset.y),
        "attributes": dataset.X.shape[1],
        "numeric": dataset.X.shape[1] - len(nominal),
        "categorical": len(nominal),
        "nominal": int(np.sum([count > 2 for count in declared])),
        "binary": int(np.sum([count <= 2 for count in declared])),
        "nominal_occurring": int(np.sum([count > 2 for count in occurring])),
        "binary_occurring": int(np.sum([count <= 2 for count in occurring])),
        "classes": len(dataset.y.cat.categories),
        "classes_occurring": int(dataset.y.nunique()),
        "missing": int(missing.sum()),
        "rows_with_missing": int(missing.any(axis=1).sum()),
    }
