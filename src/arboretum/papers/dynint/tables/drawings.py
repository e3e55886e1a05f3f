"""The generated sets drawn anew: how far the sample moves the cells of Tables 2 and 3."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.dynint.tables.beside import (
    accuracy_columns,
    margin_columns,
    named_columns,
    printed_table,
    tree_columns,
)
from arboretum.papers.dynint.tables.shared import at_table2, forest_runs, runs_of
from arboretum.papers.results import Results, once

SHOWN = ("min", "aver", "max", "agreement", "coverage", "sv", "dvs_heom", "dvs_heomw", "dvs_rf", "dvs_rfw")


@once
def drawn_cells(results: Results) -> pd.DataFrame:
    """The mean over splits of every cell of each drawing; index table, dataset, column, one column per drawing."""
    frame, found = results.raw["draws"], {}
    for drawing, rows in frame.groupby("drawing"):
        accuracy, margin = (named_columns(at_table2(runs_of(rows, value))) for value in ("right", "margin"))
        cells = pd.concat({"table 2": pd.concat([forest_runs(rows), accuracy]), "table 3": margin}, names=["table"])
        found[drawing] = cells.mean(axis=1)
    return pd.DataFrame(found)


@once
def cell_runs(results: Results) -> dict[tuple[str, str, str], np.ndarray]:
    """The runs of every cell of Tables 2 and 3 and of the same columns on the other sets, by table, set and column.

    A run is a replication of the printed 30 splits; of a generated set it is a drawing, since the paper drew its own.
    """
    replicated = {
        "table 2": pd.concat([tree_columns(results), accuracy_columns(results)]),
        "table 3": margin_columns(results),
    }
    rows = {(name, *key): runs.to_numpy() for name, frame in replicated.items() for key, runs in frame.iterrows()}
    return rows | {key: runs.to_numpy() for key, runs in drawn_cells(results).iterrows()}


def drawn_sets(results: Results) -> list[str]:
    """The sets that are drawn anew."""
    return sorted(set(results.raw["draws"]["dataset"]))


@table(
    title="The generated sets, drawn anew",
    keys=("table", "dataset", "column"),
    sources=("draws",),
    caption=(
        "Mean, standard deviation and range over drawings, each the mean over splits; drawing 1 is the set of the "
        "tables. Print has one drawing of its own: where its number lies within the range, the sample explains the "
        "difference."
    ),
)
def drawings(results: Results) -> pd.DataFrame:
    """The cells of parity2, parity3, led7 and led24 over drawings, beside the printed ones where there are any."""
    cells = drawn_cells(results)
    text = {name: printed_table(results, file) for name, file in PRINTED.items()}
    rows = []
    for (name, dataset, column), values in cells.iterrows():
        if name == "table 2" and column not in SHOWN:
            continue
        known = dataset in text[name].index
        rows.append(
            {
                "table": name,
                "dataset": dataset,
                "column": column,
                "value_printed": text[name].loc[dataset, column] if known else float("nan"),
                "value": values.mean(),
                "value_low": values.min(),
                "value_high": values.max(),
                "deviation": values.std(ddof=1),
                "first_drawing": values.iloc[0],
                "drawings": len(values),
            }
        )
    return pd.DataFrame(rows)


PRINTED = {"table 2": "table2_accuracy", "table 3": "table3_margin"}
