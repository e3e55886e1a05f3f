"""What the claims of vrtrees share: single rows of tables, and verdicts on counts."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.papers.verdicts import INCONCLUSIVE, decide, judge

STANDARD_ERRORS = 2  # an interval about a mean: so many standard errors to each side


def row_of(frame: pd.DataFrame, **where: object) -> pd.Series:
    """The one row in which each named column has the given value."""
    for column, value in where.items():
        same = np.isclose(frame[column], value) if isinstance(value, float) else frame[column] == value
        frame = frame[same]
    return frame.iloc[0]


def greater_share(count: int, total: int, least: float) -> str:
    """Whether ``count`` of ``total`` is a share above ``least``, by its interval (Wilson, 95%)."""
    share = stats.binomtest(count, total).proportion_ci(method="wilson")
    return judge(share.low, share.high, (least, 1.0))


def in_every_repetition(holds: list[bool]) -> str:
    """A statement that was tried on every repetition: reproduced in all, not reproduced in any, else inconclusive."""
    return INCONCLUSIVE if len(set(holds)) > 1 else decide(holds[0])
