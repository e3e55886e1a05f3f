"""Friedman ranks of Figures 2, 5 and 6: what differs significantly, and how firm the verdict of Figure 6 is."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import significance, ties
from arboretum.papers.contract import table
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    METHODS,
    OPERATING_POINTS,
    TABLE3_LEARNERS,
    all_printed_errors,
    available_sets,
    bootstrap_weights,
    errors_by_repetition,
    learner_rates,
    mean_ranks,
    over_repetitions,
    printed_errors,
    ranks_among,
    rounded_as_printed,
    set_means,
    spectrum_rates,
)
from arboretum.papers.vrtrees.tables.performance import spread
from arboretum.seeds import generator

FIGURE5_LEARNERS = ["coalescence", *OPERATING_POINTS]
BEATEN_IN_FIGURE6 = ("bagging", "max_diverse")
ROUNDING_DRAWS = 300


def better_pairs(ranks: np.ndarray, names: list[str], critical: float) -> list[str]:
    """Pairs whose mean ranks differ by more than ``critical``, the better one first."""
    order = ties.order(ranks)
    return [
        f"{names[i]} < {names[j]}"
        for place, i in enumerate(order)
        for j in order[place + 1 :]
        if ties.less(critical, ranks[j] - ranks[i])
    ]


def in_words(items: list[str], most: int = 20) -> str:
    """The items, their number where there are more than ``most``, or "none"."""
    if len(items) > most:
        return f"{len(items)} pairs"
    return "; ".join(items) if items else "none"


# ------------------------------------------------------------------ Friedman's test


@table(
    name="significance",
    title="Friedman tests",
    keys=("figure", "errors"),
    sources=("spectrum", "coalescence"),
    caption=(
        "As printed: Bonferroni-Dunn with k - 1 comparisons, applied to every pair. All pairs: Nemenyi. Holm: "
        "against a control chosen beforehand (alpha 0; coalescence), p < 0.05. ours: ranks of the mean errors over "
        "repetitions; one run: the first repetition, as printed; rounded: to 0.1 as in print. a < b: a is better."
    ),
)
def significance_tests(results: Results) -> pd.DataFrame:
    """Friedman's test and what follows it, for Figures 2, 5 and 6."""
    rows = []
    for figure, method in zip(("2a", "2b", "2c"), METHODS, strict=True):
        rates = spectrum_rates(results)[method].rename(columns=lambda alpha: f"{alpha:g}")
        rows += significance_rows(figure, rates, "0")
    for figure, learners in (("5", FIGURE5_LEARNERS), ("6", TABLE3_LEARNERS)):
        rows += significance_rows(figure, errors_by_repetition(results)[learners].dropna(), "coalescence")
    rows.append(significance_row("6", "printed", all_printed_errors(results), "coalescence"))
    rows.append(significance_row("6", "printed, same sets", printed_errors(results), "coalescence"))
    return pd.DataFrame(rows)


def significance_rows(figure: str, errors: pd.DataFrame, control: str) -> list[dict[str, object]]:
    """The tests on mean errors over repetitions, on one run, and on one run rounded as in print."""
    first = errors.xs(0, level="repetition")
    return [
        significance_row(figure, "ours", set_means(errors), control),
        significance_row(figure, "ours, one run", first, control),
        significance_row(figure, "ours, one run, rounded", rounded_as_printed(first), control),
    ]


def significance_row(figure: str, source: str, errors: pd.DataFrame, control: str) -> dict[str, object]:
    """One row of the significance table: as printed, and valid for what the text concludes."""
    scores, names = errors.to_numpy(), [str(name) for name in errors.columns]
    plain = significance.friedman(scores, lower_is_better=True)
    tied = significance.friedman(scores, lower_is_better=True, correct_ties=True)
    dunn, nemenyi = significance.bonferroni_dunn(*scores.shape), significance.nemenyi(*scores.shape)
    return {
        "figure": figure,
        "errors": source,
        "sets": len(scores),
        "methods": len(names),
        "best": names[ties.first_least(plain.ranks)],
        "best_rank": plain.ranks.min(),
        "friedman_chi_square": plain.chi_square,
        "friedman_p": plain.chi_square_p,
        "friedman_p_ties_corrected": tied.chi_square_p,
        "iman_davenport_p": plain.f_p,
        "iman_davenport_p_ties_corrected": tied.f_p,
        "critical_difference_as_printed": dunn,
        "pairs_as_printed": in_words(better_pairs(plain.ranks, names, dunn)),
        "critical_difference_all_pairs": nemenyi,
        "pairs_all_pairs": in_words(better_pairs(plain.ranks, names, nemenyi)),
        "control": control,
        "differ_from_control_holm": in_words(different_from(control, names, plain.ranks, len(scores))),
    }


def different_from(control: str, names: list[str], ranks: np.ndarray, sets: int) -> list[str]:
    """The methods that differ from the control by Holm's test, and which way."""
    place = names.index(control)
    adjusted = significance.holm(ranks, place, sets)
    return [
        f"{name} ({'worse' if ties.less(ranks[place], rank) else 'better'})"
        for name, rank, p in zip(names, ranks, adjusted, strict=True)
        if ties.less(p, 0.05)
    ]


