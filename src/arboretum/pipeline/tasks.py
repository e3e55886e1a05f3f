"""The identity of a task: the SHA-256 of its name, resolved parameters, data and code."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def task_id(paper: str, experiment: str, task: Mapping[str, Any], data: str | None, code: str) -> str:
    """The identity of one task; equal identities mean equal rows."""
    identity = {"name": f"{paper}/{experiment}", "task": task, "data": data, "code": code}
    return hashlib.sha256(canonical(identity).encode()).hexdigest()


def canonical(value: object) -> str:
    """JSON with sorted keys and no spaces: one text for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
