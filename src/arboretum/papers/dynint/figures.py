"""The figures of dynint: its four, each beside what is known of the printed one, and what lies beyond print."""

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
    SKY,
    VERMILION,
    label_ends,
    panels,
    styled,
)
from arboretum.papers.dynint.tables.studies import (
    NEIGHBOURS,
    STAND_IN,
    STUDIES,
    TREES,
    accuracies,
    improved_in_print,
    margins,
    printed_sets,
    whole,
    without_stand_in,
)
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.curves import mean_and_error, mean_over_sets, reach
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results

SIZE_COLOURS = {10: SKY, 25: GREEN, 50: ORANGE, 100: BLUE}
METHODS = {"SV": GREY, "DVSheom": ORANGE, "DVSheomw": VERMILION, "DVSrf": SKY, "DVSrfw": BLUE}
MARKS = {"SV": "s", "DVSheom": "v", "DVSheomw": "^", "DVSrf": "D", "DVSrfw": "o"}


def groups_of(names: list[str]) -> dict[str, list[str]]:
    """The sets that a mean is taken over, without the stand-in first."""
    own = without_stand_in(names)
    groups = {f"{len(own)} sets": own}
    return groups | ({f"{len(names)} sets, {STAND_IN} a stand-in": names} if len(own) < len(names) else {})


def tree_axis(ax: Axes, sizes) -> None:
    ax.set_xscale("log")
    ax.set_xticks(sorted(sizes), [f"{size:g}" for size in sorted(sizes)])
    ax.minorticks_off()
    ax.set_xlabel("trees")


def grid(ax: Axes) -> None:
    ax.grid(axis="y", color="#DDDDDD", lw=0.6)
    ax.set_axisbelow(True)


def label_panels(ends: dict[Axes, dict[str, tuple[float, float, str]]]) -> None:
    """Name the lines of panels that share their axis, once all of them are drawn and the axis stays as it is."""
    low, high = next(iter(ends)).get_ylim()
    for ax, names in ends.items():
        ax.set_ylim(low, high + 0.06 * (high - low))
        label_ends(ax, names)


# ------------------------------------------------------------------ Figure 1


@styled
def draw_neighbourhoods(data: pd.DataFrame) -> Figure:
    names = list(dict.fromkeys(data["sets"]))
    drawing, axes = panels(1, len(names), 4.2, 3.4, sharey=True)
    ends = {ax: {} for ax in axes[0]}
    for ax, name in zip(axes[0], names, strict=True):
        here = data[data["sets"] == name]
        for size, rows in here.groupby("trees"):
            colour, last = SIZE_COLOURS.get(size, BLACK), rows.iloc[-1]
            bars = reach(rows, "accuracy")
            ax.errorbar(rows["neighbours"], rows["accuracy"], bars, fmt="-o", color=colour, capsize=2)
            ax.axhline(last["voting"], color=colour, lw=1, ls=":")
            ends[ax][f"{size} trees"] = (last["neighbours"], last["accuracy"], colour)
        numbers = sorted(here["neighbours"].unique())
        ax.set_xscale("log")
        ax.set_xticks(numbers, [f"{number:g}" for number in numbers])
        ax.minorticks_off()
        ax.set(title=name, xlabel="neighbours")
        grid(ax)
    label_panels(ends)
    axes[0, 0].set_ylabel("accuracy")
    return drawing


@figure(
    title="Figure 1: accuracy of DVS against the neighbourhood",
    draw=draw_neighbourhoods,
    sources=STUDIES,
    caption=(
        "Mean over the sets improved in print and the four schemes; bars: 95% of a mean, most of which "
        "all points of a panel share, since they have the same splits. Dotted: simple voting of as many trees."
    ),
)
def figure1(results: Results) -> pd.DataFrame:
    """Mean accuracy for each ensemble size and neighbourhood."""
    rows = []
    for name, sets in groups_of(improved_in_print(results)).items():
        runs = whole(accuracies(results))
        voting = mean_over_sets(mean_and_error(runs.loc[:, "sv", :, :, :].droplevel(["scheme", "neighbours"])), sets)
        schemes = runs.xs("dvs", level="strategy").groupby(level=["dataset", "trees", "neighbours"]).mean()
        chosen = schemes[schemes.index.get_level_values("dataset").isin(sets)]
        for (trees, neighbours), here in chosen.groupby(level=["trees", "neighbours"]):
            row = {"sets": name, "trees": trees, "neighbours": neighbours}
            row |= with_ends("accuracy", mean_of(list(here.to_numpy())))
            rows.append(row | {"voting": voting.loc[trees, "mean"]})
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ Figures 2, 3 and 4


