"""What was looked at where ours is far from print: the remarks.yaml of a paper, whose code fills in the numbers."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from arboretum.strict_yaml import load_yaml


@cache
def remarks_of(paper: str) -> dict[str, Any]:
    """The remarks of a paper as its file has them, by table."""
    return load_yaml((files(f"arboretum.papers.{paper}") / "remarks.yaml").read_text("utf-8"))
