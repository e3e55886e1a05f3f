"""Section 8: the boundaries of Figures 2, 3, 5 and 7, and the error as trees grow."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREEN, ORANGE, PURPLE, VERMILION, label_ends, panels, styled
from arboretum.papers.infinity.figures.kernels import square_axes
from arboretum.papers.results import Results

LINE_TOLERANCE = 2e-5  # contours are stored to five digits
LINES = {  # line -> name, colour, style, width, mark: each line can be told apart without its colour
    "true": ("true boundary", BLACK, "-", 2.4, ""),
    "printed": ("Theorem 4", VERMILION, "-", 1.6, "o"),
    "exact": ("exact kernel", BLUE, "--", 1.6, "s"),
    "kernel": ("kernel average", ORANGE, "-.", 1.4, "v"),
    "vote": ("vote", GREEN, (0, (1, 1)), 1.8, "^"),
    "proportion": ("node proportion", PURPLE, (0, (7, 1.5, 1, 1.5, 1, 1.5)), 1.6, "D"),
}
MARKS_APART = 0.14  # of the diagonal of the picture


def _contours(results: Results, name: str, *lines: str) -> pd.DataFrame:
    """Some lines of one of the boundary figures."""
    rows = results.raw["contours"]
    return rows[(rows["figure"] == name) & rows["line"].isin(lines)].drop(columns="figure")


@styled
def draw_contours(data: pd.DataFrame) -> Figure:
    names = list(dict.fromkeys(data["panel"]))
    drawing, axes = panels(1, len(names), width=3.4, height=3.4)
    for ax, panel in zip(axes[0], names, strict=True):
        _draw_lines(ax, data[data["panel"] == panel])
        square_axes(ax, panel)
    _name_lines(drawing, axes[0, 0], data)
    return drawing


@styled
def draw_line_and_corner(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, width=3.4, height=3.4)
    for ax in axes[0]:
        _draw_lines(ax, data)
    square_axes(axes[0, 0], "x1 + x2 ≤ 1")
    axes[0, 1].set(xlim=(0.9, 1), ylim=(0, 0.1), xlabel="x1", title="its lower corner", aspect="equal")
    _name_lines(drawing, axes[0, 0], data)
    return drawing


def _draw_lines(ax: Axes, rows: pd.DataFrame) -> None:
    for place, (line, (_, colour, style, width, mark)) in enumerate(LINES.items()):
        looks = {"color": colour, "ls": style, "lw": width, "marker": mark, "mfc": "white", "ms": 4}
        for _, piece in rows[rows["line"] == line].groupby("piece"):
            start = MARKS_APART * (0.2 + place / len(LINES))
            ax.plot(piece["x1"], piece["x2"], markevery=(start, MARKS_APART) if mark else None, **looks)


def _name_lines(drawing: Figure, ax: Axes, data: pd.DataFrame) -> None:
    used = [line for line in LINES if line in set(data["line"])]
    handles = [
        ax.plot([], [], color=colour, ls=style, lw=width, marker=mark, mfc="white", ms=4, label=name)[0]
        for name, colour, style, width, mark in map(LINES.get, used)
    ]
    drawing.legend(handles=handles, loc="outside lower center", ncols=len(used), frameon=False, fontsize=8.5)


@figure(
    title="Figure 2: two Gaussians, true and kernel boundaries",
    draw=draw_contours,
    sources=("contours",),
    tolerance=LINE_TOLERANCE,
    caption="The boundaries differ, yet the error hardly rises. The paper does not say what square it uses.",
)
def figure2(results: Results) -> pd.DataFrame:
    """Boundaries of the two Gaussians."""
    return _contours(results, "figure2", "true", "printed", "exact", "vote")


@figure(
    title="Figure 3: a linear boundary",
    draw=draw_line_and_corner,
    sources=("contours",),
    tolerance=LINE_TOLERANCE,
    caption="The kernel boundary lies on the true one, save for two spots at the ends where its sign is reversed.",
)
def figure3(results: Results) -> pd.DataFrame:
    """Boundaries of x1 + x2 <= 1."""
    return _contours(results, "figure3", "true", "printed", "exact")


@figure(
    title="Figure 5: a circle, true and kernel boundaries",
    draw=draw_contours,
    sources=("contours",),
    tolerance=LINE_TOLERANCE,
    caption="With uniform P the kernel boundary is far inside the circle, the bias that the text describes; with "
    "scaled classes, whose error is nearest to print, it is outside.",
)
def figure5(results: Results) -> pd.DataFrame:
    """Boundaries of the circle, uniform cuts."""
    return _contours(results, "figure5", "true", "printed", "exact", "vote", "proportion")


@figure(
    title="Figure 7: triangular cuts on the circle",
    draw=draw_contours,
    sources=("contours",),
    tolerance=LINE_TOLERANCE,
    caption="5000 trees on a 200 x 200 grid; which boundary is near the circle depends on how leaves are combined.",
)
def figure7(results: Results) -> pd.DataFrame:
    """Boundaries of the circle, triangular cuts."""
    return _contours(results, "figure7", "true", "kernel", "vote", "proportion")


# ------------------------------------------------------------------ section 7: the error as trees grow

RULES = {  # name, colour, line and marker
    "printed kernel": ("Theorem 4", VERMILION, "o-"),
    "exact kernel": ("exact kernel", BLUE, "s--"),
    "vote": ("vote", GREEN, "^:"),
    "node proportion": ("node proportion", PURPLE, "D-."),
}


@styled
def draw_sharpness(data: pd.DataFrame) -> Figure:
    masses = sorted(data["masses"].unique(), reverse=True)
    drawing, axes = panels(1, len(masses), width=4.0, height=3.0)
    titles = {"natural": "uniform P, as stated", "balanced": "each class scaled to ½"}
    sizes = sorted(data["leaves"].unique())
    for ax, mass in zip(axes[0], masses, strict=True):
        ends = {}
        for rule, (name, colour, style) in RULES.items():
            rows = data[(data["masses"] == mass) & (data["rule"] == rule)].sort_values("leaves")
            ax.plot(rows["leaves"], rows["increase"], style, color=colour)
            ends[name] = (rows["leaves"].iloc[-1], rows["increase"].iloc[-1], colour)
        ax.set_xscale("log", base=2)
        ax.set_xticks(sizes, [str(leaves) for leaves in sizes])
        ax.set(xlabel="leaves T", ylabel="rise over Bayes (%)", title=titles[mass])
        ax.set_ylim(bottom=0)
        label_ends(ax, ends, gap=0.07)
    return drawing


@figure(
    title="The error on the circle by number of leaves",
    draw=draw_sharpness,
    sources=("boundaries",),
    caption="The circle with uniform cuts.",
)
def sharpness_curve(results: Results) -> pd.DataFrame:
    """The rise over Bayes on the circle, by rule, masses and number of leaves."""
    rows = results.tables["sharpness"]
    return rows[rows["problem"] == "circle"].drop(columns=["problem", "exponent"])


# ------------------------------------------------------------------ beyond print: how fast


@styled
def draw_loss_to_bayes(data: pd.DataFrame) -> Figure:
    masses = sorted(data["masses"].unique(), reverse=True)
    drawing, axes = panels(1, len(masses), width=4.0, height=3.0, sharey=True)
    titles = {"natural": "uniform P, as stated", "balanced": "each class scaled to ½"}
    finest = data["grid"].max()
    for ax, mass in zip(axes[0], masses, strict=True):
        ends = {}
        for (rule, grid), rows in data[data["masses"] == mass].groupby(["rule", "grid"]):
            name, colour, style = RULES[rule]
            ax.plot(rows["leaves"], rows["increase"], style if grid == finest else ":", color=colour)
            if grid == finest:
                ends[name] = (rows["leaves"].iloc[-1], rows["increase"].iloc[-1], colour)
        ax.set(xscale="log", yscale="log", xlabel="leaves T", title=titles[mass])
        for name, (x, y, colour) in ends.items():
            above = y == max(end[1] for end in ends.values())
            place = {"xytext": (6, 4 if above else -4), "textcoords": "offset points", "annotation_clip": False}
            ax.annotate(name, (x, y), color=colour, va="bottom" if above else "top", fontsize=8.5, **place)
    axes[0, 0].set_ylabel("rise over Bayes (%)")
    return drawing


@figure(
    title="The loss above Bayes for large trees",
    draw=draw_loss_to_bayes,
    sources=("boundaries",),
    caption="Beyond print. The circle with the analytic kernels; dotted: the same on a coarser grid.",
)
def loss_to_bayes(results: Results) -> pd.DataFrame:
    """The rise over Bayes on the circle with both analytic kernels, by number of leaves and grid."""
    return results.tables["large_trees"].drop(columns="exponent")
