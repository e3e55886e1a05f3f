"""The shape of a strength-correlation curve (Figure 4): how far it spans and where its corner is."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures import ties
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import available_sets, measures_by_repetition


def shape_of(curve: pd.DataFrame) -> dict[str, float]:
    """The shape of one curve, a row per alpha with its strength and correlation."""
    middle = curve.index[ties.first_least(np.abs(curve.index - 0.5))]
    strength, correlation = curve["strength"], curve["correlation"]
    rise = correlation.iloc[-1] - correlation.iloc[0]
    return {
        "strength_range": np.ptp(strength),
        "correlation_range": np.ptp(correlation),
        "strength_gained_by_half": share(strength.loc[middle] - strength.iloc[0], np.ptp(strength)),
        "correlation_gained_by_half": share(correlation.loc[middle] - correlation.iloc[0], rise),
        "greatest_correlation_at": curve.index[ties.first_greatest(correlation)],
        "corner_at": corner(curve),
    }


def share(part: float, whole: float) -> float:
    return np.nan if ties.equal(whole, 0) else part / whole


def corner(curve: pd.DataFrame) -> float:
    """alpha of the point farthest from the chord of the curve, both axes scaled to the range of the curve."""
    points = curve[["strength", "correlation"]].to_numpy()
    span = np.ptp(points, axis=0)
    points = (points - points[0]) / np.where(ties.less(0, span), span, 1)
    chord = points[-1]
    distance = np.abs(points[:, 0] * chord[1] - points[:, 1] * chord[0])
    return float(curve.index[ties.first_greatest(distance)])


@once
def shapes_by_repetition(results: Results) -> pd.DataFrame:
    """The shape of the curve of aggregating on every set, in each of its repetitions; index dataset, repetition."""
    curves = measures_by_repetition(results).loc["aggregating"].loc[available_sets(results)]
    shapes = {
        key: shape_of(curve.droplevel(["dataset", "repetition"]))
        for key, curve in curves.groupby(level=["dataset", "repetition"], sort=False)
    }
    return pd.DataFrame.from_dict(shapes, orient="index").rename_axis(["dataset", "repetition"])
