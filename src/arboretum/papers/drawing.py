"""How figures of papers look: panels, direct labels, ranks with their bars."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from arboretum.plots.look import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, STYLE, VERMILION, YELLOW

__all__ = ["BLACK", "BLUE", "GREEN", "GREY", "ORANGE", "PURPLE", "SKY", "STYLE", "VERMILION", "YELLOW"]
__all__ += ["label_ends", "panels", "rank_bars", "styled"]


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