def by_ensemble_size(results: Results, runs: pd.DataFrame, names: list[str], file: str) -> pd.DataFrame:
    """Voting and the four schemes of DVS with 15 neighbours, for each ensemble size, with print at 100 trees."""
    rows, text = [], results.printed[file].set_index("dataset")
    for group, sets in groups_of(names).items():
        means = mean_over_sets(mean_and_error(runs), sets)
        printed_as = printed_sets(results).set_index("dataset").loc[sets, "printed_as"]
        for method in METHODS:
            strategy, scheme = ("sv", "") if method == "SV" else ("dvs", method.removeprefix("DVS"))
            known = means.xs(
                (strategy, scheme, 0 if strategy == "sv" else NEIGHBOURS), level=["strategy", "scheme", "neighbours"]
            )
            printed = text.loc[printed_as, f"{strategy}_{scheme}".rstrip("_")].mean()
            for trees, (mean, error) in zip(known.index, known.to_numpy(), strict=True):
                rows.append(
                    {
                        "sets": group,
                        "method": method,
                        "trees": trees,
                        "value_printed": printed if trees == TREES else np.nan,
                        "value": mean,
                        "value_standard_error": error,
                    }
                )
    return pd.DataFrame(rows)


@styled
def draw_sizes(data: pd.DataFrame, measure: str) -> Figure:
    names = list(dict.fromkeys(data["sets"]))
    drawing, axes = panels(1, len(names), 4.3, 3.6, sharey=True)
    ends = {ax: {} for ax in axes[0]}
    for ax, name in zip(axes[0], names, strict=True):
        here = data[data["sets"] == name]
        for place, (method, rows) in enumerate(here.groupby("method", sort=False)):
            colour, last = METHODS[method], rows.iloc[-1]
            ax.plot(rows["trees"], rows["value"], "-", marker=MARKS[method], color=colour)
            beside = rows["trees"] * 1.06 ** (place - 2)  # printed marks side by side, not on top of each other
            ax.plot(
                beside, rows["value_printed"], marker=MARKS[method], mfc="white", mec=colour, ms=6.5, ls="", zorder=3
            )
            ends[ax][method] = (last["trees"] * 1.12, last["value"], colour)
        tree_axis(ax, here["trees"].unique())
        error = here.loc[here["trees"] == here["trees"].max(), "value_standard_error"].mean()
        ax.set_title(f"{name} (standard error {error:.4f})")
        grid(ax)
    label_panels(ends)
    table = "printed, Table 3" if measure == "margin" else "printed, Table 2"
    axes[0, 0].plot([], [], "o", mfc="white", mec=GREY, ms=6.5, ls="", label=table)
    axes[0, 0].legend(frameon=False, fontsize=8, loc="upper left" if measure == "accuracy" else "best")
    axes[0, 0].set_ylabel(measure)
    return drawing


def draw_accuracies(data: pd.DataFrame) -> Figure:
    return draw_sizes(data, "accuracy")


def draw_margins(data: pd.DataFrame) -> Figure:
    return draw_sizes(data, "margin")


SHARED_ERROR = (
    "Means over studies of 30 splits. Open marks: means of the printed table over the same sets. Standard error: "
    "that of one mean; differences between lines are far surer, since all have the same splits and forests."
)


@figure(
    title="Figure 2: accuracy against the number of trees",
    draw=draw_accuracies,
    sources=STUDIES,
    caption=f"Mean over the sets improved in print, 15 neighbours. {SHARED_ERROR}",
)
def figure2(results: Results) -> pd.DataFrame:
    return by_ensemble_size(results, accuracies(results), improved_in_print(results), "table2_accuracy")


@figure(
    title="Figure 3: accuracy on numeric sets",
    draw=draw_accuracies,
    sources=STUDIES,
    caption=f"As Figure 2, over the numeric ones of these sets. {SHARED_ERROR}",
)
def figure3(results: Results) -> pd.DataFrame:
    kinds = printed_sets(results).set_index("dataset")["feature_type"]
    names = [name for name in improved_in_print(results) if kinds[name] == "numeric"]
    return by_ensemble_size(results, accuracies(results), names, "table2_accuracy")


@figure(
    title="Figure 4: margin against the number of trees",
    draw=draw_margins,
    sources=STUDIES,
    caption=f"Mean over the sets improved in print, 15 neighbours. {SHARED_ERROR}",
)
def figure4(results: Results) -> pd.DataFrame:
    return by_ensemble_size(results, margins(results), improved_in_print(results), "table3_margin")


