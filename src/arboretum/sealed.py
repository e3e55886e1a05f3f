"""JSON records that carry the SHA-256 of their own content, so that a damaged one cannot pass for a whole one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

KEY = "sha256"


def seal(record: Mapping[str, Any]) -> dict[str, Any]:
    """The record with its SHA-256 in front."""
    return {KEY: _digest(record), **record}


def unseal(text: str | bytes) -> dict[str, Any]:
    """The record of a sealed JSON text; a ValueError says what is wrong with a damaged one."""
    try:
        record = json.loads(text)
    except RecursionError as problem:
        raise ValueError(str(problem)) from None
    if not isinstance(record, dict) or KEY not in record:
        raise ValueError("it has no checksum")
    if record.pop(KEY) != _digest(record):
        raise ValueError("its checksum differs")
    return record


def _digest(record: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(record, separators=(",", ":")).encode()).hexdigest()
