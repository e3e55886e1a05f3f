"""Section 5.3.5: Tables 5.1 and 5.2, and what is concluded from least errors."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, first_least, less
from arboretum.papers.diversity.claims.shared import count, differences, sign, signs
from arboretum.papers.diversity.tables.forests import correlation
from arboretum.papers.diversity.tables.minima import paired_least
from arboretum.papers.diversity.tables.shared import (
    AS_TEXT,
    GUIDED_BY_TEXT,
    chosen_set,
    curves,
    last_plotted,
    of_splits,
    sets_present,
)
from arboretum.papers.results import NotRun, Results
from arboretum.papers.verdicts import (
    NEGATIVE,
    POSITIVE,
    REPRODUCED,
    Stated,
    Verdict,
    all_parts,
    around,
    claim,
    decide,
)

DRAWS = (
    " {inside} of {drawn} printed cells of small sets lie within the central 95% of single draws like the author's; "
    "the standard deviation of a draw is {deviation:.3f} at most."
)
DRAWN = ("rf", "w_drf", "w_sigm", "w_lerp")  # the learners of Figures 5.12 and 5.13


@claim("diversity-c38")
def cells_of_table_5_1(results: Results, stated: Stated) -> Verdict:
    """Least errors of seven sets and four learners, and what chance and the code explain."""
    return cells_beside_print(results, stated, "table5_1")


@claim("diversity-c39")
def cells_of_table_5_2(results: Results, stated: Stated) -> Verdict:
    """Least errors of three sets and four learners."""
    return cells_beside_print(results, stated, "table5_2")


def cells_beside_print(results: Results, stated: Stated, name: str) -> Verdict:
    """Each cell within its tolerance of print; beside it those as run, and where print lies among single draws."""
    table = results.tables[name]
    wide = stated.limits.get("difference_on_small_sets", stated.limit("difference"))

    def verdict(row) -> str:
        tolerance = wide if row.dataset in ("qsar-biodeg", "pima") else stated.limit("difference")
        return sign(row.difference, row.least_standard_error, around(0.0, tolerance))

    cells = {f"{row.dataset} {row.learner}": verdict(row) for row in table.itertuples()}
    run = {name for name in cells if name.split()[1] in AS_TEXT}
    text = {name: value for name, value in cells.items() if name not in run}
    far = table.assign(cell=[*cells]).set_index("cell")
    far = far.loc[[name for name, value in text.items() if value != REPRODUCED]]
    drawn = draws_of(results, table)
    return Verdict(
        all_parts(*text.values()),
        {
            "within": count(text),
            "cells": len(text),
            "far": {name: [row["least"], row["printed"]] for name, row in far.iterrows()},
            "optimism": float(table["optimism"].mean()),
            "within_as_run": sum(cells[name] == REPRODUCED for name in run),
            "as_run": len(run),
            **drawn,
        },
        "{within} of {cells} cells within their tolerance; the others (ours / printed): {far:.3f}",
        "The least error over the number of trees is optimistic by {optimism:.3f} on average. As run {within_as_run} "
        "of {as_run} cells are within." + (DRAWS if drawn else ""),
    )


def draws_of(results: Results, table: pd.DataFrame) -> dict[str, object]:
    """How many of the cells lie where single draws do; nothing where draws were not run."""
    try:
        draws = results.tables["printed_cells"]
    except NotRun:
        return {}
    draws = draws.merge(table[["dataset", "learner"]], on=["dataset", "learner"])
    draws = draws[~draws["learner"].isin(AS_TEXT)]
    return {
        "inside": int(draws["inside"].sum()),
        "drawn": len(draws),
        "deviation": float(draws["standard_deviation"].max()),
    }


@claim("diversity-c40")
def some_weighting_helps_somewhere(results: Results, stated: Stated) -> Verdict:
    """Paired least errors against the forest; forests that are smaller; diversity and error across learners."""
    table = results.tables["minima"].set_index(["learner", "dataset"])
    verdicts = {
        learner: {
            name: sign(row["least_less_rf"], row["least_less_rf_standard_error"], NEGATIVE)
            for name, row in table.loc[learner].iterrows()
        }
        for learner in GUIDED_BY_TEXT
    }
    better = {learner: count(found) for learner, found in verdicts.items()}
    smaller = trees_needed(results)
    relations = relations_of_learners(results)
    reach = stated.limit("smaller") * last_plotted(results)
    return Verdict(
        {
            "some weighting beats the forest on some set": decide(any(better.values())),
            "none does on all sets": decide(all(found < len(verdicts[name]) for name, found in better.items())),
            "smaller forests with similar error exist": decide(any(trees <= reach for trees in smaller.values())),
            "diversity and error are not related": decide(
                bool(at_most(abs(np.mean(list(relations.values()))), stated.limit("correlation")))
            ),
        },
        {
            "better": better,
            "sets": len(sets_present(results)),
            "smaller": {name: trees for name, trees in smaller.items() if trees <= reach},
            "relations": relations,
            "mean_relation": float(np.mean(list(relations.values()))),
        },
        "sets (of {sets}) on which a strategy surely beats the forest: {better}; trees that reach the forest's error "
        "at its last plotted size: {smaller}; correlation of diversity and error across learners {relations:.2f}",
        "Mean correlation {mean_relation:.2f}.",
    )


def trees_needed(results: Results) -> dict[str, int]:
    """The fewest trees with which a strategy has no more error than the forest with 39; strategies that never do miss.

    A forest of the standard kind may itself reach it earlier by chance: the mean over splits is compared.
    """
    last, curve = last_plotted(results), curves(results)["error"]
    found = {}
    for dataset in sets_present(results):
        goal = curve.loc[dataset, "rf", last]
        for learner in GUIDED_BY_TEXT:
            along = curve.loc[dataset, learner]
            enough = along.index[at_most(along.to_numpy(), goal)]
            if len(enough) and enough[0] <= last:
                found[f"{dataset} {learner}"] = int(enough[0])
    return found


def relations_of_learners(results: Results) -> dict[str, float]:
    """Correlation of diversity and error across learners of the text, by set."""
    at = curves(results).xs(last_plotted(results), level="members")
    at = at[~at.index.get_level_values("learner").isin(AS_TEXT)]
    return {name: correlation(at.loc[name, "diversity"], at.loc[name, "error"]) for name in sets_present(results)}


@claim("diversity-c41")
def sigmoid_is_worse_than_lerp(results: Results, stated: Stated) -> Verdict:
    """Least errors, paired, on every set."""
    results.tables["minima"]
    gaps = {name: paired_least(results, name, "w_lerp") for name in ("w_sigm", "w_sigm_as_run")}
    text, run = (signs(frame, POSITIVE) for frame in gaps.values())
    return Verdict(
        all_parts(*text.values()),
        {
            "gaps": differences(gaps["w_sigm"]),
            "sure": count(text),
            "sets": len(text),
            "gaps_as_run": differences(gaps["w_sigm_as_run"]),
            "as_run": all_parts(*run.values()),
            "exceptions": ", ".join(stated.printed("exceptions_in_own_table")),
        },
        "least error of the sigmoid less that of lerp: {gaps:+.4f}; surely worse on {sure} of {sets} sets",
        "The sigmoid that was run falls where the text has it rise; as run the gaps are {gaps_as_run:+.4f}: {as_run}. "
        "The printed table contradicts the sentence on {exceptions}.",
    )


@claim("diversity-c42")
def curves_of_figures_5_12_and_5_13(results: Results, stated: Stated) -> Verdict:
    """Spambase: alike for ten trees, then only lerp improves. Diabetes: lerp is lowest with 23 trees."""
    results.tables["minima"]
    last, noisy, other = last_plotted(results), chosen_set(results, "pima"), chosen_set(results, "spambase")
    curve = curves(results)["error"].unstack("members").loc[:, :last]
    start = [members for members in curve if 2 <= members <= stated.limit("similar_until")]
    apart = (curve.loc[other].loc[list(DRAWN), start] - curve.loc[other].loc["rf", start]).abs().mean(axis=1)
    early, late = (of_splits(results, "error", members).loc[other] for members in (start[-1], last))
    gain = (early - late)[list(DRAWN)]
    standing = {name: (-np.inf, stated.limit("improves")) for name in DRAWN} | {"w_lerp": POSITIVE}
    improves = {name: sign(gain[name].mean(), gain[name].sem(), inside) for name, inside in standing.items()}
    at = curve.loc[noisy].loc[list(DRAWN), min(stated.printed("M"), last)]
    return Verdict(
        {
            "alike for the first trees": decide(bool(at_most(apart, stated.limit("similar")).all())),
            "lerp goes on to improve": improves.pop("w_lerp"),
            "the others do not": all_parts(*improves.values()),
            "lerp is lowest on the noisy set": decide(bool(less(at["w_lerp"], at.drop("w_lerp")).all())),
        },
        {
            "other": other,
            "noisy": noisy,
            "apart": float(apart.max()),
            "gains": gain.mean().to_dict(),
            "at": at.to_dict(),
            "lowest": {name: int(curve.columns[first_least(curve.loc[noisy].loc[name])]) for name in DRAWN},
        },
        "{other}: mean distance from the forest's curve {apart:.4f} at most for the first trees, gains after them "
        "{gains:+.4f}; {noisy}: error with 23 trees {at:.3f}, lowest with so many trees: {lowest}",
        "Means over splits; a figure of the thesis shows one split for each learner, where chance moves a minimum.",
    )
