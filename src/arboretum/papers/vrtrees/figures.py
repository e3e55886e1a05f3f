"""The figures of vrtrees."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure as Drawing

from arboretum.measures import significance
from arboretum.measures.bootstrap import interval
from arboretum.measures.margins import breiman_bound
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
    rank_bars,
    styled,
)
from arboretum.papers.shape import Figure, Frames
from arboretum.papers.vrtrees.ranking import sensitivity
from arboretum.papers.vrtrees.rates import (
    METHODS,
    NAMES,
    OPERATING,
    SIX,
    cases_of,
    first_run,
    learner_rates,
    mean_ranks,
    names_of,
    printed_errors,
    resampled,
    run_interval,
    spectrum_errors,
    spectrum_measures,
)
from arboretum.papers.vrtrees.tables import forest_points, spectrum_in_print, stability_table

COLOURS = {"aggregating": BLUE, "bagging": VERMILION, "subspacing": GREEN, "bagging+subspacing": PURPLE}
MARKS = {"aggregating": "o", "bagging": "s", "subspacing": "^", "bagging+subspacing": "D"}
SHORT = {"aggregating": "Aggregating", "bagging": "Bagging", "subspacing": "Subspacing"}
# The printed figures show eight sets; their names are lost, so we choose: sizes, kinds of attributes and shapes vary.
EIGHT = ["segment", "waveform21", "tic-tac-toe", "dna", "sonar", "glass", "balance", "credit-g-numeric"]


def eight(names: list[str]) -> list[str]:
    """The eight sets, others standing in for those that a profile has not."""
    chosen = [name for name in EIGHT if name in names]
    return (chosen + [name for name in names if name not in chosen])[:8]


# ------------------------------------------------------------------ Figure 1


def figure1_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Mean error over sets; the interval is that of each set's departure from its own mean over the spectrum."""
    names = names_of(raw, printed)
    errors = spectrum_errors(raw, names)
    level = np.mean([frame.to_numpy() for frame in errors.values()], axis=(0, 2))[:, None]
    weights = resampled(names)
    parts = []
    for method, frame in errors.items():
        low, high = interval(weights @ (frame.to_numpy() - level))
        parts.append(
            pd.DataFrame(
                {
                    "method": method,
                    "alpha": frame.columns,
                    "error": frame.to_numpy().mean(axis=0),
                    "low": low + level.mean(),
                    "high": high + level.mean(),
                    "printed": [spectrum_in_print(method, alpha, printed) for alpha in frame.columns],
                }
            )
        )
    return pd.concat(parts)


@styled
def draw_figure1(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 1, 6.4, 4.2)
    ax = axes[0, 0]
    for method, part in data.groupby("method", sort=False):
        colour = COLOURS[method]
        ax.fill_between(part["alpha"], part["low"], part["high"], color=colour, alpha=0.12, lw=0)
        ax.plot(part["alpha"], part["error"], "-", marker=MARKS[method], color=colour)
        ax.plot(part["alpha"], part["printed"], "D", mfc="white", mec=colour, ms=7, mew=1.4, zorder=3)
    ax.plot([], [], "D", mfc="white", mec=GREY, ms=7, mew=1.4, ls="", label="printed, 45 sets")
    ends = data.groupby("method", sort=False).last()
    label_ends(ax, {m.capitalize(): (row.alpha, row.error, COLOURS[m]) for m, row in ends.iterrows()}, shift=9)
    ax.set_xlabel("alpha: probability of a deterministic node")
    ax.set_ylabel("mean error, per cent")
    ax.set_xticks(sorted(data["alpha"].unique()))
    ax.legend(frameon=False, loc="upper center", fontsize=8)
    return figure


# ------------------------------------------------------------------ Figures 2, 5 and 6: ranks


