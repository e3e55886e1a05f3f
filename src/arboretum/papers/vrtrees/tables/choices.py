"""Choices that the paper leaves open: means, ranks and the verdict of Figure 6 under each."""

from __future__ import annotations

import pandas as pd

from arboretum.measures import significance, ties
from arboretum.papers.contract import table
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    TABLE3_LEARNERS,
    available_sets,
    first_repetition,
    fold_rates,
    mean_ranks,
    printed_errors,
)
from arboretum.papers.vrtrees.tables.ranks import (
    better_pairs,
    figure6_holds,
    figure6_holds_strictly,
    in_words,
    rank_correlation,
)

DEFAULT = "as in Table 3"  # the choice that changes nothing


@table(
    title="Four variants of C4.5",
    keys=("variant",),
    sources=("spectrum", "coalescence", "variants"),
    caption="The first is the default. Boosting and random forest do not change.",
)
def variants(results: Results) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each C4.5 that the paper may have built on."""
    default, reference = first_repetition(results)[TABLE3_LEARNERS], printed_errors(results)
    frame = results.raw["variants"]
    frame = frame[frame["repetition"] == 0]
    rates = fold_rates(frame, ["mdl", "curtailment", "learner", "dataset"])
    rows = []
    for mdl in (True, False):
        for curtailment in (True, False):
            ours = rates.loc[mdl, curtailment].unstack(level="learner").loc[available_sets(results)]
            label = f"MDL correction {on_or_off(mdl)}, curtailment {on_or_off(curtailment)}"
            rows.append(variant_row(label, ours, default, reference))
    return pd.DataFrame(rows)


def on_or_off(setting: bool) -> str:
    return "on" if setting else "off"


@table(
    title="Choices that the paper leaves open",
    keys=("variant",),
    sources=("sensitivity",),
    caption=(
        "One choice changed at a time, everything else as in Table 3, random streams included. sets changed: data "
        "sets on which some learner's error differs from the first row."
    ),
)
def sensitivity(results: Results) -> pd.DataFrame:
    """The choices; the figure of the same name plots the same rows."""
    return choices_compared(results)


@once
def choices_compared(results: Results) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each choice that the paper leaves open."""
    names = available_sets(results)
    rates = fold_rates(results.raw["sensitivity"], ["choice", "learner", "dataset"])
    choices = list(dict.fromkeys(results.raw["sensitivity"]["choice"]))
    default = rates.loc[DEFAULT].unstack(level="learner").loc[names, TABLE3_LEARNERS]
    rows = []
    for choice in sorted(choices, key=lambda choice: choice != DEFAULT):
        ours = rates.loc[choice].unstack(level="learner").reindex(names)  # no row: the choice changes nothing there
        row = variant_row(choice, ours.fillna(default), default, printed_errors(results))
        rows.append(row | {"sets_changed": sets_changed(rates, choice)})
    return pd.DataFrame(rows)


def sets_changed(rates: pd.Series, choice: str) -> int:
    """On how many sets the choice changes the error of some learner."""
    difference = (rates.loc[choice] - rates.loc[DEFAULT]).dropna().abs()
    return int(ties.less(0, difference.groupby(level="dataset").max()).sum())


def variant_row(label: str, ours: pd.DataFrame, default: pd.DataFrame, printed: pd.DataFrame) -> dict[str, object]:
    """One way of building some learners; the others are as by default."""
    errors = default.assign(**{name: ours[name] for name in ours if name in TABLE3_LEARNERS})
    ranks = mean_ranks(errors)
    critical = significance.bonferroni_dunn(*errors.shape)
    return {
        "variant": label,
        **{f"error_{name}": errors[name].mean() for name in TABLE3_LEARNERS},
        **{f"rank_{name}": rank for name, rank in zip(TABLE3_LEARNERS, ranks, strict=True)},
        "best_rank": TABLE3_LEARNERS[ties.first_least(ranks)],
        "significant_pairs": in_words(better_pairs(ranks, TABLE3_LEARNERS, critical)),
        "holds": figure6_holds(errors.to_numpy()),
        "holds_strictly": figure6_holds_strictly(errors.to_numpy()),
        "rank_correlation_with_print": rank_correlation(ranks, mean_ranks(printed)),
    }


@table(
    title="Missing values three ways",
    keys=("dataset", "method"),
    sources=("sensitivity",),
    caption=(
        "Sets with missing values, per cent errors of one run. fractions: a case goes down every branch "
        "in part, as C4.5 has it and as in Table 3; imputed: median or most frequent level of the training part."
    ),
)
def missing_values(results: Results) -> pd.DataFrame:
    """Errors on the sets with missing values under each treatment of them, beside print."""
    names = available_sets(results)
    text = printed_errors(results).set_axis(names, axis=0).stack()
    rates = fold_rates(results.raw["sensitivity"], ["dataset", "learner", "choice"]).unstack(level="choice")
    ways = [choice for choice in rates if choice.startswith("missing")]
    every = pd.MultiIndex.from_product([names, TABLE3_LEARNERS])
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
