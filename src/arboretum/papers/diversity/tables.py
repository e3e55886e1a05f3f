"""The tables of diversity."""

from __future__ import annotations

from arboretum.papers.shape import Table

TABLES: dict[str, Table] = {}
