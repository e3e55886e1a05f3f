"""Raw text files to a table of text: one small reader a format, all ending in one CSV reader."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from arboretum.errors import ArboretumError, nearest

RANGE = re.compile(r"(.*?)(\d+)\.\.(\d+)")


def read_table(files: list[Path], parse: dict, name: str) -> pa.Table:
    """The files of a set below one another, every cell as stripped text; columns are matched by name."""
    try:
        reader = FORMATS[parse["format"]]
    except KeyError:
        known = nearest(str(parse.get("format")), FORMATS)
        raise ArboretumError(f"Data set {name}: unknown parse.format {parse.get('format')!r}. {known}") from None
    tables = []
    for file in files:
        content = file.read_bytes()
        if file.suffix == ".gz":
            content = gzip.decompress(content)
        try:
            table = reader(content, parse)
        except pa.ArrowInvalid as error:
            reason = str(error).splitlines()[0]
            raise ArboretumError(
                f"Data set {name}: {file.name} cannot be read as {parse['format']}: {reason}. "
                "Mend parse.format, parse.separator or parse.columns in its dataset configuration."
            ) from None
        tables.append(_without(table, parse.get("drop", []), name))
    return _stripped(pa.concat_tables(tables))


def expand_names(names: list[str]) -> list[str]:
    """``['a1..3', 'class']`` to ``['a1', 'a2', 'a3', 'class']``."""
    expanded: list[str] = []
    for entry in names:
        match = RANGE.fullmatch(entry)
        if match:
            prefix, first, last = match[1], int(match[2]), int(match[3])
            expanded += [f"{prefix}{number}" for number in range(first, last + 1)]
        else:
            expanded.append(entry)
    return expanded


def _read_csv(content: bytes, parse: dict) -> pa.Table:
    separator = parse.get("separator", ",")
    if separator == "blank":
        lines = (b",".join(line.split()) for line in content.splitlines())
        content, separator = b"\n".join(line for line in lines if line), ","
    names = expand_names(parse["columns"]) if "columns" in parse else None
    return _text_table(content, separator, names, skip=parse.get("skip", 0))


def _read_keel(content: bytes, parse: dict) -> pa.Table:
    """KEEL: ``@attribute name ...`` lines, then comma-separated rows."""
    lines = content.splitlines()
    header = [line.decode("utf-8").split() for line in lines if line.lower().startswith(b"@attribute")]
    names = [words[1].split("{")[0] for words in header]
    body = b"\n".join(line for line in lines if line.strip() and not line.startswith(b"@"))
    return _text_table(body, ",", names)


def _read_orange(content: bytes, parse: dict) -> pa.Table:
    """Orange: names, types and flags in three lines, then rows, all tab-separated."""
    names, _, _, *rows = content.splitlines()
    columns = [column.strip() for column in names.decode("utf-8").split("\t")]
    return _text_table(b"\n".join(row for row in rows if row.strip()), "\t", columns)


FORMATS: dict[str, Callable[[bytes, dict], pa.Table]] = {
    "csv": _read_csv,
    "keel": _read_keel,
    "orange": _read_orange,
}


def _text_table(content: bytes, separator: str, names: list[str] | None, skip: int = 0) -> pa.Table:
    """All columns as text, numbers untouched; without names the first line gives them."""
    read = csv.ReadOptions(column_names=names, skip_rows=skip, use_threads=False)
    parse = csv.ParseOptions(delimiter=separator, quote_char=False if separator == "\t" else '"')
    first = content.split(b"\n", skip + 1)[skip] if names is None else b""
    columns = names or [column.strip().strip('"') for column in first.decode("utf-8").split(separator)]
    convert = csv.ConvertOptions(column_types={column: pa.string() for column in columns}, strings_can_be_null=False)
    if names is None:
        read = csv.ReadOptions(column_names=columns, skip_rows=skip + 1, use_threads=False)
    return csv.read_csv(pa.BufferReader(content), read, parse, convert)


def _without(table: pa.Table, drop: list[str], name: str) -> pa.Table:
    """Leave out dropped columns; refuse names that occur twice, which no later step could tell apart."""
    columns = table.column_names
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise ArboretumError(
            f"Data set {name}: duplicate column {repeated[0]!r}. "
            "Give every column a name of its own in parse.columns of its dataset configuration."
        )
    dropped = set(expand_names(drop))
    return table.select([column for column in columns if column not in dropped])


def _stripped(table: pa.Table) -> pa.Table:
    columns = {name: pc.utf8_trim_whitespace(table[name]) for name in table.column_names}
    return pa.table(columns)
