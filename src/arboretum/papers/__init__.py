"""What each paper asked: one folder per paper, each with the same four parts; ``kit`` is what all of them use.

``experiments`` (what is computed, one file per experiment), ``tables`` and ``figures`` (what is shown), ``claims``
(what is concluded). ``contract.py`` says what each of them holds; a reader who knows one folder knows all of them.
Beside them ``settings`` says what ``conf/paper/<key>`` may hold, in the words of ``papers/settings.py``.
"""

from __future__ import annotations

import importlib
import pkgutil

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.contract import Paper, by_name


def present() -> list[str]:
    """The keys of the papers present: the sub-packages of this package, except the kit."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg and module.name != "kit")


def get(key: str) -> Paper:
    """The paper called ``key``: its experiments, tables, figures and claims."""
    if key not in present():
        raise ArboretumError(f"unknown paper {key!r}. {nearest(key, present())}")
    room = f"{__name__}.{key}"
    readings = importlib.import_module(f"{__name__}.kit.readings")  # which draws: slow to import
    parts = {name: importlib.import_module(f"{room}.{name}") for name in ("experiments", "tables", "figures", "claims")}
    return Paper(
        key=key,
        experiments=parts["experiments"].EXPERIMENTS,
        tables=by_name(*parts["tables"].TABLES.values(), *readings.TABLES),
        figures=by_name(*parts["figures"].FIGURES.values(), *readings.FIGURES),
        claims=parts["claims"].CLAIMS,
        citation=importlib.import_module(room).CITATION,
    )
