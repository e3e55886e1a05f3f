"""Append-only files of task records: one line per record, one file per process that writes.

A line is the SHA-256 of what follows it, the identity of the task, and the record as JSON. Only the process that made a
segment appends to it, so processes on one machine or on several that share a folder need no lock. A line that a killed
process left half written is the last of its file and harms no other.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from arboretum.writing import HOST, lives

SUFFIX = ".records"
WRITER = re.compile(r"(\w*)-(\d+)-\w+\.records")  # the machine and process that write a segment
SYNC_SECONDS = 0.1  # records are forced to disk when this long has passed since the last time
DIGEST, IDENTITY = slice(0, 64), slice(65, 129)
REST, RECORD = 65, 130  # where the part under the checksum begins, and the JSON


def line_of(identity: str, record: Mapping[str, Any]) -> bytes:
    """The line of a record."""
    rest = f"{identity} {json.dumps(record, separators=(',', ':'))}".encode()
    return hashlib.sha256(rest).hexdigest().encode() + b" " + rest + b"\n"


def identity_in(line: bytes) -> bytes:
    """The identity of a line whose checksum is right, as 32 bytes; a ValueError says what is wrong with another."""
    if not line.endswith(b"\n"):
        raise ValueError("it is half written")
    if hashlib.sha256(memoryview(line)[REST:-1]).hexdigest().encode() != line[DIGEST] or line[64:65] != b" ":
        raise ValueError("its checksum differs")
    return bytes.fromhex(line[IDENTITY].decode())


def record_in(line: bytes) -> dict[str, Any]:
    """The record of a line that ``identity_in`` accepts."""
    return json.loads(line[RECORD:])


def lines_from(path: Path, start: int) -> Iterator[tuple[int, bytes]]:
    """Each line of a segment from the byte ``start`` on, with its place; what is being written is left for later."""
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            if not line.endswith(b"\n") and _may_go_on(path):
                return
            yield start, line
            start += len(line)


def _may_go_on(path: Path) -> bool:
    """Whether the process that writes a segment may be alive; of another machine nobody knows."""
    writer = WRITER.fullmatch(path.name)
    return writer is not None and (writer[1] != HOST or lives(int(writer[2])))


class Segment:
    """The segment that this process appends to."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.process, self.size, self._synced = os.getpid(), 0, 0.0
        self.path = folder / f"{HOST}-{self.process}-{uuid4().hex[:12]}{SUFFIX}"
        self._file = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_APPEND, 0o666)

    @property
    def usable(self) -> bool:
        """Whether this process made it, and nobody has removed it."""
        return self.process == os.getpid() and os.fstat(self._file).st_nlink > 0

    def append(self, line: bytes) -> int:
        """Add a line, whole or not at all; returns its place. The disk has it after ``SYNC_SECONDS`` or ``sync``."""
        start = self.size
        try:
            while self.size < start + len(line):
                self.size += os.write(self._file, line[self.size - start :])
            if time.monotonic() - self._synced > SYNC_SECONDS:
                self.sync()
        except BaseException as problem:  # an interrupt must not leave half a line either
            os.ftruncate(self._file, start)
            self.size = start
            if isinstance(problem, OSError):
                raise OSError(problem.errno, problem.strerror, str(self.path)) from None
            raise
        return start

    def sync(self) -> None:
        """Force what was appended to disk."""
        os.fsync(self._file)
        self._synced = time.monotonic()

    def __del__(self) -> None:
        if hasattr(self, "_file"):
            os.close(self._file)
