"""Compare regenerated results with the stored ones, cell by cell.

Keys, texts and counts must be equal; floats may differ by the tolerance of their table (libraries round the last
bit differently from machine to machine); columns that hold seconds are never compared; a figure is compared by the
data it plots.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_bool_dtype, is_float_dtype, is_numeric_dtype

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.pipeline import params as parameters
from arboretum.pipeline.engines import EngineSettings
from arboretum.pipeline.experiment import Plan, raw_path
from arboretum.pipeline.tasks import canonical
from arboretum.pipeline.workspace import Workspace

RAW_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Difference:
    """One place where regenerated and stored results differ."""

    file: str
    where: str
    stored: object
    regenerated: object

    def __str__(self) -> str:
        return f"{self.file}: {self.where}: stored {self.stored}, regenerated {self.regenerated}"


def compare_frames(
    file: str,
    stored: pd.DataFrame,
    regenerated: pd.DataFrame,
    keys: Sequence[str],
    timing: Sequence[str] = (),
    tolerance: float = RAW_TOLERANCE,
) -> Iterator[Difference]:
    """Every difference between two frames whose rows are identified by ``keys``."""
    if list(stored.columns) != list(regenerated.columns):
        yield Difference(file, "columns", list(stored.columns), list(regenerated.columns))
        return
    keys = [key for key in keys if key in stored.columns]
    stored_rows, new_rows = _row_names(stored, keys), _row_names(regenerated, keys)
    if stored_rows != new_rows:
        lost = [row for row in stored_rows if row not in set(new_rows)]
        new = [row for row in new_rows if row not in set(stored_rows)]
        yield Difference(file, "rows", lost[:5] or "the same rows in another order", new[:5] or "-")
        return
    for column in stored.columns:
        if column in timing:
            continue
        for position in np.flatnonzero(~_equal(stored[column], regenerated[column], tolerance)):
            where = f"row {stored_rows[position]}, column {column}"
            yield Difference(file, where, stored[column].iloc[position], regenerated[column].iloc[position])


def _row_names(frame: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    if not keys:
        return [str(position) for position in range(len(frame))]
    return ["/".join(map(str, row)) for row in frame[list(keys)].itertuples(index=False)]


def _equal(stored: pd.Series, regenerated: pd.Series, tolerance: float) -> np.ndarray:
    floats = is_float_dtype(stored) or is_float_dtype(regenerated)
    numbers = all(is_numeric_dtype(side) and not is_bool_dtype(side) for side in (stored, regenerated))
    if floats and numbers:
        left, right = stored.to_numpy(float), regenerated.to_numpy(float)
        return np.isclose(left, right, rtol=tolerance, atol=tolerance, equal_nan=True)
    left, right = stored.astype(object), regenerated.astype(object)
    return ((left == right) | (left.isna() & right.isna())).to_numpy(bool)


def compare_paper(stored: Workspace, regenerated: Workspace, profile: str, key: str) -> list[Difference]:
    """Every difference between stored and regenerated results of one paper: raw rows, tables, figure data, claims."""
    paper = papers.get(key)
    params = parameters.read(stored)
    differences: list[Difference] = []
    for name in parameters.experiments_at(params, profile, key):
        experiment = paper.experiments[name]
        file = f"{name}.parquet"
        differences += _compare_files(
            stored, stored.raw(profile, key) / file, regenerated.raw(profile, key) / file,
            pd.read_parquet, experiment.keys, experiment.timing, RAW_TOLERANCE,
        )  # fmt: skip
    shown = paper.tables | paper.figures
    left, right = stored.tables(profile, key), regenerated.tables(profile, key)
    for file in sorted({path.name for folder in (left, right) for path in folder.glob("*.csv")}):
        thing = shown.get(file.removesuffix(".csv"))
        keys = getattr(thing, "keys", ()) if thing else ("id",)
        timing = thing.timing if thing else ()
        tolerance = thing.tolerance if thing else RAW_TOLERANCE
        differences += _compare_files(stored, left / file, right / file, pd.read_csv, keys, timing, tolerance)
    return differences


def sample(plan: Plan, share: float) -> dict[str, dict[str, Any]]:
    """A fixed random share of the tasks of a plan, at least one: the same tasks whatever the code."""
    order = sorted(plan.tasks, key=lambda identity: hashlib.sha256(canonical(plan.tasks[identity]).encode()).digest())
    return {identity: plan.tasks[identity] for identity in order[: math.ceil(share * len(order))]}


def compare_sample(plan: Plan, settings: EngineSettings, share: float) -> tuple[int, list[Difference]]:
    """Recompute a share of the tasks and compare their rows with the stored ones; how many, and every difference."""
    tasks = sample(plan, share)
    rows: list[dict[str, Any]] = []
    for identity, outcome in settings.finish([(identity, plan.call(task)) for identity, task in tasks.items()]):
        if outcome.failure is not None:
            raise ArboretumError(f"{plan.title}: the task {canonical(tasks[identity])} failed:\n{outcome.failure}")
        rows += outcome.rows
    path, keys = raw_path(plan), list(plan.experiment.keys)
    if not path.is_file():
        raise ArboretumError(f"{path} is missing: there is nothing to compare with.")
    stored = pd.read_parquet(path)
    new = pd.DataFrame(rows).reindex(columns=stored.columns).sort_values(keys, kind="stable", ignore_index=True)
    same_rows = stored.merge(new[keys], on=keys, how="inner").sort_values(keys, kind="stable", ignore_index=True)
    name = str(path.relative_to(plan.workspace.out))
    return len(tasks), list(compare_frames(name, same_rows, new, keys, plan.experiment.timing))


def _compare_files(
    workspace: Workspace, stored: Path, regenerated: Path, read, keys, timing, tolerance
) -> Iterator[Difference]:
    name = str(stored.relative_to(workspace.out))
    if not stored.is_file() or not regenerated.is_file():
        says = {True: "present", False: "absent"}
        yield Difference(name, "file", says[stored.is_file()], says[regenerated.is_file()])
        return
    try:
        left, right = read(stored), read(regenerated)
    except Exception as problem:
        raise ArboretumError(f"{stored} cannot be read ({problem}). Restore it: git checkout -- {name}") from None
    yield from compare_frames(name, left, right, keys, timing, tolerance)
