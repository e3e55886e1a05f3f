"""How random streams of `infinity` are named: the paper, and the case of a task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arboretum.papers.contract import Task

Params = Mapping[str, Any]
PAPER = "infinity"  # an axis of every random stream


def case_of(task: Task) -> dict[str, int]:
    """The number of variables (M) and of leaves (T)."""
    return {"variables": task["variables"], "leaves": task["leaves"]}
