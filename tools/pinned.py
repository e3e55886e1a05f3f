"""Renew data/pinned.txt, the hashes of what is transcribed by hand: ``make pinned``, after looking at the change.

Printed numbers are hashed byte by byte. Of conf/dataset everything is hashed but free text, comments and layout.
``tests/test_pinned.py`` compares the list with the files.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import yaml

LIST = "data/pinned.txt"
HEADER = (
    "# Hashes of printed numbers, and of the facts of data sets. Look at what changed, then renew it: make pinned\n"
)
LEFT_OUT: set[str] = set()
FREE_TEXT = {"title", "quirks", "licence", "unavailable"}


def hashes(root: Path) -> dict[str, str]:
    """The SHA-256 of every pinned file by its path below ``root``."""
    printed = [path for path in (root / "data" / "published").glob("*/*") if path.name not in LEFT_OUT]
    found = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in printed}
    found |= {path: facts(path) for path in (root / "conf" / "dataset").glob("*.yaml")}
    return {path.relative_to(root).as_posix(): found[path] for path in sorted(found)}


def facts(path: Path) -> str:
    """The SHA-256 of what a data set's file says, without free text."""
    spec = {key: value for key, value in yaml.safe_load(path.read_text("utf-8")).items() if key not in FREE_TEXT}
    return hashlib.sha256(json.dumps(spec, sort_keys=True).encode()).hexdigest()


def listed(root: Path) -> dict[str, str]:
    """The committed hashes by path."""
    lines = [line for line in (root / LIST).read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {path: digest for digest, _, path in (line.partition("  ") for line in lines)}


def main(root: Path) -> None:
    found = hashes(root)
    before = listed(root) if (root / LIST).is_file() else {}
    text = HEADER + "".join(f"{digest}  {path}\n" for path, digest in found.items())
    (root / LIST).write_text(text, "utf-8", newline="\n")
    for path in sorted(set(before) | set(found)):
        if before.get(path) != found.get(path):
            print(f"{'added' if path not in before else 'removed' if path not in found else 'changed'}: {path}")


if __name__ == "__main__":
    main(Path(__file__).resolve().parents[1])
