"""Other data: one value of a source and the hash that pins its file are changed, then a command prepares the set."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import random
from collections.abc import Iterator
from pathlib import Path

from arboretum.__main__ import main
from benchmarks.faults.flips import CLEAR, SILENT, TRACEBACK
from benchmarks.faults.garden import Garden

COMMANDS = (("fetch",), ("fetch", "--sets", "beds"), ("prepare",), ("verify",))


def kept(garden: Garden) -> dict[str, bytes]:
    """What a refused set must leave as it is: prepared data, manifests, stored results."""
    folders = [garden.root / "data" / "prepared", garden.root / "data" / "manifest", garden.root / "results"]
    paths = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(garden.root).as_posix(): path.read_bytes() for path in paths}


def specification(garden: Garden, name: str = "beds") -> Path:
    return garden.root / "conf" / "dataset" / f"{name}.yaml"


def change_one_value(garden: Garden, row: int = 0, column: int = 0, by: float = 1) -> None:
    """One number of ``beds`` is another one, and the hash that pins its file changed with it."""
    path = garden.root / "data" / "bundled" / "beds.csv"
    before = path.read_bytes()
    lines = before.split(b"\n")
    cells = lines[row].split(b",")
    cells[column] = str(float(cells[column]) + by).encode()
    lines[row] = b",".join(cells)
    path.write_bytes(b"\n".join(lines))
    pinned = specification(garden).read_text()
    hashes = [hashlib.sha256(content).hexdigest() for content in (before, path.read_bytes())]
    if hashes[0] not in pinned:
        raise AssertionError(f"{specification(garden)} does not pin {path}")
    specification(garden).write_text(pinned.replace(*hashes))


class ChangedData:
    """A garden with stored results; a command that meets a changed set must refuse it and leave all as it is."""

    def __init__(self, garden: Garden):
        self.garden = garden
        garden.did("run", "garden")
        garden.did("render", "garden")

    def one(self, random: random.Random) -> str:
        with self._restored():
            rows = (self.garden.root / "data" / "bundled" / "beds.csv").read_bytes().count(b"\n")
            change_one_value(self.garden, random.randrange(rows), random.randrange(2), random.choice([-1, 0.25, 1, 10]))
            if said(self.garden, "fetch", "--raw-only")[0]:
                return SILENT  # the file itself is the pinned one
            before = kept(self.garden)
            code, words = said(self.garden, *random.choice(COMMANDS))
            if kept(self.garden) != before or code == 0:
                return SILENT
            if code is None:
                return TRACEBACK
            return CLEAR if "'beds' is not the one that" in words else SILENT

    @contextlib.contextmanager
    def _restored(self) -> Iterator[None]:
        paths = (self.garden.root / "data" / "bundled" / "beds.csv", specification(self.garden))
        before = [path.read_bytes() for path in paths]
        try:
            yield
        finally:
            for path, content in zip(paths, before, strict=True):
                path.write_bytes(content)


def said(garden: Garden, *line: str) -> tuple[int | None, str]:
    """The exit code of a command line in this process, None for a traceback, and what it said."""
    words, before = io.StringIO(), Path.cwd()
    os.chdir(garden.root)
    try:
        with contextlib.redirect_stderr(words), contextlib.redirect_stdout(words):
            code = main(list(line))
    except SystemExit as end:
        code = end.code
    except Exception:
        return None, words.getvalue()
    finally:
        os.chdir(before)
    return code or 0, words.getvalue()
