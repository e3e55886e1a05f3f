"""Beyond print: the trees of all five papers on one map."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.diversity.figures.names import LEARNER_COLOURS, LEARNER_NAMES, LIGHT, MUTED, set_name
from arboretum.papers.drawing import ORANGE, PURPLE, VERMILION, panels, styled
from arboretum.papers.results import Results

VR, VR_COLOUR = "vr ", "#8C510A"
OTHER_LOOKS = {"pert": (VERMILION, "^"), "weka forest": (PURPLE, "D")}
OTHER_NAMES = {"pert": "PERT", "weka forest": "random forest (Weka)"}


def draw_one_map(ax: Axes, here: pd.DataFrame) -> None:
    """One set: every learner, and lines along which the ensemble's error is the same."""
    low, high = here["diversity"].min(), here["diversity"].max()
    for error in np.linspace(here["error"].min(), here["error"].max(), 4):
        ax.plot([low, high], [low + error, high + error], color=LIGHT, lw=0.8, zorder=0)
    along = here[here["learner"].str.startswith(VR)]
    alphas = along["learner"].str.removeprefix(VR).astype(float)
    along = along.assign(alpha=alphas).sort_values("alpha")
    ax.plot(along["diversity"], along["member_error"], "-", color=VR_COLOUR, lw=1)
    ax.scatter(
        along["diversity"], along["member_error"], c=along["alpha"], cmap="YlOrBr_r", ec=VR_COLOUR, s=28, zorder=3
    )
    for row in along.iloc[[0, -1]].itertuples():
        ax.annotate(f"α {row.alpha:g}", (row.diversity, row.member_error), (6, -9), textcoords="offset points",
                    fontsize=8, color=VR_COLOUR)  # fmt: skip
    for row in here.itertuples():
        if row.learner in OTHER_LOOKS:
            colour, mark = OTHER_LOOKS[row.learner]
            ax.plot(row.diversity, row.member_error, mark, color=colour, ms=6)
        elif row.learner in LEARNER_COLOURS:
            ax.plot(row.diversity, row.member_error, "o", color=LEARNER_COLOURS[row.learner], ms=6)
    ax.set(xlabel="diversity", ylabel="average member error", title=set_name(here["dataset"].iloc[0]))
    ax.margins(0.1)


@styled
def draw_tree_map(data: pd.DataFrame) -> Figure:
    datasets = list(dict.fromkeys(data["dataset"]))
    columns = min(3, len(datasets))
    drawing, axes = panels(-(-len(datasets) // columns), columns, 3.4, 3.1)
    for ax in axes.flat[len(datasets) :]:
        ax.set_axis_off()
    for ax, dataset in zip(axes.flat, datasets, strict=False):
        draw_one_map(ax, data[data["dataset"] == dataset])
    first = axes.flat[0]
    for learner in dict.fromkeys(data["learner"]):
        if learner in OTHER_LOOKS:
            colour, mark = OTHER_LOOKS[learner]
            first.plot([], [], mark, color=colour, ls="", label=OTHER_NAMES[learner])
        elif learner in LEARNER_COLOURS:
            first.plot([], [], "o", color=LEARNER_COLOURS[learner], ls="", label=LEARNER_NAMES[learner])
    first.plot([], [], "-o", color=VR_COLOUR, mfc=ORANGE, label="VR-Trees over α")
    first.plot([], [], color=MUTED, lw=0.8, label="equal ensemble error")
    drawing.legend(*first.get_legend_handles_labels(), frameon=False, ncols=4, loc="outside lower center")
    return drawing


@figure(
    title="Good and bad diversity: guided forests among the trees of the other papers",
    draw=draw_tree_map,
    sources=("choices",),
    caption=(
        "150 trees, mean over splits that all share. Along a grey line the ensemble's error is the same; below it is "
        "lower. Moving right buys diversity, moving up pays for it with members that err more. Purely "
        "random trees, far above all others, are in the table only."
    ),
)
def tree_map(results: Results) -> pd.DataFrame:
    table = results.tables["all_trees"]
    return table.loc[table["learner"] != "purely random", ["dataset", "learner", "member_error", "diversity", "error"]]
