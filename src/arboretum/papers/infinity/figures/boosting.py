"""AdaBoost: in distribution space (sections 4 and 5) and on finite data (section 9.1)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, GREY, ORANGE, VERMILION, panels, styled
from arboretum.papers.results import Results

SAMPLES = {"twonorm": "twonorm", "circle": "noisy circle", "circle-rounded": "noisy circle, rounded"}
SHADES = ((GREY, "-"), (ORANGE, "--"), (BLUE, "-."), (BLACK, "-"))  # of margins, early rounds first
START = 0.3  # where a log axis shows the state before the first step
HEAVIEST = ("heaviest case", "second", "third")
GRIDS = ((ORANGE, "--"), (BLUE, "-."), (BLACK, "-"))  # coarse grids first


@styled
def draw_population(data: pd.DataFrame) -> Figure:
    problems = ["additive", "interaction", "xor", "parity"]
    problems = [problem for problem in problems if problem in set(data["problem"])]
    drawing, axes = panels(2, len(problems), width=2.7, height=2.3, sharex=True, sharey="row")
    for column, problem in enumerate(problems):
        rows = data[data["problem"] == problem]
        variables = int(rows["variables"].iloc[0])
        for leaves, path in rows.groupby("leaves"):
            enough = leaves > variables
            colour, style = (BLUE, "-") if enough else (VERMILION, "--")
            name = f"T = {leaves} {'>' if enough else '≤'} D"
            _draw_run(axes[:, column], path, int(data["step"].max()), color=colour, ls=style, label=name)
        axes[0, column].set_title(f"{problem}, D = {variables}")
        axes[0, column].legend(frameon=False, fontsize=8, loc="best")
        axes[1, column].set_xlabel("step M")
    axes[0, 0].set(ylabel="‖s + r‖ / ‖r‖", yscale="log", ylim=(1e-5, 2))
    axes[1, 0].set(ylabel="error − Bayes")
    axes[1, 0].set_xscale("log")
    powers = 10 ** np.arange(int(np.log10(data["step"].max())) + 1)
    axes[1, 0].set_xticks([START, *powers], ["start", *(f"{step:,}" for step in powers)])
    axes[1, 0].minorticks_off()
    return drawing


def _draw_run(axes: np.ndarray, path: pd.DataFrame, last: int, **looks: str) -> None:
    """Distance and error of one run; of one that no tree can start, its first value as a level line up to ``last``."""
    if len(path) == 1:
        path = pd.concat([path, path.assign(step=last)])
    path = path.assign(step=path["step"].clip(lower=START))
    axes[0].plot(path["step"], path["distance"] / path["size_of_r"], **looks)
    axes[1].plot(path["step"], path["error"] - path["bayes"], **looks)


@figure(
    title="AdaBoost in distribution space",
    draw=draw_population,
    sources=("population_boosting",),
    tolerance=1e-7,
    caption="Solid and blue: more leaves than variables, T > D, as Theorem 3 asks; it converges to -r. Dashed and red: "
    "smaller trees, of which r is a sum in the additive problem only. A line that leaves the upper panel falls below "
    "1e-5; one that stays level belongs to trees that cannot start.",
)
def boosting_population(results: Results) -> pd.DataFrame:
    """Distance to -r and error by step, on the grid that all tree sizes of a problem share."""
    rows = results.raw["population_boosting"]
    shared = {
        problem: set.intersection(*(set(sizes["cells"]) for _, sizes in group.groupby("leaves")))
        for problem, group in rows.groupby("problem")
    }
    rows = rows[[cells == min(shared[problem]) for problem, cells in zip(rows["problem"], rows["cells"], strict=True)]]
    return rows[["problem", "variables", "leaves", "step", "distance", "size_of_r", "error", "bayes", "excess"]]


@styled
def draw_rate(data: pd.DataFrame) -> Figure:
    problems = list(dict.fromkeys(data["problem"]))
    drawing, axes = panels(1, len(problems), width=3.0, height=2.8, sharey=True)
    for ax, problem in zip(axes[0], problems, strict=True):
        rows = data[data["problem"] == problem]
        for (cells, path), (colour, style) in zip(rows.groupby("cells"), GRIDS, strict=False):
            ax.plot(path["step"], path["excess"], color=colour, ls=style, label=f"{cells} cells per side")
        steps = np.array([1.0, rows["step"].max()])
        ax.plot(steps, rows["excess"].max() / steps, color=GREY, ls=":", label="1/M")
        ax.set(xscale="log", yscale="log", xlabel="step M", ylim=(1e-10, 3), title=problem)
        ax.legend(frameon=False, fontsize=8, loc="lower left")
    axes[0, 0].set_ylabel("loss above its minimum")
    return drawing


@figure(
    title="How fast AdaBoost converges in distribution space",
    draw=draw_rate,
    sources=("population_boosting",),
    tolerance=1e-7,
    caption="Beyond print: Theorem 3 gives no rate. T > D; a finer grid follows the power law for longer.",
)
def boosting_rate_curve(results: Results) -> pd.DataFrame:
    """The loss above its minimum by step, of problems that were run on several grids."""
    rows = results.raw["population_boosting"]
    rows = rows[(rows["leaves"] > rows["variables"]) & (rows["step"] > 0)]
    several = rows.groupby("problem")["cells"].transform("nunique") > 1
    return rows.loc[several, ["problem", "leaves", "cells", "step", "excess"]]


# ------------------------------------------------------------------ finite data


@styled
def draw_finite(data: pd.DataFrame) -> Figure:
    samples = [sample for sample in SAMPLES if sample in set(data["sample"])]
    drawing, axes = panels(3, len(samples), width=3.3, height=2.2)
    for column, sample in enumerate(samples):
        rows = data[data["sample"] == sample].assign(at=lambda frame: frame["at"].astype(int))
        _draw_movement(axes[0, column], rows, sample)
        _draw_weights(axes[1, column], rows)
        _draw_margins(axes[2, column], rows)
    axes[0, 0].set_ylabel("moved by the weights\n(total variation)")
    axes[1, 0].set_ylabel("weight")
    axes[2, 0].set_ylabel("share of cases")
    return drawing


def _draw_movement(ax: Axes, rows: pd.DataFrame, sample: str) -> None:
    window = 5 * (rows["part"] == "weight 0").sum()  # weights are stored for the last fifth of a window
    for part, name, colour, style in (
        ("moved in one round", "in one round", BLUE, "-"),
        ("moved in a window", f"in {window:,} rounds", ORANGE, "--"),
    ):
        path = rows[rows["part"] == part].sort_values("at")
        ax.plot(path["at"], path["value"], color=colour, ls=style, label=name)
    ax.set(xscale="log", yscale="log", ylim=(1e-5, 1.5), xlabel="round", title=SAMPLES[sample])
    ax.legend(frameon=False, fontsize=8, loc="lower left")


def _draw_weights(ax: Axes, rows: pd.DataFrame) -> None:
    for rank, (colour, style) in enumerate(((BLUE, "-"), (ORANGE, "--"), (BLACK, ":"))):
        path = rows[rows["part"] == f"weight {rank}"].sort_values("at")
        ax.plot(path["at"], path["value"], color=colour, ls=style, lw=1, label=HEAVIEST[rank])
    ax.set(xlabel="the last rounds", ylim=(0, 1.35 * ax.get_ylim()[1]))  # room for the names
    ax.legend(frameon=False, fontsize=8, loc="upper left", ncols=3, columnspacing=1, handlelength=1.6)


def _draw_margins(ax: Axes, rows: pd.DataFrame) -> None:
    margins = rows[rows["part"] == "margin"]
    rounds = sorted(margins["at"].unique())
    for t, (colour, style) in zip(rounds, SHADES[-len(rounds) :], strict=True):
        values = margins[margins["at"] == t].sort_values("index")["value"].to_numpy()
        share = np.arange(1, len(values) + 1) / len(values)
        ax.step(values, share, color=colour, ls=style, lw=1.3, where="post", label=f"{t:,}")
    ax.axvline(0, color=GREY, lw=0.8, ls=":")
    ax.set(xlabel="margin", xlim=(-0.6, 1), ylim=(0, 1))
    ax.legend(frameon=False, fontsize=7.5, loc="lower right", title="after round", title_fontsize=7.5)


@figure(
    title="AdaBoost on finite data: settle or wander?",
    draw=draw_finite,
    sources=("finite_boosting",),
    tolerance=1e-6,
    caption="A round moves the weights by half its edge, so they settle only where the edge dies out: not where a vote "
    "of stumps separates the cases (left, middle), but where equal x have unequal y (right).",
)
def boosting_finite(results: Results) -> pd.DataFrame:
    """Edges and movement of the weights by round, the heaviest weights at the end, margins at checkpoints."""
    rows = results.raw["finite_boosting"]
    return rows[~rows["part"].isin(["summary", "ergodicity"])]  # samples drawn again have nothing else
