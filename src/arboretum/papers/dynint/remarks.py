"""What was looked at where a cell differs from print by more than was allowed: remarks.yaml, with numbers filled in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from arboretum.papers.kit.wording import say
from arboretum.strict_yaml import load_yaml


@cache
def remarks() -> dict[str, Any]:
    return load_yaml((files(__package__) / "remarks.yaml").read_text("utf-8"))


def remark_on(table: str, dataset: str, numbers: Mapping[str, float]) -> str:
    """What is known of a cell; "unexplained" where nothing was found."""
    known = remarks()
    parts = known["remarks"][table].get(dataset, ["unexplained"])
    return say("; ".join(known["sentences"].get(part, part) for part in parts), **numbers)
