"""Section 8's conjecture: symmetry and skewness of the kernel against correlation and strength."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from arboretum.measures.ties import first_least, rank
from arboretum.papers.contract import table
from arboretum.papers.infinity.tables.exact_keys import PERCENT, with_exact_keys
from arboretum.papers.results import Results, once


@once
def regimes(results: Results) -> pd.DataFrame:
    """The raw rows, one per problem, tree size and regime of cuts."""
    return with_exact_keys(results.raw["skewness"], "alpha")


@table(
    title="Symmetry and skewness of the kernel",
    keys=("problem", "leaves", "regime", "alpha"),
    sources=("skewness",),
    caption="Symmetry: share of the variance of K(x, z) that |x1-z1| and |x2-z2| explain. Skewness: K between like "
    "points less K between unlike points at the same displacement.",
)
def skewness(results: Results) -> pd.DataFrame:
    """Strength, correlation, symmetry and skewness of every regime of cuts, with standard errors."""
    rows = regimes(results).rename(columns=lambda name: name.replace("_se", "_standard_error"))
    return rows.drop(columns="forests")


@table(
    title="Section 8's conjecture along alpha",
    keys=("trees", "problem"),
    sources=("skewness",),
)
def skewness_conjecture(results: Results) -> pd.DataFrame:
    """Section 8's conjecture along alpha: rank correlations, and where the error is least."""
    return pd.DataFrame(
        [{"trees": trees, "problem": problem, **_along_alpha(path)} for trees, problem, path in paths(results)]
    )


def paths(results: Results) -> Iterator[tuple[str, str, pd.DataFrame]]:
    """Trees, problem and the raw rows of each path along alpha, from random to optimal cuts."""
    rows = regimes(results).query("regime in ['variable-random', 'VR-Trees']")
    for (regime, problem, leaves), group in rows.groupby(["regime", "problem", "leaves"]):
        trees = "VR-Trees, grown out" if regime == "VR-Trees" else f"T = {leaves}"
        yield trees, problem, group.sort_values("alpha", kind="stable")


def _along_alpha(path: pd.DataFrame) -> dict[str, float]:
    best = path.iloc[first_least(path["vote_error"])]
    return {
        "alphas": len(path),
        "strength_with_skewness": float(rank_correlation(path["strength"], path["skewness"])),
        "correlation_with_symmetry": float(rank_correlation(path["correlation"], path["symmetry"])),
        "skewness_at_0": path["skewness"].iloc[0],
        "skewness_at_1": path["skewness"].iloc[-1],
        "symmetry_at_0": path["symmetry"].iloc[0],
        "symmetry_at_1": path["symmetry"].iloc[-1],
        "error_at_0": PERCENT * path["vote_error"].iloc[0],
        "least_error": PERCENT * best["vote_error"],
        "least_error_alpha": best["alpha"],
        "error_at_1": PERCENT * path["vote_error"].iloc[-1],
    }


def rank_correlation(one: ArrayLike, other: ArrayLike) -> np.ndarray:
    """Spearman's rank correlation along the last axis; values that are equal up to rounding share a rank."""
    one, other = (rank(np.asarray(values, dtype=float)) for values in (one, other))
    one, other = (ranks - ranks.mean(axis=-1, keepdims=True) for ranks in (one, other))
    return (one * other).sum(axis=-1) / np.sqrt((one**2).sum(axis=-1) * (other**2).sum(axis=-1))
