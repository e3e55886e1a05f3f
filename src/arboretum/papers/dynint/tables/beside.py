"""Tables 2 and 3: accuracy and margin beside print."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most
from arboretum.papers.contract import table
from arboretum.papers.dynint.tables.studies import (
    SCHEMES,
    STAND_IN,
    STUDIES,
    accuracies,
    at_table2,
    forest_runs,
    margins,
    printed_sets,
    study_sums,
    without_stand_in,
)
from arboretum.papers.kit.beside import beside
from arboretum.papers.kit.curves import mean_and_error, mean_over_sets
from arboretum.papers.results import Results, once

ACCURACIES = ("sv", *(f"dvs_{scheme}" for scheme in SCHEMES))
TABLES_IN_PRINT = {"table 2": "table2_accuracy", "table 3": "table3_margin"}
AVERAGE, AVERAGE_WITHOUT = "average", f"average without {STAND_IN}"


# ------------------------------------------------------------------ ours and print, column by column


@once
def accuracy_columns(results: Results) -> pd.DataFrame:
    """Accuracy of voting and of every strategy and scheme as in Table 2, one column per study."""
    return named_columns(at_table2(accuracies(results)))


@once
def margin_columns(results: Results) -> pd.DataFrame:
    """The columns of Table 3; index dataset, column."""
    return named_columns(at_table2(margins(results)))


@once
def tree_columns(results: Results) -> pd.DataFrame:
    """The columns of Table 2 that are about the trees; index dataset, column."""
    return forest_runs(study_sums(results), "replication")


def columns_of(results: Results, name: str) -> pd.DataFrame:
    """All columns of Table 2 or Table 3."""
    if name == "table 3":
        return margin_columns(results)
    return pd.concat([tree_columns(results), accuracy_columns(results)])


def named_columns(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs with strategy and scheme as one name, the way print heads its columns: ``dvs_rfw``."""
    names = [f"{strategy}_{scheme}".rstrip("_") for _, strategy, scheme in runs.index]
    index = pd.MultiIndex.from_arrays([runs.index.get_level_values("dataset"), names], names=["dataset", "column"])
    return runs.set_axis(index)


def printed_table(results: Results, name: str) -> pd.DataFrame:
    """A printed table by our names of the sets that can be had, in the order of print; averages are left out."""
    sets = printed_sets(results).set_index("printed_as")
    text = results.printed[name].set_index("dataset")
    known = [key for key in text.index if key in sets.index and sets.loc[key, "status"] == "available"]
    return text.loc[known].set_axis(sets.loc[known, "dataset"].to_numpy())


def set_by_set(runs: pd.DataFrame, text: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """One row per set and two of averages, over the same sets on both sides; ours, print and the difference."""
    rows = {name: [name] for name in text.index} | {AVERAGE: list(text.index)}
    if STAND_IN in text.index:
        rows[AVERAGE_WITHOUT] = without_stand_in(text.index)
    shown = pd.DataFrame({"dataset": list(rows)})
    by_set = mean_and_error(runs)
    for column in columns:
        ours = by_set.xs(column, level="column", drop_level=False)
        found = pd.concat([mean_over_sets(ours, names) for names in rows.values()], ignore_index=True)
        printed = pd.Series([text.loc[names, column].mean() for names in rows.values()])
        shown = shown.assign(**beside(column, printed, found["mean"], standard_error=found["se"]))
    return shown


def winners(shown: pd.DataFrame, columns: Sequence[str], suffix: str = "") -> list[str]:
    """For each row the columns that hold its greatest value, several if they are equal."""
    values = shown[[f"{column}{suffix}" for column in columns]].to_numpy(float)
    best = at_most(values.max(axis=1, keepdims=True), values)
    return [", ".join(np.asarray(columns)[row]) for row in best]


def add_winners(shown: pd.DataFrame, columns: Sequence[str]) -> None:
    """Say in front of the numbers which column is the highest, in print and here."""
    shown.insert(1, "winner_printed", winners(shown, columns, "_printed"))
    shown.insert(2, "winner", winners(shown, columns))


# ------------------------------------------------------------------ the tables


def average_accuracies(shown: pd.DataFrame) -> dict[str, float]:
    """Metrics of Table 2: the last row of averages, which leaves out sets that are not the paper's."""
    averages = shown[shown["dataset"].str.startswith("average")]
    return {name: averages[name].iloc[-1] for name in ACCURACIES} if len(averages) else {}


@table(
    title="Table 2: accuracy of voting and of DVS",
    keys=("dataset",),
    metrics=average_accuracies,
    sources=STUDIES,
    caption=(
        "Share of the cases held out; 100 trees, 15 neighbours. Print: 30 random splits; ours: the mean of such "
        "studies, standard error from their spread; of parity each study has a drawing of its own. winner: the highest "
        "of the five; wins: schemes significantly above SV in the first study by the paired t-test at 5%; print sets "
        "them in bold face, lost in the text. images: windows of two other photographs than the paper's. Averages are "
        "taken over the same sets on both sides."
    ),
)
def table2(results: Results) -> pd.DataFrame:
    """Accuracy of simple voting and of the four schemes with DVS."""
    text = printed_table(results, "table2_accuracy")
    shown = set_by_set(accuracy_columns(results), text, ACCURACIES)
    add_winners(shown, ACCURACIES)
    found = results.tables["wins"].query("significant == 'win'").groupby("dataset")["scheme"].agg(", ".join)
    shown.insert(3, "wins", shown["dataset"].map(found).fillna(""))
    return shown


@table(
    title="Table 2: the trees of the forests",
    keys=("dataset",),
    sources=STUDIES,
    caption=(
        "Accuracy of the worst, the mean and the best of 100 trees on the cases held out; share of these cases that "
        "every tree (agreement) and at least one tree (coverage) gets right."
    ),
)
def table2_trees(results: Results) -> pd.DataFrame:
    """Accuracy of single trees, agreement and coverage."""
    columns = ("min", "aver", "max", "agreement", "coverage")
    return set_by_set(tree_columns(results), printed_table(results, "table2_accuracy"), columns)


@table(
    title="Table 3: margins of voting, DV and DVS",
    keys=("dataset", "strategy"),
    sources=STUDIES,
    caption=(
        "Equation 7 on the cases held out; 100 trees, 15 neighbours. One row for DV and one for DVS of each set, "
        "simple voting in both. The weight of a tree is (w + 1) / 2 and DVS drops w < 0: both readings were settled by "
        "a look at print."
    ),
)
def table3(results: Results) -> pd.DataFrame:
    """Margin of simple voting and of the four schemes with DV and DVS."""
    text, runs = printed_table(results, "table3_margin"), margin_columns(results)
    parts = []
    for strategy in ("dv", "dvs"):
        columns = ["sv", *(f"{strategy}_{scheme}" for scheme in SCHEMES)]
        shown = set_by_set(runs, text, columns)
        add_winners(shown, columns)
        prefix = f"{strategy}_"
        shown = shown.rename(columns={name: name.removeprefix(prefix) for name in shown})
        for column in ("winner_printed", "winner"):
            shown[column] = shown[column].str.replace(prefix, "", regex=False)
        shown.insert(1, "strategy", strategy.upper())
        parts.append(shown)
    return pd.concat(parts).sort_index(kind="stable").reset_index(drop=True)
