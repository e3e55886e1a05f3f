"""Stored results stand: they render to the stored tables and verdicts, rounding changes nothing, damage is found."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from pandas.api.types import is_float_dtype

from arboretum.papers.contract import ResultTable
from arboretum.pipeline.experiment import Plan, raw_path
from arboretum.pipeline.render import CHECKS, CLAIMS, Rendering, as_stored, compare_table
from arboretum.pipeline.verify import compare_stored
from arboretum.project import params as parameters
from arboretum.project.raw_results import read_raw
from arboretum.project.readings import MARK
from arboretum.project.stored import judges
from arboretum.project.workspace import PROFILES, Workspace

WORKSPACE = Workspace.find()
PARAMS = parameters.read(WORKSPACE)
STORED = [(profile, key) for profile in PROFILES for key in parameters.papers_at(PARAMS, profile)]
NAMED = ["-".join(pair) for pair in STORED]
DRAWS = {"quick": 4, "full": 8, "extended": 4}  # most where the verdicts are
ULPS = 2
AXES = ("dataset", "concept", "condition", "dimension", "split", "repetition", "replication", "run")
WITHOUT_METRICS = [("extended", "infinity"), ("extended", "pert"), ("extended", "vrtrees")]


@pytest.mark.parametrize(("profile", "key"), STORED, ids=NAMED)
def test_what_is_stored_is_what_the_settings_plan(profile, key):
    """DVC's lock says so too, until somebody commits a changed setting to it without running it."""
    for name in parameters.experiments_at(PARAMS, profile, key):
        plan = Plan.make(WORKSPACE, profile, key, name)
        planned, stored = pd.DataFrame(list(plan.tasks.values())), read_raw(raw_path(plan))
        axes = [axis for axis in AXES if axis in stored and axis in planned and planned[axis].notna().all()]
        if not axes:
            continue
        for lacks, has in ((stored, planned), (planned, stored)):
            unknown = has[axes].drop_duplicates().merge(lacks[axes].drop_duplicates(), how="left", indicator=True)
            unknown = unknown[unknown["_merge"] == "left_only"]
            assert unknown.empty, f"{plan.title}:\n{unknown.head()}"


@pytest.mark.parametrize(("profile", "key"), STORED, ids=NAMED)
def test_stored_raw_results_render_to_the_stored_tables_and_verdicts(profile, key):
    compared = compare_stored(WORKSPACE, profile, key)
    assert compared.cells > 0
    assert not compared.differences, "\n".join(map(str, compared.differences[:20]))


@pytest.mark.parametrize(("profile", "key"), STORED, ids=NAMED)
def test_stored_metrics_are_those_of_the_stored_tables(profile, key):
    stored = json.loads(WORKSPACE.metrics(profile, key).read_text("utf-8"))
    assert stored == Rendering(WORKSPACE, profile, key).metrics()
    assert ("claims" in stored) == judges(key, profile)
    assert set(stored) - {"claims"} or (profile, key) in WITHOUT_METRICS, "errors by method"


def moved(frame: pd.DataFrame, rng: np.random.Generator, ignored: tuple[str, ...]) -> pd.DataFrame:
    """The frame with every float moved by up to two units in the last place; keys and seconds stay."""
    columns = {}
    for name, column in frame.items():
        if is_float_dtype(column) and name not in ignored:
            values = column.to_numpy(float).copy()
            steps = rng.integers(-ULPS, ULPS + 1, len(values))
            for _ in range(ULPS):
                values = np.where(steps > 0, np.nextafter(values, np.inf), values)
                values = np.where(steps < 0, np.nextafter(values, -np.inf), values)
                steps -= np.sign(steps)
            columns[name] = values
    return frame.assign(**columns)


def rendered(profile: str, key: str, rng: np.random.Generator | None = None) -> dict[str, tuple[ResultTable, object]]:
    """Every csv of a paper as it reads back, from stored raw results or from slightly moved ones.

    What compares readings is left out for its cost: the same claims are judged on moved results at ``full``.
    """
    rendering = Rendering(WORKSPACE, profile, key)
    rendering.shown = {name: thing for name, thing in rendering.shown.items() if not thing.readings}
    if rng is not None:
        raw = rendering.results.raw
        for name in parameters.experiments_at(PARAMS, profile, key):
            if MARK not in name:
                raw.frames[name] = moved(raw[name], rng, rendering.paper.experiments[name].keys)
    return {table.name: (table, as_stored(frame)) for table, frame in rendering.files()}


@pytest.mark.slow
@pytest.mark.parametrize(("profile", "key"), STORED, ids=NAMED)
def test_rounding_of_raw_results_changes_no_verdict_rank_order_text_or_cell(monkeypatch, profile, key):
    monkeypatch.setattr(parameters, "read", lambda *_: PARAMS)  # reading the settings is a tenth of a rendering
    base = rendered(profile, key)
    rng = np.random.default_rng(20240)
    for draw in range(DRAWS[profile]):
        for name, (table, frame) in rendered(profile, key, rng).items():
            compared = compare_table(name, base[name][1], frame, table)
            assert not compared.differences, f"draw {draw}: " + "\n".join(map(str, compared.differences[:10]))
            for column in table.prose:
                pd.testing.assert_series_equal(frame[column], base[name][1][column], obj=f"draw {draw}: {name}")


# ------------------------------------------------------------------ the comparison can fail


@pytest.fixture(scope="module")
def tables() -> dict[str, tuple[ResultTable, pd.DataFrame]]:
    return rendered("full", "vrtrees")


def differences(tables, name: str, change) -> list[str]:
    table, frame = tables[name]
    changed = change(frame.copy())
    return [str(difference) for difference in compare_table(name, frame, changed, table).differences]


def with_cell(row: int, column: str, change):
    def apply(frame: pd.DataFrame) -> pd.DataFrame:
        frame.loc[row, column] = change(frame.loc[row, column])
        return frame

    return apply


def test_one_count_is_found(tables):
    found = differences(tables, "noise", with_cell(2, "beyond_two", lambda count: count + 1))
    assert len(found) == 1 and "beyond_two" in found[0]


def test_one_verdict_is_found(tables):
    found = differences(tables, CLAIMS.name, with_cell(3, "conclusion", lambda _: "another verdict"))
    assert len(found) == 1 and "conclusion" in found[0]


@pytest.mark.parametrize("column", ["value", "low", "limit_low"])
def test_one_number_of_a_check_is_found(tables, column):
    row = int(np.flatnonzero(np.isfinite(tables[CHECKS.name][1][column]))[5])
    found = differences(tables, CHECKS.name, with_cell(row, column, lambda value: value + 1e-6))
    assert len(found) == 1 and column in found[0]


@pytest.mark.parametrize("change", [1e-8, -1e-8])
def test_one_float_beyond_tolerance_is_found(tables, change):
    found = differences(tables, "spectrum", with_cell(7, "error", lambda value: value * (1 + change)))
    assert len(found) == 1 and "(tolerance 1e-09)" in found[0]


def test_a_float_within_tolerance_is_no_difference(tables):
    assert not differences(tables, "spectrum", with_cell(7, "error", lambda value: value * (1 + 1e-11)))


def test_one_missing_row_is_found(tables):
    assert differences(tables, "table3", lambda frame: frame.drop(index=4))


def test_one_swapped_order_is_found(tables):
    assert differences(tables, "table3", lambda frame: frame.iloc[[1, 0, *range(2, len(frame))]])


def test_text_of_claims_is_not_compared(tables):
    assert not differences(tables, CLAIMS.name, with_cell(0, "observed", lambda _: "other words"))
