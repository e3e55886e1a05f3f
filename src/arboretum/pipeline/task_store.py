"""Finished tasks, one small JSON file each, so that a killed run resumes where it was.

The store lies outside DVC's outputs. A file appears whole or not at all (temporary file, fsync, rename), its name is
the identity of the task, and it holds that identity, the task and the SHA-256 of its content. A file that is damaged,
empty, unreadable or a record of another task is said, set aside, and the task runs again.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from arboretum.errors import ArboretumError
from arboretum.sealed import seal, unseal
from arboretum.writing import sweep, write_text


@dataclass(frozen=True)
class TaskStore:
    """The finished tasks of one experiment."""

    folder: Path

    @property
    def unfinished(self) -> Path:
        return self.folder / "unfinished"

    def path(self, identity: str) -> Path:
        return self.folder / identity[:2] / f"{identity}.json"

    def __contains__(self, identity: str) -> bool:
        return self.find(identity) is not None

    def put(self, identity: str, task: dict[str, Any], rows: list[dict[str, Any]], seconds: float) -> None:
        """Keep the rows of a finished task."""
        record = seal({"identity": identity, "task": task, "seconds": seconds, "rows": rows})
        write_text(self.path(identity), json.dumps(record, separators=(",", ":")), self.unfinished)

    def sweep(self) -> None:
        """Remove what killed runs left half written."""
        sweep(self.unfinished)

    def records(self) -> list[dict[str, Any]]:
        """Every record of the experiment, whatever profile or version of the code made it."""
        found = (self.find(path.stem) for path in sorted(self.folder.glob("??/*.json")))
        return [record for record in found if record is not None]

    def get(self, identity: str) -> dict[str, Any]:
        """The record of a finished task: its identity, parameters, seconds and rows."""
        record = self.find(identity)
        if record is None:
            raise ArboretumError(f"{self.path(identity)} is missing. Run the same command again: its task runs anew.")
        return record

    def find(self, identity: str) -> dict[str, Any] | None:
        """The record of a task, or None where there is none that is whole; a damaged one is set aside."""
        path = self.path(identity)
        try:
            record = unseal(path.read_bytes())
            if record["identity"] != identity:
                raise ValueError(f"it is the record of task {record['identity'][:12]}")
            return record
        except FileNotFoundError:
            return None
        except (ValueError, PermissionError, IsADirectoryError) as problem:
            self._set_aside(path, problem)
            return None

    def _set_aside(self, path: Path, problem: Exception) -> None:
        aside = self.folder / "damaged" / f"{path.stem}-{uuid4().hex[:8]}.json"
        aside.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.rename(aside)
        except FileNotFoundError:  # another run on this store was first
            return
        print(f"arboretum: {path} is damaged ({problem}): set aside as {aside}; its task runs again", file=sys.stderr)