def ranks_with_bars(errors: pd.DataFrame) -> pd.DataFrame:
    """Mean ranks with bars of half a critical difference (Bonferroni-Dunn) to each side."""
    half = significance.bonferroni_dunn(*errors.shape) / 2
    ranks = mean_ranks(errors)
    frame = pd.DataFrame({"method": errors.columns, "rank": ranks, "low": ranks - half, "high": ranks + half})
    return frame.assign(worse_than_best=ranks - ranks.min() > 2 * half)


def figure2_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    errors = spectrum_errors(raw, names_of(raw, printed))
    parts = [
        ranks_with_bars(errors[method]).rename(columns={"method": "alpha"}).assign(method=method) for method in METHODS
    ]
    frame = pd.concat(parts)
    return frame[["method", "alpha", "rank", "low", "high", "worse_than_best"]]


@styled
def draw_figure2(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 3, 3.3, 3.6)
    for ax, letter, (method, part) in zip(axes[0], "abc", data.groupby("method", sort=False), strict=True):
        names = [f"{alpha:g}" for alpha in part["alpha"]]
        title = f"({letter}) {SHORT[method]}: best at {names[int(part['rank'].argmin())]}"
        rank_bars(ax, names, part["rank"], (part["high"] - part["low"]).iloc[0] / 2, title=title)
        ax.set_ylabel("alpha" if letter == "a" else "")
    return figure


def figure5_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    frame = ranks_with_bars(first_run(raw, names_of(raw, printed))[["coalescence", *OPERATING]])
    return frame.sort_values("rank", kind="stable")


def figure6_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    frame = ranks_with_bars(first_run(raw, names_of(raw, printed))[SIX])
    return frame.assign(printed=mean_ranks(printed_errors(raw, printed))).sort_values("rank", kind="stable")


@styled
def draw_ranks(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 1, 6.0, 2.9)
    half = (data["high"] - data["low"]).iloc[0] / 2
    rank_bars(axes[0, 0], [NAMES[name] for name in data["method"]], data["rank"], half, data.get("printed"))
    return figure


# ------------------------------------------------------------------ Figures 3 and 4: strength and correlation


