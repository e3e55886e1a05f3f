"""Mean ranks of methods over data sets, and which of them differ: critical-difference diagrams."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes

from arboretum.plots.look import BLACK, BLUE, GREY, axes_for


def critical_groups(ranks: Mapping[str, float], critical: float) -> list[list[str]]:
    """The groups of methods that a critical difference cannot tell apart, each as long as it can be (Demsar 2006)."""
    order = sorted(ranks, key=lambda name: ranks[name])
    ends = [max(i for i, name in enumerate(order) if ranks[name] - ranks[first] <= critical) for first in order]
    longest = [start for start, end in enumerate(ends) if end > start and (start == 0 or ends[start - 1] < end)]
    return [order[start : ends[start] + 1] for start in longest]


def critical_difference(
    ranks: Mapping[str, float] | Mapping[str, Mapping[str, float]], critical: float, *, ax: Axes | None = None
) -> Axes:
    """A critical-difference diagram (Demsar 2006): mean ranks on a line, 1 is best.

    A bar joins methods that do not differ significantly. ``ranks`` has the mean rank of each method, or by name two
    such rankings: the first stands above the line, the second opposite, below.
    """
    ax = axes_for(ax, 8, 2.6)
    sides: Mapping[str, Mapping[str, float]]
    sides = ranks if all(isinstance(side, Mapping) for side in ranks.values()) else {"": ranks}  # type: ignore
    values = [rank for ranks in sides.values() for rank in ranks.values()]
    low, high = np.floor(min(values)), np.ceil(max(values))
    ax.plot([low, high], [0, 0], color=BLACK, lw=1)
    for tick in np.arange(low, high + 1e-9, 0.5):
        ax.plot([tick, tick], [-0.12, 0.12], color=BLACK, lw=1)
    for (label, ranks), way in zip(sides.items(), (1, -1), strict=False):
        _ranks_on_a_line(ax, ranks, critical, way, (low, high))
        ax.text(low - 0.02, 0.42 * way, label, color=GREY, fontsize=8.5, ha="right", va="center")
    for tick in np.arange(low, high + 1e-9, 1):
        ax.annotate(f"{tick:g}", (tick, 0), xytext=(3, 3), textcoords="offset points", fontsize=7.5, color="#444444")
    top = ax.get_ylim()[1] + 0.5
    ax.plot([low, low + critical], [top, top], color=BLACK, lw=1.4, marker="|", ms=6)
    ax.text(low + critical / 2, top + 0.15, f"critical difference {critical:.2f}", ha="center", va="bottom", fontsize=8)
    ax.axis("off")
    return ax


def _ranks_on_a_line(
    ax: Axes, ranks: Mapping[str, float], critical: float, way: int, ends: tuple[float, float]
) -> None:
    """Methods of one side with their names left and right, and the groups that do not differ."""
    order = sorted(ranks, key=lambda name: ranks[name])
    groups = critical_groups(ranks, critical)
    base = 0.4 + 0.3 * len(groups)
    for place, group in enumerate(groups):
        height = way * (0.32 + 0.3 * place)
        ax.plot([ranks[group[0]] - 0.03, ranks[group[-1]] + 0.03], [height, height], color=BLUE, lw=3.2, alpha=0.75)
    half = (len(order) + 1) // 2
    for place, name in enumerate(order):
        left = place < half
        height = way * (base + 0.55 * (place if left else len(order) - 1 - place))
        edge = ends[0] - 0.08 if left else ends[1] + 0.08
        ax.plot([ranks[name], ranks[name], edge], [0, height, height], color="#888888", lw=0.8, zorder=1)
        ax.plot(ranks[name], 0, "o" if way > 0 else "D", color=BLUE if way > 0 else "white", mec=BLACK, ms=5, zorder=3)
        ax.text(edge, height, f" {name} {ranks[name]:.2f} ", ha="right" if left else "left", va="center", fontsize=8.5)
