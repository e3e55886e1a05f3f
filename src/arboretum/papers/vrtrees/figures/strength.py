"""Strength and correlation: Breiman's bound (Figure 3), three methods (Figure 4), random forests (Figure 9)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.measures import ties
from arboretum.measures.margins import breiman_bound
from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLUE, ORANGE, VERMILION, panels, styled
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.figures.looks import COLOURS, MARKS, METHOD_NAMES, eight_sets, panels_of_sets
from arboretum.papers.vrtrees.rates import (
    METHODS,
    available_sets,
    forests_by_repetition,
    spectrum_measures,
)

# ------------------------------------------------------------------ Figure 3


@styled
def draw_figure3(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 5.6, 4.4)
    ax = axes[0, 0]
    strength, correlation = np.meshgrid(np.linspace(0.2, 1, 161), np.linspace(0, 1, 161))
    bound = np.clip(breiman_bound(strength, correlation), 0, 1)
    map_ = ax.pcolormesh(strength, correlation, bound, cmap="gray", vmin=0, vmax=1, shading="gouraud", rasterized=True)
    lines = ax.contour(strength, correlation, bound, [0.05, 0.1, 0.2, 0.4, 0.8], colors="white", linewidths=0.6)
    ax.clabel(lines, fmt="%g", fontsize=7)
    for (curve, name), part in data.groupby(["curve", "dataset"], sort=False):
        colour = {"a": ORANGE, "b": BLUE}[curve]
        ax.plot(part["strength"], part["correlation"], "o-", color=colour, mec="white", mew=0.5)
        start = part.iloc[0]
        ax.annotate(  # below the start, where no curve runs: correlation only rises from there
            f"({curve}) {name}\nfrom alpha 0",
            (start["strength"], start["correlation"]),
            xytext=(0, -18) if start["strength"] < 0.6 else (4, -18),
            textcoords="offset points",
            color=colour,
            ha="left" if start["strength"] < 0.6 else "center",
            va="center",
            fontsize=8.5,
            fontweight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )
    end = data.groupby("curve")["strength"].last().min()
    ax.annotate(
        "to alpha 1", (end, 1), xytext=(-6, -9), textcoords="offset points", ha="right", va="center", fontsize=8.5,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
    )  # fmt: skip
    ax.set_ylim(-0.02, 1.02)
    ax.set_facecolor("black")
    drawing.colorbar(map_, ax=ax, label="Breiman's bound on the error (clipped at 1)")
    ax.set_xlabel("strength")
    ax.set_ylabel("correlation")
    return drawing


@figure(
    title="Figure 3: Breiman's bound over strength and correlation",
    draw=draw_figure3,
    sources=("spectrum",),
    caption=(
        "Where the paper sketches two typical curves, two measured ones: (a) a set whose bound is least at "
        "alpha 0, (b) the set whose bound falls most inside the spectrum."
    ),
)
def figure3(results: Results) -> pd.DataFrame:
    """Two measured curves of aggregating: one whose bound is least at alpha 0, one that is least inside."""
    measures = spectrum_measures(results).loc["aggregating"]
    parts = []
    for curve, name in zip("ab", two_typical_sets(measures), strict=True):
        part = measures.loc[name, ["strength", "correlation"]].reset_index()
        parts.append(part.assign(curve=curve, dataset=name))
    frame = pd.concat(parts)
    frame["bound"] = breiman_bound(frame["strength"], frame["correlation"])
    return frame[["curve", "dataset", "alpha", "strength", "correlation", "bound"]]


def two_typical_sets(measures: pd.DataFrame) -> tuple[str, str]:
    """The set whose bound is least at alpha 0 and rises most to alpha 1, and the one whose bound falls most inside.

    Only sets with a strength above 0.2 and a bound that says something, where there are two of them.
    """
    bounds = breiman_bound(measures["strength"], measures["correlation"]).unstack()
    least, weakest = bounds.min(axis=1), measures["strength"].unstack().min(axis=1)
    useful = ties.at_most(0, least) & ties.at_most(least, 1) & ties.less(0.2, weakest)
    wide = bounds[useful] if useful.sum() > 1 else bounds
    at_start = ties.first_least(wide) == 0
    gain = wide.iloc[:, 0] - wide.min(axis=1)
    rise = wide.iloc[:, -1] - wide.iloc[:, 0]
    first = wide.index[ties.first_greatest(rise.where(at_start, -np.inf) if at_start.any() else -gain)]
    others = gain.drop(index=first)
    return first, others.index[ties.first_greatest(others)]


# ------------------------------------------------------------------ Figure 4


@styled
def draw_figure4(data: pd.DataFrame) -> Figure:
    drawing, parts = panels_of_sets(data, 2.4, "strength", "correlation")
    for ax, part in parts:
        for method, curve in part.groupby("method", sort=False):
            draw_curve(ax, curve, COLOURS[method], MARKS[method], METHOD_NAMES[method])
            if method == "aggregating":
                _mark_ends(ax, curve)
    parts[0][0].legend(frameon=False, fontsize=7.5, loc="best")
    return drawing


def _mark_ends(ax: Axes, curve: pd.DataFrame) -> None:
    """Which way alpha runs."""
    for place, shift in ((0, (0, 6)), (-1, (-6, -3))):
        row = curve.iloc[place]
        annotate_point(ax, f"{row['alpha']:g}", row, BLUE, shift)


def draw_curve(ax: Axes, curve: pd.DataFrame, colour: str, mark: str, label: str, filled: float = 0.5) -> None:
    """A strength-correlation curve; only the point at alpha 0.5 is filled."""
    ax.plot(curve["strength"], curve["correlation"], "-", marker=mark, color=colour, mfc="white", label=label, ms=4)
    setting = curve["alpha"] if "alpha" in curve else curve["setting"]
    chosen = curve[np.isclose(setting, filled)]
    ax.plot(chosen["strength"], chosen["correlation"], mark, color=colour, ms=6.5)


@figure(
    title="Figure 4: strength and correlation of three methods",
    draw=draw_figure4,
    sources=("spectrum",),
    caption=(
        "One point per alpha, filled at 0.5; blue figures: alpha at the two ends of aggregating. Up to 0.5 strength "
        "rises at about the same correlation, beyond it correlation rises. The names of the printed sets are lost; "
        "these are our choice."
    ),
)
def figure4(results: Results) -> pd.DataFrame:
    """Strength, correlation and error of three methods at every alpha, on eight sets."""
    measures = spectrum_measures(results)[["strength", "correlation", "error"]].reset_index()
    chosen = eight_sets(available_sets(results))
    frame = measures[measures["dataset"].isin(chosen) & measures["method"].isin(METHODS)]
    order = frame["dataset"].map({name: place for place, name in enumerate(chosen)})
    return frame.assign(order=order).sort_values(["order", "method", "alpha"]).drop(columns="order")


# ------------------------------------------------------------------ Figure 9


@styled
def draw_figure9(data: pd.DataFrame) -> Figure:
    sets = list(dict.fromkeys(data["dataset"]))
    drawing, axes = panels(1, len(sets), 3.8, 3.4)
    for ax, name in zip(axes[0], sets, strict=True):
        part = data[data["dataset"] == name]
        curve = part[part["learner"] == "aggregating"]
        forest = part[part["learner"] == "random_forest"]
        draw_curve(ax, curve, BLUE, "o", f"Aggregating, {len(curve)} values of alpha")
        ax.plot(forest["strength"], forest["correlation"], "--", color=VERMILION, lw=0.8)
        ax.plot(
            forest["strength"],
            forest["correlation"],
            "x",
            color=VERMILION,
            label=f"Random Forest, {len(forest)} values of F",
        )
        annotate_point(ax, "F = 1", forest.iloc[0], VERMILION, (4, -12))
        annotate_point(ax, f"F = {forest['setting'].iloc[-1]:g}", forest.iloc[-1], VERMILION, (10, -13))
        annotate_point(ax, "alpha = 0", curve.iloc[0], BLUE, (0.1, 14))
        annotate_point(ax, "alpha = 1", curve.iloc[-1], BLUE, (-8, -3))
        ax.margins(0.12, 0.1)
        ax.set_title(name)
        ax.set_xlabel("strength")
        ax.legend(frameon=False, fontsize=7.5, loc="center left")
    axes[0, 0].set_ylabel("correlation")
    return drawing


def annotate_point(ax: Axes, text: str, row: pd.Series, colour: str, shift: tuple[float, float]) -> None:
    place = (row["strength"], row["correlation"])
    side = "left" if shift[0] > 0 else "right"
    ax.annotate(text, place, xytext=shift, textcoords="offset points", color=colour, fontsize=7.5, ha=side)


@figure(
    title="Figure 9: all F of random forests against alpha",
    draw=draw_figure9,
    sources=("forests",),
    caption="Strength and correlation on held-out cases, means over repetitions; filled: alpha 0.5.",
)
def figure9(results: Results) -> pd.DataFrame:
    """Strength and correlation of random forests at every F and of aggregating at every alpha."""
    return forests_by_repetition(results).groupby(level=["dataset", "learner", "setting"]).mean().reset_index()
