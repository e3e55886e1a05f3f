"""A file, a frame or an OpenML id as a table of text, with what its source declares of its columns.

Everything becomes text first, so that kinds are inferred and values are checked in one place, whatever the format.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from arboretum.datasets.rules import expand_names
from arboretum.datasets.sources.errors import SourceError
from arboretum.datasets.sources.openml import OpenML
from arboretum.datasets.table import Unreadable, header, read_table, text_of
from arboretum.errors import ArboretumError

SEPARATORS = (",", ";", "\t", "|")
TEXT = (".csv", ".tsv", ".txt", ".data", ".dat")
PACKED = tuple(f"{suffix}.gz" for suffix in TEXT)
SUFFIXES = (*TEXT, *PACKED, ".parquet", ".pq", ".arff")
OPENML = "openml:"
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
ARFF_CELL = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^,{}'"]*))\s*(,|$)""")
ARFF_ATTRIBUTE = re.compile(r"""@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+(.*)""", re.IGNORECASE)


class Declared(NamedTuple):
    """A table of text; the levels of columns that the source declares nominal; its class column, if it names one."""

    table: pa.Table
    levels: dict[str, list[str]]
    target: str | None = None
    rules: dict[str, Any] = {}  # noqa: RUF012  # how a text file is read: keys of `parse`
    notes: tuple[str, ...] = ()


def is_own(text: str) -> bool:
    """Whether a text names a file or an OpenML id rather than a data set of conf/dataset."""
    return text.lower().endswith((*SUFFIXES, ".xlsx", ".xls", ".zip")) or text.startswith(OPENML) or "/" in text


def from_file(path: Path, name: str, columns: Sequence[str] = ()) -> Declared:
    """The columns of a csv, arff or parquet file."""
    if not path.is_file():
        raise ArboretumError(f"{path} does not exist. Is the path right? It is looked for from the folder you are in.")
    suffix = path.name.lower()
    try:
        if suffix.endswith((".parquet", ".pq")):
            return from_frame(_parquet(path), name)
        if suffix.endswith(".arff"):
            return _arff(path, name)
        if suffix.endswith((*TEXT, *PACKED)):
            return _csv(path, name, columns)
    except Unreadable as problem:
        raise ArboretumError(f"Data set {name}: {path.name}: {problem}") from None
    raise ArboretumError(f"{path}: of files, {', '.join(SUFFIXES)} are read. Save the table as csv.")


def _parquet(path: Path) -> pd.DataFrame:
    try:
        _check_names(pq.read_schema(path).names)  # Arrow cannot read two columns of one name
        return pq.read_table(path).to_pandas()
    except (pa.ArrowInvalid, OSError) as problem:
        raise Unreadable(f"it cannot be read as parquet: {str(problem).splitlines()[0]}.") from None


# ------------------------------------------------------------------ csv


def _csv(path: Path, name: str, columns: Sequence[str]) -> Declared:
    content = text_of(path, name, say=False)  # reading it says what there is to say
    if not content.strip():
        raise Unreadable("it is empty.")
    if b"\r" in content and b"\n" not in content:
        raise Unreadable("its lines end with a carriage return alone. Convert it with tr '\\r' '\\n'.")
    separator = _separator(content)
    rules: dict[str, Any] = {"format": "csv"} | ({} if separator == "," else {"separator": separator})
    notes = () if separator == "," else (f"columns are separated by {_spoken(separator)}",)
    if columns:
        rules["columns"] = list(columns)
        return Declared(read_table([path], rules, name), {}, None, rules, notes)
    first = content.split(b"\n", 1)[0].decode().split() if separator == "blank" else header(content, separator)
    if sum(bool(NUMBER.fullmatch(cell)) for cell in first) * 2 > len(first):
        raise Unreadable(
            f"its first line holds numbers ({', '.join(first[:4])} ...), not names. Name the columns: columns=[a1.."
            f"{len(first) - 1},class]"
        )
    if separator == "blank" or (first[0] == "" and len(first) > 1):
        return _numbered(path, name, rules, first, notes)
    return Declared(read_table([path], rules, name), {}, None, rules, notes)


