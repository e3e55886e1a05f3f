"""Table 3: errors of coalescence and its benchmarks, their means, and how far each cell is from print."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import repetitions, ties
from arboretum.measures.bootstrap import interval
from arboretum.papers.contract import mean_by, table
from arboretum.papers.kit.beside import beside, with_ends
from arboretum.papers.kit.estimate import in_per_cent, mean_of_one_run
from arboretum.papers.kit.wording import say
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.estimates import run_interval
from arboretum.papers.vrtrees.rates import (
    EXTRA_LEARNERS,
    LEARNER_NAMES,
    OPERATING_POINTS,
    STAND_IN_LEARNERS,
    TABLE3_LEARNERS,
    available_sets,
    bootstrap_weights,
    case_counts,
    errors_by_repetition,
    learner_rates,
    mean_errors,
    mean_ranks,
    over_repetitions,
    printed_errors,
    ranks_among,
    set_means,
    sets_in_print_order,
)
from arboretum.papers.vrtrees.remarks import on_cell
from arboretum.papers.vrtrees.tables.performance import spread


@table(
    title="Table 3: error of coalescence and five benchmarks",
    keys=("dataset",),
    sources=("spectrum", "coalescence"),
    caption=(
        "Per cent, ten-fold cross-validation, mean over repetitions. low, high: where 95% of single cross-validations "
        "fall, as print is one; their spread is pooled over the data sets. C5.0: the real one on our folds, 100 trials "
        "(the paper does not say how many) or 10. Boosted C4.5: AdaBoost.M1, 100 or 10 trials; c5: with C5.0's weights "
        "and votes, one repetition. searched: alpha by equation 2, one repetition; oracle: the best alpha of each data "
        "set and run in hindsight."
    ),
)
def table3(results: Results) -> pd.DataFrame:
    """Table 3: error of six methods, with searched and oracle alpha and other ways of boosting beside them."""
    sets = sets_in_print_order(results)
    names, rates, cases = available_sets(results), learner_rates(results), case_counts(results)
    text, ours = results.printed["table3_error"].set_index("dataset"), mean_errors(results)
    frame = pd.DataFrame({"dataset": sets["dataset"]}).set_index("dataset")
    means = {}
    for learner in TABLE3_LEARNERS:
        low, high = run_interval(rates[learner], cases)
        printed = pd.Series(text.loc[sets["printed_as"], learner].to_numpy(), frame.index)
        ends = {"low": pd.Series(low, index=names), "high": pd.Series(high, index=names)}
        frame = frame.assign(**beside(learner, printed, ours[learner], **ends))
        means |= mean_row(learner, rates[learner], cases, printed_errors(results)[learner].mean())
    for learner in EXTRA_LEARNERS:
        frame[learner] = ours[learner]
        means[learner] = ours[learner].mean()
    frame["status"] = sets.set_index("dataset")["status"]
    frame.loc["mean over these sets"] = pd.Series({**means, "status": "available"})
    frame.loc["mean as printed (45 sets)"] = pd.Series(
        {f"{learner}_printed": float(text.loc["mean", learner]) for learner in TABLE3_LEARNERS}
        | {"status": "available"}
    )
    return frame.rename_axis("dataset").reset_index()


def mean_row(name: str, rates: np.ndarray, cases: np.ndarray, printed_mean: float) -> dict[str, float]:
    row = {f"{name}_printed": printed_mean} | with_ends(name, in_per_cent(mean_of_one_run(rates / 100, cases)))
    return row | {f"{name}_difference": rates.mean() - printed_mean}


@table(
    title="Table 3 and Figure 6: means and ranks",
    keys=("learner",),
    metrics=mean_by("learner", "error"),
    sources=("spectrum", "coalescence"),
    caption=(
        "Means over repetitions and over the same data sets on both sides (the printed oracle mean is over all 45). "
        "low, high: 95%, the sets fixed and the repetitions drawn anew; run low, run high: where 95% of single "
        "cross-validations fall; over sets: bootstrap over data sets. Ranks within each repetition among the first "
        "six, those of Boosted C4.5 with it in the place of C5.0."
    ),
)
def table3_means(results: Results) -> pd.DataFrame:
    """Means of Table 3 and ranks of Figure 6 over the same sets, and the learners beyond the printed six."""
    rates, cases, text = learner_rates(results), case_counts(results), printed_errors(results)
    oracle = results.printed["text_values"].set_index("quantity").loc["oracle_best_alpha_mean_error", "value"]
    ranks = rank_columns(results, STAND_IN_LEARNERS) | rank_columns(results, TABLE3_LEARNERS)
    rows = []
    for learner in [*TABLE3_LEARNERS, *EXTRA_LEARNERS, *OPERATING_POINTS]:
        repeated = over_repetitions(errors_by_repetition(results)[[learner]].dropna())
        printed_mean = text[learner].mean() if learner in text else oracle if learner == "oracle" else np.nan
        row = {"learner": LEARNER_NAMES[learner], "error_printed": printed_mean, "error": repeated.mean[0]}
        row |= spread("error", repeated.draws[:, 0])
        if learner in rates:
            one_run = with_ends("run", in_per_cent(mean_of_one_run(rates[learner] / 100, cases)))
            row |= {end: one_run[end] for end in ("run_low", "run_high")}
        row["error_difference"] = repeated.mean[0] - printed_mean
        rows.append(row | ranks.get(learner, {}) | {"sets": len(cases)})
    return pd.DataFrame(rows)


def rank_columns(results: Results, learners: list[str]) -> dict[str, dict[str, float]]:
    """Of each learner of Table 3 its mean rank from print and from ours, with its intervals."""
    ranks = ranks_among(results, learners)
    repeated, weights = over_repetitions(ranks), bootstrap_weights(available_sets(results))
    frame = pd.DataFrame({"rank": repeated.mean}, index=learners)
    if learners == TABLE3_LEARNERS:
        frame.insert(0, "rank_printed", mean_ranks(printed_errors(results)))
    frame["rank_low"], frame["rank_high"] = repeated.interval
    frame["rank_low_over_sets"], frame["rank_high_over_sets"] = interval(weights @ set_means(ranks).to_numpy())
    return frame.to_dict("index")


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
    learners = frame["method"].map({LEARNER_NAMES[learner]: learner for learner in TABLE3_LEARNERS})
    cells = zip(frame["dataset"], learners, beyond, strict=True)
    remarks = [on_cell(results, name, learner) if far else "" for name, learner, far in cells]
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
