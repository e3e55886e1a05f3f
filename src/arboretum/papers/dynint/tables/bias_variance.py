"""Table 4: bias and variance of the error, in two decompositions (section 4.4).

Print has ten runs of three folds. Here that study is made at least ten times: its mean, and the spread between the
studies. The cases are the same as the paper's, so their spread is no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import pandas as pd

from arboretum.measures.bias_variance import decomposition_sums, from_sums
from arboretum.papers.contract import table
from arboretum.papers.dynint.holm import signs
from arboretum.papers.dynint.tables.beside import AVERAGE, AVERAGE_WITHOUT
from arboretum.papers.dynint.tables.studies import (
    STAND_IN,
    ask_for,
    printed_sets,
    without_stand_in,
)
from arboretum.papers.kit.beside import beside, with_ends
from arboretum.papers.kit.curves import mean_and_error, mean_over_sets
from arboretum.papers.kit.estimate import Estimate, mean_of
from arboretum.papers.results import Results, once

METHODS = ("sv", "ds", "dv", "dvs")
DECOMPOSITIONS = ("kw", "breiman")
PARTS = ("bias", "variance", "error")
SOURCES = ("bias_variance", "decompositions")


@once
def sets_of_table4(results: Results) -> list[str]:
    """The sets of Table 4 that this profile has, in the order of print."""
    ask_for(results, "table4")
    known = set(results.raw["bias_variance"]["dataset"].unique())
    return [name for name in printed_sets(results)["dataset"] if name in known]


@once
def decomposed(results: Results) -> pd.DataFrame:
    """Bias, variance and error, one column per study; index dataset, decomposition, method, part."""
    ask_for(results, "table4")
    frame = pd.concat([first_study(results), results.raw["decompositions"]], ignore_index=True)
    keys = [frame[name] for name in ("dataset", "method", "replication")]
    sums = [frame[name] for name in ("wrong", "disagreements", "central_wrong", "runs", "cases")]
    parts = {
        (name, part): pd.Series(getattr(found, part).to_numpy(), index=keys)
        for name, found in from_sums(*sums).items()
        for part in PARTS
    }
    long = pd.concat(parts, names=["decomposition", "part"]).unstack("replication")
    return long.reorder_levels(["dataset", "decomposition", "method", "part"]).sort_index()


def first_study(results: Results) -> pd.DataFrame:
    """The sums over cases that the experiment decompositions keeps, from answers case by case."""
    rows = []
    for dataset, frame in results.raw["bias_variance"].groupby("dataset"):
        truth = frame.groupby("case")["class"].first().to_numpy()
        classes = int(frame[["class", *METHODS]].to_numpy().max()) + 1
        for method in METHODS:
            answers = frame.pivot(index="case", columns="repetition", values=method).to_numpy()
            row = {"dataset": dataset, "replication": 0, "runs": answers.shape[1], "cases": len(truth)}
            rows.append(row | {"method": method} | decomposition_sums(answers, truth, classes))
    return pd.DataFrame(rows)


def in_print(results: Results) -> pd.Series:
    """The printed numbers by our names of sets; index dataset, decomposition, method, part."""
    sets = printed_sets(results).set_index("printed_as")["dataset"]
    text = results.printed["table4_bias_variance"]
    text = text[text["dataset"].isin(sets.index)].assign(dataset=lambda frame: frame["dataset"].map(sets))
    text["error"] = text["bias"] + text["variance"]
    long = text.melt(["dataset", "decomposition", "method"], list(PARTS), var_name="part")
    return long.set_index(["dataset", "decomposition", "method", "part"])["value"]


def rows_of_sets(names: Sequence[str]) -> dict[str, list[str]]:
    """What the rows of Table 4 are means of: each set, all of them, all but the stand-in."""
    rows = {name: [name] for name in names} | {AVERAGE: list(names)}
    return rows | ({AVERAGE_WITHOUT: without_stand_in(names)} if STAND_IN in names else {})


@table(
    title="Table 4: bias and variance",
    keys=("dataset", "decomposition", "part"),
    sources=SOURCES,
    caption=(
        "Print: ten runs of three folds; ours: the mean of such studies, standard error from their spread. "
        "Random folds, not stratified (settled by a look at print), 100 trees, 15 neighbours, weighted forest "
        "similarity (rfw). kw: Kohavi and Wolpert, equations 8 and 9; breiman: equations 10 and 11. error: bias + "
        "variance, the same in both. Averages: over the same sets on both sides."
    ),
)
def table4(results: Results) -> pd.DataFrame:
    """Bias, variance and error of SV, DS, DV and DVS beside print."""
    ours, text = mean_and_error(decomposed(results)), in_print(results)
    rows = []
    for row, names in rows_of_sets(sets_of_table4(results)).items():
        means, printed = mean_over_sets(ours, names), printed_average(text, names)
        for decomposition, part in product(DECOMPOSITIONS, PARTS):
            found = {"dataset": row, "decomposition": decomposition, "part": part}
            for method in METHODS:
                key = (decomposition, method, part)
                found |= beside(method, printed[key], means.loc[key, "mean"], standard_error=means.loc[key, "se"])
            rows.append(found)
    return pd.DataFrame(rows)


def printed_average(text: pd.Series, names: Sequence[str]) -> pd.Series:
    """The mean of printed numbers over sets; index decomposition, method, part."""
    chosen = text[text.index.get_level_values("dataset").isin(list(names))]
    return chosen.groupby(level=["decomposition", "method", "part"]).mean()


@table(
    title="Bias and variance against voting",
    keys=("dataset", "decomposition", "part", "method"),
    sources=SOURCES,
    caption=(
        "Less that of simple voting on the same folds; interval: 95%, from studies. surely: corrected for the number "
        "of rows of the same part (Holm)."
    ),
)
def bias_variance_gaps(results: Results) -> pd.DataFrame:
    """How DS, DV and DVS change bias and variance of SV, on each set and in the mean."""
    ours, text, rows = decomposed(results), in_print(results), []
    gaps: dict[str, dict[int, Estimate]] = {part: {} for part in PARTS}
    for row, names in rows_of_sets(sets_of_table4(results)).items():
        printed = printed_average(text, names)
        for decomposition, part, method in product(DECOMPOSITIONS, PARTS, METHODS[1:]):
            one, other = ((decomposition, name, part) for name in (method, "sv"))
            runs = [(ours.loc[(name, *one)] - ours.loc[(name, *other)]).dropna().to_numpy() for name in names]
            gaps[part][len(rows)] = gap = mean_of(runs)
            found = {"dataset": row, "decomposition": decomposition, "part": part, "method": method}
            rows.append(found | {"gap_printed": printed[one] - printed[other]} | with_ends("gap", gap))
    outcomes = {row: sign for of_part in gaps.values() for row, sign in signs(of_part).items()}
    words = [{1: "more", -1: "less", 0: ""}[outcomes[row]] for row in range(len(rows))]
    return pd.DataFrame(rows).assign(surely=words)
