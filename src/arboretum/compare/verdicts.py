"""What a comparison found: errors with intervals, ranks, tests, and chances to be better in practice.

On each data set: Nadeau and Bengio's corrected resampled t-test of every pair, Holm's adjustment over the pairs, and
the posterior of the difference with a region of practical equivalence. Over at least :data:`ENOUGH` data sets:
Friedman's test with Iman and Davenport's correction, Nemenyi's critical difference, Wilcoxon's test of every pair with
Holm's adjustment, Holm's against a control that was named before, and the Bayesian signed-rank test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from arboretum.compare.settings import Comparison
from arboretum.measures import practical
from arboretum.measures.paired import paired_tests
from arboretum.measures.significance import friedman, holm, nemenyi, rank_methods, step_down, wilcoxon
from arboretum.papers.kit.estimate import Estimate, over_sets, resampled_difference, resampled_rate
from arboretum.seeds import generator

ENOUGH = 6  # with five sets no difference can be significant at 5% in Wilcoxon's test
LEVEL = 0.05


@dataclass(frozen=True)
class Verdicts:
    """``errors``: a row per set and learner. ``pairs``: a row per set and pair. ``overall``, ``pairs_overall``: over
    sets; both are empty for one set. ``tests``: Friedman's test and the critical difference, where there are enough."""

    errors: pd.DataFrame
    pairs: pd.DataFrame
    overall: pd.DataFrame
    pairs_overall: pd.DataFrame
    tests: dict[str, Any]


def judge(comparison: Comparison, folds: pd.DataFrame) -> Verdicts:
    """Test everything that can be tested; errors are in per cent."""
    errors = pd.DataFrame(_errors(comparison, folds))
    errors["rank"] = errors.groupby("dataset", sort=False)["error"].transform(
        lambda found: rank_methods([found, found], lower_is_better=True)[0]
    )
    pairs = pd.DataFrame(_pairs(comparison, folds))
    pairs["p_holm"] = pairs.groupby("dataset", sort=False)["p"].transform(lambda p: step_down(p.to_numpy()))
    wide = errors.pivot(index="dataset", columns="learner", values="error")
    wide = wide.loc[list(comparison.sets), list(comparison.learners)]
    if len(wide) < 2:
        return Verdicts(errors, pairs, pd.DataFrame(), pd.DataFrame(), {})
    overall = pd.DataFrame(_overall(comparison, wide, errors))
    if len(wide) < ENOUGH:
        return Verdicts(errors, pairs, overall, pd.DataFrame(), {})
    test = friedman(wide.to_numpy(), lower_is_better=True)
    tests = {
        "sets": len(wide),
        "friedman_chi_square": float(test.chi_square),
        "friedman_chi_square_p": float(test.chi_square_p),
        "iman_davenport_f": float(test.f),
        "iman_davenport_p": float(test.f_p),
        "nemenyi_critical_difference": float(nemenyi(*wide.shape)),
    }
    if comparison.control:
        place = list(wide.columns).index(comparison.control)
        overall["p_against_control"] = holm(test.ranks, place, len(wide))
    pairs_overall = pd.DataFrame(_pairs_overall(comparison, wide))
    pairs_overall["p_holm"] = step_down(pairs_overall["p"].to_numpy())
    return Verdicts(errors, pairs, overall, pairs_overall, tests)


