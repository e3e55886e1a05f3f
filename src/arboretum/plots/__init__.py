"""Pictures of ensembles and of comparisons, from arrays: nothing here knows an estimator or a data set.

Every function draws on ``ax``, or on a new figure, and returns the axes.
"""

from __future__ import annotations

try:
    import matplotlib  # noqa: F401
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "arboretum.plots needs matplotlib: pip install 'arboretum[pipeline]'", name="matplotlib"
    ) from None

from arboretum.plots.comparisons import errors, practical
from arboretum.plots.forests import calibration, kernel, margins, spectrum, strength_correlation
from arboretum.plots.ranks import critical_difference, critical_groups

__all__ = [
    "calibration",
    "critical_difference",
    "critical_groups",
    "errors",
    "kernel",
    "margins",
    "practical",
    "spectrum",
    "strength_correlation",
]
