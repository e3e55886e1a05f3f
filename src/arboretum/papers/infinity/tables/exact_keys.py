"""Rows whose keys are floats, made exact; per cent."""

from __future__ import annotations

import pandas as pd

PERCENT = 100.0
KEY_DIGITS = 12


def with_exact_keys(rows: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """The rows with floats that identify them rounded to 12 decimals, so that rounding cannot tell two keys apart."""
    return rows.assign(**{name: rows[name].round(KEY_DIGITS) + 0.0 for name in columns})  # + 0.0: no negative zero
