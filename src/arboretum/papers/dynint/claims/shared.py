"""What the claims of dynint share: the 95% interval of a mean over replications of the printed protocol decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from arboretum.measures.bootstrap import interval
from arboretum.papers.dynint.tables.shared import (
    NEIGHBOURS,
    TREES,
    improved_in_print,
    mean_and_error,
    without_stand_in,
)
from arboretum.papers.results import NotRun, Results
from arboretum.papers.verdicts import all_parts, judge

Interval = tuple[float, float]


def near(found: pd.Series, inside: Interval) -> str:
    """The verdict of a mean with the reach of its interval."""
    return judge(found["mean"] - found["reach"], found["mean"] + found["reach"], inside)


def near_all(found: pd.DataFrame, inside: Interval) -> str:
    """The verdict of several means that must all lie inside."""
    return all_parts(*near_each(found, inside))


def near_each(found: pd.DataFrame, inside: Interval) -> list[str]:
    return [near(row, inside) for _, row in found.iterrows()]


def interval_of_mean(counts: Sequence[float]) -> Interval:
    """The 95% interval of the mean of a count over replications."""
    found = mean_and_error(pd.DataFrame([np.asarray(counts, dtype=float)])).iloc[0]
    return float(found["mean"] - found["reach"]), float(found["mean"] + found["reach"])


def interval_of_count(samples: np.ndarray) -> Interval:
    """The central 95% of a count over bootstrap samples."""
    low, high = interval(np.asarray(samples, dtype=float))
    return float(low), float(high)


def sets_of_means(results: Results) -> list[str]:
    """The sets that means are taken over: those of the 12 that are the paper's own. None at this profile: not run."""
    names = without_stand_in(improved_in_print(results))
    if not names:
        raise NotRun("no set of the 12 is in this profile")
    return names


def one(runs: pd.DataFrame, strategy: str, scheme: str = "", trees: int = TREES, neighbours: int = NEIGHBOURS):
    """The runs of one configuration; those of voting have neither scheme nor neighbours."""
    return runs.loc[(strategy, scheme, trees, 0 if strategy == "sv" else neighbours)]


def described(runs: pd.Series) -> pd.Series:
    """Mean, standard error and reach of one row of runs."""
    return mean_and_error(runs.to_frame().T).iloc[0]


def with_errors(differences: Mapping[object, pd.Series]) -> pd.DataFrame:
    """Mean and standard error of several rows of runs, by name."""
    return mean_and_error(pd.DataFrame(dict(differences)).T)


def percent(found: pd.DataFrame, column: str = "mean") -> dict[str, float]:
    """A column in points (per cent), by name."""
    return {str(name): float(100 * value) for name, value in found[column].items()}


def plain(found: pd.DataFrame, column: str = "mean") -> dict[str, float]:
    return {str(name): float(value) for name, value in found[column].items()}
