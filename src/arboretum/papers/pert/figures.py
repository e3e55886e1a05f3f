"""Figures for pert, which prints none: its tables as pictures, the surface of section 6, and ringnorm."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import by_name, figure
from arboretum.papers.drawing import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILION,
    label_ends,
    panels,
    styled,
)
from arboretum.papers.kit.curves import reach
from arboretum.papers.pert.tables.surface import rows_of_part
from arboretum.papers.results import Results

COLOURS = {"adaboost": GREEN, "forest_multiple": ORANGE, "forest_single": PURPLE, "pert": BLUE}
NAMES = {"adaboost": "AdaBoost", "forest_multiple": "Forest-RI multiple", "forest_single": "Forest-RI single"}
NAMES |= {"pert": "PERT"}
SETS = {"waveform21": "waveform", "twonorm": "twonorm", "threenorm": "threenorm", "ringnorm": "ringnorm"}
SET_COLOURS = {"waveform21": GREEN, "twonorm": BLUE, "threenorm": PURPLE, "ringnorm": VERMILION}
ROUNDED = 2e-6  # maps are stored to six digits


# ------------------------------------------------------------------ Table 2 as a picture


@styled
def draw_errors(data: pd.DataFrame) -> Figure:
    names = list(dict.fromkeys(data["dataset"]))[::-1]
    fixed = set(data.loc[data["split"] == "fixed", "dataset"])
    drawing, axes = panels(1, 4, 2.5, 0.9 + 0.22 * len(names), sharex=True, sharey=True)
    for ax, learner in zip(axes[0], COLOURS, strict=True):
        rows = data[data["learner"] == learner].set_index("dataset").loc[names]
        place = np.arange(len(names))
        ax.hlines(place, rows["error_printed"], rows["error"], color=GREY, lw=1)
        look = {"fmt": "o", "color": COLOURS[learner], "lw": 1.2, "label": "ours, 95%"}
        ax.errorbar(rows["error"], place, xerr=reach(rows, "error"), **look)
        ax.plot(rows["error_printed"], place, "D", mfc="white", mec=BLACK, ms=5, label="printed")
        ax.set(title=NAMES[learner], xlabel="test error, per cent", xlim=(0, None))
        ax.grid(axis="x", color="#DDDDDD", lw=0.6)
        ax.set_axisbelow(True)
    labels = [f"{name}\N{DAGGER}" if name in fixed else name for name in names]
    axes[0, 0].set_yticks(np.arange(len(names)), labels)
    drawing.legend(*axes[0, 3].get_legend_handles_labels(), frameon=False, ncols=2, loc="outside lower center")
    return drawing


@figure(
    title="Table 2: printed and ours",
    draw=draw_errors,
    sources=("accuracy",),
    caption=(
        "Means over random tenths held out, or over new samples of the four synthetic sets. \N{DAGGER}: fixed training "
        "and test parts, as in Breiman (1999), whose procedure print follows; there the spread is over forests alone. "
        "A line joins print and ours."
    ),
)
def errors_beside_print(results: Results) -> pd.DataFrame:
    columns = ["dataset", "learner", "split", "error_printed", "error", "error_low", "error_high"]
    return results.tables["table2_cells"][columns]


# ------------------------------------------------------------------ Table 3 as a picture


@styled
def draw_trees(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 6.0, 3.8)
    ax, ends = axes[0, 0], {}
    for name, rows in data.groupby("dataset", sort=False):
        colour, last = SET_COLOURS[name], rows.iloc[-1]
        ax.errorbar(rows["trees"], rows["error"], yerr=reach(rows, "error"), fmt="-o", color=colour, ms=4)
        ax.plot(rows["trees"], rows["error_printed"], "D", mfc="white", mec=colour, ms=7, mew=1.4, zorder=3)
        ends[SETS[name]] = (last["trees"], last["error"], colour)
    ax.plot([], [], "D", mfc="white", mec=GREY, ms=7, mew=1.4, ls="", label="printed")
    ax.set_xscale("log")
    ax.set_xticks(sorted(data["trees"].unique()), [f"{value:g}" for value in sorted(data["trees"].unique())])
    ax.minorticks_off()
    ax.set(xlabel="trees in the ensemble", ylabel="test error, per cent", ylim=(0, None))
    label_ends(ax, ends, shift=9)
    ax.legend(frameon=False, fontsize=8, loc="upper right")
    return drawing


@figure(
    title="Table 3: error against the number of trees",
    draw=draw_trees,
    sources=("larger",),
    caption="All sizes are the first trees of one forest; bars: 95%.",
)
def errors_by_trees(results: Results) -> pd.DataFrame:
    return results.tables["tree_curve"][["dataset", "trees", "error_printed", "error", "error_low", "error_high"]]


# ------------------------------------------------------------------ Table 4 as a picture


LEARNER_NAMES = {"bagged_cart": "bagged CART", "pert": "PERT", "pert_bagged": "bagged PERT"}
LEARNER_MARKS = {"bagged_cart": "s", "pert": "o", "pert_bagged": "^"}


@styled
def draw_strength(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 5.6, 4.2)
    ax = axes[0, 0]
    side = np.linspace(0.02, 0.3, 200)
    for bound in (0.25, 0.5, 1.0):  # s at which rho (1 - s^2) / s^2 takes this value
        ax.plot(side, np.sqrt(side / (bound + side)), color="#CCCCCC", lw=1, zorder=0)
        height = min(np.sqrt(0.3 / (bound + 0.3)), 0.7)  # at the right edge, or where the line leaves the picture
        place = (bound * height**2 / (1 - height**2), height)
        ax.annotate(f"bound {bound:g}", place, color=GREY, fontsize=7.5, xytext=(3, 0), textcoords="offset points")
    for row in data.itertuples():
        colour = SET_COLOURS[row.dataset]
        x = [row.correlation, row.correlation_of_infinitely_many]
        ax.plot(x, [row.strength] * 2, color=colour, lw=1)
        ax.plot(x[0], row.strength, LEARNER_MARKS[row.learner], color=colour, ms=6)
        ax.plot(x[1], row.strength, "|", color=colour, ms=8)
        ax.plot(row.correlation_printed, row.strength_printed, "D", mfc="none", mec=colour, ms=8)
    for learner, mark in LEARNER_MARKS.items():
        ax.plot([], [], mark, color=GREY, ls="", label=LEARNER_NAMES[learner])
    ax.plot([], [], "|", color=GREY, ls="", ms=8, label="with infinitely many trees")
    ax.plot([], [], "D", mfc="none", mec=GREY, ls="", ms=8, label="printed")
    for row in data[data["learner"] == "bagged_cart"].itertuples():
        place, colour = (row.correlation, row.strength), SET_COLOURS[row.dataset]
        shift = {"xytext": (7, 0), "textcoords": "offset points", "va": "center"}
        ax.annotate(SETS[row.dataset], place, color=colour, fontsize=8.5, **shift)
    ax.set(xlabel="mean correlation", ylabel="strength", xlim=(0, 0.3), ylim=(0, 0.7))
    ax.legend(frameon=False, fontsize=8, loc="lower right")
    return drawing


@figure(
    title="Table 4: strength and correlation",
    draw=draw_strength,
    sources=("strength",),
    caption=(
        "One colour for each set, named at its bagged CART; PERT lies to the left of it, less correlated, and below, "
        "weaker. Grey lines: Breiman's bound. The tick at each mark's left takes the spread of a finite forest out."
    ),
)
def strength_correlation(results: Results) -> pd.DataFrame:
    columns = ["strength_printed", "correlation_printed", "strength", "correlation", "correlation_of_infinitely_many"]
    return results.tables["table4"][["dataset", "learner", *columns]]


# ------------------------------------------------------------------ section 6


@styled
def draw_surface(data: pd.DataFrame) -> Figure:
    columns = sorted((name for name in data if name.endswith(" trees")), key=lambda name: int(name.split()[0]))
    drawing, axes = panels(1, 4, width=2.9, height=2.9)
    _draw_line(axes[0, 0], data[data["part"] == "line"], columns)
    plane = data[data["part"] == "surface"]
    cases = plane.dropna(subset="label")
    for ax, column in zip(axes[0, 1:], [*columns, "exact"], strict=True):
        wide = plane[plane["label"].isna()].pivot(index="at_2", columns="at_1", values=column)
        side = wide.columns.to_numpy()
        half = (side[1] - side[0]) / 2
        extent = (-half, 1 + half, -half, 1 + half)
        image = ax.imshow(
            wide.to_numpy(), origin="lower", extent=extent, vmin=0, vmax=1, cmap="cividis", rasterized=True
        )
        if column == "exact":
            ax.contour(side, side, wide.to_numpy(), levels=[0.5], colors=VERMILION, linewidths=1.2)
        for label, mark in ((0, "o"), (1, "s")):
            here = cases[cases["label"] == label]
            colours = {"mfc": "white", "mec": BLACK} if label else {"mfc": BLACK, "mec": "white"}
            ax.plot(here["at_1"], here["at_2"], mark, ms=5, mew=1.0, **colours)
        title = "exact Q, and where it is 1/2" if column == "exact" else f"forest of {column}"
        ax.set(title=title, xlabel="x1", xlim=(0, 1), ylim=(0, 1), xticks=[0, 0.5, 1], yticks=[0, 0.5, 1])
    axes[0, 1].set_ylabel("x2")
    drawing.colorbar(image, ax=axes[0, 1:].tolist(), label="Q of the square class", shrink=0.85)
    return drawing


def _draw_line(ax: Axes, data: pd.DataFrame, columns: list[str]) -> None:
    cases = data.dropna(subset="label")
    curve = data[data["label"].isna()].sort_values("at_1")
    ax.vlines(cases["at_1"], 0, 1, color="#DDDDDD", lw=0.7, zorder=0)
    ax.plot(curve["at_1"], curve["exact"], color=BLUE, lw=2.6, alpha=0.5, label="exact")
    for column, colour, dash in zip(columns, (VERMILION, BLACK), ("-", "--"), strict=True):
        ax.plot(curve["at_1"], curve[column], dash, color=colour, lw=1, label=column)
    for label, mark in ((0, "o"), (1, "s")):
        here = cases[cases["label"] == label]
        ax.plot(here["at_1"], here["label"], mark, mfc="white" if label else BLACK, mec=BLACK, ms=5, zorder=4)
    ax.set(xlabel="x", ylabel="Q", title="one feature", xlim=(0, 1), ylim=(-0.06, 1.3), yticks=[0, 0.5, 1])
    ax.legend(frameon=False, fontsize=7.5, ncols=3, loc="upper center", columnspacing=0.8, handlelength=1.2)


@figure(
    title="Section 6: the surface that PERT fits",
    draw=draw_surface,
    sources=("posterior",),
    tolerance=ROUNDED,
    caption=(
        "Q, the probability that infinitely many trees give, is continuous, takes the labels at the training cases "
        "(squares 1, dots 0) and is linear along each axis between their values; forests come close as they grow."
    ),
)
def surface(results: Results) -> pd.DataFrame:
    """Maps and lines in one frame: a column for Q and for each forest; training cases have a label instead."""
    frame = rows_of_part(results, "line", "surface")
    maps = frame[frame["quantity"] != "case"]
    wide = maps.pivot_table(index=["part", "at_1", "at_2"], columns="quantity", values="value").reset_index()
    cases = frame.loc[frame["quantity"] == "case", ["part", "at_1", "at_2", "value"]]
    return pd.concat([wide, cases.rename(columns={"value": "label"})], ignore_index=True).rename_axis(None, axis=1)


@styled
def draw_convergence(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 4.6, 3.4)
    ax, last = axes[0, 0], data.iloc[-1]
    ax.plot(data["trees"], data["expected_distance"], color=GREY, ls="--", lw=1.2)
    ax.errorbar(data["trees"], data["distance"], yerr=reach(data, "distance"), fmt="o", color=BLUE)
    ax.plot(data["trees"], data["largest_distance"], "-^", color=VERMILION, ms=4, lw=1)
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set(xlabel="trees", ylabel="distance of the forest from Q")
    for name, column, colour in (
        ("largest", "largest_distance", VERMILION),
        ("root mean square", "distance", BLUE),
    ):
        ax.annotate(
            name, (last["trees"], last[column]), xytext=(7, 0), textcoords="offset points", color=colour, va="center",
            fontsize=8.5, annotation_clip=False,
        )  # fmt: skip
    ax.text(0.03, 0.05, "dashed: independent trees", transform=ax.transAxes, color=GREY, fontsize=8.5)
    return drawing


@figure(
    title="Section 6: forests approach the exact surface",
    draw=draw_convergence,
    sources=("posterior",),
    caption="Distance over random points of the plane, mean over forests.",
)
def approach_to_surface(results: Results) -> pd.DataFrame:
    return results.tables["convergence"]


# ------------------------------------------------------------------ ringnorm


def dimension_shown(frame: pd.DataFrame) -> int:
    """The largest dimension up to the 20 of the paper."""
    return int(max(dimension for dimension in frame["dimension"].unique() if dimension <= 20))


RING_COLOURS = {"pert": BLUE, "forest_single": PURPLE, "vr_0.5": ORANGE, "bayes": GREY}
RING_MARKS = {"pert": "o-", "forest_single": "s--", "vr_0.5": "^-.", "bayes": ":"}
RING_NAMES = {"pert": "PERT", "forest_single": "Forest-RI", "vr_0.5": "VR-Trees 0.5", "bayes": "Bayes"}


@styled
def draw_ringnorm(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 3, 3.6, 3.3)
    rings, whole = data[data["panel"] == "ring"], data[data["panel"] == "dimension"]
    _draw_rings(axes[0, 0], rings)
    _draw_dimensions(axes[0, 1], whole)
    _draw_alphas(axes[0, 2], whole)
    return drawing


def _draw_rings(ax: Axes, rings: pd.DataFrame) -> None:
    """Errors by ring, and where the cases of the two classes lie."""
    width = np.diff(np.sort(rings["from"].unique())).min()
    cases = rings[rings["learner"] == "pert"]
    for label, colour in ((1, "#BBBBBB"), (2, "#E8D9B5")):
        here = cases[cases["class"] == label]
        share = 100 * here["cases"] / cases["cases"].sum()
        ax.bar(here["from"] + width / 2, share, width, color=colour, alpha=0.6, lw=0, label=f"cases of class {label}")
    first = rings[(rings["class"] == 1) & (rings["cases"] >= 20)]
    for learner, colour in RING_COLOURS.items():
        here = first[first["learner"] == learner]
        place, look = here["from"] + width / 2, RING_MARKS[learner]
        ax.plot(place, here["error"], look, color=colour, ms=3.5, lw=1.4, label=RING_NAMES[learner])
    dimension = int(rings["dimension"].iloc[0])
    ax.set(title=f"class-1 cases called class 2, d = {dimension}", ylim=(0, 104))
    ax.set(xlabel="distance |x| / √d", ylabel="error; bars: share of the cases, per cent")
    ax.legend(frameon=False, fontsize=7.5, loc="upper right")


def _draw_dimensions(ax: Axes, whole: pd.DataFrame) -> None:
    ends = {}
    for learner, colour in RING_COLOURS.items():
        rows = whole[whole["learner"] == learner].sort_values("dimension")
        if learner == "bayes":
            ax.plot(rows["dimension"], rows["error"], RING_MARKS[learner], color=colour, lw=1.2)
        else:
            ax.errorbar(rows["dimension"], rows["error"], reach(rows, "error"), fmt=RING_MARKS[learner], color=colour)
        ends[RING_NAMES[learner]] = (rows["dimension"].iloc[-1], rows["error"].iloc[-1], colour)
    sizes = sorted(whole["dimension"].unique())
    ax.set_xscale("log")
    ax.set_xticks(sizes, [f"{size:g}" for size in sizes])
    ax.minorticks_off()
    ax.set(title="test error", xlabel="dimension d", ylabel="per cent", ylim=(0, None))
    label_ends(ax, ends, gap=0.07)


def _draw_alphas(ax: Axes, whole: pd.DataFrame) -> None:
    shown = whole[whole["dimension"] == dimension_shown(whole)]
    rows = shown[shown["learner"].str.startswith("vr_")]
    alpha = rows["learner"].str.removeprefix("vr_").astype(float)
    ax.errorbar(alpha, rows["error"], yerr=reach(rows, "error"), fmt="^-.", color=ORANGE)
    for learner in ("pert", "forest_single", "bayes"):
        error = shown.loc[shown["learner"] == learner, "error"].iloc[0]
        ax.axhline(error, color=RING_COLOURS[learner], lw=1.2, ls=RING_MARKS[learner].lstrip("os^"))
        ax.annotate(RING_NAMES[learner], (1.0, error), xytext=(6, 0), textcoords="offset points", va="center",
                    color=RING_COLOURS[learner], fontsize=8.5, annotation_clip=False)  # fmt: skip
    ax.set(title=f"VR-Trees over alpha, d = {dimension_shown(whole)}", xlabel="alpha", ylabel="test error, per cent")
    ax.set(xlim=(-0.04, 1.04), ylim=(0, None))


@figure(
    title="Why ringnorm fails",
    draw=draw_ringnorm,
    sources=("ringnorm",),
    caption=(
        "Class 1 is N(0, 4 I), class 2 N(a, I) inside it. Left: PERT keeps erring on cases of class 1 far out, where "
        "class 2 hardly reaches and the forest does not err. Middle: so it falls behind as the dimension grows. Right: "
        "randomness alone is not to blame, VR-Trees err more towards alpha 1."
    ),
)
def ringnorm_tails(results: Results) -> pd.DataFrame:
    """Errors by ring in one dimension, and by dimension; the data of all panels in one frame."""
    rings = results.tables["ringnorm_rings"]
    rings = rings[rings["dimension"] == dimension_shown(rings)].assign(panel="ring")
    by_dimension = results.tables["ringnorm"].assign(panel="dimension")
    columns = ["panel", "dimension", "learner", "class", "from", "cases", "errors", "error"]
    more = [f"{name}{end}" for name in ("error", "above_bayes") for end in ("", "_low", "_high")][1:]
    return pd.concat([rings[columns], by_dimension[[*columns[:3], "error", *more]]], ignore_index=True)


FIGURES = by_name(
    errors_beside_print,
    errors_by_trees,
    strength_correlation,
    surface,
    approach_to_surface,
    ringnorm_tails,
)
