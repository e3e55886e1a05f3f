"""Runs as rows: means with intervals, differences on the same runs, and curves with bands."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from arboretum.papers.kit.curves import band, less, mean_and_error, mean_over_sets, means, reach
from arboretum.papers.kit.estimate import mean_of


@pytest.fixture
def runs():
    rng = np.random.default_rng(0)
    rows = [("b", "rf", split, rng.random()) for split in range(5)] + [("a", "rf", 0, 1.0), ("a", "rf", 1, 3.0)]
    rows += [(dataset, "drf", split, 10 * split) for dataset, _, split, _ in rows]
    return pd.DataFrame(rows, columns=["dataset", "learner", "split", "error"]).sample(frac=1, random_state=0)


def test_means_are_estimates_in_the_order_of_the_runs(runs):
    found = means(runs, ["dataset", "learner"], ["error"])
    assert list(map(tuple, found[["dataset", "learner"]].to_numpy())) == list(
        dict.fromkeys(zip(runs["dataset"], runs["learner"], strict=True))
    )
    row = found.set_index(["dataset", "learner"]).loc[("b", "rf")]
    own = mean_of(runs.query("dataset == 'b' and learner == 'rf'")["error"].to_numpy())
    assert (row["runs"], row["error"]) == (5, pytest.approx(own.value))
    assert (row["error_low"], row["error_high"]) == (pytest.approx(own.low), pytest.approx(own.high))


def test_two_runs_have_no_interval(runs):
    row = means(runs, ["dataset", "learner"], ["error"]).set_index(["dataset", "learner"]).loc[("a", "rf")]
    assert row["error"] == 2 and np.isnan(row["error_low"]) and np.isnan(row["error_high"])


def test_less_is_paired_by_run(runs):
    found = less(runs, "rf", ["error"], ["dataset", "split"], "_less_rf")
    assert (found.query("learner == 'rf'")["error_less_rf"] == 0).all()
    row = found.query("learner == 'drf' and dataset == 'a' and split == 1").iloc[0]
    assert row["error_less_rf"] == 10 - 3


def test_the_mean_over_sets_is_that_of_their_means_and_the_errors_add_up_as_squares():
    index = pd.MultiIndex.from_product([["a", "b"], ["x"]], names=["dataset", "method"])
    runs = pd.DataFrame([[1.0, 2.0, 3.0], [5.0, 7.0, np.nan]], index=index)
    found = mean_over_sets(mean_and_error(runs), ["a", "b"]).loc["x"]
    assert found["mean"] == 4.0
    assert found["se"] == pytest.approx(np.sqrt(1 / 3 + 1) / 2)


def test_a_band_is_the_interval_and_dots_are_printed():
    rows = pd.DataFrame(
        {"x": [1, 2], "y": [0.2, 0.3], "y_low": [0.1, 0.2], "y_high": [0.3, 0.5], "y_printed": [0.4, 0.1]}
    )
    figure, ax = plt.subplots()
    band(ax, rows, "x", "y", "black")
    assert [list(line.get_ydata()) for line in ax.lines] == [[0.2, 0.3], [0.4, 0.1]]
    edge = ax.collections[0].get_paths()[0].vertices
    assert {0.1, 0.5} <= set(np.round(edge[:, 1], 9))
    plt.close(figure)


def test_bars_reach_from_the_value_to_either_end():
    rows = pd.DataFrame({"y": [2.0, 3.0], "y_low": [1.5, np.nan], "y_high": [4.0, np.nan]})
    found = reach(rows, "y")
    assert found[:, 0].tolist() == [0.5, 2.0] and np.isnan(found[:, 1]).all()
