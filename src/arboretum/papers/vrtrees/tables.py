"""The tables of vrtrees, printed beside ours."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.inventory import attributes, beside_print, disagreement
from arboretum.papers.shape import Frames, Table


def table6(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 6: the data sets. The printed attributes are shown as printed; they are compared as corrected."""
    frame = beside_print(raw["datasets"], printed["table6_datasets"])
    found = frame["rows"].notna()
    ours = [
        attributes(int(row.nominal), int(row.numeric), int(row.binary)) if known else None
        for row, known in zip(frame.itertuples(), found, strict=True)
    ]
    same = (
        (frame["rows"] == frame["size"])
        & (pd.Series(ours) == frame["att_printed"])
        & (frame["classes"] == frame["classes_printed"])
    )
    return pd.DataFrame(
        {
            "dataset": frame["dataset"],
            "description": frame["description"],
            "size_printed": frame["size"],
            "size": frame["rows"].astype("Int64"),
            "attributes_printed": frame["att_printed"],
            "attributes": ours,
            "classes_printed": frame["classes_printed"].astype("Int64"),
            "classes": frame["classes"].astype("Int64"),
            "classes_occurring": frame["classes_occurring"].astype("Int64"),
            "missing": frame["missing"].astype("Int64"),
            "agrees": same,
            "remark": disagreement(same, frame),
        }
    )


TABLES = {
    "table6": Table(
        build=table6,
        title="Table 6: the data sets",
        keys=("dataset",),
        sources=("datasets",),
        caption="Attributes: n nominal with more than two values, c continuous, b binary, counted by declared values.",
    )
}
