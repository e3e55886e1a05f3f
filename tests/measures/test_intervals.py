"""Intervals cover: each on data of its own model, on skewed and on discrete data; and known values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import ndtr

from arboretum.measures.intervals import (
    NONE,
    choice_samples,
    cluster_interval,
    discordant_interval,
    pooled_interval,
    prediction_interval,
    resampled_rate_interval,
    t_interval,
    wilson_interval,
)

DRAWS = 4000
LEAST, MOST = 0.93, 0.975  # 4,000 draws at 95% lie within 94.0 and 96.0 in 99.7% of tests


def normal(rng, size):
    return rng.standard_normal(size)


def skewed(rng, size):
    """Gamma with shape 8: skewness 0.7, as error rates of small sets have it; mean 0."""
    return rng.gamma(8.0, 1.0, size) - 8.0


def discrete(rng, size):
    """Errors of 40 cases at 20%; mean 0."""
    return rng.binomial(40, 0.2, size) - 8.0


MODELS = {"normal": normal, "skewed": skewed, "discrete": discrete}


def coverage(make, draws: int = DRAWS) -> float:
    """Share of the draws in which make(rng) = (truth, low, high) has the truth inside."""
    rng = np.random.default_rng(20261118)
    found = [make(rng) for _ in range(draws)]
    return float(np.mean([low <= truth <= high for truth, low, high in found]))


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("runs", [5, 10, 30])
def test_mean_of_runs(model, runs):
    assert LEAST <= coverage(lambda rng: (0.0, *t_interval(model(rng, runs)))) <= MOST


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_mean_over_sets_from_few_runs(model):
    """Five runs on each of 20 sets, whose noise differs by up to ten times."""
    scale = np.linspace(0.1, 1.0, 20)[:, None]
    assert LEAST <= coverage(lambda rng: (0.0, *pooled_interval(scale * model(rng, (20, 5))))) <= MOST


def test_two_runs_suffice_on_many_sets():
    assert LEAST <= coverage(lambda rng: (0.0, *pooled_interval(normal(rng, (20, 2))))) <= MOST


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("runs", [5, 30])
def test_one_further_run(model, runs):
    def make(rng):
        values = model(rng, runs + 1)
        return values[0], *prediction_interval(values[1:])

    assert LEAST <= coverage(make) <= MOST


@pytest.mark.parametrize(("share", "trials"), [(0.5, 20), (0.2, 40), (0.05, 100), (0.02, 400)])
def test_proportion(share, trials):
    """Wilson's coverage swings about 95% with share and trials; these are no worse than it is known to be."""
    covered = coverage(lambda rng: (share, *wilson_interval(int(rng.binomial(trials, share)), trials)))
    assert 0.92 <= covered <= 0.98


@pytest.mark.parametrize(
    ("a", "b", "cases"), [(0.05, 0.05, 300), (0.02, 0.06, 500), (0.005, 0.005, 1000), (0.2, 0.1, 100)]
)
def test_difference_on_one_split(a, b, cases):
    def make(rng):
        only_a, only_b, _ = rng.multinomial(cases, [a, b, 1 - a - b])
        return a - b, *discordant_interval(int(only_a), int(only_b), cases)

    assert LEAST <= coverage(make) <= 0.985  # half cases added make it cautious where few cases differ


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("sets", [12, 44])
def test_mean_over_sets_like_these(model, sets):
    def make(rng):
        return 0.0, *cluster_interval(model(rng, sets), range(sets), rng, draws=600)

    assert 0.925 <= coverage(make) <= MOST


def test_related_sets_are_one_cluster():
    """Ten clusters of two equal sets know as much as ten sets: intervals that count 20 are too narrow."""

    def make(rng, clustered):
        values = np.repeat(normal(rng, 15), 2)
        clusters = np.repeat(np.arange(15), 2) if clustered else np.arange(30)
        return 0.0, *cluster_interval(values, clusters, rng, draws=600)

    assert coverage(lambda rng: make(rng, True)) >= LEAST
    assert coverage(lambda rng: make(rng, False)) < 0.88


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_the_best_of_several_options(model):
    """The option of least mean among five, 0.4 deviations apart, from 20 runs; a choice is discrete: at least 93%."""
    means = np.array([0.8, 0.4, 0.0, 0.4, 0.8])

    def make(rng):
        runs = means + model(rng, (20, 5)) / model(np.random.default_rng(1), 10_000).std()
        found = choice_samples(runs, lambda mean: float(np.argmin(mean)), rng, draws=200)
        return 2.0, *np.quantile(found, [0.025, 0.975], method="inverted_cdf")

    assert coverage(make, 1000) >= LEAST


