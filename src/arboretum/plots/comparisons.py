"""Pictures of a comparison of learners: errors with their intervals, chances to be better in practice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from arboretum.plots.look import BLUE, GREY, VERMILION, axes_for, colour


def errors(
    found: Mapping[str, Mapping[str, tuple[float, float, float]]], *, unit: str = "error, per cent",
    ax: Axes | None = None
) -> Axes:  # fmt: skip
    """Errors of learners on data sets with their intervals: set -> learner -> (error, low, high)."""
    learners = list(dict.fromkeys(name for by_learner in found.values() for name in by_learner))
    ax = axes_for(ax, 6.4, 0.8 + 0.24 * len(found) * (len(learners) + 1))
    for block, by_learner in enumerate(found.values()):
        for place, (name, (error, low, high)) in enumerate(by_learner.items()):
            y = block * (len(learners) + 1) + place
            if np.isfinite([low, high]).all():
                ax.plot([low, high], [y, y], color=colour(learners.index(name)), lw=2)
            label = name if block == 0 else None
            ax.plot(error, y, "o", color=colour(learners.index(name)), ms=5, label=label)
    middles = [block * (len(learners) + 1) + (len(learners) - 1) / 2 for block in range(len(found))]
    ax.set_yticks(middles, list(found))
    ax.invert_yaxis()
    ax.set(xlabel=unit, xlim=(0, None))
    ax.grid(axis="x", color="#DDDDDD", lw=0.6)
    ax.set_axisbelow(True)
    ax.legend(frameon=False, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def practical(
    chances: Mapping[str, tuple[float, float, float]], names: Sequence[str] = ("first", "same", "second"), *,
    ax: Axes | None = None
) -> Axes:  # fmt: skip
    """Chances that the first of a pair is better, that both are practically the same, that the second is better."""
    ax = axes_for(ax, 6.4, 0.9 + 0.36 * len(chances))
    colours = (BLUE, "#D9D9D9", VERMILION)
    for y, parts in enumerate(chances.values()):
        start = 0.0
        for part, shade in zip(parts, colours, strict=True):
            ax.barh(y, part, left=start, color=shade, height=0.72)
            if part > 0.1:
                text = "black" if shade == colours[1] else "white"
                ax.text(start + part / 2, y, f"{part:.2f}", ha="center", va="center", color=text, fontsize=8)
            start += part
    for name, shade in zip(names, colours, strict=True):
        ax.barh(0, 0, color=shade, label=name)
    ax.axvline(0.95, color=GREY, lw=0.6, ls=":")
    ax.axvline(0.05, color=GREY, lw=0.6, ls=":")
    ax.set_yticks(range(len(chances)), list(chances))
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="chance")
    ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    return ax
