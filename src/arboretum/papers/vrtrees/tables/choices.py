"""Choices that the paper leaves open: means, ranks and the verdict of Figure 6 under each."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures import significance, ties
from arboretum.papers.contract import mean_by, table
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    TABLE3_LEARNERS,
    available_sets,
    c50_rates,
    draws_by_set,
    errors_by_repetition,
    fold_rates,
    mean_ranks,
    over_repetitions,
    printed_errors,
    ranks_by_repetition,
    set_means,
)
from arboretum.papers.vrtrees.tables.performance import spread
from arboretum.papers.vrtrees.tables.ranks import (
    better_pairs,
    figure6_holds,
    figure6_holds_strictly,
    in_words,
    rank_correlation,
)

DEFAULT = "as in Table 3"  # the choice that changes nothing
VR_LEARNERS = ("coalescence", "max_diverse", "bagging", "random_subspace")


@table(
    title="Six variants of C4.5",
    keys=("variant",),
    sources=("spectrum", "coalescence", "variants"),
    caption=(
        "One run. The first is the default. C5.0 and random forest do not change. Curtailment below weight 2 differs "
        "from that at weight 1 or less where missing values make weights fractions."
    ),
)
def variants(results: Results) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each C4.5 that the paper may have built on."""
    default = errors_by_repetition(results)[TABLE3_LEARNERS].xs(0, level="repetition", drop_level=False)
    frame = results.raw["variants"]
    frame = frame[frame["repetition"] == 0]
    rates = fold_rates(frame, ["mdl", "curtailment", "dataset", "repetition", "learner"]).unstack()
    rows = []
    for mdl in (True, False):
        for curtailment in sorted(set(frame["curtailment"])):
            label = f"MDL correction {'on' if mdl else 'off'}, curtailment {curtailment}"
            rows.append(variant_row(label, rates.loc[mdl, curtailment], default, results))
    return pd.DataFrame(rows)


@table(
    title="Choices that the paper leaves open",
    keys=("variant",),
    metrics=mean_by("variant", "error_coalescence"),
    sources=("sensitivity",),
    caption=(
        "One choice changed at a time, everything else as in Table 3, random streams included; C5.0 is the real one, "
        "always on the stratified folds. change: of the mean error, in points. distance: mean of |ours - printed| over "
        "the cells of the four ensembles of VR-Trees; print is one run, so its own noise is part of every distance. "
        "distance change: from the first row, on the same repetitions. low, high: 95%, the sets fixed and the "
        "repetitions drawn anew; empty where there is one repetition. sets changed: data sets on which some learner's "
        "error differs from the first row."
    ),
)
def sensitivity(results: Results) -> pd.DataFrame:
    """The choices; the figure of the same name plots the same rows."""
    return choices_compared(results)


@once
def choices_compared(results: Results) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each choice that the paper leaves open."""
    rates = fold_rates(results.raw["sensitivity"], ["choice", "dataset", "repetition", "learner"]).unstack()
    default = rates.loc[DEFAULT].loc[available_sets(results)]
    default = default.assign(c50=c50_rates(results)["c50"])[TABLE3_LEARNERS]
    rows = []
    for choice in sorted(rates.index.levels[0], key=lambda choice: choice != DEFAULT):
        row = variant_row(choice, rates.loc[choice], default, results)
        rows.append(row | {"sets_changed": sets_changed(rates.loc[choice], default)})
    return pd.DataFrame(rows)


def sets_changed(ours: pd.DataFrame, default: pd.DataFrame) -> int:
    """On how many sets the choice changes the error of some learner."""
    difference = (ours - default).abs().max(axis=1).groupby(level="dataset").max()
    return int(ties.less(0, difference.dropna()).sum())


def variant_row(label: str, ours: pd.DataFrame, default: pd.DataFrame, results: Results) -> dict[str, object]:
    """One way of building some learners, on some sets; everything else is as by default."""
    learners = list(default)
    errors = ours.reindex(index=default.index, columns=learners).fillna(default)
    repeated, ranks = over_repetitions(errors), over_repetitions(ranks_by_repetition(errors))
    changes, by_set = over_repetitions(errors - default), set_means(errors)
    critical = significance.bonferroni_dunn(*by_set.shape)
    row = {"variant": label}
    for measure, found in (("error", repeated), ("rank", ranks)):
        for place, name in enumerate(learners):
            row |= {f"{measure}_{name}": found.mean[place]} | spread(f"{measure}_{name}", found.draws[:, place])
    for place, name in enumerate(learners):
        if name in VR_LEARNERS:
            row |= {f"change_{name}": changes.mean[place]} | spread(f"change_{name}", changes.draws[:, place])
    return (
        row
        | distances(errors, default, results)
        | {
            "best_rank": learners[ties.first_least(ranks.mean)],
            "significant_pairs": in_words(better_pairs(ranks.mean, learners, critical)),
            "holds": figure6_holds(mean_ranks(by_set), critical),
            "holds_strictly": figure6_holds_strictly(mean_ranks(by_set), critical),
            "rank_correlation_with_print": rank_correlation(ranks.mean, mean_ranks(printed_errors(results))),
        }
    )


def distances(errors: pd.DataFrame, default: pd.DataFrame, results: Results) -> dict[str, float]:
    """Mean of |ours - printed| over the cells of the ensembles of VR-Trees, and its change from the default.

    The draws of a mean of absolute values lie above it by what their noise adds, so they are moved back to it.
    """
    text = printed_errors(results)[list(VR_LEARNERS)].to_numpy()
    both = pd.concat([errors[list(VR_LEARNERS)], default[list(VR_LEARNERS)]], axis=1)

    def measured(means: np.ndarray) -> np.ndarray:
        ours, first = (np.abs(part - text).mean(axis=(-2, -1)) for part in np.split(means, 2, axis=-1))
        return np.stack([ours, ours - first])

    found, draws, row = measured(set_means(both).to_numpy()), measured(draws_by_set(both)), {}
    for name, value, drawn in zip(("distance", "distance_change"), found, draws, strict=True):
        row |= {name: float(value)} | spread(name, drawn - drawn.mean() + value)
    return row


@table(
    title="Missing values four ways",
    keys=("dataset", "method"),
    sources=("sensitivity",),
    caption=(
        "Sets with missing values, per cent errors on the same folds. fractions: a case goes down every branch "
        "in part, as C4.5 has it and as in Table 3; imputed: median or most frequent level of the training part; as a "
        "level: a missing nominal value is one more value, as UCI's texts on vote and anneal suggest; take a branch: a "
        "nominal one takes a branch of its own and a numeric one the lower branch, but tests are scored as by C4.5."
    ),
)
def missing_values(results: Results) -> pd.DataFrame:
    """Errors on the sets with missing values under each treatment of them, beside print."""
    names = available_sets(results)
    text = printed_errors(results).set_axis(names, axis=0).stack()
    rates = fold_rates(results.raw["sensitivity"], ["dataset", "learner", "choice"]).unstack(level="choice")
    ways = [choice for choice in rates if choice.startswith("missing")]
    every = pd.MultiIndex.from_product([names, VR_LEARNERS])
    rates = rates.dropna(subset=ways).reindex(every).dropna(subset=ways)
    return pd.DataFrame(
        {
            "dataset": rates.index.get_level_values(0),
            "method": [LEARNER_NAMES[learner] for learner in rates.index.get_level_values(1)],
            "error_printed": text.reindex(rates.index).to_numpy(),
            "fractions": rates[DEFAULT].to_numpy(),
            **{way.replace(" ", "_"): rates[way].to_numpy() for way in ways},
        }
    )
