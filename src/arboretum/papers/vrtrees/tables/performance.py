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
    run_deviation,
    spectrum_errors,
    spectrum_measures,
)


@table(
    title="Every point of the spectrum",
    keys=("method", "alpha"),
    sources=("spectrum", "coalescence"),
    caption="Means over data sets. Interval: 95% of single cross-validations. Printed means are over all 45 sets.",
)
def spectrum(results: Results) -> pd.DataFrame:
    """Means over sets at every point of the spectrum."""
    measures = spectrum_measures(results)
    ends = measures["leaves"].groupby(level=["method", "dataset"]).transform("last")  # alpha = 1
    measures = measures.assign(log_ratio=np.log(measures["leaves"] / ends))
    means = measures.groupby(level=["method", "alpha"]).mean().reset_index()
    noise = 1.96 * run_deviation(results)
    means["error_low"], means["error_high"] = means["error"] - noise, means["error"] + noise
    means["leaves_ratio"] = np.exp(means["log_ratio"])
    means["error_printed"] = [
        spectrum_in_print(results, method, alpha) for method, alpha in zip(means["method"], means["alpha"], strict=True)
    ]
    columns = ["method", "alpha", "error_printed", "error", "error_low", "error_high", "tree_error", "strength"]
    columns += ["correlation", "disagreement", "leaves", "leaves_ratio", "deterministic_share"]
    return means[columns]


def spectrum_in_print(results: Results, method: str, alpha: float) -> float:
    """The means that the text and Table 3 print (over all 45 sets)."""
    means = results.printed["table3_error"].set_index("dataset").loc["mean"]
    values = results.printed["text_values"].set_index("quantity")["value"]
    points = {
        ("aggregating", 0.0): means["agg_alpha0"],
        ("aggregating", 0.5): values["agg_mean_error_alpha05"],
        ("aggregating", 1.0): values["agg_mean_error_alpha1"],
        ("bagging", 1.0): means["bag_alpha1"],
        ("subspacing", 1.0): means["subspace_alpha1"],
    }
    return float(points.get((method, alpha), np.nan))


@table(
    title="The spectrum of each data set",
    keys=("dataset", "method"),
    sources=("spectrum",),
    caption="Error in per cent at each alpha.",
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
    sources=("spectrum", "coalescence"),
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
        "Intervals by bootstrap over data sets. region: the alphas whose mean rank is within one critical "
        "difference (Bonferroni-Dunn, 95%) of the best."
    ),
)
def best_alphas(results: Results) -> pd.DataFrame:
    """The best alpha by mean rank and by mean error, and the region not significantly worse (Figure 2)."""
    weights = bootstrap_weights(available_sets(results))
    text = results.printed["text_values"].set_index("quantity")["value"]
    return pd.DataFrame(
        [
            best_alphas_row(method, key, spectrum_errors(results)[method], weights, text)
            for method, key in METHODS.items()
        ]
    )


def best_alphas_row(
    method: str, key: str, errors: pd.DataFrame, weights: np.ndarray, text: pd.Series
) -> dict[str, object]:
    alphas, errors = errors.columns.to_numpy(), errors.to_numpy()
    ranks = significance.rank_methods(errors, lower_is_better=True)
    mean, critical = ranks.mean(axis=0), significance.bonferroni_dunn(*ranks.shape)
    near = alphas[ties.at_most(mean - mean.min(), critical)]
    low, high = interval(alphas[ties.first_least(weights @ ranks)])
    error_low, error_high = interval(alphas[ties.first_least(weights @ errors)])
    return {
        "method": method,
        "best_by_rank_printed": text[f"best_rank_alpha_{key}"],
        "best_by_rank": alphas[ties.first_least(mean)],
        "best_by_rank_low": low,
        "best_by_rank_high": high,
        "best_by_error": alphas[ties.first_least(errors.mean(axis=0))],
        "best_by_error_low": error_low,
        "best_by_error_high": error_high,
        "region_from_printed": text[f"best_region_{key}_low"],
        "region_from": near.min(),
        "region_to_printed": text[f"best_region_{key}_high"],
        "region_to": near.max(),
        "rank_above_best_at_half": mean[ties.first_least(np.abs(alphas - 0.5))] - mean.min(),
        "rank_above_best_at_one": mean[-1] - mean.min(),
        "critical_difference": critical,
    }


@table(
    title="Aggregating, bagging and subspacing against each other",
    keys=("alpha",),
    sources=("spectrum",),
    caption="Differences of mean error in points, intervals by bootstrap over data sets.",
)
def methods_compared(results: Results) -> pd.DataFrame:
    """The four methods at each alpha: differences of mean error with their intervals over sets, and Wilcoxon's p."""
    weights = bootstrap_weights(available_sets(results))
    alphas = spectrum_errors(results)["aggregating"].columns
    errors = {method: frame.to_numpy() for method, frame in spectrum_errors(results).items()}
    pairs = {
        "aggregating_less_bagging": errors["aggregating"] - errors["bagging"],
        "aggregating_less_subspacing": errors["aggregating"] - errors["subspacing"],
        "both_less_worse_parent": errors["bagging+subspacing"] - worse_method(errors["bagging"], errors["subspacing"]),
    }
    frame = pd.DataFrame({"alpha": alphas} | {method: values.mean(axis=0) for method, values in errors.items()})
    for name, values in pairs.items():
        low, high = interval(weights @ values)
        frame[name], frame[f"{name}_low"], frame[f"{name}_high"] = values.mean(axis=0), low, high
    frame["wilcoxon_p_aggregating_bagging"] = [wilcoxon(column) for column in pairs["aggregating_less_bagging"].T]
    return frame


def worse_method(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """At each alpha the errors of the method with the greater mean."""
    return np.where(ties.at_most(two.mean(axis=0), one.mean(axis=0)), one, two)


def wilcoxon(differences: np.ndarray) -> float:
    """p of Wilcoxon's signed-rank test; 1 where nothing differs.

    The test looks at signs and ranks alone, so it is given signed ranks in which rounding is no difference.
    """
    signs = np.where(ties.equal(differences, 0), 0, np.sign(differences))
    return float(stats.wilcoxon(signs * ties.rank(np.abs(differences))).pvalue) if np.any(signs) else 1.0


@table(
    title="Swing of the mean error over the spectrum",
    keys=("method",),
    sources=("spectrum",),
)
def swings(results: Results) -> pd.DataFrame:
    """How far the mean error of each method moves over the spectrum (section 5.1 iii)."""
    weights = bootstrap_weights(available_sets(results))
    rows, samples = [], {}
    for method, errors in spectrum_errors(results).items():
        samples[method] = np.ptp(weights @ errors.to_numpy(), axis=1)
        low, high = interval(samples[method])
        rows.append(
            {"method": method, "swing": np.ptp(errors.to_numpy().mean(axis=0)), "swing_low": low, "swing_high": high}
        )
    ordered = ties.less(samples["bagging"], samples["aggregating"])
    ordered &= ties.less(samples["subspacing"], samples["bagging"])
    return pd.DataFrame(rows).assign(share_of_draws_in_printed_order=ordered.mean())
