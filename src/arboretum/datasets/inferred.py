"""Kinds, levels, classes and missing values of a table of text that nobody has described.

What is inferred is written as the ``parse`` rules of :mod:`arboretum.datasets.typed`, so a file of one's own is read by
the same code as the sets of ``conf/dataset``, and ``arboretum init dataset`` can keep the rules. What could be meant in
two ways is refused with the setting that decides.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from arboretum.datasets.formats import NUMBER, Declared
from arboretum.errors import ArboretumError, nearest

MISSING = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null")
CODE = re.compile(r"0\d+")  # a code, such as a postal code: as a number it would lose its zero
COMMA = re.compile(r"[+-]?\d+,\d+|[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
CLASS_NAMES = ("class", "target", "label", "y")
KINDS = ("nominal", "numeric")
MANY_CLASSES = 100
SHOWN = 12


@dataclass(frozen=True)
class Settings:
    """What the user says of a data set of their own: ``target=``, ``kinds.zip=nominal``, ``missing=[-9]`` ..."""

    target: str | None = None
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing: Sequence[str] | None = None
    drop: Sequence[str] = ()
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class Inferred:
    """The table that is left, its rules, and what a reader should know."""

    table: pa.Table
    rules: dict[str, Any]
    notes: list[str]
    warnings: list[str]


def infer(name: str, found: Declared, settings: Settings) -> Inferred:
    """Rules for a table of text; an error names the column and the setting that decides."""
    table, notes, warnings = found.table, list(found.notes), []
    _check_settings(name, table.column_names, settings)
    warnings += _line_ends(name, found, settings)
    dropped = [column for column in table.column_names if column in settings.drop]
    table = table.drop_columns(dropped)
    target = _target(name, table.column_names, found.target, settings)
    tokens = list(MISSING if settings.missing is None else settings.missing)
    missing = {column: _tokens_in(table[column], tokens, found.levels.get(column, ())) for column in table.column_names}
    counts = sum((Counter(there) for column, there in missing.items() if column != target), Counter())
    counts["empty"] += counts.pop("", 0) + sum(table[c].null_count for c in table.column_names if c != target)
    table = _with_class(name, table, target, missing[target], notes)
    classes = _classes(name, table[target], target, found.levels.get(target), settings)
    nominal: list[dict[str, Any]] = []
    for column in [one for one in table.column_names if one != target]:
        text = table[column].filter(pc.invert(pc.is_in(table[column], pa.array([*missing[column]], pa.string()))))
        values = Counter(text.drop_null().to_pylist())
        if not values:
            dropped.append(column)
            notes.append(f"column {column!r}, which holds no value, is left out")
            continue
        levels = _levels(name, column, values, found.levels.get(column), settings)
        if column not in settings.kinds and column not in found.levels:
            warnings += _doubts(column, values, levels, table.num_rows)
        if levels is not None:
            nominal.append({"columns": [column], "levels": levels})
    if table.num_columns - len([column for column in dropped if column in table.column_names]) < 2:
        raise ArboretumError(f"Data set {name}: no column is left beside the class {target!r}.")
    declared = {level for levels in found.levels.values() for level in levels}
    rules = {**found.rules, "target": target, "classes": classes} | _missing_rules(
        missing, [*dropped, target], declared
    )
    left_out = [*found.rules.get("drop", []), *dropped]
    rules |= ({"drop": left_out} if left_out else {}) | ({"nominal": _blocks(nominal)} if nominal else {})
    if without := sorted(missing[target]):
        rules["without_class"] = without
    notes.insert(0, _missing_note(counts))
    table = table.drop_columns([column for column in dropped if column in table.column_names])
    return Inferred(table, rules, notes, warnings)


def _check_settings(name: str, columns: Sequence[str], settings: Settings) -> None:
    """Every column that a setting names is there."""
    named = {"kinds": settings.kinds, "drop": settings.drop, "target": [settings.target] if settings.target else []}
    for setting, listed in named.items():
        for column in listed:
            if column not in columns:
                raise ArboretumError(f"Data set {name}: {setting}: no column {column!r}. {nearest(column, columns)}")
    for column, kind in settings.kinds.items():
        if kind not in KINDS:
            raise ArboretumError(f"Data set {name}: kinds.{column}={kind}: must be nominal or numeric.")


def _line_ends(name: str, found: Declared, settings: Settings) -> list[str]:
    """Two stray quotes in different rows make one cell of all rows between them: a file that has such cells is refused.

    Unless the column is said to be nominal; of a column that is dropped it is said.
    """
    warnings = []
    for column in found.table.column_names if found.rules.get("format") == "csv" else ():
        number = pc.sum(pc.match_substring_regex(found.table[column], r"[\r\n]")).as_py() or 0
        if not number or column in found.levels or settings.kinds.get(column) == "nominal":
            continue
        said = f"column {column!r} holds line ends inside a cell ({number} of {found.table.num_rows} rows)"
        if column not in settings.drop:
            raise ArboretumError(
                f"Data set {name}: {said}. A quote too many swallows rows: look for it in the file. If these texts are "
                f"meant, say kinds.{column}=nominal, or drop=[{column}]."
            )
        warnings.append(f"{said}: a quote too many swallows rows")
    return warnings


def _target(name: str, columns: Sequence[str], declared: str | None, settings: Settings) -> str:
    """The class column: named, declared by its source, or the only one that is called so."""
    if settings.target is not None:
        return settings.target
    called = [column for column in columns if column.lower() in CLASS_NAMES]
    if declared in columns:
        return declared
    if len(called) == 1:
        return called[0]
    shown = ", ".join(columns[:SHOWN]) + (", ..." if len(columns) > SHOWN else "")
    raise ArboretumError(f"Data set {name}: which column is the class? Say target=NAME. Columns: {shown}.")


def _tokens_in(text: pa.ChunkedArray, tokens: Sequence[str], levels: Sequence[str]) -> dict[str, int]:
    """Texts that mean missing and occur in a column, with their numbers; a declared level never does."""
    wanted = pa.array([token for token in tokens if token not in levels], pa.string())
    return Counter(text.filter(pc.is_in(text, wanted)).drop_null().to_pylist())


def _with_class(name: str, table: pa.Table, target: str, missing: Mapping[str, int], notes: list[str]) -> pa.Table:
    """The rows whose class is known."""
    known = pc.and_(table[target].is_valid(), pc.invert(pc.is_in(table[target], pa.array([*missing], pa.string()))))
    left = table.filter(known)
    if left.num_rows < table.num_rows:
        notes.append(f"rows without a class, which are left out: {table.num_rows - left.num_rows}")
    if not left.num_rows:
        raise ArboretumError(f"Data set {name}: the class column {target!r} holds no value.")
    return left


def _classes(
    name: str, text: pa.ChunkedArray, target: str, declared: list[str] | None, settings: Settings
) -> list[str]:
    values = Counter(text.to_pylist())
    if len(values) < 2:
        only = next(iter(values))
        raise ArboretumError(f"Data set {name}: the class column {target!r} is constant ({only!r}). Choose another.")
    if declared is not None:
        return declared
    numbers = all(map(is_number, values))
    fractions = numbers and any(not float(value).is_integer() for value in values)
    if settings.kinds.get(target) != "nominal" and (fractions or len(values) > max(MANY_CLASSES, len(text) // 2)):
        raise ArboretumError(
            f"Data set {name}: the class column {target!r} holds {len(values)} different values, such as "
            f"{min(values)!r}: a number to predict, or a name? Classes are predicted here. Choose another target=, or "
            f"say kinds.{target}=nominal."
        )
    return _sorted(values)


def _levels(
    name: str, column: str, values: Mapping[str, int], declared: list[str] | None, settings: Settings
) -> list[str] | None:
    """The levels of a nominal column; None for numbers."""
    said = settings.kinds.get(column)
    if said == "numeric":
        return None
    if said == "nominal" or declared is not None:
        return _sorted(values) if declared is None else declared
    numbers = {value for value in values if is_number(value)}
    if len(numbers) == len(values):
        return _sorted(values) if any(map(CODE.fullmatch, values)) else None
    if all(COMMA.fullmatch(value) for value in values if value not in numbers):
        wrong = next(value for value in values if value not in numbers)
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds {wrong!r}. Write numbers with a decimal point and without "
            f"separators of thousands; if it is a name, say kinds.{column}=nominal."
        )
    if 2 * len(numbers) >= len(values):
        others = sorted(set(values) - numbers)
        raise ArboretumError(
            f"Data set {name}: column {column!r} holds {len(numbers)} different numbers and {_some(others)}. If that "
            f"means missing, say missing=[{others[0]}]; if all are names, kinds.{column}=nominal."
        )
    return _sorted(values)


def _doubts(column: str, values: Mapping[str, int], levels: list[str] | None, rows: int) -> list[str]:
    """What may be meant otherwise, and the setting that says so."""
    found = []
    if levels is None:
        whole = [int(value) for value in values if value.isdecimal() and len(value) < 16]
        if len(whole) == rows > 10 and max(whole) - min(whole) == rows - 1:
            found.append(f"column {column!r} numbers the rows; drop=[{column}] leaves it out")
        return found
    if len(values) > max(20, rows // 2):
        found.append(f"column {column!r} has {len(values)} levels in {rows} rows; drop=[{column}] leaves it out")
    alike = [value for value, other in _pairs(values) if value != other]
    if alike:
        found.append(f"column {column!r} has levels that differ in case or blanks only, such as {alike[0]!r}")
    if all(map(is_number, values)):
        found.append(f"column {column!r} holds numbers and is read as nominal; kinds.{column}=numeric changes that")
    return found


def _pairs(values: Mapping[str, int]) -> list[tuple[str, str]]:
    """Each level with the first one that reads the same when case and blanks do not count."""
    first: dict[str, str] = {}
    return [(value, first.setdefault("".join(value.lower().split()), value)) for value in sorted(values)]


def _missing_rules(missing: Mapping[str, Mapping[str, int]], but: Sequence[str], levels: set[str]) -> dict[str, Any]:
    """Texts that mean missing: for all columns, or for each where one of them is a level elsewhere."""
    found = {column: sorted(there) for column, there in missing.items() if there and column not in but}
    tokens = sorted({token for there in found.values() for token in there})
    if levels & set(tokens):
        return {"missing_in": [{"column": column, "values": there} for column, there in found.items()]}
    return {"missing": tokens} if tokens else {}


def _blocks(nominal: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Neighbours in the list that share their levels in one block."""
    blocks: list[dict[str, Any]] = []
    for one in nominal:
        same = next((block for block in blocks if block["levels"] == one["levels"]), None)
        if same is None:
            blocks.append({"columns": [*one["columns"]], "levels": one["levels"]})
        else:
            same["columns"] += one["columns"]
    return blocks


def _missing_note(counts: Counter[str]) -> str:
    total = counts.total()
    if not total:
        return "nothing missing"
    listed = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    taken = ", ".join(f"{token if token == 'empty' else repr(token)} {n}" for token, n in listed if n)
    return f"{total} {'cell' if total == 1 else 'cells'} missing ({taken})"


def is_number(text: str) -> bool:
    """Whether a text is a number as Arrow reads it, infinity and nan included."""
    return bool(NUMBER.fullmatch(text)) or text.lower().lstrip("+-") in ("inf", "infinity", "nan")


def _sorted(values: Mapping[str, int]) -> list[str]:
    """Numbers by size, anything else by name."""
    if all(map(is_number, values)):
        return sorted(values, key=lambda value: (float(value), value))
    return sorted(values)


def _some(values: Sequence[str]) -> str:
    shown = ", ".join(repr(value[:40]) for value in values[:3])
    return shown + (f" and {len(values) - 3} other texts" if len(values) > 3 else "")
