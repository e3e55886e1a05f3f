"""Ours beside the printed value, and values with their interval: the same columns in every table of every paper."""

from __future__ import annotations

from typing import Any

import numpy as np

from arboretum.papers.kit.estimate import Estimate


def beside(name: str, printed: Any, ours: Any, **about: Any) -> dict[str, Any]:
    """Columns ``name_printed``, ``name``, one for each of ``about`` (``name_standard_error``), ``name_difference``.

    Numbers for a row, or series with the same kind of index for a frame: ``frame.assign(**beside(...))``.
    """
    more = {f"{name}_{key}": value for key, value in about.items()}
    return {f"{name}_printed": printed, name: ours, **more, f"{name}_difference": ours - printed}


def with_ends(name: str, estimate: Estimate) -> dict[str, float]:
    """Columns ``name``, ``name_low`` and ``name_high``; both ends are NaN where there is no interval."""
    ends = estimate.interval if np.isfinite(estimate.interval).all() else (np.nan, np.nan)
    return dict(zip((name, f"{name}_low", f"{name}_high"), (estimate.value, *ends), strict=True))
