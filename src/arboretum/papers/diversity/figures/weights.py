"""Figures 5.3, 5.6 and 5.9: how much a case weighs, by the share of members that are wrong on it."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from arboretum.ensembles.growth_strategies import STRATEGIES, clipped_sigmoid
from arboretum.papers.contract import figure
from arboretum.papers.diversity.figures.names import LIGHT
from arboretum.papers.drawing import BLUE, GREEN, ORANGE, PURPLE, VERMILION, label_ends, panels, styled
from arboretum.papers.results import Results

MEMBERS = 120  # votes of a picture: shares in steps of 1/120
STEEPNESS = (1, 5, 15, 50)
RIVAL = 1 / 8  # Figure 5.9: kappa = 1 - 1/8
PANELS = {"5.3": "Figure 5.3", "5.6": "Figure 5.6: sigmoid, by b", "5.9": "Figure 5.9: dyn, kappa = 7/8"}
COLOURS = (VERMILION, PURPLE, BLUE, ORANGE, GREEN)


@styled
def draw_weights(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, len(PANELS), 3.5, 3.0, sharey=True)
    for ax, (name, title) in zip(axes[0], PANELS.items(), strict=True):
        ends = {}
        for (curve, rows), colour in zip(data[data["figure"] == name].groupby("curve", sort=False), COLOURS):  # noqa: B905
            ax.plot(rows["share"], rows["weight"], "--" if "as run" in curve else "-", color=colour)
            ends[curve] = (1.0, rows["weight"].iloc[-1], colour)
        ax.axvline(1 - RIVAL if name == "5.9" else 0.5, color=LIGHT, lw=1, zorder=0)
        ax.set(title=title, xlabel="share W of wrong members", xlim=(0, 1), ylim=(-0.02, 1.02))
        label_ends(ax, ends, gap=0.07)
    axes[0, 0].set_ylabel("weight")
    return drawing


@figure(
    title="Figures 5.3, 5.6 and 5.9: weight of a case",
    draw=draw_weights,
    sources=(),
    caption=(
        "5.3: DRF and XuChen. 5.6: the clipped sigmoid for several b; 15 was used; dashed: with the reversed sign that "
        "was run. 5.9: threshold kappa = 7/8; dashed: as run the threshold is the rival's own share, which W never "
        "falls below, so every weight is 1/2."
    ),
)
def weight_functions(results: Results) -> pd.DataFrame:
    """Weights along W; XuChen takes the square below 1/2 and the root from there on."""
    wrong = np.arange(MEMBERS + 1)
    share, truth = wrong / MEMBERS, np.zeros(MEMBERS + 1, dtype=int)
    votes = np.column_stack([MEMBERS - wrong, wrong])
    curves = {("5.3", name): STRATEGIES[key](votes, truth, 10, 15, 10) for name, key in NAMED}
    for b in STEEPNESS:
        curves["5.6", f"b = {b}"] = clipped_sigmoid(share - 0.5, b)
    curves["5.6", "b = 15, as run"] = STRATEGIES["sigmoid_as_run"](votes, truth, 10, 15, 10)
    curves["5.9", "kappa = 7/8"] = clipped_sigmoid(share - (1 - RIVAL), 15)
    curves["5.9", "as run"] = clipped_sigmoid(np.maximum(share - RIVAL, 0), 15)
    rows = [
        {"figure": number, "curve": name, "share": x, "weight": y}
        for (number, name), values in curves.items()
        for x, y in zip(share, values, strict=True)
    ]
    return pd.DataFrame(rows)


NAMED = (("DRF", "drf"), ("XuChen", "xuchen"))
