"""What each paper asked: one folder a paper, each with the same four files.

``experiments.py`` (what is computed), ``tables.py``, ``figures.py`` (what is shown), ``claims.py`` (what is
concluded). ``shape.py`` says what each of them holds; a reader who knows one folder knows all of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.shape import Paper


def present() -> list[str]:
    """The keys of the papers present: the sub-packages of this package."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def get(key: str) -> Paper:
    """The paper called ``key``: its experiments, tables, figures and claims."""
    if key not in present():
        raise ArboretumError(f"unknown paper {key!r}. {nearest(key, present())}")
    room = f"{__name__}.{key}"
    parts = {name: importlib.import_module(f"{room}.{name}") for name in ("experiments", "tables", "figures", "claims")}
    return Paper(
        key=key,
        experiments=parts["experiments"].EXPERIMENTS,
        tables=parts["tables"].TABLES,
        figures=parts["figures"].FIGURES,
        claims=parts["claims"].CLAIMS,
    )


def run_at(params: Mapping[str, Any], profile: str, key: str) -> list[str]:
    """The experiments that a profile runs for a paper: those with a section and, where DVC runs it, a stage."""
    section = params[profile][key]
    named = [name for name in get(key).experiments if isinstance(section.get(name), Mapping)]
    stages = params.get("stages", {}).get("experiments", {}).values()
    if not any(item["profile"] == profile for item in stages):
        return named
    staged = {item["experiment"] for item in stages if (item["profile"], item["paper"]) == (profile, key)}
    return [name for name in named if name in staged]
