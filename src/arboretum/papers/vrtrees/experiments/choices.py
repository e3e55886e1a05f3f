"""Choices that the paper leaves open, as settings of an experiment: the parameters that differ from those of the text.

``options`` are parameters of VR-Trees. ``treatment`` is of the data: what becomes of unknown values, and whether folds
are stratified. ``leaves`` says which leaves answer, and whether subtrees are collapsed first: all ways are read from
the same trees, so readings that differ in nothing else share their tasks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pandas as pd

from arboretum.datasets.dataset import Dataset
from arboretum.papers.contract import ResultRow, Task
from arboretum.papers.resampling import errors_of
from arboretum.papers.vrtrees.experiments.cross_validation import Params, Part, parts_of
from arboretum.trees import collapse

CURTAILMENTS: dict[str, Any] = {"up to 1": "up to 1", "below 2": True, "off": False}
NOT_VR_TREES = ("random_forest", "boosting")
LEAVES = "leaves"


def chosen(params: Params, facts: Mapping[str, Any], spec: Mapping[str, Any]) -> Task:
    """The part of a task that says what to do, without choices that cannot change this learner on this set.

    So readings that agree there share their tasks. The trees of aggregating are all the same at alpha 1: one is grown
    where votes are not counted.
    """
    spec, options, treatment = dict(spec), dict(params.get("options", {})), dict(params.get("treatment", {}))
    if spec["kind"] in NOT_VR_TREES:
        options, treatment = {}, {name: value for name, value in treatment.items() if name != "missing"}
    if facts.get("missing") == 0:
        options.pop("missing", None)
        treatment.pop("missing", None)
    if facts.get("numeric") == 0 or spec.get("alpha") == 0:
        options.pop("mdl", None)
    if LEAVES in params and spec["kind"] == "aggregating" and spec["alpha"] == 1:
        spec["trees"] = 1
    return {"learners": [spec | options]} | treatment | ({LEAVES: "all"} if LEAVES in params else {})


def treated_parts(task: Task, data: Dataset) -> Iterator[Part]:
    """The folds of a task, unknown values treated as it says."""
    if task.get("missing") == "level":
        data = replace(data, X=missing_as_level(data.X))
    for part in parts_of(task, data):
        if task.get("missing") == "impute":
            fill = part.X.fill_values()
            part = part._replace(X=part.X.filled(fill), test_X=part.test_X.filled(fill))
        yield part


def missing_as_level(X: pd.DataFrame) -> pd.DataFrame:
    """A missing nominal value becomes a level of its own: "-" where that is declared (not applicable), else "?"."""
    columns = {}
    for name, column in X.items():
        if isinstance(column.dtype, pd.CategoricalDtype) and column.isna().any():
            level = "-" if "-" in column.cat.categories else "?"
            declared = column.cat.categories.union([level], sort=False)
            columns[name] = column.cat.set_categories(declared).fillna(level)
    return X.assign(**columns)


def errors_column(curtailment: str, collapsed: bool) -> str:
    return f"errors, curtailment {curtailment}" + (", collapsed" if collapsed else "")


def errors_by_leaves(model: Any, X: Any, y: pd.Series) -> ResultRow:
    """Errors under each choice of leaves, from the same trees; a learner that is not of VR-Trees has one way."""
    found: ResultRow = {"cases": len(y)}
    if not hasattr(model, "curtailment"):
        errors = errors_of(model, X, y)
        return found | {errors_column(*way): errors for way in product(CURTAILMENTS, (False, True))}
    grown = model.forest_
    for collapsed in (False, True):
        model.forest_ = collapse(grown) if collapsed else grown
        for name, curtailment in CURTAILMENTS.items():
            model.set_params(curtailment=curtailment)
            found[errors_column(name, collapsed)] = errors_of(model, X, y)
    return found


def as_read(params: Params, rows: pd.DataFrame) -> pd.DataFrame:
    """The rows under the leaves that a reading chooses; all rows where an experiment asks for no choice."""
    if LEAVES not in params:
        return rows
    ways = [name for name in rows if name.startswith("errors, ")]
    return rows.assign(errors=rows[errors_column(params[LEAVES]["curtailment"], params[LEAVES]["collapse"])]).drop(
        columns=ways
    )
