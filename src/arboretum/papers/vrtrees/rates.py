"""From raw rows to rates: what the tables and figures of vrtrees share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.measures import repetitions, significance, vote_sums
from arboretum.measures.bootstrap import cluster_weights
from arboretum.papers.inventory import beside_print
from arboretum.papers.shape import Frames
from arboretum.seeds import generator

PRINTED = {
    "coalescence": "coalescence",
    "max_diverse": "agg_alpha0",
    "bagging": "bag_alpha1",
    "random_subspace": "subspace_alpha1",
    "boosting": "c5_boost",
    "random_forest": "random_forest",
}

SIX = list(PRINTED)

OPERATING = {f"agg_alpha0{tenth}": tenth / 10 for tenth in range(1, 6)}  # Figure 5

NAMES = {
    "coalescence": "Coalescence",
    "max_diverse": "Max-Diverse (alpha 0)",
    "bagging": "Bagging",
    "random_subspace": "Random Subspace",
    "boosting": "Boosted C4.5",
    "boosting_10": "Boosted C4.5, 10 trials",
    "random_forest": "Random Forest",
    "searched": "Searched alpha",
    "oracle": "Oracle alpha",
    **{name: f"Aggregating, alpha {alpha:g}" for name, alpha in OPERATING.items()},
}

METHODS = {"aggregating": "agg", "bagging": "bag", "subspacing": "subspace"}  # as Table 2 prints them

RELATED = {
    "led7": "led",
    "led24": "led",
    "waveform21": "waveform",
    "waveform40": "waveform",
    "hypo": "thyroid",
    "sick": "thyroid",
    "flare": "solar flare",
    "solar": "solar flare",
}

DRAWS = 2000


def roster(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The data sets in the order of print: dataset, printed_as, status."""
    frame = beside_print(raw["datasets"], printed["table6_datasets"])
    return frame[["dataset", "printed_as", "status", "rows"]]


def names_of(raw: Frames, printed: Frames) -> list[str]:
    """The available sets in the order of print."""
    sets = roster(raw, printed)
    return list(sets.loc[sets["status"] == "available", "dataset"])


def fold_rates(frame: pd.DataFrame, by: list[str]) -> pd.Series:
    """Error in per cent as the paper takes it: the mean of the error rates of the folds."""
    return (100 * frame["errors"] / frame["cases"]).groupby([frame[name] for name in by]).mean()


def learner_rates(raw: Frames, names: list[str]) -> dict[str, np.ndarray]:
    """Error in per cent of each learner of the coalescence experiment: (sets x its repetitions)."""
    rates = fold_rates(raw["coalescence"], ["learner", "dataset", "repetition"])
    return {learner: rates[learner].unstack().loc[names].to_numpy() for learner in rates.index.levels[0]}


def first_run(raw: Frames, names: list[str]) -> pd.DataFrame:
    """Errors of the first repetition, the printed protocol: (sets x learners).

    The operating points and the oracle, which knows the best alpha of each set, come from the spectrum.
    """
    frame = pd.DataFrame({learner: rates[:, 0] for learner, rates in learner_rates(raw, names).items()}, index=names)
    along = spectrum_errors(raw, names)["aggregating"]
    points = {name: along[alpha] for name, alpha in OPERATING.items()}
    return frame.assign(**points, oracle=along.min(axis=1))


def spectrum_errors(raw: Frames, names: list[str]) -> dict[str, pd.DataFrame]:
    """Error in per cent of each method: (sets x alphas), first repetition."""
    frame = raw["spectrum"]
    rates = fold_rates(frame[frame["repetition"] == 0], ["method", "dataset", "alpha"])
    methods = list(dict.fromkeys(frame["method"]))
    return {method: rates[method].unstack().loc[names] for method in sorted(methods)}


def cases_of(raw: Frames, names: list[str]) -> np.ndarray:
    return raw["datasets"].set_index("dataset").loc[names, "rows"].to_numpy(dtype=float)


def resampled(names: Iterable[str]) -> np.ndarray:
    """Bootstrap weights over sets, related sets together: the same for every table."""
    clusters = [RELATED.get(name, name) for name in names]
    return cluster_weights(clusters, DRAWS, generator(paper="vrtrees", purpose="bootstrap over sets"))


