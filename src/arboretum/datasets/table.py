"""Raw text files to a table of text: one small reader a format, all ending in one CSV reader."""

from __future__ import annotations

import csv as cells
import gzip
import io
import logging
import zlib
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from arboretum.datasets.rules import contradictions, expand_names, unnamed
from arboretum.errors import ArboretumError, nearest

log = logging.getLogger(__name__)
GZIP_EXPANSION = 100  # an unpacked file may be this many times as large; the largest of ours is nine times
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")  # zip, gzip and so on
LONGEST = 2**30  # bytes that are read at once: a row must not be longer


class Unreadable(Exception):
    """What is wrong with the content of a file, and the fix."""


def read_table(files: list[Path], parse: dict, name: str) -> pa.Table:
    """The files of a set below one another, every cell as stripped text; columns are matched by name."""
    try:
        reader = FORMATS[parse["format"]]
    except KeyError:
        known = nearest(str(parse.get("format")), FORMATS)
        raise ArboretumError(f"Data set {name}: unknown parse.format {parse.get('format')!r}. {known}") from None
    for problem in contradictions(parse):
        raise ArboretumError(f"Data set {name}: {problem}")
    tables: list[pa.Table] = []
    unseen = set(expand_names(parse.get("drop", [])))
    for file in files:
        try:
            table = reader(text_of(file, name), parse)
            _check_columns(table.column_names)
            unseen -= set(table.column_names)
            table = _without(table, parse.get("drop", []))
            tables.append(_like_the_first(table, tables))
        except pa.ArrowInvalid as error:
            reason = str(error).splitlines()[0]
            raise ArboretumError(
                f"Data set {name}: {file.name} cannot be read as {parse['format']}: {reason}. "
                "Mend parse.format, parse.separator or parse.columns in its dataset configuration."
            ) from None
        except Unreadable as problem:
            raise ArboretumError(f"Data set {name}: {file.name}: {problem}") from None
    for column in sorted(unseen):
        there = nearest(column, tables[0].column_names)
        raise ArboretumError(f"Data set {name}: no file has the column {column!r} of parse.drop. {there} Mend it.")
    return _stripped(pa.concat_tables(tables))


# ------------------------------------------------------------------ files


def text_of(file: Path, name: str, say: bool = True) -> bytes:
    """The content of a file, unpacked where it is packed, as UTF-8 without a byte order mark."""
    content = file.read_bytes()
    if file.suffix == ".gz":
        content = _unpacked(content)
    _check_encoding(content)
    if say and content.startswith(BYTE_ORDER_MARK):
        log.warning("data set %s: %s begins with a byte order mark, which is left out", name, file.name)
    return content.removeprefix(BYTE_ORDER_MARK)


def _unpacked(content: bytes) -> bytes:
    """The content of a gzip file; one that expands beyond the limit is given up before it fills the memory."""
    limit = GZIP_EXPANSION * len(content)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as packed:
            text = packed.read(limit + 1)
    except (OSError, EOFError, zlib.error) as problem:
        raise Unreadable(
            f"it cannot be unpacked as gzip: {problem}. Pack it anew, or drop .gz from its name."
        ) from None
    if not content:
        raise Unreadable("it is empty and cannot be unpacked as gzip. Pack it anew.")
    if len(text) > limit:
        raise Unreadable(
            f"it expands to more than {GZIP_EXPANSION} times its size. If that is right, unpack it and name the file "
            "without .gz in its dataset configuration."
        )
    return text


def _check_encoding(content: bytes) -> None:
    if content.startswith(PACKED):
        raise Unreadable("it is a packed file, not text. Unpack it, and name what was in it.")
    if b"\0" in content:
        raise Unreadable("it is not UTF-8 text: it holds zero bytes, as UTF-16 does. Convert it with iconv -t UTF-8.")
    try:
        _ = content.isascii() or content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise Unreadable(
            f"it is not UTF-8 text: byte 0x{content[problem.start]:02x} in line {line}. Convert it with iconv -t UTF-8 "
            "(-f LATIN1 where it was written as Latin-1)."
        ) from None
    if b"\r" in content and b"\n" not in content:
        raise Unreadable("its lines end with carriage returns alone. Convert it with tr '\\r' '\\n'.")


# ------------------------------------------------------------------ formats


def _read_csv(content: bytes, parse: dict) -> pa.Table:
    separator, skip = parse.get("separator", ","), parse.get("skip", 0)
    if separator == "blank":
        lines = (b"\t".join(line.split()) for line in content.splitlines())
        content, separator = b"\n".join(line for line in lines if line), "\t"
    if skip and skip >= (count := len(content.splitlines())):
        raise Unreadable(f"parse.skip leaves out {skip} lines of a file of {count} lines. Make it smaller.")
    names = expand_names(parse["columns"]) if "columns" in parse else None
    return _text_table(content, separator, names, skip)


