"""Table 4: bias and variance of the error, in two decompositions (section 4.4).

The standard error is that of the jackknife over runs: everything is computed again with one run of three folds left
out at a time. The cases are the same as the paper's, so their spread is no part of it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.bias_variance import breiman, kohavi_wolpert
from arboretum.measures.ties import less
from arboretum.papers.contract import table
from arboretum.papers.dynint.tables.beside import AVERAGE, AVERAGE_WITHOUT
from arboretum.papers.dynint.tables.shared import STAND_IN, printed_sets, without_stand_in
from arboretum.papers.results import Results, once

METHODS = ("sv", "ds", "dv", "dvs")
DECOMPOSITIONS = {"kw": kohavi_wolpert, "breiman": breiman}
PARTS = ("bias", "variance", "error")
WHOLE = "all runs"


def sets_of_table4(results: Results, experiment: str = "bias_variance") -> list[str]:
    """The sets of Table 4 that this profile has, in the order of print."""
    known = set(results.raw[experiment]["dataset"])
    return [name for name in printed_sets(results)["dataset"] if name in known]


@once
def decomposed(results: Results, experiment: str = "bias_variance") -> pd.DataFrame:
    """Bias, variance and error of all runs, and with each run left out; index dataset, decomposition, method, part."""
    rows = {}
    for dataset, frame in results.raw[experiment].groupby("dataset"):
        truth = frame.groupby("case")["class"].first().to_numpy()
        classes = int(frame[["class", *METHODS]].to_numpy().max()) + 1
        for method in METHODS:
            answers = frame.pivot(index="case", columns="repetition", values=method).to_numpy()
            for name, decompose in DECOMPOSITIONS.items():
                kept = [answers, *(np.delete(answers, run, axis=1) for run in range(answers.shape[1]))]
                means = [decompose(one, truth, classes).mean() for one in kept]
                for part in PARTS:
                    rows[dataset, name, method, part] = [float(getattr(mean, part)) for mean in means]
    columns = [WHOLE, *range(max(map(len, rows.values())) - 1)]
    index = pd.MultiIndex.from_tuples(rows, names=["dataset", "decomposition", "method", "part"])
    return pd.DataFrame(list(rows.values()), index=index, columns=columns)


def jackknife_error(replicates: pd.DataFrame | pd.Series):
    """sqrt((R - 1) / R * sum of squared deviations) over the values with each of R runs left out."""
    left_out = replicates.drop(WHOLE, axis="index" if isinstance(replicates, pd.Series) else "columns")
    runs = left_out.shape[-1]
    return np.sqrt(runs - 1) * left_out.std(axis=left_out.ndim - 1, ddof=0)


def average(replicates: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The mean over sets; index decomposition, method, part."""
    chosen = replicates[replicates.index.get_level_values("dataset").isin(list(names))]
    return chosen.groupby(level=["decomposition", "method", "part"]).mean()


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
    sources=("bias_variance",),
    caption=(
        "Ten runs of three random folds (not stratified: settled by a look at print), 100 trees, 15 neighbours, "
        "weighted forest similarity (rfw). kw: Kohavi and Wolpert, equations 8 and 9; breiman: equations 10 and 11. "
        "Standard error: jackknife over runs. error: bias + variance, the same in both. Averages: over the same sets "
        "on both sides."
    ),
)
def table4(results: Results) -> pd.DataFrame:
    """Bias, variance and error of SV, DS, DV and DVS beside print."""
    return table4_of(results, "bias_variance")


@table(
    title="Table 4 with stratified folds",
    keys=("dataset", "decomposition", "part"),
    sources=("stratified",),
    caption="As Table 4, but every fold has its share of each class: the reading that print speaks against.",
)
def table4_stratified(results: Results) -> pd.DataFrame:
    """The same on folds that hold their share of each class."""
    return table4_of(results, "stratified")


def table4_of(results: Results, experiment: str) -> pd.DataFrame:
    ours, text = decomposed(results, experiment), in_print(results)
    rows = []
    for row, names in rows_of_sets(sets_of_table4(results, experiment)).items():
        means = average(ours, names)
        errors = jackknife_error(means)
        printed = text[text.index.get_level_values("dataset").isin(names)]
        printed = printed.groupby(level=["decomposition", "method", "part"]).mean()
        for decomposition in DECOMPOSITIONS:
            for part in PARTS:
                found = {"dataset": row, "decomposition": decomposition, "part": part}
                for method in METHODS:
                    key = (decomposition, method, part)
                    found |= {f"{method}_printed": printed[key], method: means.loc[key, WHOLE]}
                    found |= {f"{method}_standard_error": errors[key]}
                    found |= {f"{method}_difference": found[method] - found[f"{method}_printed"]}
                rows.append(found)
    return pd.DataFrame(rows)


@table(
    title="Bias and variance against voting",
    keys=("dataset", "decomposition", "part", "method"),
    sources=("bias_variance",),
    caption=(
        "Less that of simple voting on the same folds. Standard error: jackknife over runs. surely: further than two "
        "standard errors from 0."
    ),
)
def bias_variance_gaps(results: Results) -> pd.DataFrame:
    """How DS, DV and DVS change bias and variance of SV, on each set and in the mean."""
    ours, text = decomposed(results), in_print(results)
    rows = []
    for row, names in rows_of_sets(sets_of_table4(results)).items():
        means = average(ours, names)
        printed = text[text.index.get_level_values("dataset").isin(names)]
        printed = printed.groupby(level=["decomposition", "method", "part"]).mean()
        for decomposition in DECOMPOSITIONS:
            for part in PARTS:
                for method in METHODS[1:]:
                    one, other = (decomposition, method, part), (decomposition, "sv", part)
                    gap = means.loc[one] - means.loc[other]
                    found = {"dataset": row, "decomposition": decomposition, "part": part, "method": method}
                    found |= {"gap_printed": printed[one] - printed[other], "gap": gap[WHOLE]}
                    rows.append(found | {"gap_standard_error": float(jackknife_error(gap))})
    frame = pd.DataFrame(rows)
    reach = 2 * frame["gap_standard_error"]
    frame["surely"] = np.select([less(reach, frame["gap"]), less(frame["gap"], -reach)], ["more", "less"], "")
    return frame
