"""Every claim under every reading of the paper: the matrix of verdicts, and one number along all readings.

The same for every paper that has ``conf/paper/<key>/readings.yaml``. The seeds of ``arboretum seeds`` are one more
axis: each is compared with the control, which has the stored seed and the same smaller size.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from arboretum.papers.contract import figure, table
from arboretum.papers.drawing import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, VERMILION, panels, styled
from arboretum.papers.kit.claims import CONTRADICTED, CORRECTED, INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from arboretum.papers.kit.verdicts import NOT_ASSESSED, checks_table, claims_table, verdicts_on
from arboretum.papers.results import TEXT, NotRun, Results, once

MARKS = {
    REPRODUCED: (BLUE, "o", "reproduced"),
    CORRECTED: (GREEN, "p", "once corrected"),
    INCONCLUSIVE: (ORANGE, "D", "inconclusive"),
    CONTRADICTED: (PURPLE, "s", "paper contradicts itself"),
    NOT_REPRODUCED: (VERMILION, "X", "not reproduced"),
    NOT_ASSESSED: (GREY, ".", "not assessed"),
}
CHOICE = "choice: "  # how a column of choices begins


@once
def _judged(results: Results, reading: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Claims and checks under a reading."""
    verdicts = verdicts_on(results.readings.claims, results.readings[reading])
    return claims_table(verdicts), checks_table(verdicts)


@table(
    readings=True,
    title="Every claim under every reading",
    keys=("claim", "reading"),
    caption="A reading is a named set of choices that the paper leaves open (conf/paper, readings.yaml); the first one "
    "is its text. `same` compares with the text, for a seed with the control of the same size.",
)
def verdicts_by_reading(results: Results) -> pd.DataFrame:
    rows = [
        pd.DataFrame(
            {"claim": found["id"], "reading": name, "conclusion": found["conclusion"], "numbers": found["numbers"]}
        )
        for name in results.readings
        for found, _ in [_judged(results, name)]
    ]
    frame = pd.concat(rows, ignore_index=True)
    text = frame[frame["reading"] == TEXT].set_index("claim")["conclusion"]
    frame["same"] = frame["conclusion"].eq(frame["claim"].map(text))
    seeds = results.readings.seeds
    if len(seeds):
        stored = seeds["seed"] == seeds["seed"].iloc[0]
        control = seeds[stored].set_index("id")["conclusion"]
        frame = pd.concat(
            [
                frame,
                pd.DataFrame(
                    {
                        "claim": seeds["id"],
                        "reading": "seed " + seeds["seed"].astype(str) + np.where(stored, " (control)", ""),
                        "conclusion": seeds["conclusion"],
                        "numbers": seeds["numbers"],
                        "same": seeds["conclusion"].eq(seeds["id"].map(control)),
                    }
                ),
            ],
            ignore_index=True,
        )
    order = {name: place for place, name in enumerate(results.readings.claims)}
    return frame.sort_values("claim", key=lambda claims: claims.map(order), kind="stable", ignore_index=True)


@table(
    readings=True,
    title="One number along all readings",
    keys=("reading",),
    caption="The number of the paper that its readings move, with its interval of 95%, and what each reading chooses.",
)
def headline_by_reading(results: Results) -> pd.DataFrame:
    headline, rows = results.readings.headline, []
    for name, reading in results.readings.described.items():
        checks = _judged(results, name)[1]
        found = checks[(checks["claim"] == headline.claim) & (checks["check"] == headline.check)]
        if len(found) != 1:
            raise NotRun(f"{headline.claim}: {headline.check}")
        one = found.iloc[0]
        row = {"reading": name, "title": headline.title, "value": one["value"], "low": one["low"], "high": one["high"]}
        row |= {"printed": one["printed"], "limit_low": one["limit_low"], "limit_high": one["limit_high"]}
        rows.append(row | {f"{CHOICE}{key}": value for key, value in reading.choices.items()})
    return pd.DataFrame(rows)


@styled
def _draw_matrix(data: pd.DataFrame) -> Figure:
    turned = (~data["same"]).groupby(data["reading"]).sum()
    seeds = [name for name in data["reading"].unique() if name.startswith("seed ")]
    names = sorted((name for name in data["reading"].unique() if name not in seeds), key=lambda name: turned[name])
    columns, claims = [*names, *seeds], list(data["claim"].unique())
    fig, [[ax]] = panels(width=1.9 + 0.34 * len(columns), height=1.9 + 0.19 * len(claims))
    place = {name: number + (0.5 if name in seeds else 0) for number, name in enumerate(columns)}
    height = {claim: -number for number, claim in enumerate(claims)}
    moving = data.loc[~data["same"], "claim"].unique()
    for claim in moving:
        ax.axhspan(height[claim] - 0.5, height[claim] + 0.5, color="#f1efe6", lw=0, zorder=0)
    for conclusion, (colour, mark, label) in MARKS.items():
        rows = data[data["conclusion"] == conclusion]
        if len(rows):
            x, y = rows["reading"].map(place), rows["claim"].map(height)
            ax.scatter(x, y, s=34, color=colour, marker=mark, lw=0, label=label, zorder=2)
    ax.set_xticks(list(place.values()), [f"{name} ({turned[name]})" for name in columns], rotation=60, ha="left")
    ax.xaxis.tick_top()
    ax.set_yticks(list(height.values()), [claim.partition("-")[2] for claim in claims])
    ax.set(xlim=(-0.7, max(place.values()) + 0.7), ylim=(-len(claims) + 0.4, 0.7))
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
    fig.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return fig


