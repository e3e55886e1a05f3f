"""A/A: each paper's comparison between a learner and itself, on other runs. "Surely better" in about one of twenty."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from arboretum.papers.kit.estimate import difference_of, discordant, share_of

RESULTS = Path(__file__).parents[2] / "results" / "full"


def errors(paper, experiment, rate, by, run, keep=lambda frame: frame):
    """Error rates in per cent: one row per learner and set, one column per run."""
    frame = keep(pd.read_parquet(RESULTS / paper / "raw" / f"{experiment}.parquet"))
    sums = frame.groupby([*by, run])[list(rate)].sum()
    return (100 * sums.iloc[:, 0] / sums.iloc[:, 1]).unstack(run)


def folds(frame):
    return frame[frame["kind"] == "fold"]


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
    """Two repetitions against two others, for each learner and alpha on each quarter of the sets: none stands twice."""
    learners = errors("vrtrees", "coalescence", ("errors", "cases"), ("learner", "dataset"), "repetition")
    alphas = errors("vrtrees", "spectrum", ("errors", "cases"), ("method", "alpha", "dataset"), "repetition", folds)
    comparisons = sure = 0
    for wide in (learners, alphas):
        for _, runs in wide.dropna().groupby(level=list(wide.index.names[:-1])):
            for quarter in (runs.to_numpy()[start::4] for start in range(4)):
                estimate = difference_of(list(quarter[:, :2]), list(quarter[:, 2:4]))
                comparisons, sure = comparisons + 1, sure + (not estimate.low <= 0 <= estimate.high)
    assert comparisons >= 100
    assert sure <= stats.binom.ppf(0.999, comparisons, 0.05), (sure, comparisons)


def test_trees_of_infinity_against_their_exact_kernel():
    """infinity compares no learner with another: its trees stand against the formula that must hold for them."""
    pairs = pd.read_parquet(RESULTS / "infinity" / "raw" / "kernel.parquet").query("trees > 0")
    shares = [share_of(int(together), int(trees)) for together, trees in pairs[["together", "trees"]].to_numpy()]
    outside = sum(not one.low <= exact <= one.high for one, exact in zip(shares, pairs["exact"], strict=True))
    assert len(pairs) >= 100
    assert outside <= stats.binom.ppf(0.999, len(pairs), 0.05), (outside, len(pairs))


def test_one_split_of_covertype_is_not_surely_better_than_another_forest_on_it():
    """Forests on the same split differ on few cases; the interval from these cases holds 0 as often as it should."""
    rng = np.random.default_rng(1)
    right = rng.random((40, 20_000)) < np.clip(rng.normal(0.9, 0.2, 20_000), 0, 1)  # 40 forests, cases of all kinds
    sure = 0
    for one, other in zip(right[::2], right[1::2], strict=True):
        estimate = discordant(int((~one & other).sum()), int((one & ~other).sum()), right.shape[1])
        sure += not estimate.low <= 0 <= estimate.high
    assert sure <= 4
