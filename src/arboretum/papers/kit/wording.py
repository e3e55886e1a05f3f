"""Text made from numbers, the same on every processor."""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

import numpy as np

RESIDUE = 1e-12


def settled(value: float) -> float:
    """The value without what belongs to a processor: ten digits, and a residue of rounding is 0."""
    return 0.0 if abs(value) < RESIDUE else float(f"{value:.10g}")


class _Wording(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {self.format_field(item, spec)}" for name, item in value.items()) or "none"
        if isinstance(value, list | tuple):
            return " / ".join(self.format_field(item, spec) for item in value) or "none"
        return format(settled(value) if isinstance(value, float | np.floating) else value, spec)


def say(template: str, **values: Any) -> str:
    """``template`` filled with ``values``, as :meth:`str.format` does.

    Floats are first rounded to ten significant digits, so that 16.25 and the number one bit above it read the same, and
    a residue of rounding is zero, so that none reads "-0.00". A mapping reads ``name value, name value`` with the
    format given for each value, a list ``value / value``.
    """
    return _Wording().vformat(template, (), values)
