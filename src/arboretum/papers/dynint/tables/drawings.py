"""The generated sets: how far the drawing moves the cells of Tables 2 and 3."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.dynint.tables.beside import TABLES_IN_PRINT, columns_of, printed_table
from arboretum.papers.dynint.tables.studies import STUDIES, drawn_sets
from arboretum.papers.results import Results


@table(
    title="The generated sets, drawn again and again",
    keys=("table", "dataset", "column"),
    sources=STUDIES,
    caption=(
        "Mean, standard deviation and range over drawings, each the mean over splits; prepared: the first drawing, "
        "which is a prepared set. Print has one drawing of its own: where its number lies within the range, the sample "
        "explains the difference."
    ),
)
def drawings(results: Results) -> pd.DataFrame:
    """The cells of parity2, parity3, led7 and led24 over drawings, beside the printed ones where there are any."""
    rows = []
    for name, file in TABLES_IN_PRINT.items():
        text, found = printed_table(results, file), columns_of(results, name)
        for (dataset, column), values in found.loc[drawn_sets(results)].iterrows():
            if column not in text:
                continue
            rows.append(
                {
                    "table": name,
                    "dataset": dataset,
                    "column": column,
                    "value_printed": text.loc[dataset, column] if dataset in text.index else float("nan"),
                    "value": values.mean(),
                    "value_low": values.min(),
                    "value_high": values.max(),
                    "deviation": values.std(ddof=1),
                    "prepared": values.iloc[0],
                    "drawings": values.count(),
                }
            )
    return pd.DataFrame(rows)
