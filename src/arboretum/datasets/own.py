"""A data set of one's own, wherever a name is: a csv, parquet or arff file, a data frame, or an OpenML id.

Kinds, levels and missing values are inferred (:mod:`arboretum.datasets.inferred`) and said in one line; settings
correct them. The fingerprint of the content is the version of the set: a file that changes is another set.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from platformdirs import user_cache_dir

from arboretum.datasets.dataset import Dataset, is_nominal
from arboretum.datasets.formats import OPENML, PACKED, SUFFIXES, Declared, expanded, from_file, from_frame, from_openml
from arboretum.datasets.inferred import Settings, infer
from arboretum.datasets.typed import typed_dataset
from arboretum.errors import ArboretumError

#: The words of ``conf/dataset`` in messages, and how a file given by its path says the same.
WORDS = (
    ("Declare it in parse.nominal of its dataset configuration, or name it in parse.missing", "Mend the file"),
    ("Mend parse.classes of its dataset configuration", "Mend the file"),
    ("Declare the column in parse.nominal of its dataset configuration", "Say kinds.COLUMN=nominal"),
    ("declare it in parse.nominal of its dataset configuration", "say kinds.COLUMN=nominal"),
    ("name it in parse.missing of its dataset configuration", "say missing=[VALUE]"),
    ("name the value in parse.missing", "say missing=[VALUE] if it means that"),
    ("(parse.drop)", "(drop=[COLUMN])"),
    (
        "Give every column a name of its own in parse.columns of its dataset configuration",
        "Give each a name of its own",
    ),
    ("Name it in the file, or list all names in parse.columns", "Name it in the file"),
    ("Mend parse.format, parse.separator or parse.columns in its dataset configuration", "Mend the file"),
    (" and name the file without .gz in its dataset configuration", ""),
)


@dataclass(frozen=True)
class Own:
    """A data set of one's own, its ``parse`` rules, its text, and what was found in one line."""

    data: Dataset
    rules: dict[str, Any]
    table: pa.Table
    said: str
    warnings: tuple[str, ...]


def own_dataset(source: Any, settings: Settings | None = None, name: str | None = None) -> Own:
    """Read a file, a data frame or ``openml:31``."""
    settings = settings or Settings()
    settings = replace(settings, columns=expanded(settings.columns))
    name = name or name_of(source)
    try:
        found = _declared(source, name, settings)
        inferred = infer(name, found, settings)
        applied = {"drop": [], "without_class": []}  # columns and rows that are already gone
        data = typed_dataset(name, inferred.table, {**inferred.rules, **applied})
    except ArboretumError as problem:
        raise ArboretumError(in_settings(str(problem))) from None
    return Own(data, inferred.rules, found.table, _said(data, inferred.notes), tuple(inferred.warnings))


def _declared(source: Any, name: str, settings: Settings) -> Declared:
    if not isinstance(source, str | Path):
        return from_frame(source, name)
    if str(source).startswith(OPENML):
        return from_openml(str(source), Path(user_cache_dir("arboretum")) / "openml", settings.columns)
    return from_file(Path(source), name, settings.columns)


def name_of(source: Any) -> str:
    """What a set is called: its file without what follows the dot, or its number at OpenML."""
    if not isinstance(source, str | Path):
        return "frame"
    if str(source).startswith(OPENML):
        return str(source).replace(":", "-")
    file = Path(source).name
    ends = [suffix for suffix in (*PACKED, *SUFFIXES) if file.lower().endswith(suffix)]
    return (file[: -len(ends[0])] if ends else file) or file


def in_settings(message: str) -> str:
    """A message about a set of conf/dataset, in the words of a file that is given by its path."""
    for rule, setting in WORDS:
        message = message.replace(rule, setting)
    for placeholder, pattern in (("COLUMN", r"column '([^']+)'"), ("VALUE", r"holds '([^']+)'")):
        if found := re.search(pattern, message):
            message = message.replace(placeholder, found[1])
    return message


def _said(data: Dataset, notes: list[str]) -> str:
    nominal = sum(is_nominal(data.X[name]) for name in data.X.columns)
    counts = data.y.value_counts(sort=False)
    classes = ", ".join(f"{name} {count}" for name, count in list(counts.items())[:6]) + ", ..." * (len(counts) > 6)
    parts = [
        f"{data.name}: {len(data.y)} rows",
        f"{data.X.shape[1] - nominal} numeric and {nominal} nominal columns",
        f"{len(counts)} classes of {data.y.name!r} ({classes})",
        *notes,
        f"version {data.fingerprint[:8]}",
    ]
    return ", ".join(parts)
