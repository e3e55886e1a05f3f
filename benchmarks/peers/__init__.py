"""Other people's forests, timed on the same cases with the same settings as ours.

Every runner answers with a :class:`Timing`; a peer that is not installed answers with a status that says so.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Timing:
    """CPU seconds of one thread to fit and to predict, share of wrong predictions, or why there are none."""

    fit: float = float("nan")
    predict: float = float("nan")
    error: float = float("nan")
    status: str = "ok"


@dataclass(frozen=True)
class Cases:
    """A table for any peer: float columns (nominal ones hold codes, NaN is missing) and class codes."""

    columns: list
    kinds: list
    levels: list
    y: object
    n_classes: int

    def take(self, rows) -> Cases:
        return Cases([c[rows] for c in self.columns], self.kinds, self.levels, self.y[rows], self.n_classes)


class PeerMissing(RuntimeError):
    """The peer is not on this machine; the message is the status of its row."""
