"""The claims of dynint."""

from __future__ import annotations

from arboretum.papers.verdicts import Claim

CLAIMS: dict[str, Claim] = {}
