"""What every paper consists of: experiments give rows, rows give tables and figures, tables give verdicts.

A table is a function with the decorator :func:`table`, a figure the function of its data with :func:`figure`, a claim
a function with :func:`arboretum.papers.kit.claims.claim`. Each takes :class:`~arboretum.papers.results.Results`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from arboretum.errors import ArboretumError, nearest

if TYPE_CHECKING:  # names for readers and checkers; at run time this module stays light
    import pandas as pd
    from matplotlib.figure import Figure

    from arboretum.datasets import Dataset
    from arboretum.papers.kit.claims import Claim
    from arboretum.papers.results import Results

Task: TypeAlias = dict[str, Any]
ResultRow: TypeAlias = dict[str, Any]
TOLERANCE = 1e-9  # default of what verification allows in a float, absolute and relative


@dataclass(frozen=True)
class Experiment:
    """Something to compute.

    ``plan(params, sets)`` yields the tasks: dicts of plain JSON values that hold every parameter resolved; the
    key ``dataset`` names the data set that a task needs (absent: none). ``sets`` gives the facts of each set
    of the experiment, or ``{"status": "unavailable", "reason": ...}``.

    ``run(task, data)`` is a pure function of its task and data set and returns tidy rows of scalars: counts,
    not rounded rates.

    ``keys`` are the columns that identify a row. ``timing`` are columns that hold seconds: shown, never compared.
    ``cost(task, facts)`` is the expected effort of a task in any unit; the most expensive tasks start first.
    ``read(params, rows)`` picks what a reading stores from the rows of its tasks, where several readings share tasks.
    """

    plan: Callable[[Mapping[str, Any], Mapping[str, Mapping[str, Any]]], Iterable[Task]]
    run: Callable[[Task, Dataset | None], list[ResultRow]]
    keys: tuple[str, ...]
    timing: tuple[str, ...] = ()
    cost: Callable[[Task, Mapping[str, Any]], float] | None = None
    read: Callable[[Mapping[str, Any], pd.DataFrame], pd.DataFrame] | None = None


@dataclass(frozen=True, kw_only=True)
class ResultTable:
    """A table of the report.

    ``build(results)`` makes it. ``keys`` identify a row. ``sources`` are the experiments it is made from: the way back
    from a cell to its tasks. ``timing`` are columns that hold seconds and ``prose`` columns that hold sentences: both
    are shown, never compared. ``tolerance`` is the difference that verification allows in a float, absolute and
    relative. ``caption`` says what a reader should know. ``readings``: made from the results under each reading, and
    shown where these are. ``metrics(table)`` picks the numbers that ``dvc metrics`` and
    ``dvc exp show`` compare between runs, by name: :func:`mean_by` is the usual choice.
    """

    name: str
    build: Callable[[Results], pd.DataFrame]
    title: str
    keys: tuple[str, ...]
    metrics: Callable[[pd.DataFrame], Mapping[str, float]] | None = None
    sources: tuple[str, ...] = ()
    timing: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    tolerance: float = TOLERANCE
    caption: str = ""
    readings: bool = False


@dataclass(frozen=True, kw_only=True)
class ResultFigure:
    """A figure of the report: ``build(results)`` is what it plots (stored, compared), ``draw(data)`` draws only that.

    Rows of what it plots are identified by their place. The other fields are those of a table.
    """

    name: str
    build: Callable[[Results], pd.DataFrame]
    draw: Callable[[pd.DataFrame], Figure]
    title: str
    keys: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    timing: tuple[str, ...] = ()
    prose: tuple[str, ...] = ()
    tolerance: float = TOLERANCE
    caption: str = ""
    readings: bool = False


def table(*, title: str, keys: tuple[str, ...], name: str = "", **options: Any) -> Callable[..., ResultTable]:
    """Make a table of the function below: ``@table(title=..., keys=..., sources=..., caption=...)``."""
    return lambda build: ResultTable(name=name or build.__name__, build=build, title=title, keys=keys, **options)


def figure(*, title: str, draw: Callable, name: str = "", **options: Any) -> Callable[..., ResultFigure]:
    """Make a figure of the function below, which gives what it plots: ``@figure(title=..., draw=...)``."""
    return lambda build: ResultFigure(name=name or build.__name__, build=build, draw=draw, title=title, **options)


def mean_by(method: str, value: str) -> Callable[[pd.DataFrame], Mapping[str, float]]:
    """Metrics of a table: the mean of the column ``value`` for each entry of the column ``method``."""
    return lambda table: table.groupby(method, sort=False)[value].mean().dropna().to_dict()


def by_name(*things: Any) -> dict[str, Any]:
    """Tables, figures or claims by their names, in the order given; no name twice."""
    named = {thing.name: thing for thing in things}
    if len(named) < len(things):
        raise ValueError(f"a name stands twice among {[thing.name for thing in things]}")
    return named


@dataclass(frozen=True)
class Citation:
    """What a paper is. Each paper's folder holds its own as CITATION; ``adds`` says what it brought to the field."""

    authors: str
    year: str
    title: str
    venue: str = ""
    adds: str = ""

    @property
    def short(self) -> str:
        """Authors and year as running text cites them."""
        names = [name.split(",")[0].strip() for name in self.authors.split(";")]
        first = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        return f"{first} ({self.year})" if self.year else first


@dataclass(frozen=True)
class Paper:
    """One paper: everything that its folder holds."""

    key: str
    experiments: Mapping[str, Experiment]
    tables: Mapping[str, ResultTable] = field(default_factory=dict)
    figures: Mapping[str, ResultFigure] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    citation: Citation | None = None

    def __post_init__(self) -> None:
        for kind, things in (("table", self.tables), ("figure", self.figures)):
            for thing in things.values():
                for source in thing.sources:
                    if source not in self.experiments:
                        raise ArboretumError(
                            f"papers/{self.key}: the {kind} {thing.name!r} names the source {source!r}, which is no "
                            f"experiment of this paper. {nearest(source, self.experiments)}"
                        )

    @property
    def shown(self) -> dict[str, ResultTable | ResultFigure]:
        """Tables and figures by name."""
        return {**self.tables, **self.figures}
