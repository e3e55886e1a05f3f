"""From raw rows to rates: what the tables and figures of vrtrees share."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.measures import significance, ties, vote_sums
from arboretum.measures.bootstrap import cluster_weights
from arboretum.papers.inventory import beside_print
from arboretum.papers.kit import redrawn
from arboretum.papers.kit.redrawn import DRAWS, Repeated, set_means
from arboretum.papers.results import NotRun, Results, once
from arboretum.seeds import generator

PAPER = "vrtrees"

ENDS = {  # learners of Table 3 that are points of the spectrum: the same forests on the same folds
    "max_diverse": ("aggregating", 0.0),
    "bagging": ("bagging", 1.0),
    "random_subspace": ("subspacing", 1.0),
}
TABLE3_LEARNERS = ["coalescence", "max_diverse", "bagging", "random_subspace", "c50", "random_forest"]
STAND_IN_LEARNERS = ["boosting" if name == "c50" else name for name in TABLE3_LEARNERS]  # all grown by this project
EXTRA_LEARNERS = ("c50_10", "boosting", "boosting_10", "boosting_c5", "searched", "oracle")

PRINTED_ALPHAS = 11
OPERATING_POINTS = {f"agg_alpha0{tenth}": tenth / 10 for tenth in range(1, 6)}  # Figure 5

LEARNER_NAMES = {
    "coalescence": "Coalescence",
    "max_diverse": "Max-Diverse (alpha 0)",
    "bagging": "Bagging",
    "random_subspace": "Random Subspace",
    "c50": "C5.0",
    "c50_10": "C5.0, 10 trials",
    "boosting": "Boosted C4.5",
    "boosting_10": "Boosted C4.5, 10 trials",
    "boosting_c5": "Boosted C4.5 as C5.0 does",
    "random_forest": "Random Forest",
    "searched": "Searched alpha",
    "oracle": "Oracle alpha",
    **{name: f"Aggregating, alpha {alpha:g}" for name, alpha in OPERATING_POINTS.items()},
}

C50_TRIALS = {"c50": 100, "c50_10": 10}

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

# ------------------------------------------------------------------ data sets


@once
def sets_in_print_order(results: Results) -> pd.DataFrame:
    """The data sets in the order of print: dataset, printed_as, status, rows."""
    frame = beside_print(results.sets, results.printed["table6_datasets"])
    return frame[["dataset", "printed_as", "status", "rows"]]


@once
def available_sets(results: Results) -> list[str]:
    """The names of the sets whose data there are, in the order of print; readings leave the large ones out."""
    sets = sets_in_print_order(results)
    known = results.raw["spectrum"]["dataset"] if "spectrum" in set(results.raw) else sets["dataset"]
    return list(sets.loc[(sets["status"] == "available") & sets["dataset"].isin(known), "dataset"])


@once
def case_counts(results: Results) -> np.ndarray:
    """The number of cases of each available set."""
    return results.sets.set_index("dataset").loc[available_sets(results), "rows"].to_numpy(dtype=float)


def bootstrap_weights(names: Iterable[str]) -> np.ndarray:
    """Bootstrap weights over sets, related sets together: the same for every table."""
    clusters = [RELATED_SETS.get(name, name) for name in names]
    return cluster_weights(clusters, DRAWS, generator(paper=PAPER, purpose="bootstrap over sets"))


# ------------------------------------------------------------------ errors


def fold_rates(frame: pd.DataFrame, by: list[str]) -> pd.Series:
    """Error in per cent as the paper takes it: the mean of the error rates of the folds."""
    frame = of_kind(frame, "fold")
    return (100 * frame["errors"] / frame["cases"]).groupby([frame[name] for name in by]).mean()


@once
def learner_rates(results: Results) -> dict[str, np.ndarray]:
    """Error in per cent of each learner of Table 3: (sets x its repetitions), on the same folds.

    C5.0 is no part of this project: its errors on our folds are stored with the printed numbers.
    """
    names = available_sets(results)
    rates = fold_rates(results.raw["coalescence"], ["learner", "dataset", "repetition"])
    found = {learner: rates[learner].unstack().loc[names].to_numpy() for learner in rates.index.levels[0]}
    for learner, (method, alpha) in ENDS.items():  # under readings these are grown for the spectrum only
        if learner not in found:
            found[learner] = spectrum_rates(results)[method][alpha].unstack().loc[names].to_numpy()
    return found | {key: c50_rates(results)[key].unstack().loc[names].to_numpy() for key in C50_TRIALS}


@once
def c50_rates(results: Results) -> dict[str, pd.Series]:
    """Error in per cent of C5.0 on our folds, by (dataset, repetition)."""
    rates = fold_rates(results.printed["c50_errors"], ["trials", "dataset", "repetition"])
    return {key: rates[trials] for key, trials in C50_TRIALS.items()}


def of_kind(frame: pd.DataFrame, kind: str) -> pd.DataFrame:
    """The rows of one kind; where an experiment has one kind only, all of them."""
    return frame[frame["kind"] == kind] if "kind" in frame else frame


def grouped_exactly(frame: pd.DataFrame, key: str) -> pd.DataFrame:
    """The frame with the floats of ``key`` rounded, so that a last bit cannot split a group of rows."""
    return frame.assign(**{key: frame[key].round(9) + 0.0})  # one zero: -0.0 becomes 0.0


@once
def spectrum_rows(results: Results) -> pd.DataFrame:
    """The raw rows of the spectrum: of kind "fold" (errors) and of kind "votes" (sums over all folds)."""
    return grouped_exactly(results.raw["spectrum"], "alpha")


@once
def spectrum_rates(results: Results) -> dict[str, pd.DataFrame]:
    """Error in per cent of each method: ((set, repetition) x alphas), sets in the order of print."""
    rates = fold_rates(spectrum_rows(results), ["method", "dataset", "repetition", "alpha"]).unstack()
    return {method: rates.loc[method].loc[available_sets(results)] for method in rates.index.levels[0]}


@once
def spectrum_errors(results: Results) -> dict[str, pd.DataFrame]:
    """Error in per cent of each method, mean over repetitions: (sets x alphas)."""
    return {method: set_means(rates) for method, rates in spectrum_rates(results).items()}


@once
def errors_by_repetition(results: Results) -> pd.DataFrame:
    """Errors of the learners of Table 3, of the operating points and of the oracle: ((set, repetition) x learners).

    The operating points and the oracle, which knows the best alpha of each set in that run, come from the spectrum;
    what a learner has fewer repetitions of is missing.
    """
    names = available_sets(results)
    parts = {
        learner: pd.DataFrame(rates, index=pd.Index(names, name="dataset")).rename_axis("repetition", axis=1).stack()
        for learner, rates in learner_rates(results).items()
    }
    along = spectrum_rates(results)["aggregating"]
    if set(OPERATING_POINTS.values()) <= set(along):
        parts |= {name: along[alpha] for name, alpha in OPERATING_POINTS.items()} | {"oracle": along.min(axis=1)}
    return pd.DataFrame(parts).loc[names]


def whole_spectrum(results: Results) -> dict[str, pd.DataFrame]:
    """The same as :func:`spectrum_rates`, for what needs every alpha that the paper has: readings may have fewer."""
    rates = spectrum_rates(results)
    if len(rates["aggregating"].columns) < PRINTED_ALPHAS:
        raise NotRun(f"{PRINTED_ALPHAS} alphas")
    return rates


@once
def mean_errors(results: Results) -> pd.DataFrame:
    """The same, mean over the repetitions of each learner: (sets x learners)."""
    return set_means(errors_by_repetition(results))


@once
def printed_errors(results: Results) -> pd.DataFrame:
    """Printed Table 3 of the sets that we have: (sets as printed x six learners).

    Nothing of it where one of our sets is not in it: its means would be of other sets than ours.
    """
    sets = sets_in_print_order(results).set_index("dataset")
    every, ours = all_printed_errors(results), sets.loc[available_sets(results), "printed_as"]
    return every.loc[ours] if ours.isin(every.index).all() else every.reindex(ours) * np.nan


def all_printed_errors(results: Results) -> pd.DataFrame:
    """Printed Table 3 of all sets, without its row of means: (sets as printed x six learners)."""
    text = results.printed["table3_error"].set_index("dataset").drop(index="mean")
    return text[TABLE3_LEARNERS]


def rounded_as_printed(errors):
    """Errors to 0.1 as in print; 16.25 and the number one bit below it are rounded alike."""
    return errors.round(9).round(1)


def mean_ranks(errors: pd.DataFrame | np.ndarray) -> np.ndarray:
    """Mean rank of each column over the sets, 1 for the lowest error."""
    return significance.rank_methods(np.asarray(errors), lower_is_better=True).mean(axis=0)


# ------------------------------------------------------------------ noise from one cross-validation to the next


def over_repetitions(values: pd.DataFrame) -> Repeated:
    """Means over sets with the noise of repetitions, from values ((set, repetition) x columns)."""
    return redrawn.over_repetitions(values, PAPER)


def draws_by_set(values: pd.DataFrame) -> np.ndarray:
    """Means of each set when its repetitions are drawn anew: (draws x sets x columns)."""
    return redrawn.draws_by_set(values, PAPER)


def ranks_by_repetition(errors: pd.DataFrame) -> pd.DataFrame:
    """Ranks of the columns within each set and repetition, 1 for the lowest error."""
    ranks = significance.rank_methods(errors.to_numpy(), lower_is_better=True)
    return pd.DataFrame(ranks, index=errors.index, columns=errors.columns)


def ranks_among(results: Results, learners: list[str]) -> pd.DataFrame:
    """Ranks of some learners within each set and repetition that all of them have."""
    return ranks_by_repetition(errors_by_repetition(results)[learners].dropna())


# ------------------------------------------------------------------ votes


def forest_measures(frame: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Strength, correlation (three ways), disagreement, sizes of each forest, from its votes and folds.

    The held-out cases of all folds are taken together, tree j of each fold as one tree: folds of small sets are too
    small for a correlation of their own. ``correlation_by_fold`` is the mean of the folds' own correlations.
    """
    sums, grouped = of_kind(frame, "votes").set_index(by).sort_index(), of_kind(frame, "fold").groupby(by)
    cases, folds = grouped["cases"].sum(), grouped.size()
    trees, spread = sums["trees"], without_residue(sums["spread"])
    variance = vote_sums.margin_variance(sums["margins"], sums["squared_margins"], cases, trees)
    return pd.DataFrame(
        {
            "strength": vote_sums.strength(sums["margins"], cases, trees),
            "correlation": vote_sums.correlation(variance, spread),
            "correlation_as_printed": vote_sums.correlation_as_printed(variance, spread),
            "correlation_by_fold": sums["correlation_by_fold"],
            "disagreement": vote_sums.disagreement(sums["agreements"], cases, trees),
            "tree_error": 100 * sums["tree_errors"] / (cases * trees),
            "leaves": sums["leaves"] / (trees * folds),
            "deterministic_share": sums["deterministic"] / sums["tests"],
        },
        index=sums.index,
    )


def without_residue(values: pd.Series) -> pd.Series:
    """A residue of rounding becomes 0: trees without any spread are told by their exact 0."""
    return values.where(ties.less(0, values), 0.0)


@once
def measures_by_repetition(results: Results) -> pd.DataFrame:
    """Measures of every forest of the spectrum, with its error; index method, dataset, repetition, alpha."""
    by = ["method", "dataset", "repetition", "alpha"]
    if of_kind(spectrum_rows(results), "votes").empty:
        raise NotRun("votes")
    return forest_measures(spectrum_rows(results), by).assign(error=fold_rates(spectrum_rows(results), by))


@once
def forests_by_repetition(results: Results) -> pd.DataFrame:
    """Strength, correlation and error of the forests of Figure 9; index dataset, repetition, learner, setting."""
    by = ["dataset", "repetition", "learner", "setting"]
    frame = grouped_exactly(results.raw["forests"], "setting")
    return forest_measures(frame, by).assign(error=fold_rates(frame, by))[["strength", "correlation", "error"]]


@once
def spectrum_measures(results: Results) -> pd.DataFrame:
    """The same, mean over repetitions; index method, dataset, alpha."""
    return measures_by_repetition(results).groupby(level=["method", "dataset", "alpha"]).mean()
