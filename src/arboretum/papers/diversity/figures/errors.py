"""Error against the number of trees (Figures 5.12 to 5.14), and printed cells among draws like the author's."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from arboretum.papers.contract import ResultFigure, figure
from arboretum.papers.diversity.figures.components import SIGMOID, component_curves
from arboretum.papers.diversity.figures.names import LEARNER_COLOURS, LEARNER_NAMES, LIGHT, MUTED, set_name
from arboretum.papers.diversity.tables.components import AS_TEXT, chosen_set, in_order
from arboretum.papers.diversity.tables.minima import least_of_draws, printed_anywhere
from arboretum.papers.drawing import label_ends, panels, styled
from arboretum.papers.kit.curves import band
from arboretum.papers.results import Results

CAPTION = "Lines: mean over splits, bands: 95% intervals; the axis of the error is logarithmic, as in print."
FIGURES = {  # title, set, learners, what the caption ends with
    "figure5_12": ("Figure 5.12: error against the number of trees, spambase", "spambase", SIGMOID, ""),
    "figure5_13": ("Figure 5.13: error against the number of trees, diabetes", "pima", SIGMOID, ""),
    "figure5_14": (
        "Figure 5.14: error against the number of trees, digits",
        "digits",
        ("rf", "w_drf", "w_lerp", "w_dyn", "w_dyn_as_run"),
        " In print DRF and dyn have one colour.",
    ),
}


def error_figure(name: str) -> ResultFigure:
    """One of :data:`FIGURES`."""
    title, dataset, learners, end = FIGURES[name]

    def build(results: Results) -> pd.DataFrame:
        frame = component_curves(results, [chosen_set(results, dataset)], learners)
        return frame[frame["term"] == "error"].drop(columns="term")

    return figure(name=name, title=title, draw=draw_errors, sources=("guided",), caption=CAPTION + end)(build)


@styled
def draw_errors(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 6.2, 3.8)
    ax, ends = axes[0, 0], {}
    for learner, rows in data.groupby("learner", sort=False):
        colour, as_run = LEARNER_COLOURS[learner], learner in AS_TEXT
        shown = rows.drop(columns="value_printed") if as_run else rows
        band(ax, shown, "members", "value", colour, "--" if as_run else "-")
        ends[LEARNER_NAMES[learner]] = (rows["members"].iloc[-1], np.log(rows["value"].iloc[-1]), colour)
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.tick_params(axis="y", which="minor", labelsize=7)
    ax.set(xlabel="trees", ylabel="test error", title=set_name(data["dataset"].iloc[0]))
    ax.grid(axis="y", which="both", color=LIGHT, lw=0.5)
    label_log_ends(ax, ends)
    if data["value_printed"].notna().any():
        ax.plot([], [], "o", color=MUTED, ms=3, label="printed, one split")
        ax.legend(frameon=False, fontsize=8, loc="upper right")
    return drawing


def label_log_ends(ax, ends) -> None:
    """Names at the ends of lines on a logarithmic axis: spread on a linear twin of its logarithm."""
    twin = ax.twinx()
    twin.set_ylim(*np.log(ax.get_ylim()))
    twin.set_axis_off()
    label_ends(twin, ends)


# ------------------------------------------------------------------ Tables 5.1 and 5.2 as draws


@styled
def draw_cells(data: pd.DataFrame) -> Figure:
    datasets = list(dict.fromkeys(data["dataset"]))
    learners = [name for name in LEARNER_NAMES if name in set(data["learner"])]
    drawing, axes = panels(1, len(datasets), 2.9, 0.8 + 0.45 * len(learners), sharey=True)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        for learner, rows in data[data["dataset"] == dataset].groupby("learner"):
            place = learners.index(learner) + 0.4  # the foot of its histogram; the axis points downwards
            bars = {"left": rows["from"], "height": rows["height"], "color": LEARNER_COLOURS[learner]}
            ax.barh(place - rows["height"] / 2, rows["width"], alpha=0.45, lw=0, **bars)
            ax.plot(rows["printed"].iloc[0], place - 0.15, "D", mfc="white", mec="black", ms=5.5, zorder=3)
        ax.set(title=set_name(dataset), xlabel="least error over the trees")
        ax.grid(axis="x", color=LIGHT, lw=0.5)
        ax.set_axisbelow(True)
    axes[0, 0].set_yticks(range(len(learners)), [LEARNER_NAMES[name] for name in learners])
    axes[0, 0].set_ylim(len(learners) - 0.4, -0.6)
    axes[0, 0].plot([], [], "D", mfc="white", mec="black", ms=5.5, ls="", label="printed cell")
    drawing.legend(*axes[0, 0].get_legend_handles_labels(), frameon=False, loc="outside lower center")
    return drawing


@figure(
    title="Tables 5.1 and 5.2: printed cells among draws like the author's",
    draw=draw_cells,
    sources=("printed",),
    caption=(
        "Histograms: least error over 1..39 trees on one split of its own for each learner and draw. Diamonds: the "
        "printed cell. Where a diamond lies inside its histogram chance is enough to explain it."
    ),
)
def cells_among_draws(results: Results) -> pd.DataFrame:
    """Bins of the least errors of draws; height 0.8 is the fullest bin of a learner."""
    rows = []
    for (dataset, learner), group in least_of_draws(results).groupby(["dataset", "learner"]):
        printed = printed_anywhere(results, dataset, learner)
        if np.isnan(printed):
            continue
        errors = group["least_errors"].to_numpy()
        votes = int(group["cases"].iloc[0] * group["trials"].iloc[0])
        width = max(1, int(np.ceil((errors.max() - errors.min() + 1) / 20)))  # whole errors: no rounding at borders
        places = (errors - errors.min()) // width
        counts = np.bincount(places)
        for place, count in enumerate(counts):
            if count:
                left = (errors.min() + place * width) / votes
                row = {"dataset": dataset, "learner": learner, "printed": printed, "from": left, "width": width / votes}
                rows.append(row | {"draws": int(count), "height": 0.8 * count / counts.max()})
    return in_order(pd.DataFrame(rows), "from")