def _numbered(path: Path, name: str, rules: dict[str, Any], first: list[str], notes: tuple[str, ...]) -> Declared:
    """A file whose names stand in its first line, where the column without a name numbers the rows, as pandas does."""
    unnamed = first[0] == ""
    rules |= {"columns": ["row number", *first[1:]] if unnamed else first, "skip": 1}
    table = read_table([path], rules, name)
    if unnamed:
        numbers = table["row number"].to_pylist()
        if numbers not in ([str(i) for i in range(len(numbers))], [str(i + 1) for i in range(len(numbers))]):
            raise Unreadable("column 1 has no name. Name it in the first line.")
        rules["drop"], notes = ["row number"], (*notes, "the first column, which numbers the rows, is left out")
        table = table.drop_columns(["row number"])
    return Declared(table, {}, None, rules, notes)


def _separator(content: bytes) -> str:
    """What separates columns: that which makes most of the first line; white space if nothing else does."""
    counts = {separator: len(header(content, separator)) for separator in SEPARATORS}
    best = max(SEPARATORS, key=lambda separator: counts[separator])
    if counts[best] > 1:
        return best
    if len(content.split(b"\n", 1)[0].split()) > 1:
        return "blank"
    raise Unreadable("its first line holds one column only. Separate columns by a comma, semicolon, tab, | or blanks.")


def _spoken(separator: str) -> str:
    return {";": "semicolons", "\t": "tabs", "|": "|", "blank": "white space"}[separator]


# ------------------------------------------------------------------ arff


def _arff(path: Path, name: str) -> Declared:
    """Weka's format: ``@attribute name type`` lines, then ``@data`` and one row per line."""
    lines = [line.strip() for line in text_of(path, name).decode("utf-8").splitlines()]
    lines = [line for line in lines if line and not line.startswith("%")]
    start = next((place for place, line in enumerate(lines) if line.lower() == "@data"), None)
    if start is None:
        raise Unreadable("it has no line @data.")
    attributes = [_attribute(line) for line in lines[:start] if line.lower().startswith("@attribute")]
    if not attributes or start + 1 == len(lines):
        raise Unreadable("it has no @attribute line, or no row below @data.")
    names = [column for column, _ in attributes]
    _check_names(names)
    rows = [_cells(line, len(names)) for line in lines[start + 1 :]]
    columns = {column: pa.array([row[place] for row in rows], pa.string()) for place, column in enumerate(names)}
    return Declared(pa.table(columns), {column: levels for column, levels in attributes if levels is not None})


def _attribute(line: str) -> tuple[str, list[str] | None]:
    found = ARFF_ATTRIBUTE.fullmatch(line)
    if not found:
        raise Unreadable(f"{line[:60]!r} is no attribute: write @attribute name type.")
    name, kind = next(text for text in found.groups()[:3] if text is not None), found[4].strip()
    if kind.startswith("{") and kind.endswith("}"):
        levels = [level for level in _cells(kind[1:-1], None) if level is not None]
        if len(set(levels)) < len(levels):
            raise Unreadable(f"attribute {name!r} declares a level twice.")
        return name, levels
    if kind.split()[0].lower() in ("numeric", "real", "integer", "string"):
        return name, None
    raise Unreadable(f"attribute {name!r} has the type {kind[:40]!r}. Make it numeric, or nominal with its {{levels}}.")


def _cells(line: str, count: int | None) -> list[str | None]:
    """The cells of one line; ``?`` without quotes is missing."""
    if line.startswith("{") and count is not None:
        raise Unreadable("it has sparse rows in braces. Save it in the dense format.")
    cells: list[str | None] = []
    place, more = 0, True
    while more:
        found = ARFF_CELL.match(line, place)
        if not found:
            raise Unreadable(f"the line {line[:60]!r} has a quote or brace in the wrong place.")
        quoted = found[1] if found[1] is not None else found[2]
        cells.append(re.sub(r"\\(.)", r"\1", quoted) if quoted is not None else (found[3].strip() or None))
        if quoted is None and cells[-1] == "?":
            cells[-1] = None
        place, more = found.end(), found[4] == ","
    if count is not None and len(cells) != count:
        raise Unreadable(f"the line {line[:60]!r} has {len(cells)} cells for {count} attributes.")
    return cells


