"""The shape every paper has: experiments give rows, rows give tables and figures, tables give verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:  # names for readers and checkers; at run time this module stays light
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

    from arboretum.datasets import Dataset

Task: TypeAlias = dict[str, Any]
Row: TypeAlias = dict[str, Any]
Frames: TypeAlias = "Mapping[str, pd.DataFrame]"


@dataclass(frozen=True)
class Experiment:
    """Something to compute.

    ``plan(params, sets)`` yields the tasks: dicts of plain JSON values that hold every parameter resolved; the
    key ``dataset`` names the data set that a task needs (absent: none). ``sets`` gives the facts of each set
    of the experiment, or ``{"status": "unavailable", "reason": ...}``.

    ``run(task, data)`` is a pure function of its task and data set and returns tidy rows of scalars: counts,
    not rounded rates.

    ``keys`` are the columns that identify a row. ``timing`` are columns that hold seconds: shown, never compared.
    ``cost(task, facts)`` is the expected effort of a task in any unit; the dearest tasks start first.
    """

    plan: Callable[[Mapping[str, Any], Mapping[str, Mapping[str, Any]]], Iterable[Task]]
    run: Callable[[Task, Dataset | None], list[Row]]
    keys: tuple[str, ...]
    timing: tuple[str, ...] = ()
    cost: Callable[[Task, Mapping[str, Any]], float] | None = None


@dataclass(frozen=True)
class Table:
    """A table: ``build(raw, printed)`` from raw results (by experiment) and printed numbers (by csv name).

    ``sources`` are the experiments it is made from: the way back from a cell to its tasks. ``tolerance`` is the
    absolute difference that verification allows in its floats. ``caption`` says what a reader should know.
    """

    build: Callable[[Frames, Frames], pd.DataFrame]
    title: str
    keys: tuple[str, ...]
    sources: tuple[str, ...] = ()
    timing: tuple[str, ...] = ()
    tolerance: float = 1e-9
    caption: str = ""


@dataclass(frozen=True)
class Figure:
    """A figure: ``data(raw, printed)`` is what it plots (stored and compared), ``draw(data)`` draws only that."""

    data: Callable[[Frames, Frames], pd.DataFrame]
    draw: Callable[[pd.DataFrame], MatplotlibFigure]
    title: str
    caption: str = ""
    sources: tuple[str, ...] = ()
    timing: tuple[str, ...] = ()
    tolerance: float = 1e-9


class Verdict(NamedTuple):
    """What we conclude on one claim: ``verdict`` is reproduced, not reproduced or inconclusive."""

    verdict: str
    observed: str
    note: str = ""


REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
INCONCLUSIVE = "inconclusive"
NOT_ASSESSED = "not assessed"


def judge(low: float, high: float, inside: tuple[float, float]) -> str:
    """The verdict of an interval ``[low, high]`` against a tolerance ``inside``.

    Reproduced when the interval lies inside the tolerance, not reproduced when it lies wholly outside,
    otherwise inconclusive.
    """
    accepted_low, accepted_high = inside
    if accepted_low <= low and high <= accepted_high:
        return REPRODUCED
    if high < accepted_low or low > accepted_high:
        return NOT_REPRODUCED
    return INCONCLUSIVE


def decide(holds: bool) -> str:
    """The verdict of a statement that was decided exactly: reproduced or not reproduced."""
    return REPRODUCED if holds else NOT_REPRODUCED


Claim: TypeAlias = "Callable[[Frames], Verdict]"


@dataclass(frozen=True)
class Paper:
    """One paper: everything that its folder holds."""

    key: str
    experiments: Mapping[str, Experiment]
    tables: Mapping[str, Table] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
