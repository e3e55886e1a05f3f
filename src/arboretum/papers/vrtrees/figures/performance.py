"""Mean errors along the spectrum, over all sets (Figure 1) and on eight of them (Figure 7)."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from arboretum.measures.bootstrap import interval
from arboretum.papers.contract import figure
from arboretum.papers.drawing import BLUE, GREY, ORANGE, label_ends, panels, styled
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.estimates import run_interval
from arboretum.papers.vrtrees.figures.looks import COLOURS, MARKS, eight_sets, panels_of_sets
from arboretum.papers.vrtrees.rates import (
    available_sets,
    bootstrap_weights,
    case_counts,
    learner_rates,
    over_repetitions,
    spectrum_errors,
    spectrum_rates,
)
from arboretum.papers.vrtrees.tables.performance import printed_in_text, printed_over_these_sets

HOLLOW = {"mfc": "white", "ms": 7, "mew": 1.4, "ls": "", "zorder": 3}

# ------------------------------------------------------------------ Figure 1


@styled
def draw_figure1(data: pd.DataFrame) -> Figure:
    drawing, axes = panels(1, 1, 6.4, 4.2)
    ax = axes[0, 0]
    for method, part in data.groupby("method", sort=False):
        colour = COLOURS[method]
        ax.fill_between(part["alpha"], part["low_over_sets"], part["high_over_sets"], color=colour, alpha=0.1, lw=0)
        noise = [part["error"] - part["low"], part["high"] - part["error"]]
        ax.errorbar(part["alpha"], part["error"], noise, fmt="-", marker=MARKS[method], color=colour, capsize=2)
        ax.plot(part["alpha"], part["printed"], "D", mec=colour, **HOLLOW)
        ax.plot(part["alpha"], part["printed_in_text"], "s", mec=colour, gid="printed-means", **HOLLOW)
    ax.plot([], [], "D", mec=GREY, label="printed, the same sets", **HOLLOW)
    ax.plot([], [], "s", mec=GREY, label="printed, all 45 sets", **HOLLOW)
    ends = data.groupby("method", sort=False).last()
    label_ends(ax, {m.capitalize(): (row.alpha, row.error, COLOURS[m]) for m, row in ends.iterrows()}, shift=9)
    ax.set_xlabel("alpha: probability of a deterministic node")
    ax.set_ylabel("mean error, per cent")
    ax.set_xticks(sorted(data["alpha"].unique()))
    ax.legend(frameon=False, loc="upper center", fontsize=8)
    return drawing


@figure(
    title="Figure 1: the spectrum of predictive performance",
    draw=draw_figure1,
    sources=("spectrum",),
    caption=(
        "Mean error against alpha, over data sets and repetitions. Bars: 95%, the sets fixed and the repetitions drawn "
        "anew. Bands: bootstrap over data sets of each set's departure from its own level, so that curves can be "
        "compared. Diamonds: means of what Table 3 prints, over the same sets; squares: the two means in the paper's "
        "text, over all 45 sets, of which print gives no more."
    ),
)
def figure1(results: Results) -> pd.DataFrame:
    """Mean error over sets; over sets: the interval of each set's departure from its own mean over the spectrum."""
    errors = spectrum_errors(results)
    level = np.mean([frame.to_numpy() for frame in errors.values()], axis=(0, 2))[:, None]
    weights = bootstrap_weights(available_sets(results))
    parts = []
    for method, frame in errors.items():
        repeated = over_repetitions(spectrum_rates(results)[method])
        low, high = interval(weights @ (frame.to_numpy() - level))
        columns = {"method": method, "alpha": frame.columns, "error": repeated.mean}
        columns |= dict(zip(("low", "high"), repeated.interval, strict=True))
        columns |= {"low_over_sets": low + level.mean(), "high_over_sets": high + level.mean()}
        columns |= {"printed": [printed_over_these_sets(results, method, alpha) for alpha in frame.columns]}
        columns |= {"printed_in_text": [printed_in_text(results, method, alpha) for alpha in frame.columns]}
        parts.append(pd.DataFrame(columns))
    return pd.concat(parts)


# ------------------------------------------------------------------ Figure 7


@styled
def draw_figure7(data: pd.DataFrame) -> Figure:
    drawing, parts = panels_of_sets(data, 2.3, "alpha", "error, per cent")
    for ax, part in parts:
        ax.axhspan(part["coalescence_low"].iloc[0], part["coalescence_high"].iloc[0], color=ORANGE, alpha=0.2, lw=0)
        ax.axhline(part["coalescence"].iloc[0], color=ORANGE, ls="--", label="Coalescence")
        ax.plot(part["alpha"], part["error"], "o-", color=BLUE, label="Aggregating", ms=3.5)
        ax.axvspan(0, 0.5, color=GREY, alpha=0.07, lw=0)
    parts[0][0].legend(frameon=False, fontsize=7.5, loc="best")
    return drawing


@figure(
    title="Figure 7: coalescence and the points that it coalesces",
    draw=draw_figure7,
    sources=("spectrum", "coalescence"),
    caption=(
        "Means over repetitions. Band: where 95% of single cross-validations of coalescence fall. Grey: the half of "
        "the spectrum that it draws on. The names of the printed sets are lost; these are our choice."
    ),
)
def figure7(results: Results) -> pd.DataFrame:
    """Aggregating along the spectrum, and coalescence with the interval of a single run, on eight sets: means."""
    names = available_sets(results)
    errors = spectrum_errors(results)["aggregating"]
    rates = learner_rates(results)["coalescence"]
    low, high = run_interval(rates, case_counts(results))
    parts = []
    for name in eight_sets(names):
        place = names.index(name)
        level = {"coalescence": rates[place].mean(), "coalescence_low": low[place], "coalescence_high": high[place]}
        curve = {"dataset": name, "alpha": errors.columns, "error": errors.loc[name].to_numpy()}
        parts.append(pd.DataFrame(curve | level))
    return pd.concat(parts)