# ------------------------------------------------------------------ beyond print


ENSEMBLE_COLOURS = {"random forest": BLUE, "Coalescence": GREEN, "PERT": PURPLE}  # VR-Trees: orange


@styled
def draw_diversity(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, 4.6, 3.8)
    for ax, column, label in ((axes[0, 0], "gain", "accuracy"), (axes[0, 1], "margin_gain", "margin")):
        trees = data[~data["ensemble"].isin(ENSEMBLE_COLOURS)].sort_values("disagreement")
        ax.plot(trees["disagreement"], trees[column], "-", color=ORANGE, lw=1)
        for row in data.to_dict("records"):
            name, place = row["ensemble"], (row["disagreement"], row[column])
            colour = ENSEMBLE_COLOURS.get(name, ORANGE)
            ends = [[row[column] - row[f"{column}_low"]], [row[f"{column}_high"] - row[column]]]
            ax.errorbar(*place, yerr=ends, fmt="o", color=colour, capsize=2)
            text = f"α {name.split()[-1]}" if colour == ORANGE else name
            shift, side = ((-7, 5), "right") if colour in (GREEN, PURPLE) else ((6, -10), "left")
            ax.annotate(text, place, shift, textcoords="offset points", color=colour, fontsize=8, ha=side)
        ax.axhline(0, color=BLACK, lw=0.7)
        ax.set(xlabel="disagreement of the trees", ylabel=f"{label} of DVSrfw less that of voting")
        ax.margins(x=0.14)
        grid(ax)
    axes[0, 0].plot([], [], "-o", color=ORANGE, label="VR-Trees over α")
    axes[0, 0].legend(frameon=False, fontsize=8, loc="upper left")
    return drawing


@figure(
    title="Does dynamic integration gain more where trees are more diverse?",
    draw=draw_diversity,
    sources=("diversity",),
    caption=(
        "Ensembles of 100 trees on bootstrap samples, 26 sets; bars: 95%, over repetitions. Disagreement: share of "
        "pairs of trees that differ on a case."
    ),
)
def gain_and_diversity(results: Results) -> pd.DataFrame:
    columns = [f"{name}{end}" for name in ("gain", "margin_gain") for end in ("", "_low", "_high")]
    return results.tables["diversity"][["ensemble", "disagreement", *columns]]


RULES = {"sv": "voting", "knora_e": "KNORA-E", "knora_u": "KNORA-U"}  # others in capitals
JUDGED = {"out of bag": (BLUE, "o", 0.12), "held out": (ORANGE, "s", -0.12)}


@styled
def draw_selectors(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 2, 4.4, 3.6, sharex=True, sharey=True)
    names = list(dict.fromkeys(data["method"]))
    for ax, similarity in zip(axes[0], ("heom", "forest"), strict=True):
        for judged, (colour, mark, shift) in JUDGED.items():
            rows = data[(data["similarity"] == similarity) & (data["judged"] == judged)]
            place = [shift - names.index(name) for name in rows["method"]]
            ax.errorbar(rows["gain"], place, xerr=reach(rows, "gain"), fmt=mark, color=colour, capsize=2, label=judged)
        ax.axvline(0, color=BLACK, lw=0.7)
        ax.set_yticks(range(0, -len(names), -1), [RULES.get(name, name.upper()) for name in names])
        ax.set(title=f"neighbours by {'HEOM' if similarity == 'heom' else 'forest similarity'}")
        ax.set_xlabel("points of accuracy over voting of the whole forest")
        ax.grid(axis="x", color="#DDDDDD", lw=0.6)
        ax.set_axisbelow(True)
    axes[0, 0].legend(title="trees judged", frameon=False, fontsize=8, title_fontsize=8, loc="upper left")
    return drawing


@figure(
    title="Rules of dynamic selection, judged out of bag and on a held-out part",
    draw=draw_selectors,
    sources=("selectors",),
    caption=(
        "Mean over all 27 sets, 100 trees, 15 neighbours; bars: 95%, over the splits of these sets. held out: a third "
        "of the cases to learn from judges the trees and grows none, which lowers voting itself."
    ),
)
def rules_of_selection(results: Results) -> pd.DataFrame:
    columns = ["judged", "similarity", "method", "gain", "gain_low", "gain_high"]
    return results.tables["selectors"][columns]


FIGURES = by_name(figure1, figure2, figure3, figure4, gain_and_diversity, rules_of_selection)
