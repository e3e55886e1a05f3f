"""Finished tasks, packed in segments, so that a killed run resumes where it was.

The store lies outside DVC's outputs. Every record has its identity, its task and a checksum (``segments.py``). The
first use reads all records once, checks them and remembers where each is; a record is parsed when somebody asks for
it, and checked again. A damaged one is said, copied to ``damaged/``, and its task runs again.

Versions before had one JSON file per task. These are packed at first use.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from arboretum.errors import ArboretumError
from arboretum.pipeline.segments import SUFFIX, Segment, identity_in, line_of, lines_from, record_in
from arboretum.sealed import unseal
from arboretum.writing import sweep, write_bytes

PLACE = (1 << 40) - 1  # the bits of a position that say where in its segment a record begins


class TaskStore:
    """The finished tasks of one experiment. Several processes may use one folder at a time."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._where: dict[bytes, int] = {}  # identity -> number of its segment and place in it
        self._segments: list[Path] = []
        self._numbers: dict[Path, int] = {}  # segment -> its place in the list
        self._read: dict[Path, int] = {}  # segment -> bytes read so far
        self._fresh = False
        self._own: Segment | None = None
        self._open: tuple[Path, BinaryIO] | None = None

    def __contains__(self, identity: str) -> bool:
        return bytes.fromhex(identity) in self._index()

    def __len__(self) -> int:
        return len(self._index())

    def put(self, identity: str, task: dict[str, Any], rows: list[dict[str, Any]], seconds: float) -> None:
        """Keep the rows of a finished task."""
        index = self._index()
        if self._own is None or not self._own.usable:
            self._own = Segment(self.folder)
        place = self._own.append(line_of(identity, {"task": task, "seconds": seconds, "rows": rows}))
        index[bytes.fromhex(identity)] = self._number(self._own.path) << 40 | place
        self._read[self._own.path] = self._own.size

    def sync(self) -> None:
        """Force the last records to disk."""
        if self._own is not None and self._own.usable:
            self._own.sync()

    def get(self, identity: str) -> dict[str, Any]:
        """The record of a finished task: its task, seconds and rows."""
        record = self.find(identity)
        if record is None:
            raise ArboretumError(f"{self.folder} lacks the record of task {identity[:12]}. Run the same command again.")
        return record

    def find(self, identity: str) -> dict[str, Any] | None:
        """The record of a task, or None where there is none that is whole."""
        key = bytes.fromhex(identity)
        position = self._index().get(key)
        if position is None:
            return None
        path, place = self._segments[position >> 40], position & PLACE
        try:
            line = self._line(path, place)
            if identity_in(line) != key:
                raise ValueError("it is the record of another task")
            return record_in(line)
        except FileNotFoundError:  # somebody removed it
            problem = None
        except ValueError as found:
            problem = found
        del self._where[key]
        if problem is not None:
            self._set_aside(path, place, line, problem)
        return None

    def records(self) -> Iterator[dict[str, Any]]:
        """Every record of the experiment, whatever profile or version of the code made it."""
        for key in list(self._index()):
            record = self.find(key.hex())
            if record is not None:
                yield record

    def refresh(self) -> None:
        """Read what has been added since the last time, by whatever process."""
        self._fresh = True
        self._pack_older()
        paths = sorted(self.folder.glob(f"*{SUFFIX}"))
        if not set(self._read) <= set(paths):  # somebody removed a segment
            self._where, self._segments, self._numbers, self._read = {}, [], {}, {}
        for path in paths:
            self._scan(path, self._number(path) << 40)

    def _index(self) -> dict[bytes, int]:
        if not self._fresh:
            self.refresh()
        return self._where

    def _number(self, path: Path) -> int:
        if path not in self._numbers:
            self._numbers[path] = len(self._segments)
            self._segments.append(path)
        return self._numbers[path]

    def _scan(self, path: Path, segment: int) -> None:
        """Check the new records of a segment and remember where they are."""
        start = self._read.setdefault(path, 0)
        try:
            if path.is_file() and path.stat().st_size == start:
                return
            for place, line in lines_from(path, start):
                try:
                    self._where[identity_in(line)] = segment | place
                except ValueError as problem:
                    self._set_aside(path, place, line, problem)
                self._read[path] = place + len(line)
        except FileNotFoundError:  # it is removed just now, or a link that leads nowhere
            return
        except (PermissionError, IsADirectoryError) as problem:
            if not start:
                print(f"arboretum: {path} cannot be read ({problem.strerror}): its tasks run again", file=sys.stderr)

    def _line(self, path: Path, place: int) -> bytes:
        """The line at a place of a segment; the file stays open for the next."""
        if self._open is None or self._open[0] != path:
            if self._open is not None:
                self._open[1].close()
            self._open = None
            self._open = path, path.open("rb")
        file = self._open[1]
        file.seek(place)
        return file.readline()

    def _set_aside(self, path: Path, place: int, line: bytes, problem: Exception) -> None:
        """Say that a record is damaged and keep a copy of it; a copy that is there says that it was said."""
        aside = self.folder / "damaged" / f"{path.stem}-{place}.txt"
        if aside.is_file() and aside.read_bytes() == line:
            return
        write_bytes(aside, line)
        print(
            f"arboretum: {path}, byte {place}: a task record is damaged ({problem}): copied to {aside}; its task runs "
            "again",
            file=sys.stderr,
        )

    # ------------------------------------------------------------------ one file per task, as before

    def _pack_older(self) -> None:
        """Pack the files of versions that kept one per task; each is removed when its record is on disk."""
        folders = sorted(path for path in self.folder.glob("[0-9a-f][0-9a-f]") if path.is_dir())
        packed = sum(self._pack_folder(folder) for folder in folders)
        if packed:
            print(f"arboretum: {self.folder}: {packed} task records of an earlier version packed", file=sys.stderr)
        if folders:
            sweep(self.folder / "unfinished")
            with suppress(OSError):
                (self.folder / "unfinished").rmdir()

    def _pack_folder(self, folder: Path) -> int:
        packed = []
        for path in sorted(folder.glob("*.json")):
            try:
                content = path.read_bytes()
                record = unseal(content)
                if record.get("identity") != path.stem:
                    raise ValueError("it is the record of another task")
                self.put(path.stem, record["task"], record["rows"], record["seconds"])
            except FileNotFoundError:  # another process packs the same store
                continue
            except ValueError as problem:
                self._set_aside(path, 0, content, problem)
            except (PermissionError, IsADirectoryError) as problem:
                print(f"arboretum: {path} cannot be read ({problem.strerror}): its task runs again", file=sys.stderr)
                continue
            packed.append(path)
        self.sync()
        for path in packed:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()
        return len(packed)