def _errors(comparison: Comparison, folds: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for (dataset, learner), found in folds.groupby(["dataset", "learner"], sort=False):
        distinct = int(found.loc[found["repetition"] == 0, "cases"].sum())
        estimate = resampled_rate(
            found["errors"].to_numpy(), found["cases"].to_numpy(), distinct, comparison.test_over_train
        )
        yield {
            "dataset": dataset,
            "learner": learner,
            **_in_per_cent("error", estimate),
            "fit_seconds": found["fit_seconds"].median(),
            "predict_seconds": found["predict_seconds"].median(),
        }


def _in_per_cent(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: 100 * estimate.value, "low": 100 * estimate.low, "high": 100 * estimate.high}


def _rates(found: pd.DataFrame) -> pd.DataFrame:
    """Error in per cent of each fold of each repetition: (folds x learners)."""
    rates = found.assign(rate=100 * found["errors"] / found["cases"])
    return rates.pivot(index=["repetition", "fold"], columns="learner", values="rate")


def _pairs(comparison: Comparison, folds: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for dataset, found in folds.groupby("dataset", sort=False):
        rates = _rates(found)
        for one, other in combinations(comparison.learners, 2):
            differences = (rates[one] - rates[other]).to_numpy()
            estimate = resampled_difference(differences, comparison.test_over_train)
            test = paired_tests(differences, comparison.test_over_train)
            chances = practical.correlated_t(differences, comparison.test_over_train, comparison.rope)
            yield {
                "dataset": dataset,
                "first": one,
                "second": other,
                "difference": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "p": float(test.corrected_p),
                **_chances(chances),
            }


def _chances(found: practical.Chances) -> dict[str, float]:
    """Of errors: the first is better where its difference lies below the region."""
    return {"first_better": found.below, "same": found.same, "second_better": found.above}


def _overall(comparison: Comparison, wide: pd.DataFrame, errors: pd.DataFrame) -> Iterator[dict[str, Any]]:
    ranks = rank_methods(wide.to_numpy(), lower_is_better=True).mean(axis=0)
    for place, learner in enumerate(wide.columns):
        mine = errors[errors["learner"] == learner]
        yield {
            "learner": learner,
            **_in_per_cent("error", over_sets(wide[learner].to_numpy() / 100)),
            "rank": float(ranks[place]),
            "fit_seconds": mine["fit_seconds"].mean(),
            "predict_seconds": mine["predict_seconds"].mean(),
        }


def _pairs_overall(comparison: Comparison, wide: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for one, other in combinations(comparison.learners, 2):
        differences = (wide[one] - wide[other]).to_numpy()
        rng = generator(experiment="compare", purpose="signed rank", first=one, second=other, seed=comparison.seed)
        estimate = over_sets(differences)
        yield {
            "first": one,
            "second": other,
            "difference": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "better_on": int(np.sum(differences < -1e-9)),
            "worse_on": int(np.sum(differences > 1e-9)),
            "p": wilcoxon(differences).p,
            **_chances(practical.signed_rank(differences, comparison.rope, rng)),
        }


def sentences(comparison: Comparison, found: Verdicts) -> list[str]:
    """What may be concluded, in words: the best learner, which pairs differ, and which are practically the same."""
    many = not found.pairs_overall.empty
    unused = [
        f"control={comparison.control} is not used: the test against a control is one over {ENOUGH} data sets or more."
    ] * (comparison.control is not None and not many)
    if not many and len(comparison.sets) > 1:
        few = f"{len(comparison.sets)} data sets are too few for a test over data sets: {ENOUGH} are needed."
        return [f"{few} Each set is judged for itself below.", *unused]
    table, pairs = (found.overall, found.pairs_overall) if many else (found.errors, found.pairs)
    best = table.loc[table["rank" if many else "error"].idxmin()]
    said = [
        f"{best['learner']} has the best mean rank, {best['rank']:.2f}."
        if many
        else f"{best['learner']} has the least error: {best['error']:.2f}% ({best['low']:.2f} to {best['high']:.2f})."
    ]
    test = "Wilcoxon's test" if many else "corrected resampled t-test"
    differing = pairs[pairs["p_holm"] < LEVEL]
    if differing.empty:
        said.append(f"No pair differs significantly ({test}, Holm over {len(pairs)}, level {LEVEL:g}).")
    for pair in differing.itertuples():
        better, worse = (pair.first, pair.second) if pair.difference < 0 else (pair.second, pair.first)
        said.append(f"{better} is better than {worse} ({test}, p = {pair.p_holm:.2g} after Holm).")
    for pair in pairs[pairs["same"] > 0.95].itertuples():
        said.append(
            f"{pair.first} and {pair.second} are practically the same: within {comparison.rope:g}% with a chance of "
            f"{pair.same:.2f}."
        )
    return said + unused
