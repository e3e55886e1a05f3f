"""How figures look: one palette that colour-blind readers can tell apart, direct labels, ranks with their bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

# Okabe and Ito (2008)
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, YELLOW, BLACK, GREY = "#CC79A7", "#56B4E9", "#F0E442", "#000000", "#7F7F7F"

STYLE = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.labelsize": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#444444",
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.6,
    "lines.markersize": 4.5,
    "figure.dpi": 100,
    "figure.constrained_layout.use": True,
}


def styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw in the house style."""

    @wraps(draw)
    def drawn(*arguments, **options) -> Figure:
        with plt.rc_context(STYLE):
            return draw(*arguments, **options)

    return drawn


def panels(
    rows: int = 1, columns: int = 1, width: float = 3.2, height: float = 2.7, **options
) -> tuple[Figure, np.ndarray]:
    """A figure of ``rows`` x ``columns`` panels of that size in inches."""
    return plt.subplots(rows, columns, figsize=(columns * width, rows * height), squeeze=False, **options)


def label_ends(ax: Axes, ends: Mapping[str, tuple[float, float, str]], gap: float = 0.055, shift: float = 6) -> None:
    """Write the name of each line beside its end ``(x, y, colour)``; names that would overlap move apart.

    ``gap`` is the least distance of two names as a share of the height of the axes.
    """
    low, high = ax.get_ylim()
    least = gap * (high - low)
    order = sorted(ends, key=lambda name: ends[name][1])
    places = [ends[name][1] for name in order]
    for _ in range(100):
        for i in range(1, len(places)):
            overlap = least - (places[i] - places[i - 1])
            if overlap > 1e-12:
                places[i - 1] -= overlap / 2
                places[i] += overlap / 2
    for name, place in zip(order, places, strict=True):
        x, _, colour = ends[name]
        ax.annotate(
            name,
            (x, place),
            xytext=(shift, 0),
            textcoords="offset points",
            color=colour,
            va="center",
            ha="left" if shift >= 0 else "right",
            fontsize=8.5,
            annotation_clip=False,
        )


def critical_groups(ranks: Mapping[str, float], critical: float) -> list[list[str]]:
    """The groups of methods that a critical difference cannot tell apart, each as long as it can be (Demsar 2006)."""
    order = sorted(ranks, key=lambda name: ranks[name])
    ends = [max(i for i, name in enumerate(order) if ranks[name] - ranks[first] <= critical) for first in order]
    longest = [start for start, end in enumerate(ends) if end > start and (start == 0 or ends[start - 1] < end)]
    return [order[start : ends[start] + 1] for start in longest]


def critical_difference(ax: Axes, sides: Mapping[str, Mapping[str, float]], critical: float) -> None:
    """A critical-difference diagram: mean ranks on a line, the first side above it, a second one opposite, below.

    A bar joins methods that do not differ significantly.
    """
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


def rank_bars(
    ax: Axes,
    names: Sequence[str],
    ranks: Sequence[float],
    half: float,
    title: str = "",
) -> None:
    """Mean ranks with bars of half-width ``half`` (half a critical difference), the best one at the left.

    Two methods differ significantly when their bars do not overlap: bars clear of the best one are dotted and
    vermilion, the others solid and blue. The shaded band is the bar of the best one.
    """
    ranks = np.asarray(ranks, dtype=float)
    best = ranks.min()
    ax.axvspan(best - half, best + half, color=BLUE, alpha=0.08, lw=0)
    for place, rank in enumerate(ranks):
        worse = rank - half > best + half
        colour, line = (VERMILION, ":") if worse else (BLUE, "-")
        ax.plot([rank - half, rank + half], [place, place], line, color=colour, lw=2)
        ax.plot(rank, place, "o", color=colour, ms=6)
    ax.set_yticks(range(len(ranks)), names)
    ax.invert_yaxis()
    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.set_xlabel("mean rank (1 is best)")
    ax.set_title(title)
    ax.grid(axis="x", color="#DDDDDD", lw=0.6)
    ax.set_axisbelow(True)