def figure3_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Two measured curves of aggregating: one whose bound is least at alpha 0, one that is least inside."""
    measures = spectrum_measures(raw).loc["aggregating"]
    bounds = breiman_bound(measures["strength"], measures["correlation"]).unstack()
    useful = bounds.min(axis=1).between(0, 1) & (measures["strength"].unstack().min(axis=1) > 0.2)
    wide = bounds[useful] if useful.sum() > 1 else bounds
    at = wide.to_numpy().argmin(axis=1)
    gain = wide.iloc[:, 0] - wide.min(axis=1)
    rise = wide.iloc[:, -1] - wide.iloc[:, 0]
    first = (rise.where(at == 0, -np.inf) if np.any(at == 0) else -gain).idxmax()
    second = gain.drop(index=first).idxmax()
    parts = []
    for curve, name in (("a", first), ("b", second)):
        part = measures.loc[name, ["strength", "correlation"]].reset_index()
        parts.append(part.assign(curve=curve, dataset=name))
    frame = pd.concat(parts)
    frame["bound"] = breiman_bound(frame["strength"], frame["correlation"])
    return frame[["curve", "dataset", "alpha", "strength", "correlation", "bound"]]


@styled
def draw_figure3(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 1, 5.6, 4.4)
    ax = axes[0, 0]
    strength, correlation = np.meshgrid(np.linspace(0.2, 1, 161), np.linspace(0, 1, 161))
    bound = np.clip(breiman_bound(strength, correlation), 0, 1)
    map_ = ax.pcolormesh(strength, correlation, bound, cmap="gray", vmin=0, vmax=1, shading="gouraud", rasterized=True)
    lines = ax.contour(strength, correlation, bound, [0.05, 0.1, 0.2, 0.4, 0.8], colors="white", linewidths=0.6)
    ax.clabel(lines, fmt="%g", fontsize=7)
    for (curve, name), part in data.groupby(["curve", "dataset"], sort=False):
        colour = {"a": ORANGE, "b": BLUE}[curve]
        ax.plot(part["strength"], part["correlation"], "o-", color=colour, mec="white", mew=0.5)
        start = part.iloc[0]
        room = start["strength"] > 0.5  # to the left of the curve
        ax.annotate(
            f"({curve}) {name}, alpha 0",
            (start["strength"], start["correlation"]),
            xytext=(-12, 0) if room else (0, -14),
            textcoords="offset points",
            color=colour,
            ha="right" if room else "center",
            va="center",
            fontsize=8.5,
            fontweight="bold",
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        )
    ax.set_ylim(-0.08, 1)
    ax.set_facecolor("black")
    figure.colorbar(map_, ax=ax, label="Breiman's bound on the error (clipped at 1)")
    ax.set_xlabel("strength")
    ax.set_ylabel("correlation")
    return figure


def figure4_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    measures = spectrum_measures(raw)[["strength", "correlation", "error"]].reset_index()
    chosen = eight(names_of(raw, printed))
    frame = measures[measures["dataset"].isin(chosen) & measures["method"].isin(METHODS)]
    order = frame["dataset"].map({name: place for place, name in enumerate(chosen)})
    return frame.assign(order=order).sort_values(["order", "method", "alpha"]).drop(columns="order")


@styled
def draw_figure4(data: pd.DataFrame) -> Drawing:
    sets = list(dict.fromkeys(data["dataset"]))
    columns = min(4, len(sets))
    figure, axes = panels(-(-len(sets) // columns), columns, 2.6, 2.4)
    for ax in axes.flat[len(sets) :]:
        ax.axis("off")
    for place, (ax, name) in enumerate(zip(axes.flat, sets, strict=False)):
        part = data[data["dataset"] == name]
        for method, curve in part.groupby("method", sort=False):
            draw_curve(ax, curve, COLOURS[method], MARKS[method], SHORT[method])
        ax.set_title(name)
        ax.set_xlabel("strength" if place + columns >= len(sets) else "")
        ax.set_ylabel("correlation" if place % columns == 0 else "")
    axes.flat[0].legend(frameon=False, fontsize=7.5, loc="best")
    return figure


def draw_curve(ax: Axes, curve: pd.DataFrame, colour: str, mark: str, label: str, filled: float = 0.5) -> None:
    """A strength-correlation curve; only the point at alpha 0.5 is filled."""
    ax.plot(curve["strength"], curve["correlation"], "-", marker=mark, color=colour, mfc="white", label=label, ms=4)
    setting = curve["alpha"] if "alpha" in curve else curve["setting"]
    chosen = curve[np.isclose(setting, filled)]
    ax.plot(chosen["strength"], chosen["correlation"], mark, color=colour, ms=6.5)


# ------------------------------------------------------------------ Figure 7


def figure7_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Aggregating along the spectrum, and coalescence with the interval of a single run, on eight sets."""
    names = names_of(raw, printed)
    errors = spectrum_errors(raw, names)["aggregating"]
    rates = learner_rates(raw, names)["coalescence"]
    low, high = run_interval(rates, cases_of(raw, names))
    parts = []
    for name in eight(names):
        place = names.index(name)
        level = {"coalescence": rates[place, 0], "coalescence_low": low[place], "coalescence_high": high[place]}
        curve = {"dataset": name, "alpha": errors.columns, "error": errors.loc[name].to_numpy()}
        parts.append(pd.DataFrame(curve | level))
    return pd.concat(parts)


