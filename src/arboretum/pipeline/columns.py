"""Rows gathered column by column: a million small dictionaries would need several times the memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd


class Columns:
    """Rows as they come, and the frame that ``pd.DataFrame`` would make of their list."""

    def __init__(self) -> None:
        self._values: dict[str, list[Any]] = {}
        self._texts: dict[str, str] = {}  # equal texts are one object
        self._rows = 0

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows; a column that a row lacks is missing in it."""
        for row in rows:
            for name, value in row.items():
                column = self._values.setdefault(name, [])
                column += [np.nan] * (self._rows - len(column))
                column.append(self._texts.setdefault(value, value) if type(value) is str else value)
            self._rows += 1

    def frame(self) -> pd.DataFrame:
        """All rows, in the order in which they came. They are given away: there is nothing left to add to."""
        made = {}
        for name in list(self._values):
            column = self._values.pop(name)
            made[name] = pd.Series(column + [np.nan] * (self._rows - len(column)))
        return pd.DataFrame(made, index=range(self._rows), copy=False)
