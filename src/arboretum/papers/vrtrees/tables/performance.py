"""The spectrum of predictive performance: Table 1, Figures 1 and 2 in numbers, and what section 5.1 says of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import significance, ties
from arboretum.measures.bootstrap import interval
from arboretum.papers.contract import table
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.rates import (
    METHODS,
    available_sets,
    bootstrap_weights,
    over_repetitions,
    printed_errors,
    ranks_by_repetition,
    set_means,
    spectrum_errors,
    spectrum_measures,
    spectrum_rates,
)


@table(
    title="Every point of the spectrum",
    keys=("method", "alpha"),
    sources=("spectrum",),
    caption=(
        "Means over data sets and repetitions. Interval: 95%, the sets fixed and the repetitions drawn anew. error "
        "printed: of Table 3, over the same sets; printed in text: over all 45 sets, of which print gives no more."
    ),
)
def spectrum(results: Results) -> pd.DataFrame:
    """Means over sets at every point of the spectrum."""
    measures = spectrum_measures(results)
    ends = measures["leaves"].groupby(level=["method", "dataset"]).transform("last")  # alpha = 1
    measures = measures.assign(log_ratio=np.log(measures["leaves"] / ends))
    means = measures.groupby(level=["method", "alpha"]).mean().reset_index()
    noise = [over_repetitions(spectrum_rates(results)[method]).interval for method in means["method"].unique()]
    means["error_low"], means["error_high"] = np.concatenate(noise, axis=1)
    means["leaves_ratio"] = np.exp(means["log_ratio"])
    points = list(zip(means["method"], means["alpha"], strict=True))
    means["error_printed"] = [printed_over_these_sets(results, *point) for point in points]
    means["error_printed_in_text"] = [printed_in_text(results, *point) for point in points]
    columns = ["method", "alpha", "error_printed", "error_printed_in_text", "error", "error_low", "error_high"]
    columns += ["tree_error", "strength", "correlation", "disagreement", "leaves", "leaves_ratio"]
    columns += ["deterministic_share"]
    return means[columns]


IN_TABLE3 = {("aggregating", 0.0): "max_diverse", ("bagging", 1.0): "bagging", ("subspacing", 1.0): "random_subspace"}
IN_TEXT = {("aggregating", 0.5): "agg_mean_error_alpha05", ("aggregating", 1.0): "agg_mean_error_alpha1"}


def printed_over_these_sets(results: Results, method: str, alpha: float) -> float:
    """The mean of the errors that Table 3 prints, over the sets that we have; NaN at other points of the spectrum."""
    learner = IN_TABLE3.get((method, alpha))
    return float("nan") if learner is None else float(printed_errors(results)[learner].mean())


def printed_in_text(results: Results, method: str, alpha: float) -> float:
    """The mean over all 45 sets that section 5.1 prints; NaN at other points of the spectrum."""
    values = results.printed["text_values"].set_index("quantity")["value"]
    return float(values.get(IN_TEXT.get((method, alpha)), np.nan))


@table(
    title="The spectrum of each data set",
    keys=("dataset", "method"),
    sources=("spectrum",),
    caption="Error in per cent at each alpha, mean over repetitions.",
)
def spectrum_by_set(results: Results) -> pd.DataFrame:
    """Error of every set, method and alpha; the best alpha of each row."""
    parts = []
    for method, errors in spectrum_errors(results).items():
        best = errors.columns.to_numpy()[ties.first_least(errors)]
        wide = errors.rename(columns=lambda alpha: f"alpha_{alpha:g}").assign(best_alpha=best)
        parts.append(wide.rename_axis("dataset").reset_index().assign(method=method))
    frame = pd.concat(parts)
    order = {name: place for place, name in enumerate(available_sets(results))}
    frame = frame.sort_values("dataset", key=lambda column: column.map(order), kind="stable")
    return frame[["dataset", "method", *[name for name in frame if name not in ("dataset", "method")]]]


@table(
    title="Table 1: the two halves of the spectrum, measured",
    keys=("half", "method"),
    sources=("spectrum",),
    caption=(
        "Means over the alphas of each half (0 to 0.5; above 0.5) and over the data sets. leaves ratio: leaves "
        "relative to those at alpha 1 of the same set and method, geometric mean. disagreement: the chance that "
        "two trees vote differently on a held-out case. tree error: of a single tree. The paper gives words only."
    ),
)
def table1(results: Results) -> pd.DataFrame:
    """Table 1, measured: each half of the spectrum, the mean over its alphas and over sets."""
    points = results.tables["spectrum"]
    points = points[points["method"].isin(METHODS)]
    half = np.where(points["alpha"] <= 0.5, "random", "deterministic")
    measured = ["leaves", "leaves_ratio", "disagreement", "tree_error", "error"]
    frame = points.groupby([half, points["method"]])[measured].mean().rename_axis(["half", "method"]).reset_index()
    text = results.printed["table1_halves"].set_index("half")
    best = frame.groupby("half")["error"].transform("min")
    return frame.assign(
        preferred=np.where(ties.equal(frame["error"], best), "lowest error", ""),
        size_printed=text["size"].reindex(frame["half"]).to_numpy(),
        diversity_printed=text["diversity"].reindex(frame["half"]).to_numpy(),
        preferred_printed=text["preferred"].reindex(frame["half"]).to_numpy(),
    ).sort_values(["half", "method"], ascending=[False, True])


@table(
    title="The best operating points",
    keys=("method",),
    sources=("spectrum",),
    caption=(
        "Means of the ranks within each repetition. low, high: 95%, the sets fixed and the repetitions drawn anew; "
        "over sets: bootstrap over data sets. region: the alphas whose mean rank is within one critical difference "
        "(Bonferroni-Dunn, 95%) of the best."
    ),
)
def best_alphas(results: Results) -> pd.DataFrame:
    """The best alpha by mean rank and by mean error, and the region not significantly worse (Figure 2)."""
    text = results.printed["text_values"].set_index("quantity")["value"]
    return pd.DataFrame(
        [best_alphas_row(method, key, spectrum_rates(results)[method], text) for method, key in METHODS.items()]
    )


def best_alphas_row(method: str, key: str, rates: pd.DataFrame, text: pd.Series) -> dict[str, object]:
    alphas, ranks = rates.columns.to_numpy(), ranks_by_repetition(rates)
    by_rank, by_error = over_repetitions(ranks), over_repetitions(rates)
    set_ranks, set_errors = set_means(ranks), set_means(rates)
    weights = bootstrap_weights(set_ranks.index)
    mean, critical = by_rank.mean, significance.bonferroni_dunn(*set_ranks.shape)
    near = alphas[ties.at_most(mean - mean.min(), critical)]
    above = by_rank.draws - by_rank.draws.min(axis=1, keepdims=True)
    one_low, one_high = interval(above[:, -1])
    row = {
        "method": method,
        "best_by_rank_printed": text[f"best_rank_alpha_{key}"],
        "best_by_rank": alphas[ties.first_least(mean)],
        **spread("best_by_rank", alphas[ties.first_least(by_rank.draws)]),
        **spread("best_by_rank", alphas[ties.first_least(weights @ set_ranks.to_numpy())], "_over_sets"),
        "best_by_error": alphas[ties.first_least(by_error.mean)],
        **spread("best_by_error", alphas[ties.first_least(by_error.draws)]),
        **spread("best_by_error", alphas[ties.first_least(weights @ set_errors.to_numpy())], "_over_sets"),
        "region_from_printed": text[f"best_region_{key}_low"],
        "region_from": near.min(),
        "region_to_printed": text[f"best_region_{key}_high"],
        "region_to": near.max(),
    }
    starts, stops = zip(*(ends_of_region(alphas, drawn, critical) for drawn in above), strict=True)
    half = ties.first_least(np.abs(alphas - 0.5))
    return row | {
        **spread("region_from", np.array(starts)),
        **spread("region_to", np.array(stops)),
        "rank_above_best_at_half": mean[half] - mean.min(),
        **spread("rank_above_best_at_half", above[:, half]),
        "rank_above_best_at_one": mean[-1] - mean.min(),
        "rank_above_best_at_one_low": one_low,
        "rank_above_best_at_one_high": one_high,
        "critical_difference": critical,
    }


def spread(name: str, draws: np.ndarray, suffix: str = "") -> dict[str, float]:
    """Two columns: the ends of the central 95% of the draws."""
    low, high = interval(draws)
    return {f"{name}_low{suffix}": low, f"{name}_high{suffix}": high}


def ends_of_region(alphas: np.ndarray, above_best: np.ndarray, critical: float) -> tuple[float, float]:
    """The first and the last alpha within one critical difference of the best."""
    near = alphas[ties.at_most(above_best, critical)]
    return near[0], near[-1]


@table(
    title="Aggregating, bagging and subspacing against each other",
    keys=("alpha",),
    sources=("spectrum",),
    caption=(
        "Differences of mean error in points, on the same folds. low, high: 95%, the sets fixed and the repetitions "
        "drawn anew; over sets: bootstrap over data sets."
    ),
)
def methods_compared(results: Results) -> pd.DataFrame:
    """The four methods at each alpha: differences of mean error with their intervals, and Wilcoxon's p over sets."""
    rates, errors = spectrum_rates(results), spectrum_errors(results)
    frame = pd.DataFrame({"alpha": rates["aggregating"].columns})
    frame = frame.assign(**{method: found.mean().to_numpy() for method, found in errors.items()})
    worse = ties.at_most(errors["subspacing"].mean(), errors["bagging"].mean())  # bagging is, at each alpha
    parent = rates["bagging"].where(np.broadcast_to(worse, rates["bagging"].shape), rates["subspacing"])
    pairs = {
        "aggregating_less_bagging": rates["aggregating"] - rates["bagging"],
        "aggregating_less_subspacing": rates["aggregating"] - rates["subspacing"],
        "both_less_worse_parent": rates["bagging+subspacing"] - parent,
    }
    weights = bootstrap_weights(available_sets(results))
    for name, values in pairs.items():
        repeated = over_repetitions(values)
        frame = frame.assign(**{name: repeated.mean}, **spread(name, repeated.draws))
        frame = frame.assign(**spread(name, weights @ set_means(values).to_numpy(), "_over_sets"))
    differences = set_means(pairs["aggregating_less_bagging"]).to_numpy()
    return frame.assign(wilcoxon_p_aggregating_bagging=wilcoxon(differences.T))


