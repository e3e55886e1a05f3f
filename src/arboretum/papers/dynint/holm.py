"""Which of several estimates differ from zero, corrected for their number (Holm 1979)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

from arboretum.measures.ties import less
from arboretum.papers.kit.estimate import LEVEL, Estimate

Name = TypeVar("Name", bound=Hashable)


def signs(estimates: Mapping[Name, Estimate]) -> dict[Name, int]:
    """1 for an estimate above 0, -1 for one below, 0 for one that may be either.

    Step by step, each interval at the level 1 - 0.05/m for the m estimates that are still undecided.
    """
    found = dict.fromkeys(estimates, 0)
    while undecided := [name for name, sign in found.items() if not sign]:
        level = 1 - (1 - LEVEL) / len(undecided)
        more = {name: _sign(*estimates[name].at(level)) for name in undecided}
        if not any(more.values()):
            break
        found |= more
    return found


def _sign(low: float, high: float) -> int:
    return int(less(0, low)) - int(less(high, 0))
