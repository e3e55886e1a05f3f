"""``source.json``: what fetch wrote about a set, where it came from and the hash of each file, sealed."""

from __future__ import annotations

import json
from pathlib import Path

from arboretum.errors import ArboretumError
from arboretum.sealed import seal, unseal
from arboretum.writing import write_text

FILE = "source.json"


def write_record(folder: Path, record: dict) -> None:
    """Write the record of a set into the folder of its raw files."""
    write_text(folder / FILE, json.dumps(seal(record), indent=1, ensure_ascii=False) + "\n")


def read_record(folder: Path) -> dict:
    """What fetch wrote about a set; a damaged record is an error that says how to get a new one."""
    file = folder / FILE
    if not file.is_file():
        return {"status": "unavailable", "reason": "not fetched yet"}
    try:
        return unseal(file.read_bytes())
    except ValueError as problem:
        raise ArboretumError(
            f"{file} is damaged ({problem}). Fetch the set again: arboretum fetch --profile {folder.parent.name} "
            f"--sets {folder.name}"
        ) from None
