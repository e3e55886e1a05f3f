"""What rows of pert are identified by: its generated sets, and rounded numbers that meet where they are equal."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.results import settled

SYNTHETIC = ["waveform21", "twonorm", "threenorm", "ringnorm"]


def with_equal_keys(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """The frame with rounded numbers in columns that identify rows, so that equal ones meet whatever their last digit.

    Significant digits serve large numbers, decimals those next to 0; adding 0 makes -0.0 a plain 0.
    """
    return frame.assign(**(np.round(settled(frame[list(names)]), 15) + 0.0))