def test_known_values():
    low, high = t_interval([1.0, 2.0, 3.0])
    assert (low, high) == pytest.approx((2 - 4.30265273 / np.sqrt(3), 2 + 4.30265273 / np.sqrt(3)))
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    reference = stats.binomtest(7, 20).proportion_ci(method="wilson")
    assert wilson_interval(7, 20) == pytest.approx((reference.low, reference.high))


def test_too_few_runs_give_no_interval():
    assert t_interval([1.0]) == t_interval([1.0, 1.1]) == prediction_interval([1.0, 1.1]) == NONE
    assert pooled_interval([[1.0], [2.0, 3.0, 4.0]]) == NONE
    assert cluster_interval([1.0, 2.0], [0, 1], np.random.default_rng(1)) == NONE


def test_a_split_without_differing_cases_still_has_a_width():
    """It vanished with the difference once: a forest was then surely better than itself."""
    low, high = discordant_interval(0, 0, 1000)
    assert low < 0 < high and high - low > 0.003


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99, 0.999])
def test_wider_at_a_higher_level(level):
    runs = np.arange(8.0)
    for interval in (
        lambda at: t_interval(runs, at),
        lambda at: prediction_interval(runs, at),
        lambda at: wilson_interval(3, 9, at),
        lambda at: discordant_interval(3, 9, 100, at),
        lambda at: cluster_interval(runs, range(8), np.random.default_rng(1), at),
    ):
        (low, high), (lower, higher) = interval(level), interval(level + (1 - level) / 2)
        assert lower < low < high < higher


def test_impossible_counts_are_refused():
    with pytest.raises(ValueError, match="5 successes in 4 trials"):
        wilson_interval(5, 4)
    with pytest.raises(ValueError, match="do not fit into 10 cases"):
        discordant_interval(6, 6, 10)


# ------------------------------------------------------------------ error rates from repeated cross-validation


def resampled(rng, n, folds, repetitions, gap):
    """Errors and cases of each fold of a nearest-mean classifier on two normal classes, and its expected true error."""
    y = np.arange(n) % 2
    X = rng.normal(gap * y, 1.0)
    errors, cases, truths = [], [], []
    for _ in range(repetitions):
        order = rng.permutation(n)
        for fold in range(folds):
            test = order[fold::folds]
            train = np.setdiff1d(order, test)
            cut = (X[train][y[train] == 0].mean() + X[train][y[train] == 1].mean()) / 2
            errors.append(np.sum((X[test] > cut) != y[test]))
            cases.append(len(test))
            truths.append((ndtr(-cut) + ndtr(cut - gap)) / 2)
    return np.array(errors), np.array(cases), float(np.mean(truths))


@pytest.mark.parametrize(("n", "gap"), [(40, 2.0), (120, 1.0), (60, 4.5)])
def test_an_error_rate_of_cross_validation_covers_that_of_new_cases(n, gap):
    rng = np.random.default_rng(n)
    covered = 0
    for _ in range(400):
        errors, cases, truth = resampled(rng, n, 10, 3, gap)
        low, high = resampled_rate_interval(errors, cases, n, 1 / 9)
        assert 0 <= low <= errors.sum() / cases.sum() <= high <= 1
        covered += low <= truth <= high
    assert covered / 400 > 0.92


def test_an_error_rate_without_an_error_has_a_width_and_no_negative_end():
    low, high = resampled_rate_interval(np.zeros(30), np.full(30, 5), 50, 1 / 9)
    assert low == 0 and 0.03 < high < 0.12
    low, high = resampled_rate_interval(np.r_[1, np.zeros(29)], np.full(30, 5), 50, 1 / 9)
    assert low >= 0 and high > 1 / 150
    assert resampled_rate_interval(np.ones(2), np.full(2, 5), 10, 1.0) == (-np.inf, np.inf)
