"""A/A: each paper's comparison between a learner and itself, on other runs. "Surely better" in about one of twenty."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from arboretum.papers.kit.estimate import difference_of, discordant

RESULTS = Path(__file__).parents[2] / "results" / "full"


def errors(paper, experiment, rate, by, run, keep=lambda frame: frame):
    """Error rates in per cent: one row per learner and set, one column per run."""
    frame = keep(pd.read_parquet(RESULTS / paper / "raw" / f"{experiment}.parquet"))
    sums = frame.groupby([*by, run])[list(rate)].sum()
    return (100 * sums.iloc[:, 0] / sums.iloc[:, 1]).unstack(run)


def most_members(frame):
    return frame[frame["members"] == frame.groupby("dataset")["members"].transform("max")]


RUNS = {
    "pert": lambda: errors("pert", "accuracy", ("errors", "cases"), ("learner", "dataset", "split"), "repetition"),
    "dynint": lambda: errors(
        "dynint", "accuracy", ("right_dvs", "cases"), ("scheme", "trees", "neighbours", "dataset"), "repetition"
    ),
    "diversity": lambda: errors(
        "diversity", "guided", ("ensemble_errors", "cases"), ("learner", "dataset"), "split", most_members
    ),
}


@pytest.mark.parametrize("paper", RUNS)
def test_halves_of_the_runs_on_each_set(paper):
    """Even against odd runs of every learner on every set."""
    better = comparisons = 0
    for _, runs in RUNS[paper]().iterrows():
        runs = runs.dropna().to_numpy()
        runs = runs[: len(runs) // 2 * 2]
        if len(runs) >= 6 and runs.std() > 0:
            comparisons += 1
            better += not difference_of(runs[::2], runs[1::2]).low <= 0 <= difference_of(runs[::2], runs[1::2]).high
    assert comparisons >= 20
    assert better <= stats.binom.ppf(0.999, comparisons, 0.05), (better, comparisons)


def test_repetitions_of_vrtrees_pooled_over_sets():
    """Two repetitions against two others on 44 sets, every way to draw them, for each learner."""
    wide = errors("vrtrees", "coalescence", ("errors", "cases"), ("learner", "dataset"), "repetition").dropna()
    sure = total = 0
    for _, runs in wide.groupby(level="learner"):
        values = runs.to_numpy()
        for chosen in combinations(range(values.shape[1]), 4):
            for other in chosen[1:]:
                a = [chosen[0], other]
                b = [run for run in chosen if run not in a]
                estimate = difference_of(list(values[:, a]), list(values[:, b]))
                total, sure = total + 1, sure + (not estimate.low <= 0 <= estimate.high)
    assert total >= 100
    assert sure <= 0.12 * total, (sure, total)  # ways to draw four of five repetitions overlap


def test_one_split_of_covertype_is_not_surely_better_than_another_forest_on_it():
    """Forests on the same split differ on few cases; the interval from these cases holds 0 as often as it should."""
    rng = np.random.default_rng(1)
    right = rng.random((40, 20_000)) < np.clip(rng.normal(0.9, 0.2, 20_000), 0, 1)  # 40 forests, cases of all kinds
    sure = 0
    for one, other in zip(right[::2], right[1::2], strict=True):
        estimate = discordant(int((~one & other).sum()), int((one & ~other).sum()), right.shape[1])
        sure += not estimate.low <= 0 <= estimate.high
    assert sure <= 4
