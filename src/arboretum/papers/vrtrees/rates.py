"""From raw rows to rates: what the tables and figures of vrtrees share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.measures import repetitions, significance, ties, vote_sums
from arboretum.measures.bootstrap import cluster_weights
from arboretum.papers.inventory import beside_print
from arboretum.papers.results import Results, once
from arboretum.seeds import generator

TABLE3_COLUMNS = {  # our learners and the columns in which Table 3 prints them
    "coalescence": "coalescence",
    "max_diverse": "agg_alpha0",
    "bagging": "bag_alpha1",
    "random_subspace": "subspace_alpha1",
    "boosting": "c5_boost",
    "random_forest": "random_forest",
}

TABLE3_LEARNERS = list(TABLE3_COLUMNS)

OPERATING_POINTS = {f"agg_alpha0{tenth}": tenth / 10 for tenth in range(1, 6)}  # Figure 5

LEARNER_NAMES = {
    "coalescence": "Coalescence",
    "max_diverse": "Max-Diverse (alpha 0)",
    "bagging": "Bagging",
    "random_subspace": "Random Subspace",
    "boosting": "Boosted C4.5",
    "boosting_10": "Boosted C4.5, 10 trials",
    "random_forest": "Random Forest",
    "searched": "Searched alpha",
    "oracle": "Oracle alpha",
    **{name: f"Aggregating, alpha {alpha:g}" for name, alpha in OPERATING_POINTS.items()},
}

METHODS = {"aggregating": "agg", "bagging": "bag", "subspacing": "subspace"}  # as Table 2 prints them

RELATED_SETS = {
    "led7": "led",
    "led24": "led",
    "waveform21": "waveform",
    "waveform40": "waveform",
    "hypo": "thyroid",
    "sick": "thyroid",
    "flare": "solar flare",
    "solar": "solar flare",
}

BOOTSTRAP_DRAWS = 2000


# ------------------------------------------------------------------ data sets


@once
def sets_in_print_order(results: Results) -> pd.DataFrame:
    """The data sets in the order of print: dataset, printed_as, status, rows."""
    frame = beside_print(results.sets, results.printed["table6_datasets"])
    return frame[["dataset", "printed_as", "status", "rows"]]


@once
def available_sets(results: Results) -> list[str]:
    """The names of the available sets, in the order of print."""
    sets = sets_in_print_order(results)
    return list(sets.loc[sets["status"] == "available", "dataset"])


@once
def case_counts(results: Results) -> np.ndarray:
    """The number of cases of each available set."""
    return results.sets.set_index("dataset").loc[available_sets(results), "rows"].to_numpy(dtype=float)


def bootstrap_weights(names: Iterable[str]) -> np.ndarray:
    """Bootstrap weights over sets, related sets together: the same for every table."""
    clusters = [RELATED_SETS.get(name, name) for name in names]
    return cluster_weights(clusters, BOOTSTRAP_DRAWS, generator(paper="vrtrees", purpose="bootstrap over sets"))


# ------------------------------------------------------------------ errors


def fold_rates(frame: pd.DataFrame, by: list[str]) -> pd.Series:
    """Error in per cent as the paper takes it: the mean of the error rates of the folds."""
    return (100 * frame["errors"] / frame["cases"]).groupby([frame[name] for name in by]).mean()


@once
def learner_rates(results: Results) -> dict[str, np.ndarray]:
    """Error in per cent of each learner of the coalescence experiment: (sets x its repetitions)."""
    rates = fold_rates(results.raw["coalescence"], ["learner", "dataset", "repetition"])
    names = available_sets(results)
    return {learner: rates[learner].unstack().loc[names].to_numpy() for learner in rates.index.levels[0]}


def grouped_exactly(frame: pd.DataFrame, key: str) -> pd.DataFrame:
    """The frame with the floats of ``key`` rounded, so that a last bit cannot split a group of rows."""
    return frame.assign(**{key: frame[key].round(9) + 0.0})  # one zero: -0.0 becomes 0.0


@once
def spectrum_rows(results: Results) -> pd.DataFrame:
    """The raw rows of the spectrum, first repetition."""
    frame = results.raw["spectrum"]
    return grouped_exactly(frame[frame["repetition"] == 0], "alpha")


@once
def spectrum_errors(results: Results) -> dict[str, pd.DataFrame]:
    """Error in per cent of each method: (sets x alphas), first repetition."""
    frame = spectrum_rows(results)
    rates = fold_rates(frame, ["method", "dataset", "alpha"])
    return {method: rates[method].unstack().loc[available_sets(results)] for method in sorted(set(frame["method"]))}


@once
def first_repetition(results: Results) -> pd.DataFrame:
    """Errors of the first repetition, the printed protocol: (sets x learners).

    The operating points and the oracle, which knows the best alpha of each set, come from the spectrum.
    """
    rates = {learner: rates[:, 0] for learner, rates in learner_rates(results).items()}
    along = spectrum_errors(results)["aggregating"]
    points = {name: along[alpha] for name, alpha in OPERATING_POINTS.items()}
    return pd.DataFrame(rates, index=available_sets(results)).assign(**points, oracle=along.min(axis=1))


@once
def printed_errors(results: Results) -> pd.DataFrame:
    """Printed Table 3 of the sets that we have: (sets as printed x six learners)."""
    sets = sets_in_print_order(results).set_index("dataset")
    return all_printed_errors(results).loc[sets.loc[available_sets(results), "printed_as"]]


def all_printed_errors(results: Results) -> pd.DataFrame:
    """Printed Table 3 of all sets, without its row of means: (sets as printed x six learners)."""
    text = results.printed["table3_error"].set_index("dataset").drop(index="mean")
    return text[list(TABLE3_COLUMNS.values())].set_axis(TABLE3_LEARNERS, axis=1)


def rounded_as_printed(errors):
    """Errors to 0.1 as in print; 16.25 and the number one bit below it are rounded alike."""
    return errors.round(9).round(1)


def mean_ranks(errors: pd.DataFrame) -> np.ndarray:
    """Mean rank of each column over the sets, 1 for the lowest error."""
    return significance.rank_methods(errors.to_numpy(), lower_is_better=True).mean(axis=0)


# ------------------------------------------------------------------ noise from one cross-validation to the next


@once
def run_deviation(results: Results) -> float:
    """Deviation of a mean over sets from one cross-validation to the next, in points: the mean over VR learners."""
    rates, cases = learner_rates(results), case_counts(results)
    learners = ("coalescence", "max_diverse", "bagging", "random_subspace")
    single = [np.sum(repetitions.repetition_deviation(rates[name] / 100, cases) ** 2) for name in learners]
    return float(100 * np.sqrt(np.mean(single)) / len(cases))


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


# ------------------------------------------------------------------ votes


def forest_measures(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Strength, correlation (three ways), disagreement, sizes of each forest, from the rows of its folds.

    The held-out cases of all folds are taken together, tree j of each fold as one tree: folds of small sets are too
    small for a correlation of their own. ``correlation_by_fold`` is the mean of the folds' own correlations.
    """
    trees = frame["trees"]
    fold_variance = vote_sums.margin_variance(frame["margins"], frame["squared_margins"], frame["cases"], trees)
    by_fold = pd.Series(vote_sums.correlation(fold_variance, without_residue(frame["spread"])), index=frame.index)
    grouped = frame.assign(correlation_by_fold=by_fold).groupby(by)
    sums = grouped[
        ["cases", "margins", "squared_margins", "agreements", "tree_errors", "leaves", "tests", "deterministic"]
    ].sum()
    trees, folds, spread = grouped["trees"].first(), grouped.size(), without_residue(grouped["spread_pooled"].first())
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


def without_residue(values: pd.Series) -> pd.Series:
    """A residue of rounding becomes 0: trees without any spread are told by their exact 0."""
    return values.where(ties.less(0, values), 0.0)


@once
def spectrum_measures(results: Results) -> pd.DataFrame:
    """Measures of every forest of the spectrum, first repetition, with its error; index method, dataset, alpha."""
    frame = spectrum_rows(results)
    by = ["method", "dataset", "alpha"]
    return forest_measures(frame, by).assign(error=fold_rates(frame, by))
