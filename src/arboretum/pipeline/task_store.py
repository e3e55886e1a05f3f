"""Finished tasks, one small JSON file each, so that a killed run resumes where it was.

The store lies outside DVC's outputs. A file appears whole or not at all (temporary file, fsync, rename), and its
name is the identity of the task, so what is found is never out of date.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arboretum.errors import ArboretumError
from arboretum.files import write_text


@dataclass(frozen=True)
class TaskStore:
    """The finished tasks of one experiment."""

    folder: Path

    def path(self, identity: str) -> Path:
        return self.folder / identity[:2] / f"{identity}.json"

    def __contains__(self, identity: str) -> bool:
        return self.path(identity).is_file()

    def put(self, identity: str, task: dict[str, Any], rows: list[dict[str, Any]], seconds: float) -> None:
        """Keep the rows of a finished task."""
        record = {"task": task, "seconds": seconds, "rows": rows}
        write_text(self.path(identity), json.dumps(record, separators=(",", ":")))

    def records(self) -> list[dict[str, Any]]:
        """Every record of the experiment, whatever profile or version of the code made it."""
        return [self.get(path.stem) for path in sorted(self.folder.glob("*/*.json"))]

    def get(self, identity: str) -> dict[str, Any]:
        """The record of a finished task: its parameters, rows and seconds."""
        path = self.path(identity)
        try:
            return json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError as problem:
            raise ArboretumError(f"{path} is damaged ({problem}). Delete it and run the same command again.") from None
