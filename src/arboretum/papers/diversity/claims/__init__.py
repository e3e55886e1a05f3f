"""The claims of diversity."""

from __future__ import annotations

CLAIMS: dict = {}
