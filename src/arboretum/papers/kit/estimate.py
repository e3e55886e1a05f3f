"""A number that knows how uncertain it is. Nobody else in papers/ makes an interval.

Every constructor says what was repeated (``varies``) and gives intervals at any level, because a claim with m checks
is rejected at the level 1 - 0.05/m. With fewer than three runs and no model for their noise there is no interval: the
check that needs it stays open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd

from arboretum.measures import intervals
from arboretum.measures.repetitions import repetition_deviation, single_run_error
from arboretum.papers.kit.redrawn import draws_by_set, over_repetitions, set_means
from arboretum.seeds import generator

Array = np.ndarray
Interval = tuple[float, float]
Pick = Callable[[Array], Array]
LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A value, what was repeated to know how far it may be off, and its interval at any level."""

    value: float
    varies: str
    at: Callable[[float], Interval] = field(repr=False, compare=False)
    printed: float | None = None  # what the paper prints of it, where it comes from a table of printed values

    @cached_property
    def interval(self) -> Interval:
        return self.at(LEVEL)

    @property
    def low(self) -> float:
        return self.interval[0]

    @property
    def high(self) -> float:
        return self.interval[1]


def exact(value: float) -> Estimate:
    """An identity, a proof, a count of fixed things: a point."""
    return Estimate(float(value), "exact", lambda level: (float(value), float(value)))


def mean_of(runs: Array | Sequence[Array], varies: str = "") -> Estimate:
    """The mean of independent runs, or, from one array of runs per set, the mean over these very sets."""
    by_set = [np.asarray(one, dtype=float) for one in (runs if np.ndim(runs[0]) else [runs])]
    value = float(np.mean([one.mean() for one in by_set]))
    return Estimate(value, varies or _runs(by_set), lambda level: intervals.pooled_interval(by_set, level))


def difference_of(a, b, varies: str = "") -> Estimate:
    """Mean of a less mean of b, from the same runs on the same sets: paired."""
    if np.ndim(a[0]):
        return mean_of([np.subtract(one, other) for one, other in zip(a, b, strict=True)], varies)
    return mean_of(np.subtract(a, b), varies)


def difference_apart(a: Array, b: Array) -> Estimate:
    """Mean of a less mean of b, from runs that have nothing in common: Welch's t."""
    parts = [np.asarray(a, dtype=float), -np.asarray(b, dtype=float)]

    def at(level: float) -> Interval:
        low, high = intervals.pooled_interval(parts, level)  # of half the difference
        return 2 * low, 2 * high

    return Estimate(2 * float(np.mean([one.mean() for one in parts])), f"{len(a)} runs and {len(b)} others", at)


def with_error(value: float, error: float, runs: float, varies: str = "") -> Estimate:
    """A value whose standard error is known from ``runs`` runs: Student's t. For sums stored in place of runs."""
    varies = varies or f"{runs:g} runs"
    return Estimate(float(value), varies, lambda level: intervals.error_interval(value, error, runs - 1, level))


def ratio_of(over: Estimate, under: Estimate) -> Estimate:
    """One estimate over another, independent one: their intervals on the scale of the logarithm, where they add up."""
    if over.value <= 0 or under.value <= 0:
        raise ValueError(f"a ratio needs two positive values, not {over.value} and {under.value}")
    value = over.value / under.value

    def at(level: float) -> Interval:
        parts = [(one.at(level)[end] - one.value) / one.value for one in (over, under) for end in (0, 1)]
        down, up = np.hypot(parts[0], parts[3]), np.hypot(parts[1], parts[2])
        return float(value * np.exp(-down)), float(value * np.exp(up))

    return Estimate(value, over.varies, at)


def in_per_cent(share: Estimate) -> Estimate:
    """An estimate of a share, in per cent."""

    def at(level: float) -> Interval:
        low, high = share.at(level)
        return 100 * low, 100 * high

    return replace(share, value=100 * share.value, at=at)


def from_samples(value: float, samples: Array, varies: str) -> Estimate:
    """A value with the percentiles of bootstrap samples that a paper drew in its own way (runs within sets, say)."""
    samples = np.asarray(samples, dtype=float)
    return Estimate(float(value), varies, lambda level: _percentiles(samples, value, level))


def beside_print(estimates: Mapping[str, Estimate], printed: Mapping[str, float]) -> dict[str, Estimate]:
    """Those estimates that have a printed value, with it."""
    known = {name: float(printed[name]) for name in estimates if name in printed}
    return {name: replace(estimates[name], printed=value) for name, value in known.items() if np.isfinite(value)}


def discordant(only_a: int, only_b: int, cases: int) -> Estimate:
    """Error rate of a less that of b on one split, from the cases that exactly one of them gets wrong."""
    return Estimate(
        (only_a - only_b) / cases,
        f"{cases} cases of one split",
        lambda level: intervals.discordant_interval(only_a, only_b, cases, level),
    )


