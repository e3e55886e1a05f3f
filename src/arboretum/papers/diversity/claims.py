"""The claims of diversity."""

from __future__ import annotations

from arboretum.papers.shape import Claim

CLAIMS: dict[str, Claim] = {}
