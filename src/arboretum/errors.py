"""Errors meant for the user: they name the file, the key and the fix, and are shown without a traceback."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ArboretumError(Exception):
    """Something the user can mend; the command line prints it as one message and exits with status 1."""


def nearest(wrong: str, known: Iterable[str]) -> str:
    """A closing remark for "unknown name" errors: the nearest right name, or all of them when none is near."""
    known = sorted(map(str, known))
    match = difflib.get_close_matches(wrong, known, n=1, cutoff=0.5)
    if match:
        return f"Did you mean {match[0]!r}?"
    return "Known: " + ", ".join(known) + "."