@table(
    title="Ranks behind coalescence",
    keys=("figure", "method"),
    sources=("spectrum", "coalescence"),
    caption=(
        "Mean rank less that of coalescence, ranks within each repetition. low, high: 95%, the sets fixed and the "
        "repetitions drawn anew; over sets: bootstrap over data sets. Holm's p: against coalescence, over data sets."
    ),
)
def rank_differences(results: Results) -> pd.DataFrame:
    """How much worse than coalescence each method of Figures 5 and 6 ranks."""
    names = available_sets(results)
    weights = bootstrap_weights(names)
    rows = []
    for figure, learners in (("5", FIGURE5_LEARNERS), ("6", TABLE3_LEARNERS)):
        ranks = ranks_among(results, learners)
        adjusted = significance.holm(over_repetitions(ranks).mean, 0, len(names))
        behind = ranks[learners[1:]].sub(ranks["coalescence"], axis=0)
        repeated, drawn = over_repetitions(behind), weights @ set_means(behind).to_numpy()
        for place, learner in enumerate(learners[1:]):
            row = {"figure": figure, "method": LEARNER_NAMES[learner], "rank_behind": repeated.mean[place]}
            row |= spread("rank_behind", repeated.draws[:, place])
            row |= spread("rank_behind", drawn[:, place], "_over_sets")
            rows.append(row | {"holm_p": adjusted[place + 1]})
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ how firm Figure 6 is


def better_than_both(ranks: np.ndarray, critical: float) -> list[str]:
    """The methods whose mean rank is better than both of BEATEN_IN_FIGURE6 by more than ``critical``."""
    rivals = ranks[[TABLE3_LEARNERS.index(name) for name in BEATEN_IN_FIGURE6]].min()
    return [name for name, rank in zip(TABLE3_LEARNERS, ranks, strict=True) if ties.less(critical, rivals - rank)]


def figure6_holds(ranks: np.ndarray, critical: float) -> bool:
    """The verdict of Figure 6: coalescence ranks first, and it alone is significantly better than both BEATEN."""
    return bool(ties.first_least(ranks) == 0 and better_than_both(ranks, critical) == ["coalescence"])


def figure6_holds_strictly(ranks: np.ndarray, critical: float) -> bool:
    """The same read strictly: besides those two pairs no other differs."""
    pairs = better_pairs(ranks, TABLE3_LEARNERS, critical)
    wanted = {f"coalescence < {name}" for name in BEATEN_IN_FIGURE6}
    return bool(ties.first_least(ranks) == 0 and set(pairs) == wanted)


def rank_correlation(one: np.ndarray, two: np.ndarray) -> float:
    """Spearman's correlation of two lists of mean ranks."""
    return float(stats.spearmanr(ties.rank(one), ties.rank(two)).statistic)


@table(
    title="Figure 6: how firm its verdict is",
    keys=("errors",),
    sources=("coalescence",),
    caption=(
        "holds: coalescence ranks first and is the only method significantly better than both Max-Diverse and "
        "Bagging; strictly: and no other pair differs. without one set: in how many of the ways to leave out one "
        "data set. within rounding: share of 300 draws of what the rounded errors may have been."
    ),
)
def figure6_fragility(results: Results) -> pd.DataFrame:
    """The verdict of Figure 6 from print and from each of our repetitions, and how easily it changes."""
    rates = learner_rates(results)
    sources = {
        "printed, all sets": all_printed_errors(results).to_numpy(),
        "printed, the sets we have": printed_errors(results).to_numpy(),
    }
    for repetition in range(min(rates[name].shape[1] for name in TABLE3_LEARNERS)):
        errors = np.stack([rates[name][:, repetition] for name in TABLE3_LEARNERS], axis=1)
        sources[f"ours, repetition {repetition + 1}"] = errors
    sources["ours, mean of repetitions"] = np.stack([rates[name].mean(axis=1) for name in TABLE3_LEARNERS], axis=1)
    reference = mean_ranks(printed_errors(results))
    return pd.DataFrame([fragility_row(name, errors, reference) for name, errors in sources.items()])


def fragility_row(source: str, errors: np.ndarray, reference: np.ndarray) -> dict[str, object]:
    ranks, critical = mean_ranks(errors), significance.bonferroni_dunn(*errors.shape)
    row = {
        "errors": source,
        "sets": len(errors),
        **{f"rank_{name}": rank for name, rank in zip(TABLE3_LEARNERS, ranks, strict=True)},
        "critical_difference": critical,
        "significant_pairs": in_words(better_pairs(ranks, TABLE3_LEARNERS, critical)),
        "better_than_both": in_words(better_than_both(ranks, critical)),
        "rank_correlation_with_print": rank_correlation(ranks, reference),
        "holds_for_all_pairs": figure6_holds(ranks, significance.nemenyi(*errors.shape)),
    }
    without = [mean_ranks(np.delete(errors, place, axis=0)) for place in range(len(errors))]
    fewer = significance.bonferroni_dunn(len(errors) - 1, errors.shape[1])
    rng = generator(paper="vrtrees", purpose="rounding", source=source)
    printed = rounded_as_printed(errors)
    unrounded = [mean_ranks(printed + rng.uniform(-0.05, 0.05, errors.shape)) for _ in range(ROUNDING_DRAWS)]
    for name, holds in (("holds", figure6_holds), ("holds_strictly", figure6_holds_strictly)):
        row[name] = holds(ranks, critical)
        row[f"{name}_without_one_set"] = f"{sum(holds(found, fewer) for found in without)} of {len(without)}"
        row[f"{name}_within_rounding"] = float(np.mean([holds(drawn, critical) for drawn in unrounded]))
    return row
