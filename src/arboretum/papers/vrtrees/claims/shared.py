"""What the claims of vrtrees share: single rows of tables, and verdicts on shares of sets and on repetitions."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.bootstrap import interval
from arboretum.papers.verdicts import INCONCLUSIVE, Verdict, decide, judge
from arboretum.papers.vrtrees.rates import bootstrap_weights, over_repetitions, set_means

STANDARD_ERRORS = 2  # an interval about a mean: so many standard errors to each side


def row_of(frame: pd.DataFrame, **where: object) -> pd.Series:
    """The one row in which each named column has the given value."""
    for column, value in where.items():
        same = np.isclose(frame[column], value) if isinstance(value, float) else frame[column] == value
        frame = frame[same]
    return frame.iloc[0]


def most_sets(holds: pd.Series, least: float, values: dict[str, object], observed: str) -> Verdict:
    """Whether a statement holds on more than a share of the sets, from whether it holds by (set, repetition).

    Judged with the sets fixed and the repetitions drawn anew; the interval over sets is shown beside it.
    """
    flags = holds.astype(float).to_frame()
    repeated, by_set = over_repetitions(flags), set_means(flags)
    low, high = (end[0] for end in repeated.interval)
    low_over_sets, high_over_sets = interval(bootstrap_weights(by_set.index) @ by_set.to_numpy())
    found = {"share": repeated.mean[0], "sets": len(by_set), "low": low, "high": high}
    found |= {"low_over_sets": low_over_sets[0], "high_over_sets": high_over_sets[0]}
    return Verdict(judge(low, high, (least, 1.0)), found | values, observed)


def in_every_repetition(holds: list[bool]) -> str:
    """A statement that was tried on every repetition: reproduced in all, not reproduced in any, else inconclusive."""
    return INCONCLUSIVE if len(set(holds)) > 1 else decide(holds[0])
