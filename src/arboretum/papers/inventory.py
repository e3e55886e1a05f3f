"""The data sets of a paper as an experiment of their own: what was found, to set beside what is printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from arboretum.datasets import Dataset
from arboretum.datasets.prepare import describe
from arboretum.papers.shape import Experiment, Row, Task


def plan(params: Mapping[str, Any], sets: Mapping[str, Mapping[str, Any]]) -> Iterator[Task]:
    """One task a data set; a set that cannot be had is a row too, with the reason."""
    for name in params["sets"]:
        facts = sets[name]
        task = {"dataset": name, "printed_as": facts["printed_as"], "explained": facts["explained"]}
        yield task if facts["status"] == "available" else {**task, "reason": facts["reason"]}


def run(task: Task, data: Dataset | None) -> list[Row]:
    """Count what the papers print: cases, attributes by kind, classes.

    Nominal attributes and classes are counted by their declared levels, since the papers seem to count these; the
    levels that occur are counted beside them.
    """
    row = {
        "dataset": task["dataset"],
        "printed_as": task["printed_as"],
        "status": task.get("reason", "available"),
        "explained": task["explained"],
    }
    return [row | (describe(data) if data is not None else {})]


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
    """The last column: empty where all agrees, else our explanation, the note on the printed row, or "unexplained"."""
    known = [frame[name].fillna("").replace("", None) for name in ("explained", "note") if name in frame]
    reason = known[0].combine_first(known[-1]).fillna("unexplained")
    return reason.where(~same, "").where(frame["status"] == "available", frame["status"])
