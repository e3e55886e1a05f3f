"""The figure that section 8 conjectures: strength and skewness, correlation and symmetry."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, VERMILION, panels, styled
from arboretum.papers.infinity.tables.skewness import regimes
from arboretum.papers.results import Results

PROBLEMS = {  # name, colour, line
    "circle-natural": ("circle", BLUE, "o-"),
    "circle-balanced": ("circle, each class scaled to ½", GREEN, "v-."),
    "gaussians": ("Gaussians", VERMILION, "P:"),
}
MARKS = {"uniform": "s", "triangular": "^", "optimal": "D"}


@styled
def draw_skewness(data: pd.DataFrame) -> Figure:
    grown_out, data = data[data["regime"] == "VR-Trees"], data[data["regime"] != "VR-Trees"]
    data = data[data["leaves"] == data["leaves"].min()]
    drawing, axes = panels(1, 3, width=3.5, height=3.1)
    _draw_path(axes[0], grown_out, "x--", GREY, "circle, VR-Trees on samples")
    for problem, rows in data.groupby("problem"):
        name, colour, style = PROBLEMS[problem]
        _draw_path(axes[0], rows[rows["regime"] == "variable-random"], style, colour, name)
        for regime, mark in MARKS.items():
            point = rows[rows["regime"] == regime]
            axes[0, 0].plot(point["strength"], point["skewness"], mark, mfc="none", mec=colour, ms=7)
            axes[0, 1].plot(point["correlation"], point["symmetry"], mark, mfc="none", mec=colour, ms=7)
    axes[0, 0].set(xlabel="strength (mean correct rate of a tree)", ylabel="skewness of the kernel")
    axes[0, 0].set_title("strength and skewness")
    axes[0, 1].set(xlabel="correlation of trees", ylabel="symmetry of the kernel")
    axes[0, 1].set_title("correlation and symmetry")
    axes[0, 2].set(xlabel="α, chance of an optimal cut", ylabel="rise of the vote over Bayes (%)")
    axes[0, 2].set_title("error along α")
    axes[0, 2].set_ylim(bottom=0)
    _name_marks(drawing, axes[0, 0])
    return drawing


def _draw_path(axes: list[Axes], rows: pd.DataFrame, style: str, colour: str, name: str) -> None:
    """One problem from purely random to optimal cuts, in all three panels."""
    path = rows.sort_values("alpha")
    axes[0].plot(path["strength"], path["skewness"], style, color=colour, ms=3, label=name)
    axes[1].plot(path["correlation"], path["symmetry"], style, color=colour, ms=3)
    axes[2].plot(path["alpha"], 100 * (path["vote_error"] - path["bayes"]), style, color=colour, ms=3)


def _name_marks(drawing: Figure, ax: Axes) -> None:
    handles = [line for line in ax.get_lines() if not line.get_label().startswith("_")]
    handles += [ax.plot([], [], m, mfc="none", mec=BLACK, label=f"{r} cuts")[0] for r, m in MARKS.items()]
    handles.append(ax.plot([], [], "o", color=BLACK, ms=3, label="α = 0, ..., 1")[0])
    drawing.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8.5)


@figure(
    title="Strength and skewness, correlation and symmetry",
    draw=draw_skewness,
    sources=("skewness",),
    caption="From purely random (α = 0) to optimal cuts (α = 1), T = 3, and VR-Trees grown out: what section 8 "
    "conjectures. Along the paths skewness rises with strength and symmetry falls with correlation; the error need not "
    "fall with either.",
)
def skewness_strength(results: Results) -> pd.DataFrame:
    """Strength, correlation, symmetry, skewness and error of every regime of cuts."""
    columns = ["problem", "leaves", "regime", "alpha", "bayes", "strength", "correlation", "symmetry", "skewness"]
    return regimes(results)[[*columns, "vote_error", "vote_error_se"]]
