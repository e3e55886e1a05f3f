"""Beyond the paper: how near the kernel is to its limit of many variables, and how fast its bandwidth falls."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, label_ends, panels, styled
from arboretum.papers.infinity.tables.limits import PLACE_TOLERANCE
from arboretum.papers.results import Results
from arboretum.theory.leaf_sides import bandwidth_exponent

COLOURS = (BLUE, GREEN, ORANGE, VERMILION, PURPLE)


@styled
def draw_limit(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, width=4.0, height=3.4)
    ends = {}
    for (leaves, rows), colour in zip(data.groupby("leaves"), COLOURS, strict=False):
        m = rows["variables"]
        axes[0, 0].plot(m, rows["gap"], "o-", color=colour, ms=3)
        axes[0, 0].plot(m, rows["repeat_bound"], ls=":", color=colour, lw=1.2)
        axes[0, 1].plot(m, rows["gap_times_variables"], "o-", color=colour, ms=3)
        axes[0, 1].hlines(rows["constant"].iloc[0], m.iloc[0], m.iloc[-1], color=colour, ls="--", lw=0.9)
        ends[f"T = {leaves:,}"] = (m.iloc[-1], rows["gap_times_variables"].iloc[-1], colour)
    axes[0, 0].set(xscale="log", yscale="log", xlabel="variables M", ylabel="largest U − K", ylim=(None, 1))
    axes[0, 0].plot([], [], ls=":", color=GREY, label="(H² − Σ 1/n²) / 2M")
    axes[0, 0].legend(frameon=False, fontsize=8, loc="lower left")
    top = 1.2 * data["constant"].max()
    axes[0, 1].set(xscale="log", xlabel="variables M", ylabel="M times the largest U − K", ylim=(0, top))
    axes[0, 1].plot([], [], ls="--", color=GREY, label="limit C_T")
    axes[0, 1].legend(frameon=False, fontsize=8, loc="upper left")
    label_ends(axes[0, 1], ends)
    return drawing


@figure(
    title="How near the kernel is to its limit of many variables",
    draw=draw_limit,
    sources=("limits",),
    tolerance=PLACE_TOLERANCE,
    caption="Beyond print. Left: the largest U - K falls as 1/M, far below the bound (dotted). Right: times M it rises "
    "to the constant C_T (dashed). Colours are the same on both sides.",
)
def limit_of_many_variables(results: Results) -> pd.DataFrame:
    """The largest U - K by M and T, with its bound and its constant."""
    rows = results.tables["kernel_limit"]
    return rows[["leaves", "variables", "gap", "repeat_bound", "gap_times_variables", "constant"]]


@styled
def draw_bandwidths(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, width=5.0, height=3.6)
    ax = axes[0, 0]
    lines = {
        "kernel": ("kernel, along an axis", BLUE, "s--", bandwidth_exponent(2, 2)),
        "proportion": ("proportions, along an axis", GREEN, "^-.", bandwidth_exponent(2, 1)),
        "diagonal": ("kernel, along the diagonal", VERMILION, "o-", bandwidth_exponent(2, 2, together=2)),
        "increase": ("rise over Bayes on the circle", BLACK, "D:", None),
    }
    for name, (label, colour, style, power) in lines.items():
        rows = data[data["quantity"] == name]
        value = rows["value"] / rows["value"].iloc[0]
        words = label if power is None else f"{label}: power −{power:.3f}"
        ax.plot(rows["leaves"], value, style, color=colour, ms=4, label=words)
    ax.set(xscale="log", yscale="log", xlabel="leaves T", ylabel="over its value at the first T")
    ax.set_yticks([0.05, 0.1, 0.2, 0.5, 1.0], ["0.05", "0.1", "0.2", "0.5", "1"])
    ax.minorticks_off()
    ax.legend(frameon=False, fontsize=8, loc="lower left")
    ax.set_ylim(bottom=0.04)
    return drawing


@figure(
    title="Why the loss falls slowly",
    draw=draw_bandwidths,
    sources=("limits", "boundaries"),
    tolerance=1e-6,
    caption="Beyond print. Squared bandwidths for M = 2, with the powers they go to, and the rise over Bayes on the "
    "circle with the exact kernel: it falls with the bandwidth along an oblique line.",
)
def bandwidth_and_loss(results: Results) -> pd.DataFrame:
    """Squared bandwidths of two variables, and the rise over Bayes, by number of leaves."""
    rows = results.tables["bandwidths"].query("variables == 2")
    long = rows.melt(id_vars="leaves", value_vars=["proportion", "kernel", "diagonal"], var_name="quantity")
    large = results.tables["large_trees"].query("grid == grid.max() and masses == 'natural' and rule == 'exact kernel'")
    rise = large.loc[large["leaves"].isin(np.unique(long["leaves"])), ["leaves", "increase"]]
    long = pd.concat([long, rise.melt(id_vars="leaves", var_name="quantity")], ignore_index=True)
    return long[["quantity", "leaves", "value"]]
