"""Artificial data: the boundary of two classes (Figure 8), the stability of appendix B."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREY, ORANGE, PURPLE, VERMILION, panels, styled
from arboretum.papers.kit.curves import reach
from arboretum.papers.results import Results

SHARES = LinearSegmentedColormap.from_list("shares", ["#9CC9E6", "#FFFFFF", "#F2C27A"])

# ------------------------------------------------------------------ Figure 8


def draw_cases(ax: Axes, cases: pd.DataFrame, **look: float) -> None:
    """The training cases: circles and triangles for the two classes."""
    for code, colour, mark in ((0, BLUE, "o"), (1, VERMILION, "^")):
        part = cases[cases["label"] == code]
        ax.plot(part["x1"], part["x2"], mark, mfc="none", mec=colour, ls="", **look)


@styled
def draw_figure8(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, 3.9, 3.8, sharex=True, sharey=True)
    titles = {"ensemble": "100 complete-random trees", "tree": "one C4.5 tree"}
    cases, plane = data[data["kind"] == "case"], data[data["kind"] == "map"]
    grid = {name: plane.pivot(index="x2", columns="x1", values=name) for name in ("bayes", *titles)}
    x1, x2 = grid["bayes"].columns.to_numpy(), grid["bayes"].index.to_numpy()
    for ax, (name, title) in zip(axes[0], titles.items(), strict=True):
        ax.pcolormesh(x1, x2, grid[name], cmap=SHARES, vmin=0, vmax=1, shading="nearest", rasterized=True)
        ax.contour(x1, x2, grid[name], [0.5], colors=BLACK, linewidths=1.1)
        ax.contour(x1, x2, grid["bayes"], [0.5], colors=PURPLE, linewidths=1.6, linestyles="--")
        draw_cases(ax, cases, ms=4)
        ax.set_title(title)
        ax.set_xlabel("x1")
    axes[0, 0].set_ylabel("x2")
    handles = [
        Line2D([], [], color=BLACK, lw=1.1, label="boundary of the learner"),
        Line2D([], [], color=PURPLE, lw=1.6, ls="--", label="Bayes boundary"),
    ]
    drawing.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return drawing


@figure(
    title="Figure 8: the boundary of complete-random trees and of one C4.5 tree",
    draw=draw_figure8,
    sources=("boundary",),
    caption=(
        "A fresh sample of the Gaussian mixture of Hastie, Tibshirani and Friedman (2001), 200 cases; shaded by the "
        "probability that each learner gives. Every cut is parallel to an axis, so both boundaries have steps: the "
        "tree a few long ones, 100 random trees many short ones, which smooth out only as more trees are added."
    ),
)
def figure8(results: Results) -> pd.DataFrame:
    """The cases of the first sample, and a map of the plane: Bayes rule, ensemble, tree."""
    frame = results.raw["boundary"]
    frame = frame[frame["kind"].isin(["map", "case"])]
    return frame[["kind", "index", "x1", "x2", "label", "bayes", "ensemble", "tree"]].reset_index(drop=True)


# ------------------------------------------------------------------ appendix B


STUDIES = {
    "size": "training cases k",
    "noise": "share of inverted classes",
    "irrelevant": "irrelevant attributes",
}


@styled
def draw_stability(data: pd.DataFrame) -> Figure:
    studies = [study for study in STUDIES if study in set(data["study"])]
    drawing, axes = panels(1, len(studies), 3.5, 3.3, sharey=True)
    for ax, study in zip(axes[0], studies, strict=True):
        part = data[data["study"] == study]
        x = part["value"]
        ax.plot(x, part["bound"], "--", color=GREY, label="bound: transitions / cases")
        if study == "irrelevant":
            ax.plot(x, part["bound_all_attributes"], ":", color=GREY, label="mean over attributes")
        ax.plot(x, part["test_error"], "s-", color=ORANGE, mfc="white", label="test error")
        bars = reach(part, "instability")
        ax.errorbar(x, part["instability"], bars, fmt="o-", color=BLUE, capsize=2, label="instability, measured")
        ax.plot(x, part["instability_exact"], "x", color=BLACK, label="instability, exact")
        if study == "size":
            ax.set_xscale("log", base=2)
            ax.set_xticks(x, [f"{value:g}" for value in x])
        ax.set_xlabel(STUDIES[study])
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].set_ylabel("share of cases")
    drawing.legend(
        *axes[0, -1].get_legend_handles_labels(), loc="outside upper center", ncols=5, frameon=False, fontsize=8
    )
    return drawing


@figure(
    name="figure_stability",
    title="Appendix B, measured: stability of complete-random ensembles",
    draw=draw_stability,
    sources=("stability",),
    caption=(
        "Leave-one-out instability against the bound of the appendix, as the sample grows, as classes are "
        "inverted and as irrelevant attributes are added. The bound assumes one attribute."
    ),
)
def stability(results: Results) -> pd.DataFrame:
    """Instability, its bound and the test error under each condition."""
    columns = ["study", "value", "bound", "bound_all_attributes", "test_error", "instability"]
    return results.tables["stability"][[*columns, "instability_low", "instability_high", "instability_exact"]]
