"""Sections 3 to 5 and 9.1: what trees span, and where AdaBoost ended."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.results import Results


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
    tolerance=1e-7,
)
def population_boosting(results: Results) -> pd.DataFrame:
    """Where AdaBoost in distribution space ended."""
    rows = results.raw["population_boosting"]
    rows = rows[rows["last"]].drop(columns=["last", "c"])
    rows["error_above_bayes"] = rows["error"] - rows["bayes"]
    return rows.rename(columns={"step": "steps", "excess": "loss_above_1"})


@table(
    title="AdaBoost on finite data after its last round",
    keys=("quantity",),
    sources=("finite_boosting",),
    tolerance=1e-6,
)
def finite_boosting(results: Results) -> pd.DataFrame:
    """How AdaBoost on finite data ended: one row per quantity, one column per sample."""
    rows = results.raw["finite_boosting"].query("part == 'summary'")
    wide = rows.pivot_table(index="at", columns="sample", values="value", sort=False)
    return wide.reindex(list(dict.fromkeys(rows["at"]))).rename_axis("quantity").reset_index().rename_axis(None, axis=1)
