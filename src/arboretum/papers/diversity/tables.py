"""The tables of diversity."""

from __future__ import annotations

TABLES: dict = {}