def wilcoxon(differences: np.ndarray) -> np.ndarray:
    """p of Wilcoxon's signed-rank test along the last axis; 1 where nothing differs.

    The test looks at signs and ranks alone, so it is given signed ranks in which rounding is no difference. Always by
    the normal approximation: left to itself SciPy takes the exact law for some rows; for which depends on its version.
    """
    signs = np.where(ties.equal(differences, 0), 0, np.sign(differences))
    some = signs.any(axis=-1, keepdims=True)
    ranks = np.where(some, signs * ties.rank(np.abs(differences)), 1.0)
    return np.where(some[..., 0], stats.wilcoxon(ranks, axis=-1, method="approx").pvalue, 1.0)


@table(
    title="Swing of the mean error over the spectrum",
    keys=("method",),
    sources=("spectrum",),
    caption=(
        "Greatest less least mean error over alpha. low, high: 95%, the sets fixed and the repetitions drawn anew; "
        "over sets: bootstrap over data sets. share of draws: those in the printed order."
    ),
)
def swings(results: Results) -> pd.DataFrame:
    """How far the mean error of each method moves over the spectrum (section 5.1 iii)."""
    every = pd.concat(spectrum_rates(results), axis=1)  # columns (method, alpha): all methods share each draw
    repeated, weights = over_repetitions(every), bootstrap_weights(available_sets(results))
    draws = {"": repeated.draws, "_over_sets": weights @ set_means(every).to_numpy()}
    methods = every.columns.get_level_values(0)
    frame = pd.DataFrame({"method": list(spectrum_rates(results))})
    frame["swing"] = [np.ptp(repeated.mean[methods == method]) for method in frame["method"]]
    for suffix, drawn in draws.items():
        samples = {method: np.ptp(drawn[:, methods == method], axis=1) for method in frame["method"]}
        ends = pd.DataFrame([spread("swing", samples[method], suffix) for method in frame["method"]])
        ordered = ties.less(samples["bagging"], samples["aggregating"])
        ordered &= ties.less(samples["subspacing"], samples["bagging"])
        frame = frame.join(ends).assign(**{f"share_of_draws_in_printed_order{suffix}": ordered.mean()})
    return frame
