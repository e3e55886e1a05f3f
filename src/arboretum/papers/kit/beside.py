"""Ours beside the printed value, the same columns in every table of every paper."""

from __future__ import annotations

from typing import Any


def beside(name: str, printed: Any, ours: Any, **about: Any) -> dict[str, Any]:
    """Columns ``name_printed``, ``name``, one for each of ``about`` (``name_standard_error``), ``name_difference``.

    Numbers for a row, or series with the same kind of index for a frame: ``frame.assign(**beside(...))``.
    """
    more = {f"{name}_{key}": value for key, value in about.items()}
    return {f"{name}_printed": printed, name: ours, **more, f"{name}_difference": ours - printed}
