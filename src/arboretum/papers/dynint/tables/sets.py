"""Table 1: the data sets."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.inventory import beside_print, disagreement
from arboretum.papers.results import Results


@table(
    title="Table 1: the data sets",
    keys=("dataset",),
    caption="Categorical features are the nominal and binary ones; classes are those that occur.",
)
def table1(results: Results) -> pd.DataFrame:
    """Table 1: the data sets; categorical features are the nominal and binary ones together."""
    frame = beside_print(results.sets, results.printed["table1_datasets"])
    categorical = frame["nominal"] + frame["binary"]
    same = (
        (frame["rows"] == frame["size"])
        & (categorical == frame["cat_features"])
        & (frame["numeric"] == frame["num_features"])
        & (frame["classes_occurring"] == frame["classes_key"])
    )
    return pd.DataFrame(
        {
            "dataset": frame["dataset"],
            "size_printed": frame["size"],
            "size": frame["rows"].astype("Int64"),
            "categorical_printed": frame["cat_features"],
            "categorical": categorical.astype("Int64"),
            "numeric_printed": frame["num_features"],
            "numeric": frame["numeric"].astype("Int64"),
            "classes_printed": frame["classes_key"],
            "classes": frame["classes_occurring"].astype("Int64"),
            "missing": frame["missing"].astype("Int64"),
            "agrees": same,
            "remark": disagreement(same, frame),
        }
    )
