"""The claims of vrtrees: one small function each, from tables to a verdict."""

from __future__ import annotations

from arboretum.papers.shape import Claim

CLAIMS: dict[str, Claim] = {}
