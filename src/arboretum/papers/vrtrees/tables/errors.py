"""Table 3: errors of coalescence and its benchmarks, their means, and how far each cell is from print."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import repetitions, significance, ties
from arboretum.measures.bootstrap import interval
from arboretum.papers.contract import table
from arboretum.papers.results import Results
from arboretum.papers.verdicts import say
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    OPERATING_POINTS,
    TABLE3_COLUMNS,
    TABLE3_LEARNERS,
    available_sets,
    bootstrap_weights,
    case_counts,
    first_repetition,
    learner_rates,
    mean_interval,
    mean_ranks,
    printed_errors,
    run_interval,
    sets_in_print_order,
)
from arboretum.papers.vrtrees.remarks import remark


@table(
    title="Table 3: error of coalescence and five benchmarks",
    keys=("dataset",),
    sources=("spectrum", "coalescence"),
    caption=(
        "Per cent, ten-fold cross-validation. Ours: the first repetition. Interval: where 95% of single "
        "cross-validations fall, from all repetitions, their spread pooled over the data sets. Boosted C4.5 "
        "stands in for C5 (100 trials; the paper does not say how many); boosting 10: ten trials. searched: alpha "
        "by equation 2; oracle: the best alpha of each data set in hindsight."
    ),
)
def table3(results: Results) -> pd.DataFrame:
    """Table 3: error of six methods, with searched and oracle alpha and ten trials of boosting beside them."""
    sets = sets_in_print_order(results)
    names, rates, cases = available_sets(results), learner_rates(results), case_counts(results)
    text = results.printed["table3_error"].set_index("dataset")
    frame = pd.DataFrame({"dataset": sets["dataset"]}).set_index("dataset")
    extra = first_repetition(results)
    means = {}
    for learner, column in TABLE3_COLUMNS.items():
        low, high = run_interval(rates[learner], cases)
        frame[f"{learner}_printed"] = text.loc[sets["printed_as"], column].to_numpy()
        frame[learner] = pd.Series(rates[learner][:, 0], index=names)
        frame[f"{learner}_low"], frame[f"{learner}_high"] = pd.Series(low, index=names), pd.Series(high, index=names)
        frame[f"{learner}_difference"] = frame[learner] - frame[f"{learner}_printed"]
        means |= mean_row(learner, rates[learner], cases, printed_errors(results)[learner].mean())
    for learner in ("boosting_10", "searched", "oracle"):
        frame[learner] = extra[learner]
        means[learner] = extra[learner].mean()
    frame["status"] = sets.set_index("dataset")["status"]
    frame.loc["mean over these sets"] = pd.Series({**means, "status": "available"})
    frame.loc["mean as printed (45 sets)"] = pd.Series(
        {f"{learner}_printed": float(text.loc["mean", column]) for learner, column in TABLE3_COLUMNS.items()}
        | {"status": "available"}
    )
    return frame.rename_axis("dataset").reset_index()


def mean_row(name: str, rates: np.ndarray, cases: np.ndarray, printed_mean: float) -> dict[str, float]:
    low, high = mean_interval(rates, cases)
    ours = rates[:, 0].mean()
    row = {f"{name}_printed": printed_mean, name: ours, f"{name}_low": low, f"{name}_high": high}
    return row | {f"{name}_difference": ours - printed_mean}


@table(
    title="Table 3 and Figure 6: means and ranks",
    keys=("learner",),
    sources=("spectrum", "coalescence"),
    caption=(
        "Means over the same data sets on both sides (the printed oracle mean is over all 45). Interval of an "
        "error: 95% of single cross-validations; of a rank: bootstrap over data sets."
    ),
)
def table3_means(results: Results) -> pd.DataFrame:
    """Means of Table 3 and ranks of Figure 6 over the same sets, and the learners beyond the printed six."""
    names, rates, cases = available_sets(results), learner_rates(results), case_counts(results)
    text, ours = printed_errors(results), first_repetition(results)
    ranks = rank_columns(results)
    oracle = results.printed["text_values"].set_index("quantity").loc["oracle_best_alpha_mean_error", "value"]
    rows = []
    for learner in [*TABLE3_LEARNERS, "boosting_10", "searched", "oracle", *OPERATING_POINTS]:
        row = {"learner": LEARNER_NAMES[learner]}
        if learner in rates:
            printed_mean = text[learner].mean() if learner in TABLE3_LEARNERS else np.nan
            row |= mean_row("error", rates[learner], cases, printed_mean)
        else:
            row |= {"error": ours[learner].mean()}
        if learner == "oracle":
            row |= {"error_printed": oracle, "error_difference": ours[learner].mean() - oracle}
        rows.append(row | ranks.get(learner, {}) | {"sets": len(names)})
    return pd.DataFrame(rows)


def rank_columns(results: Results) -> dict[str, dict[str, float]]:
    """Of each learner of Table 3 its mean rank from print and from ours, with its interval over sets."""
    ours = first_repetition(results)[TABLE3_LEARNERS]
    weights = bootstrap_weights(available_sets(results))
    low, high = interval(weights @ significance.rank_methods(ours.to_numpy(), lower_is_better=True))
    columns = {"rank_printed": mean_ranks(printed_errors(results)), "rank": mean_ranks(ours)}
    columns |= {"rank_low": low, "rank_high": high}
    return pd.DataFrame(columns, index=TABLE3_LEARNERS).to_dict("index")


@table(
    title="Table 3, cell by cell",
    keys=("dataset", "method"),
    sources=("coalescence",),
    prose=("remark",),
    caption=(
        "Ours: the mean of all repetitions. deviations: the difference in standard errors of one "
        "cross-validation about that mean, rounding of print included. remark: why, where it is beyond three."
    ),
)
def table3_cells(results: Results) -> pd.DataFrame:
    """Every cell of Table 3 in deviations of one cross-validation, sets and methods in the order of print."""
    names, rates, cases = available_sets(results), learner_rates(results), case_counts(results)
    parts = []
    for learner in TABLE3_LEARNERS:
        error = 100 * repetitions.single_run_error(rates[learner] / 100, cases)
        error = np.sqrt(error**2 + 0.1**2 / 12)  # print is rounded to 0.1
        centre, text = rates[learner].mean(axis=1), printed_errors(results)[learner].to_numpy()
        columns = {"dataset": names, "method": LEARNER_NAMES[learner], "error_printed": text, "error": centre}
        columns |= {"error_difference": centre - text, "standard_error": error, "deviations": (centre - text) / error}
        parts.append(pd.DataFrame(columns))
    frame = pd.concat(parts)
    frame = frame.sort_index(kind="stable").reset_index(drop=True)  # by set, and within a set by method
    beyond = ties.less(3, frame["deviations"].abs())
    remarks = [
        remark(*cell) if far else "" for *cell, far in zip(frame["dataset"], frame["method"], beyond, strict=True)
    ]
    return frame.assign(beyond_three=beyond, remark=remarks)


@table(
    title="Table 3: what the differences of the means are made of",
    keys=("method",),
    sources=("coalescence",),
    prose=("largest_shares",),
    caption="Points of the mean over all sets; ours: the mean of all repetitions. Remarks on cells: above.",
)
def mean_differences(results: Results) -> pd.DataFrame:
    """What the differences of the means of Table 3 are made of: a set adds its own over the number of sets."""
    rows = []
    for method, cells in results.tables["table3_cells"].groupby("method", sort=False):
        shares = cells.set_index("dataset")["error_difference"] / len(cells)
        largest = shares.iloc[ties.order(-shares.abs())].head(4)
        rows.append(
            {
                "method": method,
                "error_printed": cells["error_printed"].mean(),
                "error": cells["error"].mean(),
                "error_difference": cells["error_difference"].mean(),
                "from_cells_beyond_three": shares[cells.loc[cells["beyond_three"], "dataset"]].sum(),
                "largest_shares": say("{shares:+.2f}", shares=largest.to_dict()),
            }
        )
    return pd.DataFrame(rows)


@table(
    title="Table 3: differences beyond noise",
    keys=("method",),
    sources=("coalescence",),
    caption=(
        "How many cells differ from print by more than two and three standard errors, and how many would if "
        "only the folds and the random trees differed. dispersion: variance between repetitions as a share of "
        "the binomial one."
    ),
)
def noise(results: Results) -> pd.DataFrame:
    """How many cells of Table 3 differ from print by more than one cross-validation differs from another."""
    rates, cases, cells = learner_rates(results), case_counts(results), results.tables["table3_cells"]
    rows = []
    for learner in TABLE3_LEARNERS:
        z = cells.loc[cells["method"] == LEARNER_NAMES[learner], "deviations"].to_numpy()
        rows.append(noise_row(LEARNER_NAMES[learner], z, repetitions.dispersion(rates[learner] / 100, cases)))
    return pd.DataFrame([*rows, noise_row("all methods", cells["deviations"].to_numpy(), np.nan)])


def noise_row(name: str, z: np.ndarray, dispersion: float) -> dict[str, object]:
    return {
        "method": name,
        "cells": len(z),
        "beyond_two": int(np.sum(ties.less(2, np.abs(z)))),
        "expected_beyond_two": len(z) * 2 * stats.norm.sf(2),
        "beyond_three": int(np.sum(ties.less(3, np.abs(z)))),
        "expected_beyond_three": len(z) * 2 * stats.norm.sf(3),
        "mean_deviations": float(np.mean(z)),
        "root_mean_square_deviations": float(np.sqrt(np.mean(z**2))),
        "dispersion": dispersion,
    }