# ------------------------------------------------------------------ frames


def from_frame(frame: Any, name: str) -> Declared:
    """The columns of a data frame; categorical and boolean ones are declared nominal."""
    if not isinstance(frame, pd.DataFrame):
        if not hasattr(frame, "to_pandas"):
            raise ArboretumError(f"Data set {name}: a data frame is needed, not {type(frame).__name__}.")
        frame = frame.to_pandas()
    names = [str(column) for column in frame.columns]
    try:
        _check_names(names)
        if not len(frame):
            raise Unreadable("it has no row.")
        columns = {column: _as_text(column, frame.iloc[:, place]) for place, column in enumerate(names)}
    except Unreadable as problem:
        raise ArboretumError(f"Data set {name}: {problem}") from None
    levels = {column: found for column, (_, found) in columns.items() if found is not None}
    return Declared(pa.table({column: text for column, (text, _) in columns.items()}), levels)


def _check_names(names: Sequence[str]) -> None:
    for place, column in enumerate(names, 1):
        if not column.strip():
            raise Unreadable(f"column {place} has no name.")
        if names.index(column) != place - 1:
            raise Unreadable(f"two columns are called {column!r}. Give every column a name of its own.")


def _as_text(name: str, column: pd.Series) -> tuple[pa.Array, list[str] | None]:
    """A column as text without loss, and its levels where its type declares them."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        levels = [str(level) for level in column.cat.categories]
        if len(set(levels)) < len(levels):
            raise Unreadable(f"column {name!r} has two levels that read the same.")
        return pa.array(np.asarray([*levels, None], dtype=object)[column.cat.codes], pa.string()), levels
    if pd.api.types.is_bool_dtype(column.dtype):
        return pa.array([None if pd.isna(value) else str(bool(value)) for value in column], pa.string()), None
    if column.dtype.kind in "mM" or isinstance(column.dtype, pd.PeriodDtype | pd.DatetimeTZDtype):
        raise Unreadable(f"column {name!r} holds dates. Turn them into numbers, such as days since a fixed date.")
    if column.dtype.kind == "c":
        raise Unreadable(f"column {name!r} holds complex numbers.")
    values = [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]
    texts = [None if value is None else _one_text(value) for value in values]
    if column.dtype == object:
        known = {(type(value).__name__ in ("str", "str_"), text) for value, text in zip(values, texts, strict=True)}
        both = {text for kind, text in known if kind} & {text for kind, text in known if not kind}
        if both - {None}:
            raise Unreadable(
                f"column {name!r} holds both the text and the number {min(both - {None})!r}. Make them one."
            )
    return pa.array(texts, pa.string()), None


def _one_text(value: Any) -> str:
    """A number with all its digits, anything else as it is written."""
    if isinstance(value, float | np.floating):
        return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))
    return str(value).strip()


# ------------------------------------------------------------------ OpenML


def from_openml(text: str, folder: Path, columns: Sequence[str] = ()) -> Declared:
    """The data set ``openml:31`` through the client and its cache; its text is written to ``folder`` on the way."""
    number = text.removeprefix(OPENML)
    if not (number.isascii() and number.isdecimal()) or columns:
        raise ArboretumError(f"{text!r}: write openml: and the number of the data set, as in openml:31.")
    try:
        files, found = OpenML(offline=False).obtain({"id": int(number)})
    except SourceError as problem:
        raise ArboretumError(f"{text} cannot be had: {problem}.") from None
    (file, content), *_ = files.items()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_bytes(content)
    rules = {"format": "csv", "columns": found["columns"]}
    table = read_table([folder / file], rules, f"openml-{number}")
    levels = {column: [level for level in known if level] for column, known in found["levels"].items() if known}
    return Declared(table, levels, found["target"], rules)


def expanded(columns: Sequence[str]) -> list[str]:
    """Names as ``columns=[a1..4,class]`` gives them."""
    return expand_names(list(columns))
