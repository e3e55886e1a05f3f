"""The data sets of a paper, from its manifest, to set beside what is printed of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

LEADING = ("dataset", "printed_as", "status", "explained")


def sets_frame(manifest: Mapping[str, Mapping[str, Any]]) -> pd.DataFrame:
    """One row per data set, sorted by name; ``status`` is "available", or the reason why the set cannot be had."""
    rows = [
        {"dataset": name, **facts, "status": facts["reason"] if facts["status"] != "available" else "available"}
        for name, facts in sorted(manifest.items())
    ]
    frame = pd.DataFrame(rows, columns=None if rows else list(LEADING))
    return frame[[*LEADING, *[name for name in frame if name not in (*LEADING, "reason")]]]


def attributes(nominal: int, numeric: int, binary: int) -> str:
    """Attribute counts as vrtrees prints them: ``3n, 2c, 5b``, kinds with none left out."""
    counts = ((nominal, "n"), (numeric, "c"), (binary, "b"))
    return ", ".join(f"{count}{kind}" for count, kind in counts if count)


def beside_print(sets: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The data sets with the printed row of each, in the order of print."""
    order = {name: position for position, name in enumerate(printed["dataset"])}
    joined = sets.merge(printed, left_on="printed_as", right_on="dataset", how="left", suffixes=("", "_key"))
    return joined.sort_values("printed_as", key=lambda column: column.map(order), kind="stable").reset_index(drop=True)


def disagreement(same: pd.Series, frame: pd.DataFrame) -> pd.Series:
    """The last column: empty where all agrees, else our explanation, the note on the printed row, or "unexplained"."""
    known = [frame[name].fillna("").replace("", None) for name in ("explained", "note") if name in frame]
    reason = known[0].combine_first(known[-1]).fillna("unexplained")
    return reason.where(~same, "").where(frame["status"] == "available", frame["status"])
