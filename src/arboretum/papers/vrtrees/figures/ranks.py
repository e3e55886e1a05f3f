"""Mean ranks with their bars (Figures 2, 5 and 6), and ranks under the choices that the paper leaves open."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from arboretum.measures import significance, ties
from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLACK, BLUE, panels, rank_bars, styled
from arboretum.papers.kit.readings import CHOICE, draw_curve
from arboretum.papers.results import TEXT, Results
from arboretum.papers.vrtrees.figures.looks import METHOD_NAMES
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    METHODS,
    TABLE3_LEARNERS,
    mean_ranks,
    over_repetitions,
    printed_errors,
    ranks_among,
    ranks_by_repetition,
    set_means,
    spectrum_rates,
)
from arboretum.papers.vrtrees.tables.ranks import FIGURE5_LEARNERS
from arboretum.plots import critical_difference


def ranks_with_bars(ranks: pd.DataFrame) -> pd.DataFrame:
    """Mean ranks over sets and repetitions with bars of half a critical difference (Bonferroni-Dunn) to each side.

    ``noise_low`` and ``noise_high``: 95%, the sets fixed and the repetitions drawn anew.
    """
    critical = significance.bonferroni_dunn(len(set_means(ranks)), ranks.shape[1])
    repeated = over_repetitions(ranks)
    mean = repeated.mean
    columns = {"method": ranks.columns, "rank": mean, "low": mean - critical / 2, "high": mean + critical / 2}
    columns |= dict(zip(("noise_low", "noise_high"), repeated.interval, strict=True))
    return pd.DataFrame(columns | {"worse_than_best": ties.less(critical, mean - mean.min())})


# ------------------------------------------------------------------ Figure 2


@styled
def draw_figure2(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 3, 3.3, 3.6)
    for ax, letter, (method, part) in zip(axes[0], "abc", data.groupby("method", sort=False), strict=True):
        names = [f"{alpha:g}" for alpha in part["alpha"]]
        title = f"({letter}) {METHOD_NAMES[method]}: best at {names[ties.first_least(part['rank'])]}"
        rank_bars(ax, names, part["rank"], (part["high"] - part["low"]).iloc[0] / 2, title=title)
        ax.set_ylabel("alpha" if letter == "a" else "")
        _printed_region(ax, part)
    handles = [
        Patch(color=BLUE, alpha=0.15, label="bar of the best alpha"),
        Line2D([], [], color=BLACK, lw=4, alpha=0.35, label="best region as printed"),
        Line2D([], [], color=BLACK, marker="D", mfc="white", ls="", ms=6, label="best alpha as printed"),
    ]
    drawing.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return drawing


def _printed_region(ax: Axes, part: pd.DataFrame) -> None:
    """The region and the best alpha that the paper names, at the right edge: their ranks are not printed."""
    within = np.flatnonzero(part["in_printed_region"])
    best = np.flatnonzero(part["best_in_print"])
    edge = ax.get_xlim()[1]
    if len(within):
        ax.plot([edge, edge], [within[0] - 0.3, within[-1] + 0.3], color=BLACK, lw=4, alpha=0.35, clip_on=False)
    if len(best):
        ax.plot(np.full(len(best), edge), best, "D", mfc="white", mec=BLACK, ms=6, clip_on=False, zorder=4)


@figure(
    title="Figure 2: Friedman ranks along the spectrum",
    draw=draw_figure2,
    sources=("spectrum",),
    caption=(
        "Means over repetitions. Bars as printed: half a critical difference (Bonferroni-Dunn, 95%) to each side; bars "
        "that do not overlap differ significantly. Solid: not worse than the best; dotted: worse. Black, at the right: "
        "the best region and the best alpha that the text of the paper names; its plot is lost."
    ),
)
def figure2(results: Results) -> pd.DataFrame:
    """Mean rank of each alpha, of each method by itself."""
    errors = spectrum_rates(results)
    parts = []
    for method in METHODS:
        bars = ranks_with_bars(ranks_by_repetition(errors[method]))
        parts.append(bars.rename(columns={"method": "alpha"}).assign(method=method))
    frame = pd.concat(parts)
    text = results.tables["best_alphas"].set_index("method").loc[frame["method"]].reset_index(drop=True)
    alpha = frame["alpha"].reset_index(drop=True)
    within = ties.at_most(text["region_from_printed"], alpha) & ties.at_most(alpha, text["region_to_printed"])
    frame = frame.assign(
        in_printed_region=np.asarray(within), best_in_print=np.asarray(ties.equal(alpha, text["best_by_rank_printed"]))
    )
    columns = ["method", "alpha", "rank", "low", "high", "noise_low", "noise_high", "worse_than_best"]
    return frame[[*columns, "in_printed_region", "best_in_print"]]


# ------------------------------------------------------------------ Figures 5 and 6


@styled
def draw_ranks(data: pd.DataFrame) -> Figure:
    """Ours above the line, the ranks from print opposite."""
    sides = {"ours": dict(zip(data["method"].map(LEARNER_NAMES), data["rank"], strict=True))}
    if "printed" in data:
        sides["from print"] = dict(zip(data["method"].map(LEARNER_NAMES), data["printed"], strict=True))
    drawing, axes = panels(1, 1, 7.2, 2.2 * len(sides))
    ax, noise = axes[0, 0], data[["noise_low", "noise_high"]].to_numpy()
    critical_difference(sides, (data["high"] - data["low"]).iloc[0], ax=ax)
    ax.hlines(np.zeros(len(noise)), noise[:, 0], noise[:, 1], color=BLUE, lw=5, alpha=0.25, zorder=2)
    return drawing


@figure(
    title="Figure 5: coalescence against single operating points",
    draw=draw_ranks,
    sources=("spectrum", "coalescence"),
    caption=(
        "Mean ranks over repetitions, 1 is best. A bar joins methods that do not differ by the critical difference "
        "(Bonferroni-Dunn, 95%, as in print); pale: 95%, the sets fixed and the repetitions drawn anew."
    ),
)
def figure5(results: Results) -> pd.DataFrame:
    """Mean ranks of coalescence and of five alphas."""
    return ranks_with_bars(ranks_among(results, FIGURE5_LEARNERS))


@figure(
    title="Figure 6: coalescence against five benchmarks",
    draw=draw_ranks,
    sources=("spectrum", "coalescence"),
    caption=(
        "Mean ranks over repetitions, 1 is best, and opposite them the ranks recomputed from the printed Table 3 on "
        "the same sets. A bar joins methods that do not differ by the critical difference (Bonferroni-Dunn, 95%, as in "
        "print); pale: 95%, the sets fixed and the repetitions drawn anew. C5.0 is the real one, on our folds."
    ),
)
def figure6(results: Results) -> pd.DataFrame:
    """Mean ranks of the six methods of Table 3, ours and from print."""
    frame = ranks_with_bars(ranks_among(results, TABLE3_LEARNERS))
    return frame.assign(printed=mean_ranks(printed_errors(results)))


# ------------------------------------------------------------------ choices that the paper leaves open


@figure(
    readings=True,
    title="Which reading is nearest to the printed values",
    draw=draw_curve,
    caption=(
        "Every reading, sorted by its mean of |ours - printed| over the cells of the four ensembles of VR-Trees in "
        "Table 3, with intervals of 95%, the sets fixed and the repetitions drawn anew; below, its choices."
    ),
)
def readings_nearest(results: Results) -> pd.DataFrame:
    """The distances of the table of the same name, and the choices of each reading."""
    found = results.tables["readings_distance"]
    chosen = {f"{CHOICE}{name}": found[name] for name in results.readings.described[TEXT].choices}
    frame = found[["reading"]].assign(title="Mean |ours - printed| over the cells of Table 3, points", printed=np.nan)
    ends = {"value": "table3", "low": "table3_low", "high": "table3_high"}
    return frame.assign(**{name: found[column] for name, column in ends.items()}, **chosen)
