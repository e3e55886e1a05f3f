"""The figures of diversity."""

from __future__ import annotations

FIGURES: dict = {}