def share_of(successes: int, trials: int, of: str = "trials") -> Estimate:
    """A proportion."""
    return Estimate(
        successes / trials, f"{trials} {of}", lambda level: intervals.wilson_interval(successes, trials, level)
    )


def resampled_rate(errors: Array, cases: Array, distinct: int, test_over_train: float) -> Estimate:
    """An error rate from repeated splits of one set: for new cases from where these come from; never below 0."""
    value = float(np.sum(errors) / np.sum(cases))
    varies = f"{len(errors)} splits of {distinct} cases"
    return Estimate(
        value,
        varies,
        lambda level: intervals.resampled_rate_interval(errors, cases, distinct, test_over_train, level),
    )


def resampled_difference(differences: Array, test_over_train: float) -> Estimate:
    """The mean of differences over repeated splits of one set, with Nadeau and Bengio's corrected error."""
    differences = np.asarray(differences, dtype=float)
    error = np.sqrt((1 / len(differences) + test_over_train) * differences.var(ddof=1))
    return with_error(float(differences.mean()), float(error), len(differences), f"{len(differences)} splits")


def over_sets(values: Array, clusters: Sequence | None = None) -> Estimate:
    """The mean on data sets like these: over clusters of related sets, not over runs."""
    values = np.asarray(values, dtype=float)
    clusters = list(range(len(values)) if clusters is None else clusters)
    number = len(set(clusters))
    varies = f"{len(values)} sets" + (f" in {number} clusters" if number < len(values) else "")
    return Estimate(
        float(values.mean()),
        varies,
        lambda level: intervals.cluster_interval(values, clusters, generator(purpose="sets"), level),
    )


def nested(runs_by_drawing: Sequence[Array], drawing: str = "drawings") -> Estimate:
    """The mean where data are drawn too: the means of the drawings vary, and hold the noise of runs as well."""
    means = np.array([np.mean(runs) for runs in runs_by_drawing])
    return mean_of(means, f"{len(means)} {drawing} of {_number([len(runs) for runs in runs_by_drawing])} runs")


def chosen(runs: Array, pick: Callable[[Array], float]) -> Estimate:
    """What ``pick`` chooses from the mean of runs (runs x options): "the best alpha is ..."."""
    return _picked(np.asarray(runs, dtype=float), pick, _so_many(len(runs)))


def count_of(runs: Array, holds: Callable[[Array], Array]) -> Estimate:
    """On how many sets something holds of the mean over runs (runs x sets): "on k of n sets"."""
    runs = np.asarray(runs, dtype=float)
    return _picked(
        runs, lambda mean: float(np.count_nonzero(holds(mean))), f"{_so_many(len(runs))} on {runs.shape[1]} sets"
    )


def redrawn(values: pd.DataFrame, pick: Pick, paper: str) -> Estimate:
    """What ``pick`` makes of the means over sets (... x columns), from values ((dataset, repetition) x columns).

    Repetitions are drawn anew within each set.
    """
    repeated = over_repetitions(values, paper)
    return from_samples(pick(repeated.mean), pick(repeated.draws), _redrawn(values))


def redrawn_by_set(values: pd.DataFrame, pick: Pick, paper: str) -> Estimate:
    """The same where ``pick`` needs the mean of each set: (... x sets x columns); at least two repetitions each."""
    return from_samples(pick(set_means(values).to_numpy()), pick(draws_by_set(values, paper)), _redrawn(values))


def share_of_sets(runs: Mapping[str, Array], holds: Callable[[Array], bool]) -> Estimate:
    """On what share of the sets something holds of the mean over splits (splits x columns, for each set).

    The splits of each set are drawn anew. A set with fewer than three may belong to either side.
    """
    value = float(np.mean([bool(holds(np.mean(one, axis=0))) for one in runs.values()]))
    known = {name: one for name, one in runs.items() if len(one) >= intervals.LEAST_RUNS}
    drawn: list[Array] = []  # when first asked for

    def samples(name: str) -> Array:
        rng = generator(purpose="splits", dataset=name)
        return intervals.choice_samples(known[name], lambda mean: float(holds(mean)), rng)

    def at(level: float) -> Interval:
        if not drawn:
            drawn.append(sum(map(samples, known), np.zeros(1)) / len(runs))
        return _percentiles(drawn[0], value, level, unknown=1 - len(known) / len(runs))

    sizes = sorted({len(one) for one in runs.values()})
    return Estimate(value, f"{' or '.join(map(str, sizes))} splits on each of {len(runs)} sets", at)


