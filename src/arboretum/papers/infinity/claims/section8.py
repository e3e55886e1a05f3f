"""Section 8: its printed numbers under every reading, triangular cuts, the bound on the rise, the conjecture."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.infinity.claims.readings import (
    fall,
    over_forests,
    over_readings,
    reading_as_stated,
    share_of_readings,
)
from arboretum.papers.infinity.tables.exact_keys import PERCENT
from arboretum.papers.infinity.tables.section8 import ANALYTIC, BAYES, RISE, ROOM, UNIT_SQUARE, kept, smallest_trees
from arboretum.papers.infinity.tables.skewness import paths, rank_correlation
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import Estimate, exact, from_samples, mean_of, ratio_of
from arboretum.papers.results import Results
from arboretum.seeds import generator

DRAWS = 2000


def readings_of(results: Results, number: str) -> pd.DataFrame:
    """The rows of the table of readings that belong to a printed number."""
    rows = results.tables["readings"]
    return rows[rows["number"] == number]


def near(values: pd.Series, printed: pd.Series | float, room: float) -> pd.Series:
    """Whether each reading gives the printed number."""
    return pd.Series(at_most((values - printed).abs(), room), index=values.index)


@claim("infinity-c14", evidence=("figure2", "section8", "readings"))
def gaussians(results: Results):
    """Bayes rate and rise of the two Gaussians: as stated, and in how many readings both come out."""
    rows, stated = readings_of(results, "Gaussians"), reading_as_stated(results, "Gaussians")
    rows = rows[rows["rule"].isin(ANALYTIC)]
    bayes = near(rows["bayes"], rows["bayes_printed"], ROOM["Gaussians"][BAYES])
    rise = near(rows["increase"], rows["increase_printed"], ROOM["Gaussians"][RISE])
    return {
        "readings that give both numbers": share_of_readings(bayes & rise),
        "Bayes rate as stated": exact(PERCENT * stated["bayes"]),
        "rise as stated": exact(PERCENT * stated["increase"]),
    }


@claim("infinity-c15", evidence=("figure3", "section8", "readings"))
def linear_boundary(results: Results):
    """How much of X lies between kernel boundary and line, and the error of Theorem 4's boundary on the grid."""
    rows, stated = readings_of(results, "linear"), reading_as_stated(results, "linear")
    rows = kept(rows, rows["square"] == UNIT_SQUARE)
    rows = rows[rows["rule"].isin(ANALYTIC)]
    shared, whole = (kept(rows, rows["cells"] == cells) for cells in ("share", "centre"))
    grids = kept(shared, shared["masses"] == "natural")
    grids = grids[grids["rule"] == "printed kernel"]
    return {
        "between the boundaries": over_readings(map(exact, shared["increase"])),
        "error on the printed grid": exact(PERCENT * (stated["bayes"] + stated["increase"])),
        "error by grid": {f"{row.grid} cells per side": exact(row.bayes + row.increase) for row in grids.itertuples()},
        "between the boundaries, whole cells": over_readings(map(exact, whole["increase"])),
    }


@claim("infinity-c16", evidence=("figure5", "section8", "readings"))
def circle(results: Results):
    """The rise at the circle as stated, and the readings that have the printed rise and the bias of the text."""
    rows = readings_of(results, "circle")
    rows = kept(rows, rows["square"] == UNIT_SQUARE)
    value = rows["increase"].where(rows["unit"] == "probability", rows["area"])
    rise, bias = near(value, rows["increase_printed"], ROOM["circle"][RISE]), less(rows["bias"], 0.0)
    return {
        "readings with the printed rise and the bias": share_of_readings(rise & bias),
        "readings with the printed rise": share_of_readings(rise),
        "readings with the bias toward class -1": share_of_readings(bias),
        "rise as stated": exact(PERCENT * reading_as_stated(results, "circle")["increase"]),
    }


@claim("infinity-c17", evidence=("figure7", "figure6", "skewing"))
def triangular_cuts_reduce_the_error(results: Results):
    """How far the error falls from uniform to triangular cuts, the same reading on both sides."""
    rows = smallest_trees(results).query("problem == 'circle' and forests > 0")
    rows = kept(rows, rows["square"] == UNIT_SQUARE)
    keys = ["masses", "cells", "grid", "rule"]
    uniform, skewed = (rows[rows["cuts"] == cuts].sort_values(keys) for cuts in ("uniform", "triangular"))
    printed = readings_of(results, "circle, skewed")["increase_printed"].iloc[0]
    pairs = list(zip((row for _, row in uniform.iterrows()), (row for _, row in skewed.iterrows()), strict=True))
    return {
        "fall of the error": over_readings(fall(before, after) for before, after in pairs),
        "triangular over uniform": over_readings(
            ratio_of(over_forests(after, "increase"), over_forests(before, "increase")) for before, after in pairs
        ),
        "error as stated": over_forests(reading_as_stated(results, "circle, skewed"), "increase"),
        "readings with the printed error": share_of_readings(
            near(PERCENT * skewed["increase"], printed, ROOM["circle, skewed"][RISE])
        ),
    }


@claim("infinity-c18", evidence=("bound",))
def rise_is_bounded(results: Results):
    """The largest gap between the rise over Bayes and the integral of |D| over the symmetric difference."""
    rows = results.tables["bound"]
    return {"gap": exact(rows["largest_gap"].max()), "rules and readings": exact(rows["readings"].sum())}


def along_alpha(path: pd.DataFrame, one: str, other: str) -> Estimate:
    """A rank correlation along alpha, and again of means drawn within their errors over forests."""
    value, forests = float(rank_correlation(path[one], path[other])), int(path["forests"].min())
    if forests < 3:
        return mean_of(np.array([value]), f"{forests} forests")
    rng = generator(purpose="rank correlation")
    drawn = [
        path[name].to_numpy() + path[f"{name}_se"].to_numpy() * rng.standard_t(forests - 1, (DRAWS, len(path)))
        for name in (one, other)
    ]
    return from_samples(value, rank_correlation(*drawn), f"{forests} forests at each alpha")


@claim("infinity-c19", evidence=("skewness_strength", "skewness_conjecture"))
def skewness_is_strength(results: Results):
    """Rank correlations along alpha, from random to optimal cuts."""
    found = {f"{problem}, {trees}": path for trees, problem, path in paths(results)}
    return {
        "strength with skewness": {name: along_alpha(path, "strength", "skewness") for name, path in found.items()},
        "correlation with symmetry": {
            name: along_alpha(path, "correlation", "symmetry") for name, path in found.items()
        },
    }