@styled
def draw_figure7(data: pd.DataFrame) -> Drawing:
    sets = list(dict.fromkeys(data["dataset"]))
    columns = min(4, len(sets))
    figure, axes = panels(-(-len(sets) // columns), columns, 2.6, 2.3)
    for ax in axes.flat[len(sets) :]:
        ax.axis("off")
    for place, (ax, name) in enumerate(zip(axes.flat, sets, strict=False)):
        part = data[data["dataset"] == name]
        ax.axhspan(part["coalescence_low"].iloc[0], part["coalescence_high"].iloc[0], color=ORANGE, alpha=0.2, lw=0)
        ax.axhline(part["coalescence"].iloc[0], color=ORANGE, label="Coalescence")
        ax.plot(part["alpha"], part["error"], "o-", color=BLUE, label="Aggregating")
        ax.axvspan(0, 0.5, color=GREY, alpha=0.07, lw=0)
        ax.set_title(name)
        ax.set_xlabel("alpha" if place + columns >= len(sets) else "")
        ax.set_ylabel("error, per cent" if place % columns == 0 else "")
    axes.flat[0].legend(frameon=False, fontsize=7.5, loc="best")
    return figure


# ------------------------------------------------------------------ Figure 8


def figure8_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    frame = raw["boundary"]
    frame = frame[frame["kind"].isin(["map", "case"])]
    return frame[["kind", "index", "x1", "x2", "label", "bayes", "ensemble", "tree"]].reset_index(drop=True)


@styled
def draw_figure8(data: pd.DataFrame) -> Drawing:
    figure, axes = panels(1, 2, 3.9, 3.8, sharex=True, sharey=True)
    titles = {"ensemble": "100 complete-random trees", "tree": "one C4.5 tree"}
    cases, plane = data[data["kind"] == "case"], data[data["kind"] == "map"]
    grid = {name: plane.pivot(index="x2", columns="x1", values=name) for name in ("bayes", *titles)}
    x1, x2 = grid["bayes"].columns.to_numpy(), grid["bayes"].index.to_numpy()
    for ax, (name, title) in zip(axes[0], titles.items(), strict=True):
        sides = ListedColormap(["#CFE4F2", "#F7E0B8"])
        ax.pcolormesh(x1, x2, grid[name] > 0.5, cmap=sides, shading="nearest", rasterized=True)
        ax.contour(x1, x2, grid["bayes"], [0.5], colors=PURPLE, linewidths=1.6, linestyles="--")
        for code, colour, mark in ((0, BLUE, "o"), (1, VERMILION, "^")):
            part = cases[cases["label"] == code]
            ax.plot(part["x1"], part["x2"], mark, mfc="none", mec=colour, ms=4, ls="")
        ax.set_title(title)
        ax.set_xlabel("x1")
    axes[0, 0].set_ylabel("x2")
    axes[0, 0].plot([], [], "--", color=PURPLE, label="Bayes boundary")
    axes[0, 0].legend(frameon=True, framealpha=0.9, edgecolor="none", fontsize=7.5, loc="upper right")
    return figure


# ------------------------------------------------------------------ Figure 9


@styled
def draw_figure9(data: pd.DataFrame) -> Drawing:
    sets = list(dict.fromkeys(data["dataset"]))
    figure, axes = panels(1, len(sets), 3.8, 3.4)
    for ax, name in zip(axes[0], sets, strict=True):
        part = data[data["dataset"] == name]
        curve = part[part["learner"] == "aggregating"]
        forest = part[part["learner"] == "random_forest"]
        draw_curve(ax, curve, BLUE, "o", f"Aggregating, {len(curve)} values of alpha")
        ax.plot(forest["strength"], forest["correlation"], "-", color=ORANGE, lw=0.8)
        ax.plot(
            forest["strength"],
            forest["correlation"],
            "x",
            color=ORANGE,
            label=f"Random Forest, {len(forest)} values of F",
        )
        note(ax, "F = 1", forest.iloc[0], ORANGE, (7, -9))
        note(ax, f"F = {forest['setting'].iloc[-1]:g}", forest.iloc[-1], ORANGE, (7, 3))
        note(ax, "alpha = 0", curve.iloc[0], BLUE, (2, 7))
        note(ax, "alpha = 1", curve.iloc[-1], BLUE, (-8, -3))
        ax.set_title(name)
        ax.set_xlabel("strength")
        ax.legend(frameon=False, fontsize=7.5, loc="center left")
    axes[0, 0].set_ylabel("correlation")
    return figure


def note(ax: Axes, text: str, row: pd.Series, colour: str, shift: tuple[float, float]) -> None:
    place = (row["strength"], row["correlation"])
    side = "left" if shift[0] > 0 else "right"
    ax.annotate(text, place, xytext=shift, textcoords="offset points", color=colour, fontsize=7.5, ha=side)


# ------------------------------------------------------------------ stability


STUDIES = {
    "size": "training cases k",
    "noise": "share of inverted classes",
    "irrelevant": "irrelevant attributes",
}


@styled
def draw_stability(data: pd.DataFrame) -> Drawing:
    studies = [study for study in STUDIES if study in set(data["study"])]
    figure, axes = panels(1, len(studies), 3.5, 3.3, sharey=True)
    for ax, study in zip(axes[0], studies, strict=True):
        part = data[data["study"] == study]
        x = part["value"]
        ax.plot(x, part["bound"], "--", color=GREY, label="bound: transitions / cases")
        if study == "irrelevant":
            ax.plot(x, part["bound_all_attributes"], ":", color=GREY, label="mean over attributes")
        ax.plot(x, part["test_error"], "s-", color=ORANGE, mfc="white", label="test error")
        error = 1.96 * part["instability_standard_error"]
        ax.errorbar(x, part["instability"], error, fmt="o-", color=BLUE, capsize=2, label="instability, measured")
        ax.plot(x, part["instability_exact"], "x", color=BLACK, label="instability, exact")
        if study == "size":
            ax.set_xscale("log", base=2)
            ax.set_xticks(x, [f"{value:g}" for value in x])
        ax.set_xlabel(STUDIES[study])
    axes[0, 0].set_ylim(bottom=0)
    axes[0, 0].set_ylabel("share of cases")
    axes[0, -1].legend(frameon=False, fontsize=7.5, loc="best")
    return figure


def stability_data(raw: Frames, printed: Frames) -> pd.DataFrame:
    frame = stability_table(raw, printed)
    columns = ["study", "value", "bound", "bound_all_attributes", "test_error", "instability"]
    return frame[[*columns, "instability_standard_error", "instability_exact"]]


# ------------------------------------------------------------------ sensitivity

SIX_LOOKS = {  # colour and mark
    "coalescence": (BLUE, "o"),
    "max_diverse": (ORANGE, "v"),
    "bagging": (VERMILION, "s"),
    "random_subspace": (GREEN, "^"),
    "boosting": (PURPLE, "D"),
    "random_forest": (BLACK, "P"),
}


@styled
def draw_sensitivity(data: pd.DataFrame) -> Drawing:
    """One line a choice: mean error and mean rank of the six methods; thin lines show the first row's."""
    figure, axes = panels(1, 2, width=4.2, height=0.6 + 0.32 * len(data), sharey=True)
    places = np.arange(len(data))[::-1]
    for ax, measure, label in zip(axes[0], ("error", "rank"), ("mean error, %", "mean rank (1 is best)"), strict=True):
        for name, (colour, mark) in SIX_LOOKS.items():
            numbers = data[f"{measure}_{name}"].to_numpy()
            ax.axvline(numbers[0], color=colour, linewidth=0.7, alpha=0.45, zorder=1)
            ax.plot(numbers, places, mark, color=colour, label=NAMES[name], zorder=2)
        ax.set_xlabel(label)
        ax.grid(axis="y", color="#e5e5e5", linewidth=0.7)
        ax.set_axisbelow(True)
    axes[0, 0].set_yticks(places, data["variant"])
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=6, frameon=False, fontsize=8, handletextpad=0.2)
    return figure


FIGURES = {
    "figure1": Figure(
        data=figure1_data,
        draw=draw_figure1,
        title="Figure 1: the spectrum of predictive performance",
        caption=(
            "Mean error against alpha. Bands: bootstrap over data sets of each set's departure from its own level, "
            "so that curves can be compared; diamonds: the means that the paper prints, over 45 sets."
        ),
        sources=("datasets", "spectrum"),
    ),
    "figure2": Figure(
        data=figure2_data,
        draw=draw_figure2,
        title="Figure 2: Friedman ranks along the spectrum",
        caption=(
            "Bars as printed: half a critical difference (Bonferroni-Dunn, 95%) to each side; bars that do not "
            "overlap differ significantly. Solid: not worse than the best; dotted: worse."
        ),
        sources=("datasets", "spectrum"),
    ),
    "figure3": Figure(
        data=figure3_data,
        draw=draw_figure3,
        title="Figure 3: Breiman's bound over strength and correlation",
        caption=(
            "Where the paper sketches two typical curves, two measured ones: (a) a set whose bound is least at "
            "alpha 0, (b) the set whose bound falls most inside the spectrum."
        ),
        sources=("datasets", "spectrum"),
    ),
    "figure4": Figure(
        data=figure4_data,
        draw=draw_figure4,
        title="Figure 4: strength and correlation of three methods",
        caption="One point an alpha, filled at 0.5. The names of the printed sets are lost; these are our choice.",
        sources=("datasets", "spectrum"),
    ),
    "figure5": Figure(
        data=figure5_data,
        draw=draw_ranks,
        title="Figure 5: coalescence against single operating points",
        caption="Mean ranks with bars of half a critical difference (Bonferroni-Dunn, 95%) to each side.",
        sources=("datasets", "spectrum", "coalescence"),
    ),
    "figure6": Figure(
        data=figure6_data,
        draw=draw_ranks,
        title="Figure 6: coalescence against five benchmarks",
        caption=(
            "Mean ranks with bars of half a critical difference (Bonferroni-Dunn, 95%) to each side; diamonds: ranks "
            "recomputed from the printed Table 3 on the same sets."
        ),
        sources=("datasets", "spectrum", "coalescence"),
    ),
    "figure7": Figure(
        data=figure7_data,
        draw=draw_figure7,
        title="Figure 7: coalescence and the points that it coalesces",
        caption=(
            "Band: where 95% of single cross-validations of coalescence fall. Grey: the half of the spectrum that it "
            "draws on. The names of the printed sets are lost; these are our choice."
        ),
        sources=("datasets", "spectrum", "coalescence"),
    ),
    "figure8": Figure(
        data=figure8_data,
        draw=draw_figure8,
        title="Figure 8: the boundary of complete-random trees and of one C4.5 tree",
        caption="A fresh sample of the Gaussian mixture of Hastie, Tibshirani and Friedman (2001), 200 cases.",
        sources=("boundary",),
    ),
    "figure9": Figure(
        data=forest_points,
        draw=draw_figure9,
        title="Figure 9: all F of random forests against alpha",
        caption="Strength and correlation on held-out cases; filled: alpha 0.5.",
        sources=("forests",),
    ),
    "figure_stability": Figure(
        data=stability_data,
        draw=draw_stability,
        title="Appendix B, measured: stability of complete-random ensembles",
        caption=(
            "Leave-one-out instability against the bound of the appendix, as the sample grows, as classes are "
            "inverted and as irrelevant attributes are added. The bound assumes one attribute."
        ),
        sources=("stability",),
    ),
    "sensitivity": Figure(
        data=sensitivity,
        draw=draw_sensitivity,
        title="Choices that the paper leaves open",
        caption=(
            "Mean error and mean rank of the six methods of Table 3, one choice changed at a time; thin lines: as in "
            "Table 3. One run of 10 folds over all sets, the same folds and random streams."
        ),
        sources=("datasets", "sensitivity"),
    ),
}
