"""Every column of raw results is read by some table, figure or claim, or it is on the list of those that are not."""

from __future__ import annotations

import pandas as pd
import pytest
from benchmarks import unread
from benchmarks.unread import LATER, UNREAD, Made, altered, listed

from arboretum import papers
from arboretum.papers.results import Results
from arboretum.project.workspace import Workspace
from arboretum.seeds import rooted

WORKSPACE = Workspace.find()


@pytest.mark.slow
@pytest.mark.parametrize("key", papers.present())
def test_a_changed_column_changes_something_or_is_on_the_list(key):
    found = {name: set(columns) for name, columns in unread.unread(WORKSPACE, "quick", key).items()}
    assert found == listed(key, UNREAD, LATER)


@pytest.mark.parametrize(
    "values",
    [
        pd.Series([0, 1, 2, 3]),
        pd.Series([0.0, 0.5, float("nan"), 2.0]),
        pd.Series([True, False]),
        pd.Series(["a", None]),
    ],
)
def test_every_value_that_is_there_is_altered(values):
    changed = altered(values)
    assert changed.isna().equals(values.isna())
    assert (changed[values.notna()] != values[values.notna()]).all()


@pytest.mark.slow
def test_a_column_that_nothing_reads_is_found_and_one_that_is_read_is_not():
    """Pert's counts of errors make its tables; a column that is added to them makes nothing."""
    with rooted(WORKSPACE.seed):
        made = Made(WORKSPACE, "quick", "pert")
        made.raw["accuracy"] = made.raw["accuracy"].assign(idle=range(len(made.raw["accuracy"])))
        assert isinstance(made.changed(()), Results)
        assert made.unread([("accuracy", "errors"), ("accuracy", "idle")]) == [("accuracy", "idle")]
