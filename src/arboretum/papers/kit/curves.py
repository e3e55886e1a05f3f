"""Runs as rows: their means with intervals, differences from a rival on the same runs, and curves with bands."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from arboretum.papers.kit.estimate import mean_of


def means(runs: pd.DataFrame, by: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    """One row per group: the mean of each column over its runs, and ``_low`` and ``_high`` of its interval.

    The interval is that of :func:`mean_of`; both ends are NaN where there are too few runs for one.
    """
    groups = runs.groupby(list(by), sort=False)
    found = pd.DataFrame({"runs": groups.size()})
    for column in columns:
        estimates = [mean_of(values) for values in np.split(*_sorted_runs(groups, column))]
        ends = np.array([one.interval for one in estimates])
        ends[np.isinf(ends)] = np.nan
        found[column], found[f"{column}_low"], found[f"{column}_high"] = [one.value for one in estimates], *ends.T
    return found.reset_index()


def mean_and_error(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs, one column each, and its standard error; empty where a row has no such run."""
    return pd.DataFrame({"mean": runs.mean(axis=1), "se": runs.sem(axis=1)})


def mean_over_sets(found: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Mean over sets, whose runs are independent, with its standard error; from mean and error of each set."""
    chosen = found[found.index.get_level_values("dataset").isin(list(names))]
    axes = [name for name in found.index.names if name != "dataset"]
    sums = chosen.assign(se=chosen["se"] ** 2).groupby(level=axes).sum()
    return pd.DataFrame({"mean": sums["mean"] / len(names), "se": np.sqrt(sums["se"]) / len(names)})


def _sorted_runs(groups, column: str) -> tuple[np.ndarray, np.ndarray]:
    """The values of a column group by group, and where each group but the first begins."""
    order = np.argsort(groups.ngroup().to_numpy(), kind="stable")
    return groups.obj[column].to_numpy(float)[order], np.cumsum(groups.size().to_numpy())[:-1]


def less(runs: pd.DataFrame, rival: str, columns: Sequence[str], run: Sequence[str], suffix: str) -> pd.DataFrame:
    """The runs, each of those columns also less the value of the learner ``rival`` on the same ``run``."""
    own = runs[runs["learner"] == rival].set_index(list(run))[list(columns)]
    other = own.reindex(pd.MultiIndex.from_frame(runs[list(run)])).to_numpy()
    return runs.assign(**{f"{name}{suffix}": runs[name] - other[:, place] for place, name in enumerate(columns)})


def reach(rows: pd.DataFrame, column: str) -> np.ndarray:
    """How far the interval of a column reaches to either side: what ``errorbar`` takes."""
    return np.stack([rows[column] - rows[f"{column}_low"], rows[f"{column}_high"] - rows[column]])


def band(ax: Axes, rows: pd.DataFrame, x: str, y: str, colour: str, line: str = "-", width: float = 1.4, **options):
    """A curve of :func:`means` with its interval as a band, and the printed values as dots where there are such."""
    ax.fill_between(rows[x], rows[f"{y}_low"], rows[f"{y}_high"], color=colour, alpha=0.16, lw=0)
    ax.plot(rows[x], rows[y], line, color=colour, lw=width, **options)
    if f"{y}_printed" in rows:
        ax.plot(rows[x], rows[f"{y}_printed"], "o", color=colour, ms=2, alpha=0.65)
