"""Every claim under every reading of the paper: the matrix of verdicts, and one number along all readings.

The same for every paper that has ``conf/paper/<key>/readings.yaml``. The seeds of ``arboretum seeds`` are one more
axis: each is compared with the control, which has the stored seed and the same smaller size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
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
MANY = 20  # readings: their names would not fit, the options below name them


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
    "is its text. `same` compares with the text, for a seed with the control of the same size. Claims that rest on "
    "experiments that readings leave out for their cost are not here.",
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
    frame = frame[frame["claim"].map(text) != NOT_ASSESSED].copy()
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


@table(
    readings=True,
    title="The readings of the paper",
    keys=("reading",),
    prose=("why", "source", "decided_by"),
    caption="What each reading chooses, why it is defensible and where it comes from. Decided by: printed numbers that "
    "only one option of a choice can give. Where every combination of options is a reading, those that differ from the "
    "text in one option stand for all.",
)
def readings_explained(results: Results) -> pd.DataFrame:
    text = results.readings.described[TEXT].choices
    rows = [
        {"reading": name, "why": reading.why, "source": reading.source, "decided_by": reading.decided_by}
        | {f"{CHOICE}{key}": value for key, value in reading.choices.items()}
        for name, reading in results.readings.described.items()
        if not reading.crossed or sum(reading.choices[key] != text[key] for key in text) < 2
    ]
    return pd.DataFrame(rows)


def choices_of(results: Results) -> pd.DataFrame:
    """What every reading chooses: readings x choices."""
    return pd.DataFrame.from_dict(
        {name: dict(reading.choices) for name, reading in results.readings.described.items()}, orient="index"
    )


def pairs_of(choices: pd.DataFrame) -> Iterator[tuple[str, str, str]]:
    """Every choice with each two readings that differ in nothing else; ``choices`` are readings x choices."""
    for choice in choices:
        rest = [tuple(row) for row in choices.drop(columns=choice).to_numpy()]
        for (one, same), (other, as_well) in combinations(zip(choices.index, rest, strict=True), 2):
            if same == as_well:
                yield choice, one, other


def by_what_decides(conclusions: pd.DataFrame, choices: pd.DataFrame) -> tuple[list[str], list[str]]:
    """Choices, those first that turn most claims, and readings in order of their options of these choices.

    ``conclusions`` are readings x claims. A choice turns as many claims as differ, in the mean, between two readings
    that differ in nothing else.
    """
    turned: dict[str, list[int]] = {choice: [0] for choice in choices}
    for choice, one, other in pairs_of(choices):
        turned[choice].append((conclusions.loc[one] != conclusions.loc[other]).sum())
    order = sorted(choices, key=lambda choice: -sum(turned[choice]) / max(len(turned[choice]) - 1, 1))
    place = {choice: list(dict.fromkeys(choices[choice])) for choice in order}
    return order, sorted(
        choices.index, key=lambda name: [place[choice].index(choices.loc[name, choice]) for choice in order]
    )


@styled
def draw_matrix(data: pd.DataFrame) -> Figure:
    columns, claims = list(data["reading"].unique()), list(data["claim"].unique())
    options = options_of(data.drop_duplicates("reading"))
    seeds, many = [name for name in columns if name.startswith("seed ")], len(columns) > MANY
    shares = [0.19 * len(claims), 0.1 + 0.17 * len(options)]
    fig, axes = panels(
        2,
        1,
        width=2.6 + (0.2 if many else 0.34) * len(columns),
        height=(sum(shares) + (1.1 if many else 2.1)) / 2,
        height_ratios=shares,
        sharex=True,
    )
    ax, below = axes[:, 0]
    place = {name: number + (0.5 if name in seeds else 0) for number, name in enumerate(columns)}
    height = {claim: -number for number, claim in enumerate(claims)}
    for claim in data.loc[~data["same"], "claim"].unique():
        ax.axhspan(height[claim] - 0.5, height[claim] + 0.5, color="#f1efe6", lw=0, zorder=0)
    for conclusion, (colour, mark, label) in MARKS.items():
        rows = data[data["conclusion"] == conclusion]
        if len(rows):
            x, y = rows["reading"].map(place), rows["claim"].map(height)
            ax.scatter(x, y, s=20 if many else 34, color=colour, marker=mark, lw=0, label=label, zorder=2)
    draw_options(below, data.drop_duplicates("reading"), options, list(place.values()))
    turned = (~data["same"]).groupby(data["reading"]).sum()
    ax.set_yticks(list(height.values()), [claim.partition("-")[2] for claim in claims], fontsize=8)
    ax.set(xlim=(-0.7, max(place.values()) + 0.7), ylim=(-len(claims) + 0.4, 0.7))
    ax.tick_params(length=0, labelbottom=False)
    above = ax.secondary_xaxis("top")
    names = [str(turned[name]) if many else f"{name} ({turned[name]})" for name in columns]
    turn = {"fontsize": 7} if many else {"rotation": 60, "ha": "left"}
    above.set_xticks(list(place.values()), names, **turn)
    above.tick_params(length=0)
    for side in (*ax.spines.values(), *above.spines.values()):
        side.set_visible(False)
    fig.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=8)
    return fig


def options_of(data: pd.DataFrame) -> list[tuple[str, str]]:
    """The choices in which readings differ, and their options, in order; ``data`` has a column for each choice."""
    return [
        (name, option)
        for name in data.columns[data.columns.str.startswith(CHOICE)]
        if data[name].nunique() > 1
        for option in data[name].dropna().unique()
    ]


def draw_options(ax: Axes, data: pd.DataFrame, options: list[tuple[str, str]], x: Sequence[float]) -> None:
    """Which options each reading has: a row of dots for each option, black where a reading has it."""
    x = np.asarray(x)
    for number, (name, option) in enumerate(options):
        chosen, any_choice = (data[name] == option).to_numpy(), data[name].notna().to_numpy()
        ax.scatter(x[any_choice], np.full(any_choice.sum(), -number), color="#dddddd", s=12, lw=0)
        ax.scatter(x[chosen], np.full(chosen.sum(), -number), color=BLACK, s=16, lw=0)
    names = [f"{name.removeprefix(CHOICE)}: {option}" for name, option in options]
    ax.set_yticks(range(0, -len(options), -1), names, fontsize=8)
    ax.set(ylim=(-len(options) + 0.4, 0.6))
    ax.tick_params(length=0, labelbottom=False)
    for side in ax.spines.values():
        side.set_visible(False)


@figure(
    readings=True,
    title="Every claim under every reading",
    draw=draw_matrix,
    caption="Claims down, readings across; above each, how many conclusions differ from the text's (for a seed, from "
    "the control's). Shaded: claims whose conclusion depends on the reading or the seed. Below, what each reading "
    "chooses: the choice that turns most claims stands first, and readings are sorted by it, then by the next.",
)
def claims_by_reading(results: Results) -> pd.DataFrame:
    frame, choices = results.tables["verdicts_by_reading"].drop(columns="numbers"), choices_of(results)
    conclusions = frame.pivot(index="reading", columns="claim", values="conclusion").loc[choices.index]
    order, readings = by_what_decides(conclusions, choices)
    columns = {name: number for number, name in enumerate(dict.fromkeys([*readings, *frame["reading"]]))}
    claims = {name: number for number, name in enumerate(frame["claim"].unique())}
    rows = np.lexsort((frame["reading"].map(columns), frame["claim"].map(claims)))
    named = choices[order].add_prefix(CHOICE).rename_axis("reading").reset_index()
    return frame.iloc[rows].merge(named, on="reading", how="left")


@styled
def draw_curve(data: pd.DataFrame) -> Figure:
    data = data.sort_values("value", kind="stable", ignore_index=True)
    options, many = options_of(data), len(data) > MANY
    shares = [2.2, 0.1 + 0.17 * len(options)]
    width, names = (0.2, 0.6) if many else (0.34, 1.8)
    fig, axes = panels(
        2, 1, width=2.6 + width * len(data), height=(sum(shares) + names) / 2, height_ratios=shares, sharex=True
    )
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
    top.legend(frameon=False, fontsize=8, loc="upper left")  # values rise to the right
    top.tick_params(axis="x", length=0)
    draw_options(below, data, options, x)
    if not many:
        below.set_xticks(x, data["reading"], rotation=60, ha="right")
        below.tick_params(labelbottom=True)
    below.set(xlim=(-0.6, len(x) - 0.4))
    return fig


@figure(
    readings=True,
    title="One number along all readings",
    draw=draw_curve,
    caption="Every reading of the paper, sorted by the value that it gives, with intervals of 95%; below, its choices.",
)
def specification_curve(results: Results) -> pd.DataFrame:
    return results.tables["headline_by_reading"]


TABLES = (verdicts_by_reading, headline_by_reading, readings_explained)
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
    wide, found = choices.set_index("reading").filter(like=CHOICE), rows.set_index("reading")["conclusion"]
    turns = dict.fromkeys(choice for choice, one, other in pairs_of(wide) if found[one] != found[other])
    if not turns:  # only several choices together turn it
        changed = wide.loc[turning].ne(wide.loc[TEXT], axis=1).any()
        turns = dict.fromkeys(changed[changed].index)
    return words + "; turns with: " + ", ".join(choice.removeprefix(CHOICE) for choice in turns)