def run_deviation(raw: Frames, names: list[str]) -> float:
    """Deviation of a mean over sets from one cross-validation to the next, in points: the mean over VR learners."""
    rates, cases = learner_rates(raw, names), cases_of(raw, names)
    learners = ("coalescence", "max_diverse", "bagging", "random_subspace")
    single = [np.sum(repetitions.repetition_deviation(rates[name] / 100, cases) ** 2) for name in learners]
    return float(100 * np.sqrt(np.mean(single)) / len(names))


def run_interval(rates: np.ndarray, cases: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where one cross-validation of each set falls, 95%, from all repetitions."""
    half = 100 * repetitions.quantile(rates) * repetitions.single_run_error(rates / 100, cases)
    centre = rates.mean(axis=1)
    return np.maximum(centre - half, 0), centre + half


def mean_interval(rates: np.ndarray, cases: np.ndarray) -> tuple[float, float]:
    """Where the mean over sets of one cross-validation falls, 95%; not known from one repetition."""
    if rates.shape[1] < 2:
        return np.nan, np.nan
    error = np.sqrt(np.sum(repetitions.single_run_error(rates / 100, cases) ** 2)) / len(cases)
    half = 100 * repetitions.quantile(rates) * error
    return float(rates.mean() - half), float(rates.mean() + half)


def printed_errors(raw: Frames, printed: Frames, ours_only: bool = True) -> pd.DataFrame:
    """Printed Table 3, mean row excluded: (sets x six learners); only the sets that we have, or all."""
    text = printed["table3_error"].set_index("dataset").drop(index="mean")
    if ours_only:
        sets = roster(raw, printed).set_index("dataset")
        text = text.loc[sets.loc[names_of(raw, printed), "printed_as"]]
    return text[list(PRINTED.values())].set_axis(SIX, axis=1)


def mean_ranks(errors: pd.DataFrame) -> np.ndarray:
    return significance.rank_methods(errors.to_numpy(), lower_is_better=True).mean(axis=0)


def forest_measures(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Strength, correlation (three ways), disagreement, sizes of each forest, from the rows of its folds.

    The held-out cases of all folds are taken together, tree j of each fold as one tree: folds of small sets are too
    small for a correlation of their own. ``correlation_by_fold`` is the mean of the folds' own correlations.
    """
    trees = frame["trees"]
    fold_variance = vote_sums.margin_variance(frame["margins"], frame["squared_margins"], frame["cases"], trees)
    by_fold = pd.Series(vote_sums.correlation(fold_variance, frame["spread"]), index=frame.index)
    grouped = frame.assign(correlation_by_fold=by_fold).groupby(by)
    sums = grouped[
        ["cases", "margins", "squared_margins", "agreements", "tree_errors", "leaves", "tests", "deterministic"]
    ].sum()
    trees, folds, spread = grouped["trees"].first(), grouped.size(), grouped["spread_pooled"].first()
    variance = vote_sums.margin_variance(sums["margins"], sums["squared_margins"], sums["cases"], trees)
    return pd.DataFrame(
        {
            "strength": vote_sums.strength(sums["margins"], sums["cases"], trees),
            "correlation": vote_sums.correlation(variance, spread),
            "correlation_as_printed": vote_sums.correlation_as_printed(variance, spread),
            "correlation_by_fold": grouped["correlation_by_fold"].mean(),
            "disagreement": vote_sums.disagreement(sums["agreements"], sums["cases"], trees),
            "tree_error": 100 * sums["tree_errors"] / (sums["cases"] * trees),
            "leaves": sums["leaves"] / (trees * folds),
            "deterministic_share": sums["deterministic"] / sums["tests"],
        },
        index=sums.index,
    )


def spectrum_measures(raw: Frames) -> pd.DataFrame:
    """Measures of every forest of the spectrum, with its error; index method, dataset, alpha."""
    frame = raw["spectrum"]
    frame = frame[frame["repetition"] == 0]
    by = ["method", "dataset", "alpha"]
    return forest_measures(frame, by).assign(error=fold_rates(frame, by))
