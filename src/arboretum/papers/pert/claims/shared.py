"""What the claims of pert share: a number is judged by its interval of two standard errors."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import first_greatest
from arboretum.papers.verdicts import judge


def near(value: float, error: float, inside: tuple[float, float]) -> str:
    """The verdict of a value with its standard error."""
    return judge(value - 2 * error, value + 2 * error, inside)


def by_set(table: pd.DataFrame, column: str) -> dict[str, list[float]]:
    """The values of a column for each set, in the order of the table."""
    return {name: group[column].tolist() for name, group in table.groupby("dataset", sort=False)}


def farthest(differences: pd.Series) -> tuple[object, float]:
    """The largest difference in absolute value, and where it is; of equal ones the first."""
    place = first_greatest(differences.abs())
    return differences.index[place], float(differences.iloc[place])