def extreme(differences: Mapping[str, Estimate], pick: Callable = min, varies: str = "") -> Estimate:
    """The least (or greatest) of several differences, at a level that allows for the choice among them.

    Simultaneous intervals of all bound it. Differences that have no interval are left out.
    """
    known = [one for one in differences.values() if np.isfinite(one.interval).all()]
    if not known:
        return Estimate(pick(one.value for one in differences.values()), "one run", lambda level: intervals.NONE)

    def at(level: float) -> Interval:
        ends = [one.at(1 - (1 - level) / len(known)) for one in known]
        return pick(low for low, _ in ends), pick(high for _, high in ends)

    return Estimate(pick(one.value for one in known), varies or f"{len(known)} comparisons, each on splits", at)


def count_above(values: Mapping[str, Sequence[Estimate]], limit: float = 0.0, of: str = "sets") -> Estimate:
    """On how many sets some value of theirs lies above ``limit``, from intervals that hold together (Bonferroni).

    At least those where one surely does, at most all but those where surely none does.
    """
    number = sum(map(len, values.values()))

    def at(level: float) -> Interval:
        one_of_all = 1 - (1 - level) / number
        ends = [np.array([one.at(one_of_all) for one in group]) for group in values.values()]
        surely = sum(bool((end[:, 0] > limit).any()) for end in ends)
        return float(surely), float(len(values) - sum(bool((end[:, 1] <= limit).all()) for end in ends))

    found = sum(any(one.value > limit for one in group) for group in values.values())
    return Estimate(float(found), f"{number} values on {len(values)} {of}, each with its interval", at)


def one_run(runs: Array, of: int = 1) -> Estimate:
    """What one further run may give, or the mean ``of`` so many: for a printed number that comes from as many."""
    runs = np.asarray(runs, dtype=float)
    varies = f"{'one run' if of == 1 else f'a mean of {of} runs'}, from {_so_many(len(runs))}"
    return Estimate(float(runs.mean()), varies, lambda level: intervals.prediction_interval(runs, level, of=of))


def one_run_of_each(rates: Array, cases: Array) -> list[Estimate]:
    """One further run on each set, from few runs (sets x runs) of error rates: their dispersion is pooled over sets."""
    rates = np.asarray(rates, dtype=float)
    deviations = repetition_deviation(rates, np.asarray(cases))
    freedom = rates.shape[0] * (rates.shape[1] - 1)
    varies = f"one run, from {rates.shape[1]} runs on each of {len(rates)} sets"
    return [
        Estimate(float(runs.mean()), varies, _predicting(runs, float(deviation), freedom))
        for runs, deviation in zip(rates, deviations, strict=True)
    ]


def mean_of_one_run(rates: Array, cases: Array) -> Estimate:
    """The mean over sets of one further run on each, from few runs (sets x runs) of error rates, pooled as above."""
    rates = np.asarray(rates, dtype=float)
    value, (sets, runs) = float(rates.mean()), rates.shape
    varies = f"one run, from {_so_many(runs)} on each of {sets} sets"
    if runs < 2:
        return Estimate(value, varies, lambda level: intervals.NONE)
    error = float(np.sqrt(np.sum(single_run_error(rates, np.asarray(cases)) ** 2)) / sets)
    return with_error(value, error, sets * (runs - 1) + 1, varies)


def _percentiles(samples: Array, value: float, level: float, unknown: float = 0.0) -> Interval:
    """The central ``level`` of samples, and the value itself; ``unknown`` is what no sample can tell, above them."""
    tail = (1 - level) / 2
    low, high = np.quantile(samples, [tail, 1 - tail], method="inverted_cdf")
    return float(min(low, value)), float(max(high + unknown, value))


def _predicting(runs: Array, deviation: float, freedom: int) -> Callable[[float], Interval]:
    return lambda level: intervals.prediction_interval(runs, level, deviation, freedom)


def _picked(runs: Array, pick: Callable[[Array], float], varies: str) -> Estimate:
    value = float(pick(runs.mean(axis=0)))
    if len(runs) < intervals.LEAST_RUNS:
        return Estimate(value, varies, lambda level: intervals.NONE)
    samples: list[Array] = []  # drawn when first asked for

    def at(level: float) -> Interval:
        if not samples:
            samples.append(intervals.choice_samples(runs, pick, generator(purpose="choice")))
        return _percentiles(samples[0], value, level)

    return Estimate(value, varies, at)


def _redrawn(values: pd.DataFrame) -> str:
    counts = values.groupby(level="dataset").size()
    return f"{_number(list(counts))} runs on each of {len(counts)} sets, drawn anew"


def _runs(by_set: Sequence[Array]) -> str:
    runs = _so_many(_number([len(runs) for runs in by_set]))
    return runs if len(by_set) == 1 else f"{runs} on each of {len(by_set)} sets"


def _so_many(runs: int | str) -> str:
    return "one run" if str(runs) == "1" else f"{runs} runs"


def _number(sizes: Sequence[int]) -> str:
    return str(min(sizes)) if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