@figure(
    readings=True,
    title="Every claim under every reading",
    draw=_draw_matrix,
    caption="Claims down, readings across, those that turn fewest first (in brackets: how many conclusions differ from "
    "the text's; for a seed, from the control's). Shaded: claims whose conclusion depends on the reading or the seed.",
)
def claims_by_reading(results: Results) -> pd.DataFrame:
    return results.tables["verdicts_by_reading"].drop(columns="numbers")


@styled
def draw_curve(data: pd.DataFrame) -> Figure:
    data = data.sort_values("value", kind="stable", ignore_index=True)
    options = [
        (name, option)
        for name in data.columns[data.columns.str.startswith(CHOICE)]
        for option in pd.unique(data[name])
        if data[name].nunique() > 1
    ]
    shares = [2.2, 0.3 + 0.22 * len(options)]
    fig, axes = panels(2, 1, width=2.6 + 0.28 * len(data), height=sum(shares) / 2, height_ratios=shares, sharex=True)
    top, below = axes[:, 0]
    x = np.arange(len(data))
    has = np.isfinite(data[["low", "high"]].to_numpy(float)).all(axis=1)
    low, high = (np.where(has, abs(data["value"] - data[end]), 0) for end in ("low", "high"))
    text = (data["reading"] == TEXT).to_numpy()
    top.errorbar(x, data["value"], yerr=[low, high], fmt="none", ecolor=GREY, elinewidth=1)
    top.scatter(x[~text], data["value"][~text], color=BLUE, zorder=3, label="reading")
    top.scatter(x[text], data["value"][text], color=VERMILION, marker="s", zorder=3, label="the text")
    if np.isfinite(data["printed"]).any():
        top.axhline(data["printed"].iloc[0], color=BLACK, lw=1, ls="--", label="printed")
    top.set_title(data["title"].iloc[0])
    top.legend(frameon=False, fontsize=8, loc="best")
    top.tick_params(axis="x", length=0)
    for number, (name, option) in enumerate(options):
        chosen = (data[name] == option).to_numpy()
        below.scatter(x, np.full(len(x), -number), color="#dddddd", s=14, lw=0)
        below.scatter(x[chosen], np.full(chosen.sum(), -number), color=BLACK, s=18, lw=0)
    below.set_yticks(
        range(0, -len(options), -1), [f"{name.removeprefix(CHOICE)}: {option}" for name, option in options]
    )
    below.set_xticks(x, data["reading"], rotation=60, ha="right")
    below.set(ylim=(-len(options) + 0.4, 0.6), xlim=(-0.6, len(x) - 0.4))
    below.tick_params(length=0)
    for side in below.spines.values():
        side.set_visible(False)
    return fig


@figure(
    readings=True,
    title="One number along all readings",
    draw=draw_curve,
    caption="Every reading of the paper, sorted by the value that it gives, with intervals of 95%; below, its choices.",
)
def specification_curve(results: Results) -> pd.DataFrame:
    return results.tables["headline_by_reading"]


TABLES = (verdicts_by_reading, headline_by_reading)
FIGURES = (claims_by_reading, specification_curve)


def robust(frame: pd.DataFrame) -> pd.Series:
    """Of the table of verdicts by reading: whether a claim has the same conclusion under all readings and seeds."""
    return frame.groupby("claim", sort=False)["same"].all()


def said(frame: pd.DataFrame, choices: pd.DataFrame, claim: str) -> str:
    """How a claim fares, in a sentence: "reproduced under 9 of 12 readings; turns with: missing values"."""
    rows = frame[(frame["claim"] == claim) & ~frame["reading"].str.startswith("seed ")]
    conclusion = rows.loc[rows["reading"] == TEXT, "conclusion"].iloc[0]
    words = f"{conclusion} under {int(rows['same'].sum())} of {len(rows)} readings"
    turning = rows.loc[~rows["same"], "reading"]
    if turning.empty:
        return words
    wide = choices.set_index("reading").filter(like=CHOICE)
    changed = wide.loc[turning].ne(wide.loc[TEXT], axis=1).any()
    return words + "; turns with: " + ", ".join(changed[changed].index.str.removeprefix(CHOICE))
