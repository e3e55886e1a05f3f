"""The manifest of a paper at a profile: the facts of each data set with its fingerprint, or why it cannot be had."""

from __future__ import annotations

import json
from typing import Any

from arboretum.errors import ArboretumError
from arboretum.project.workspace import Workspace


def manifest_of(workspace: Workspace, profile: str, paper: str) -> dict[str, dict[str, Any]]:
    """The manifest of a paper at a profile, by the name of the data set."""
    path = workspace.manifest(profile, paper)
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise ArboretumError(f"{path} is missing. Run `arboretum fetch --profile {profile}`.") from None
    except json.JSONDecodeError as problem:
        raise ArboretumError(f"{path} is damaged ({problem}). Run `arboretum fetch --profile {profile}`.") from None
