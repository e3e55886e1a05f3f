"""Sections 3 to 5 and 9.1: what trees span, and where AdaBoost ended."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.results import Results

BOOSTING_TOLERANCE = 1e-7
FINITE_TOLERANCE = 1e-6  # weights are kept in single precision
DECADES = (1, 10, 100, 1000)  # first steps
RESOLVED = 1e-10  # of the loss above its minimum: below it, rounding shows in the rate


@table(
    title="What trees span",
    keys=("variables", "cells", "leaves"),
    sources=("completeness",),
)
def completeness(results: Results) -> pd.DataFrame:
    """Rank of trees with T leaves on a grid, against the number of functions on it."""
    rows = results.raw["completeness"]
    names = {"boxes": "candidate_leaves", "counted": "rank_by_counting", "parity": "largest_product_with_parity"}
    return rows.rename(columns=names).assign(complete=rows["rank"] == rows["functions"])


@table(
    title="AdaBoost in distribution space",
    keys=("problem", "cells", "leaves"),
    sources=("population_boosting",),
    tolerance=BOOSTING_TOLERANCE,
)
def population_boosting(results: Results) -> pd.DataFrame:
    """Where AdaBoost in distribution space ended."""
    rows = results.raw["population_boosting"]
    rows = rows[rows["last"]].drop(columns=["last", "c"])
    rows["error_above_bayes"] = rows["error"] - rows["bayes"]
    return rows.rename(columns={"step": "steps", "excess": "loss_above_1"})


@table(
    title="How fast AdaBoost converges in distribution space",
    keys=("problem", "leaves", "cells", "from_step"),
    sources=("population_boosting",),
    tolerance=1e-6,
    caption="Beyond print: the power of the number of steps with which the loss above its minimum, and ||s + r||, fell "
    "over a decade of steps, for T > D. On a finer grid the power law holds for longer; once the grid is resolved the "
    "loss falls exponentially. Decades that end below a loss of 1e-10 are left out.",
)
def boosting_rate(results: Results) -> pd.DataFrame:
    """The rate of Theorem 3, decade by decade."""
    rows = results.raw["population_boosting"]
    rows = rows[rows["leaves"] > rows["variables"]]
    out = []
    for (problem, leaves, cells), path in rows.groupby(["problem", "leaves", "cells"]):
        at = path.set_index("step")[["excess", "distance"]]
        for first in DECADES:
            if first * 10 in at.index and at.loc[first * 10, "excess"] > RESOLVED:
                fell = np.log10(at.loc[first * 10] / at.loc[first])
                row = {"problem": problem, "leaves": leaves, "cells": cells, "from_step": first}
                out.append(row | {"loss_exponent": fell["excess"], "distance_exponent": fell["distance"]})
    return pd.DataFrame(out)


@table(
    title="AdaBoost on finite data after its last round",
    keys=("quantity",),
    sources=("finite_boosting",),
    tolerance=FINITE_TOLERANCE,
)
def finite_boosting(results: Results) -> pd.DataFrame:
    """How AdaBoost on finite data ended: one row per quantity, one column per sample."""
    rows = of_samples(results, "summary", again=False)
    wide = rows.pivot_table(index="at", columns="sample", values="value", sort=False)
    return wide.reindex(list(dict.fromkeys(rows["at"]))).rename_axis("quantity").reset_index().rename_axis(None, axis=1)


@table(
    title="Do time averages forget the start?",
    keys=("sample",),
    sources=("finite_boosting",),
    tolerance=FINITE_TOLERANCE,
    caption="Total variation between mean weights over the last half of the rounds: the largest between runs from "
    "different first weights, and the largest within a run between the two quarters of that half. A system that is "
    "ergodic has averages that differ no more between starts than within a run, although the last weights themselves "
    "stay apart. Cases that no stump tells apart count as one.",
)
def ergodicity(results: Results) -> pd.DataFrame:
    """Section 9.1: AdaBoost from several starts."""
    out = averages_of(of_samples(results, "ergodicity", again=False))
    return out[["sample", "within_a_run", "between_starts", "ratio", "between_last_states"]]


def averages_of(rows: pd.DataFrame) -> pd.DataFrame:
    """How far time averages of each sample differ between starts and within a run, and the ratio of the two."""
    wide = rows.pivot_table(index="sample", columns="at", values="value", aggfunc="max")
    out = wide.rename(columns=lambda name: name.replace(" ", "_")).rename_axis(None, axis=1).reset_index()
    return out.assign(ratio=out["between_starts"] / out["within_a_run"])


def of_samples(results: Results, part: str, again: bool) -> pd.DataFrame:
    """Rows of the samples that are watched in detail, or of those that are drawn ``again``."""
    rows = results.raw["finite_boosting"]
    return rows[(rows["part"] == part) & (rows["sample"].str.contains("#", regex=False) == again)]


@table(
    title="AdaBoost on finite data, drawn again",
    keys=("sample",),
    sources=("finite_boosting",),
    tolerance=FINITE_TOLERANCE,
    caption="movement: of the weights per round, the last rounds over the first. period: of the choices in the last "
    "rounds, 0 for none. averages: of the weights, between starts over within a run. margins: their standard deviation "
    "after the last round over that after ten.",
)
def boosting_samples(results: Results) -> pd.DataFrame:
    """Section 9.1: how runs on samples drawn again ended."""
    ended = of_samples(results, "summary", again=True).pivot_table(index="sample", columns="at", values="value")
    averages = averages_of(of_samples(results, "ergodicity", again=True)).set_index("sample")
    shown = pd.DataFrame(
        {
            "movement": ended["movement per round, window"] / ended["movement per round, early"],
            "period": ended["period"].round().astype(int),
            "averages": averages["ratio"],
            "margins": ended["margin sd, last checkpoint"] / ended["margin sd, first checkpoint"],
        }
    )
    return shown.reset_index()
