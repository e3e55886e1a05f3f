"""The figures of diversity."""

from __future__ import annotations

from arboretum.papers.shape import Figure

FIGURES: dict[str, Figure] = {}
