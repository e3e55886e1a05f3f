"""What was looked at where ours is far from print: remarks.yaml beside the code of a paper, its numbers filled by it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml


@cache
def remarks_of(paper: str) -> dict[str, Any]:
    """The remarks of a paper as its file has them, by table."""
    return yaml.safe_load((files(f"arboretum.papers.{paper}") / "remarks.yaml").read_text("utf-8"))
