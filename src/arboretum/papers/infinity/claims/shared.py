"""What the claims of `infinity` share: texts of one value per case, and the verdict of many readings."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arboretum.papers.verdicts import judge


def each(template: str, names: Iterable[str], separator: str = ", ") -> str:
    """A template of values that are mappings by name, once for each name, which stands for ``*``.

    >>> each("{rank[*]} of {functions[*]} (*)", ["T=2", "T=3"])
    '{rank[T=2]} of {functions[T=2]} (T=2), {rank[T=3]} of {functions[T=3]} (T=3)'
    """
    return separator.join(template.replace("*", name) for name in names)


def verdict_of_readings(agree: Iterable[bool]) -> str:
    """All readings agree with print (reproduced), none does (not reproduced), or some do (inconclusive)."""
    agree = np.asarray(agree, dtype=float)
    return judge(agree.min(), agree.max(), (1.0, 1.0))
