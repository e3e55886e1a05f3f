"""diversity, beyond print: tables and figures of other trees and of pruning, from made-up counts."""

from __future__ import annotations

from itertools import product

import matplotlib
import numpy as np
import pandas as pd
import pytest

from arboretum.papers.diversity.figures import FIGURES
from arboretum.papers.diversity.tables import TABLES
from arboretum.papers.inventory import sets_frame
from arboretum.papers.results import Results

matplotlib.use("Agg")
TRIALS, CASES, TREES = 2, 1000, 150
MEMBER_ERROR = {"rf": 0.30, "w_lerp": 0.32, "vr 0": 0.4, "vr 1": 0.25, "pert": 0.4}
ERROR = {"rf": 0.10, "w_lerp": 0.09, "vr 0": 0.15, "vr 1": 0.2, "pert": 0.14}
LEARNERS = {"map": ["rf", "w_lerp", "vr 0", "vr 1", "pert"]}


def forests() -> pd.DataFrame:
    """Forests on two sets; the second set errs half as often. Splits differ, all learners alike."""
    rows = []
    for part, dataset, split, size in product(LEARNERS, ("pima", "digits"), range(3), (39, TREES)):
        for learner in LEARNERS[part]:
            half, votes = 1 + (dataset == "digits"), TRIALS * CASES
            wrong = (MEMBER_ERROR[learner] + 0.01 * split) / half
            error = (ERROR[learner] + 0.01 * split + 0.05 * (size < TREES)) / half
            bad = 0.02 * error
            row = {"part": part, "dataset": dataset, "learner": learner, "split": split, "members": size}
            row |= {"trials": TRIALS, "cases": CASES, "ensemble_errors": round(error * votes)}
            row |= {"member_errors": round(wrong * votes * size), "bad_votes": round(bad * votes * size)}
            row |= {"good_votes": round((wrong - error + bad) * votes * size)}
            row |= {"central_member_errors": round(wrong * CASES * size), "central_ensemble_errors": 1}
            rows.append(row)
    return pd.DataFrame(rows)


def prunings() -> pd.DataFrame:
    """Representatives err one point less with five members and are all trees with 150."""
    rows = []
    for split, size, learner in product(range(3), (5, TREES), ("representatives", "first trees")):
        error = 0.2 + 0.01 * split - 0.01 * (learner == "representatives" and size == 5)
        row = {"part": "pruning", "dataset": "pima", "learner": learner, "split": split, "members": size}
        row |= {"trials": TRIALS, "cases": CASES, "kept": TRIALS * size}
        row |= {"ensemble_errors": round(error * TRIALS * CASES), "member_errors": round(0.3 * TRIALS * CASES * size)}
        rows.append(row)
    return pd.DataFrame(rows)


@pytest.fixture(scope="module")
def results() -> Results:
    shown = {name: thing for name, thing in {**TABLES, **FIGURES}.items() if thing.sources == ("choices",)}
    return Results({"choices": pd.concat([forests(), prunings()])}, {}, sets_frame({}), shown)


def test_the_map_holds_the_identities(results):
    table = results.tables["all_trees"]
    np.testing.assert_allclose(table["member_error"] - table["diversity"], table["error"], atol=1e-12)
    np.testing.assert_allclose(table["good"] - table["bad"], table["diversity"], atol=1e-9)
    assert table.query("dataset == 'pima' and learner == 'vr 1'")["error"].item() == pytest.approx(0.21)


def test_who_errs_least_and_who_is_most_diverse(results):
    row = results.tables["good_and_bad"].set_index("dataset").loc["pima"]
    assert (row["lowest_error"], row["most_diverse"], row["learners"]) == ("w_lerp", "pert", 5)
    assert row["lowest_error_value"] == pytest.approx(0.10) and row["most_diverse_error"] == pytest.approx(0.15)
    here = results.tables["all_trees"].query("dataset == 'pima'")
    expected = np.corrcoef(here["diversity"], here["error"])[0, 1]
    assert row["error_with_diversity"] == pytest.approx(expected)


def test_pruning_is_compared_with_as_many_first_trees(results):
    table = results.tables["pruning"].set_index("members")
    assert table["error_difference"].tolist() == pytest.approx([-0.01, 0])
    assert table["error_first"].tolist() == pytest.approx([0.21, 0.21])
    assert table["member_error_kept"].tolist() == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("name", ["tree_map"])
def test_figures_draw_what_they_say(results, name):
    drawing = FIGURES[name].draw(results.tables[name])
    assert all(ax.get_xlabel() for ax in drawing.axes if ax.axison)
    matplotlib.pyplot.close(drawing)


def test_what_ties_decide_is_beside_the_standard_forest():
    """Half of ten tied cases are right when one class is drawn; the first class in two, of the forest in five."""
    rows = [
        {"dataset": "pima", "learner": learner, "split": split, "members": 2, "cases": 100, "tied": 10}
        | {"right_first": 80 + first + split, "right_drawn": 85.0 + split}
        for learner, first in (("rf", 5), ("w_drf", 2))
        for split in range(3)
    ]
    table = Results({"ties": pd.DataFrame(rows)}, {}, sets_frame({}), {"ties": TABLES["ties"]}).tables["ties"]
    assert table["learner"].tolist() == ["rf", "w_drf"] and table["tied"].tolist() == [10, 10]
    np.testing.assert_allclose(table["error_first"], [14, 17])
    np.testing.assert_allclose(table["drawn_less_first"], [0, -3], atol=1e-9)
    np.testing.assert_allclose(table[["less_forest_low", "less_forest", "less_forest_high"]].iloc[1], -3, atol=1e-9)
