"""A csv of one's own that is strange: refused in words, or read as Python's own csv reader and float read it."""

from __future__ import annotations

import bz2
import csv
import gzip
import hashlib
import io
import lzma
import random
import tempfile
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from math import isinf
from pathlib import Path

import pandas as pd

from arboretum.datasets import Dataset, FetchSettings, fetch, load, prepare
from benchmarks.faults.flips import CLEAR, SILENT, outcome

TEXT = "size,colour,class\n1.5,red,yes\n?,blue,no\n2,red,yes\n"
PARSE = {
    "format": "csv",
    "missing": ["?"],
    "target": "class",
    "classes": ["no", "yes"],
    "nominal": [{"columns": ["colour"], "levels": ["red", "blue"]}],
}
Rows = list[list[str]]
Strange = Callable[[Rows, random.Random], str | bytes | None]


def prepared(
    folder: Path, content: str | bytes = TEXT, file: str = "toy.csv", rows: int = 3, **change: object
) -> Dataset:
    """The set ``toy`` of one file, through fetch and prepare; a change to None takes a rule away."""
    content = content.encode("utf-8") if isinstance(content, str) else content
    (folder / "mirror").mkdir()
    (folder / "mirror" / file).write_bytes(content)
    parse = {key: value for key, value in {**PARSE, **change}.items() if value is not None}
    source = {"kind": "mirror", "members": [{"path": file, "sha256": hashlib.sha256(content).hexdigest()}]}
    spec = {"name": "toy", "rows": rows, "attributes": 2, "sources": [source], "parse": parse}
    settings = FetchSettings(store=folder / "store", mirror=folder / "mirror")
    fetch({"toy": spec}, folder / "raw", settings, progress=False)
    prepare({"toy": spec}, folder / "raw", folder / "prepared")
    return load(folder / "prepared" / "toy.parquet")


# ------------------------------------------------------------------ what is strange


def written(rows: Rows) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def number(*texts: str) -> Strange:
    """Other numbers in one or two rows."""

    def change(rows: Rows, random: random.Random) -> str:
        for row in random.sample(rows[1:], random.randrange(1, 3)):
            row[0] = random.choice(texts)
        return written(rows)

    return change


def header(rows: Rows, random: random.Random) -> str:
    """A name that is missing, or stands twice."""
    rows[0][random.randrange(3)] = random.choice(["", " ", "size", "colour", "class"])
    return written(rows)


def cell(rows: Rows, random: random.Random) -> str:
    """A level or class that nobody declared, blanks around one, a cell too many or too few."""
    row = rows[random.randrange(1, len(rows))]
    kind = random.randrange(4)
    if kind < 2:
        row[1 + kind] = random.choice(["", "Red", "YES", "red;blue", "nan", "\u00a0red", "1"])
    elif kind == 2:
        row.append("more")
    else:
        row.pop()
    return written(rows)


def quoted(rows: Rows, random: random.Random) -> str:
    """Quotes where there need not be any, or one that is never closed."""
    lines = written(rows).split("\n")
    place = random.randrange(1, len(rows))
    whole = ",".join(f'"{text}"' for text in rows[place])
    lines[place] = random.choice([whole, whole[:-1], whole[1:], whole.replace('"', "'")])
    return "\n".join(lines)


def line_ends(rows: Rows, random: random.Random) -> str:
    return written(rows).replace("\n", random.choice(["\r", "\r\n", "\n\n", "\n\r"]))


def encoded(rows: Rows, random: random.Random) -> bytes:
    rows[1][1] = random.choice(["r\u00f6d", "red"])
    return written(rows).encode(random.choice(["utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig"]))


def packed(rows: Rows, random: random.Random) -> bytes:
    return random.choice([gzip.compress, bz2.compress, lzma.compress])(written(rows).encode())


def cut(rows: Rows, random: random.Random) -> str:
    text = written(rows)
    return text[: random.randrange(len(text))]


STRANGE: dict[str, Strange] = {
    "infinite or vanishing number": number("inf", "-Infinity", "1e400", "9" * 400, "1e-400", "nan", "-NaN"),
    "number of other spelling": number(
        "1_000", "0x10", "1,5", "+.5", "5.", "1e2", " 7 ", "\u0661", "1d3", "--1", "007"
    ),
    "whole number beyond 2^53": number(str(2**53), str(2**53 + 1), f"{2**53 + 1}.0", str(-(2**60) - 1)),
    "header": header,
    "cell": cell,
    "quotes": quoted,
    "line ends": line_ends,
    "encoding": encoded,
    "packed file": packed,
    "cut short": cut,
}


# ------------------------------------------------------------------ what must come of it


def as_python_reads(content: str | bytes) -> pd.DataFrame | None:
    """The rows by Python's csv reader and float; None where they make no sense, so that the file must be refused.

    Nor do numbers that are infinite, or that only a double takes for the same.
    """
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        names, *rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if row]
        if names != ["size", "colour", "class"] or not rows or any(len(row) != 3 for row in rows):
            return None
        texts = {row[0] for row in rows if row[0].strip() not in ("?", "")}
        if len(set(map(Decimal, texts))) > len(set(map(float, texts))):
            return None
        sizes = [float(row[0]) if row[0] in texts else None for row in rows]
    except (UnicodeDecodeError, csv.Error, ValueError, InvalidOperation):
        return None
    others = [[text.strip() for text in row[1:]] for row in rows]
    wrong = any(colour not in ("red", "blue", "?", "") or label not in ("yes", "no") for colour, label in others)
    if wrong or any(size is not None and (isinf(size) or size != size) for size in sizes):
        return None
    columns = {"size": sizes, "colour": [one or None for one, _ in others], "class": [label for _, label in others]}
    return pd.DataFrame(columns).replace({"colour": {"?": None}})


def same(found: object, content: str | bytes) -> bool:
    wanted = as_python_reads(content)
    if wanted is None or not isinstance(found, Dataset) or len(found.y) != len(wanted):
        return False
    sizes = pd.to_numeric(wanted["size"])
    return bool(
        found.X["size"].astype(float).equals(sizes.astype(float))
        and found.X["colour"].astype(object).where(found.X["colour"].notna(), None).tolist()
        == wanted["colour"].tolist()
        and found.y.tolist() == wanted["class"].tolist()
    )


def rows_of(random: random.Random) -> Rows:
    """A plain file: sizes, some of them missing, of both colours and classes."""
    count = random.randrange(4, 12)
    sizes = ["?" if random.random() < 0.2 else f"{random.uniform(-9, 9):.3g}" for _ in range(count)]
    sizes[:2] = ["1.5", "2"]
    labels = zip(
        random.sample(["red", "blue"] * count, count), random.sample(["yes", "no"] * count, count), strict=True
    )
    rows = [[size, *pair] for size, pair in zip(sizes, labels, strict=True)]
    return [["size", "colour", "class"], *rows]


def one(kind: str, random: random.Random) -> str:
    """Write a strange file of a kind and prepare it: an error in words, the right rows, or worse."""
    rows = rows_of(random)
    content = STRANGE[kind](rows, random)
    count = len(rows) - 1
    with tempfile.TemporaryDirectory(prefix="arboretum-strange-") as name:
        folder = Path(name)
        found = outcome(lambda: prepared(folder, content, rows=count), lambda data: same(data, content))
        if found == CLEAR and (folder / "prepared").exists():
            return SILENT
    return found
