"""The figures of dynint."""

from __future__ import annotations

from arboretum.papers.contract import ResultFigure

FIGURES: dict[str, ResultFigure] = {}