def _read_keel(content: bytes, parse: dict) -> pa.Table:
    """KEEL: ``@attribute name ...`` lines, then comma-separated rows."""
    lines = content.splitlines()
    header = [line.decode("utf-8").split() for line in lines if line.lower().startswith(b"@attribute")]
    if not header or any(len(words) < 2 for words in header):
        raise Unreadable("a keel file names each column in a line `@attribute name ...`. Mend it or parse.format.")
    names = [words[1].split("{")[0] for words in header]
    body = b"\n".join(line for line in lines if line.strip() and not line.startswith(b"@"))
    return _text_table(body, ",", names)


def _read_orange(content: bytes, parse: dict) -> pa.Table:
    """Orange: names, types and flags in three lines, then rows, all tab-separated."""
    names, *more = content.splitlines() or [b""]
    rows = [row for row in more[2:] if row.strip()]
    if not rows:
        raise Unreadable("an orange file has three lines of names, types and flags, and rows below. Mend parse.format.")
    columns = [column.strip() for column in names.decode("utf-8").split("\t")]
    return _text_table(b"\n".join(rows), "\t", columns)


FORMATS: dict[str, Callable[[bytes, dict], pa.Table]] = {
    "csv": _read_csv,
    "keel": _read_keel,
    "orange": _read_orange,
}


def _text_table(content: bytes, separator: str, names: list[str] | None, skip: int = 0) -> pa.Table:
    """All columns as text, numbers untouched; without names the first line gives them."""
    if not content.strip():
        raise Unreadable("it has no row.")
    parse = csv.ParseOptions(delimiter=separator, quote_char=False if separator == "\t" else '"')
    columns = names or header(content, separator, skip)
    convert = csv.ConvertOptions(column_types={column: pa.string() for column in columns}, strings_can_be_null=False)
    above = skip + (names is None)
    block = min(len(content) + 1, LONGEST)  # in one piece: a row may be long, and quotes may hold line ends
    read = csv.ReadOptions(column_names=columns, skip_rows=above, use_threads=False, block_size=block)
    table = csv.read_csv(pa.BufferReader(content), read, parse, convert)
    if not table.num_rows:
        raise Unreadable(f"it has no row below its names {', '.join(columns)}.")
    if separator != "\t" and _ends_in_quotes(content, separator, table.column(len(columns) - 1)[-1].as_py()):
        raise Unreadable("a quote in its last row is never closed: close it, or get the whole file.")
    return table


def _ends_in_quotes(content: bytes, separator: str, last: str) -> bool:
    """Whether the last cell begins with a quote that nothing closes, which Arrow reads as if the end closed it."""
    text, cell = content.rstrip(), b'"' + last.strip().encode()
    return text.endswith(cell) and text[: -len(cell)][-1:] in (b"", b"\n", separator.encode())


def header(content: bytes, separator: str, skip: int = 0) -> list[str]:
    """The names in the first line; one in quotes may hold the separator."""
    line = content.split(b"\n", skip + 1)[skip].decode("utf-8").strip("\r")
    quoting = cells.QUOTE_NONE if separator == "\t" else cells.QUOTE_MINIMAL
    try:
        found = next(cells.reader([line], delimiter=separator, quoting=quoting), [""])
    except cells.Error as problem:
        raise Unreadable(f"its line of names cannot be read: {problem}.") from None
    return [name.strip().strip('"' if separator == "\t" else "") for name in found]


# ------------------------------------------------------------------ columns


def _check_columns(columns: list[str]) -> None:
    """Refuse a column without a name, and names that occur twice, which no later step could tell apart."""
    for problem in unnamed(columns):
        raise Unreadable(problem)
    repeated = sorted({column for column in columns if columns.count(column) > 1})
    if repeated:
        raise Unreadable(
            f"duplicate column {repeated[0]!r}. "
            "Give every column a name of its own in parse.columns of its dataset configuration."
        )


def _without(table: pa.Table, drop: list[str]) -> pa.Table:
    dropped = set(expand_names(drop))
    return table.select([column for column in table.column_names if column not in dropped])


def _like_the_first(table: pa.Table, before: list[pa.Table]) -> pa.Table:
    """The columns of a further file in the order of the first one."""
    if not before:
        return table
    columns = before[0].column_names
    other = sorted(set(columns) ^ set(table.column_names))
    if other:
        raise Unreadable(f"column {other[0]!r} is in some files of the set only. Name it in parse.drop.")
    return table.select(columns)


def _stripped(table: pa.Table) -> pa.Table:
    columns = {name: pc.utf8_trim_whitespace(table[name]) for name in table.column_names}
    return pa.table(columns)
