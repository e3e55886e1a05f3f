"""The manifest of a paper at a profile: the facts of each data set with its fingerprint, or why it cannot be had."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from arboretum.errors import ArboretumError
from arboretum.project.workspace import Workspace


def manifest_of(workspace: Workspace, profile: str, paper: str) -> dict[str, dict[str, Any]]:
    """The manifest of a paper at a profile, by the name of the data set."""
    path = workspace.manifest(profile, paper)
    if not path.is_file():
        raise ArboretumError(f"{path} is missing. Run `arboretum fetch --profile {profile}`.")
    return read_manifest(path)


def read_manifest(path: Path) -> dict[str, dict[str, Any]]:
    """The sets of a manifest file; a damaged one is an error that says how to get it back."""
    try:
        manifest = json.loads(path.read_bytes())
        wrong = next((name for name, facts in manifest.items() if not _is_whole(facts)), None)
        if wrong is not None:
            raise ValueError(f"the facts of {wrong!r} are not whole")
    except (ValueError, AttributeError, RecursionError) as problem:
        raise ArboretumError(
            f"{path} is damaged ({problem}). Restore it (git checkout -- {path}), or delete it and run "
            f"`arboretum fetch --profile {path.parent.name}`."
        ) from None
    return manifest


def _is_whole(facts: Any) -> bool:
    """Whether an entry says what a set is, or why it cannot be had."""
    if not isinstance(facts, dict) or not isinstance(facts.get("printed_as"), str):
        return False
    if facts.get("status") == "unavailable":
        return bool(facts.get("reason"))
    counts = [facts.get(name) for name in ("rows", "attributes", "classes", "missing")]
    return (
        facts.get("status") == "available"
        and re.fullmatch("[0-9a-f]{64}", str(facts.get("fingerprint"))) is not None
        and all(isinstance(count, int) for count in counts)
    )
