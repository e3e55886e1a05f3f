"""Kernels: Figures 1, 6 and III-1, and the map of where Theorem 4 errs."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, VERMILION, label_ends, panels, styled
from arboretum.papers.infinity.tables.kernels import MAP_TOLERANCE, bounded_pairs, kernel_shape_part
from arboretum.papers.results import Results


def square_axes(ax: Axes, title: str) -> None:
    """The unit square."""
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="x1", ylabel="x2", title=title, aspect="equal")
    ax.set_xticks([0, 0.5, 1])
    ax.set_yticks([0, 0.5, 1])


def _map(rows: pd.DataFrame, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """The points per side and the values, first coordinate along the columns of the picture."""
    wide = rows[rows["quantity"] == quantity].pivot(index="at_2", columns="at_1", values="value")
    return wide.columns.to_numpy(), wide.to_numpy()


# ------------------------------------------------------------------ Figure 1


@styled
def draw_surface(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 3, width=3.3, height=3.1)
    levels = np.arange(0.2, 1.0, 0.1)
    shown = (("printed", "Theorem 4, as printed"), ("exact", "exact kernel"))
    for ax, (quantity, title) in zip(axes[0], shown, strict=False):
        side, values = _map(data, quantity)
        lines = ax.contour(side, side, values, levels=levels, cmap="cividis")
        ax.clabel(lines, fmt="%.1f", fontsize=7)
        square_axes(ax, title)
    _draw_profiles(axes[0, 2], data)
    return drawing


def _draw_profiles(ax: Axes, data: pd.DataFrame) -> None:
    ends = {}
    for quantity, colour in (("printed", VERMILION), ("exact", BLUE)):
        side, values = _map(data, quantity)
        middle = len(side) // 2
        ax.plot(side, values[middle], color=colour)
        ax.plot(side, np.diag(values), color=colour, ls="--")
        ends[f"{quantity}, along x1"] = (side[-1], values[middle, -1], colour)
        ends[f"{quantity}, diagonal"] = (side[-1], values[-1, -1], colour)
    ax.set(xlabel="x1", ylabel="K(x, centre)", title="profiles through the peak", ylim=(0, 1))
    label_ends(ax, ends, gap=0.07)


@figure(
    title="Figure 1: the kernel for M = 2, T = 3",
    draw=draw_surface,
    sources=("kernel_shape",),
    tolerance=MAP_TOLERANCE,
    caption="Level lines about the centre of the square. Theorem 4 is a lower bound; the exact kernel is wider here.",
)
def figure1(results: Results) -> pd.DataFrame:
    """K(x, centre), printed and exact."""
    return kernel_shape_part(results, "surface").drop(columns="part")


# ------------------------------------------------------------------ Figures 4 and 6


@styled
def draw_windows(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, width=3.3, height=3.2)
    here = data[data["quantity"] == "x"].iloc[0]
    angle = np.linspace(0, np.pi / 2, 100)
    for ax, cuts in zip(axes[0], ("uniform", "triangular"), strict=True):
        side, values = _map(data, cuts)
        lines = ax.contour(side, side, values, levels=np.arange(0.3, 1.0, 0.1), cmap="cividis")
        ax.clabel(lines, fmt="%.1f", fontsize=7)
        ax.plot(0.7 * np.cos(angle), 0.7 * np.sin(angle), color=VERMILION, lw=1.2)
        ax.plot(here["at_1"], here["at_2"], "o", color=BLACK)
        ax.annotate("x", (here["at_1"], here["at_2"]), xytext=(4, 4), textcoords="offset points")
        square_axes(ax, f"K(x, ·), {cuts} cuts")
        ax.annotate(
            "circle", (0.7, 0.0), xytext=(4, 5), textcoords="offset points", color=VERMILION, fontsize=8.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
        )  # fmt: skip
    return drawing


@figure(
    title="Figure 6: the kernel at a point inside the circle, by kind of cut",
    draw=draw_windows,
    sources=("kernel_shape",),
    tolerance=MAP_TOLERANCE,
    caption=(
        "How much each z counts for a point x just inside the circle (classes scaled to one half, T = 3). With uniform "
        "cuts the level lines are squares on their corners, on both sides of the circle alike; with triangular cuts "
        "they curve inwards, so that points off the axes through x count for less."
    ),
)
def figure6(results: Results) -> pd.DataFrame:
    """K(x, z) at a point x just inside the circle, uniform and triangular cuts."""
    return kernel_shape_part(results, "skewed").drop(columns="part")


# ------------------------------------------------------------------ Figure III-1


@styled
def draw_appendix(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(width=4.2, height=3.0)
    ax, ends = axes[0, 0], {}
    for (rate, curve), colour in zip(data.groupby("rate"), (GREEN, BLUE, VERMILION), strict=True):
        ax.plot(curve["d"], curve["value"], color=colour)
        ax.plot([0, 1], [0, rate], color=GREY, ls=":", lw=1.2)
        ends[f"λ = {rate:g}"] = (1.0, curve["value"].iloc[-1], colour)
    ax.set(xlabel="d", ylabel="−log U(λ, log 1/d)", xlim=(0, 1))
    label_ends(ax, ends)
    ax.text(0.05, 0.47, "dotted: λd", color=GREY)
    return drawing


@figure(
    title="Figure III-1: -log U against d",
    draw=draw_appendix,
    sources=("kernel_shape",),
    caption="Nearly straight, as printed.",
)
def figure_iii_1(results: Results) -> pd.DataFrame:
    """-log U(lambda, log 1/d) for three lambda."""
    rows = kernel_shape_part(results, "appendix")[["at_1", "at_2", "value"]]
    return rows.rename(columns={"at_1": "rate", "at_2": "d"})


# ------------------------------------------------------------------ where Theorem 4 errs


@styled
def draw_error_map(data: pd.DataFrame) -> Figure:
    sizes = sorted(data["leaves"].unique())
    drawing, axes = panels(1, len(sizes), width=3.2, height=3.0)
    gaps = {}
    for leaves in sizes:
        rows = data[data["leaves"] == leaves]
        (side, exact), (_, theorem) = _map(rows, "exact"), _map(rows, "printed")
        gaps[leaves] = side, exact - theorem
    top = max(gap.max() for _, gap in gaps.values())
    for ax, (leaves, (side, gap)) in zip(axes[0], gaps.items(), strict=True):
        half = (side[1] - side[0]) / 2
        extent = (side[0] - half, side[-1] + half, side[0] - half, side[-1] + half)
        image = ax.imshow(gap, origin="lower", extent=extent, vmin=0, vmax=top, cmap="cividis", rasterized=True)
        ax.set(xlim=(0, 1), ylim=(0, 1), title=f"T = {leaves}, largest {gap.max():.3f}")
        ax.set(xlabel="every coordinate of x", ylabel="every coordinate of z")
    drawing.colorbar(image, ax=axes[0].tolist(), label="exact less printed", shrink=0.85)
    return drawing


@figure(
    title="Where the printed kernel errs",
    draw=draw_error_map,
    sources=("kernel_shape",),
    tolerance=2 * MAP_TOLERANCE,
    caption=(
        "How much the exact kernel of the trees exceeds the printed formula, for pairs on the diagonal of the square: "
        "no error from a face (the edges of each map), most inside, and more with every leaf."
    ),
)
def kernel_error_map(results: Results) -> pd.DataFrame:
    """Printed and exact kernel of pairs on the diagonal of the cube."""
    return kernel_shape_part(results, "error_map").drop(columns="part")


# ------------------------------------------------------------------ the kernel between its bounds


@styled
def draw_bounds(data: pd.DataFrame) -> Figure:
    cases = list(data.groupby(["variables", "leaves"]))
    columns = min(3, len(cases))
    drawing, axes = panels(-(-len(cases) // columns), columns, width=3.0, height=2.6, sharey=True)
    for ax, ((variables, leaves), pairs) in zip(axes.flat, cases, strict=False):
        pairs = pairs.sort_values("distance")
        ax.plot(pairs["distance"], pairs["laplace_kernel"], color=GREY, ls="--", label="Laplace kernel")
        ax.plot(pairs["distance"], pairs["upper_bound"], color=BLACK, label="upper bound")
        ax.plot(pairs["distance"], pairs["exact_kernel"], ".", color=BLUE, ms=3, label="exact kernel")
        ax.plot(pairs["distance"], pairs["theorem_4"], ".", color=VERMILION, ms=2, label="Theorem 4")
        ax.set(title=f"M = {variables}, T = {leaves}", xlim=(0, None), ylim=(0, 1))
    for ax in axes[-1]:
        ax.set_xlabel("mean distance over variables")
    for ax in axes[:, 0]:
        ax.set_ylabel("K(x, z)")
    handles, names = axes[0, 0].get_legend_handles_labels()
    drawing.legend(handles, names, loc="outside lower center", ncols=4, frameon=False, fontsize=8.5, markerscale=2)
    return drawing


@figure(
    title="The kernel between its bounds",
    draw=draw_bounds,
    sources=("kernel_shape",),
    caption="Beyond print. Random pairs of points, near and far, a quarter of them from a corner of the cube.",
)
def kernel_between_bounds(results: Results) -> pd.DataFrame:
    """Random pairs: both kernels, the upper bound and the Laplace kernel by mean distance."""
    return bounded_pairs(results).drop(columns="pair")
