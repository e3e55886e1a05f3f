"""The data sets of a paper as an experiment of their own: what was found, to set beside what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from pandas.api.types import is_numeric_dtype

from arboretum.datasets import Dataset
from arboretum.papers.shape import Experiment, Row, Task


def plan(params: Mapping[str, Any], sets: Mapping[str, Mapping[str, Any]]) -> Iterator[Task]:
    """One task a data set; a set that cannot be had is a row too, with the reason."""
    for name in params["sets"]:
        facts = sets[name]
        task = {"dataset": name, "printed_as": facts["printed_as"], "explained": facts["explained"]}
        yield task if facts["status"] == "available" else {**task, "reason": facts["reason"]}


def run(task: Task, data: Dataset | None) -> list[Row]:
    """Count what the papers print: cases, attributes by kind, classes."""
    row = {
        "dataset": task["dataset"],
        "printed_as": task["printed_as"],
        "status": task.get("reason", "available"),
        "explained": task["explained"],
    }
    return [row | (count(data) if data is not None else {})]


def count(data: Dataset) -> Row:
    """Cases, attributes by kind, classes and missing values of a data set.

    Nominal attributes and classes are counted by their declared levels, since the papers seem to count these;
    the levels that occur are counted beside them.
    """
    numeric = [name for name in data.X if is_numeric_dtype(data.X[name])]
    nominal = [name for name in data.X if name not in numeric]
    declared = [len(data.X[name].cat.categories) for name in nominal]
    occurring = [data.X[name].nunique() for name in nominal]
    return {
        "rows": len(data.X),
        "numeric": len(numeric),
        "nominal": sum(levels > 2 for levels in declared),
        "binary": sum(levels <= 2 for levels in declared),
        "nominal_occurring": sum(levels > 2 for levels in occurring),
        "binary_occurring": sum(levels <= 2 for levels in occurring),
        "classes": len(data.y.cat.categories),
        "classes_occurring": data.y.nunique(),
        "missing": int(data.X.isna().to_numpy().sum()),
        "fingerprint": data.fingerprint,
    }


DATASETS = Experiment(plan=plan, run=run, keys=("dataset",))


def attributes(nominal: int, numeric: int, binary: int) -> str:
    """Attribute counts as vrtrees prints them: ``3n, 2c, 5b``, kinds with none left out."""
    counts = ((nominal, "n"), (numeric, "c"), (binary, "b"))
    return ", ".join(f"{count}{kind}" for count, kind in counts if count)


def beside_print(raw: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The raw rows of this experiment with the printed row of each set, in the order of print."""
    order = {name: position for position, name in enumerate(printed["dataset"])}
    joined = raw.merge(printed, left_on="printed_as", right_on="dataset", how="left", suffixes=("", "_key"))
    return joined.sort_values("printed_as", key=lambda column: column.map(order), kind="stable").reset_index(drop=True)


def disagreement(same: pd.Series, frame: pd.DataFrame) -> pd.Series:
    """What a reader sees in the last column: nothing where all agrees, else the explanation or that there is none."""
    explained = frame["explained"].fillna("").replace("", "unexplained")
    remark = explained.where(~same, "")
    return remark.where(frame["status"] == "available", frame["status"])
