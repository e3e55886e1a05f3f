"""Raw results to tables, figures, claims and metrics: seconds of work.

A regenerated file that agrees with the stored one is not written, so that rendering on another processor leaves a
checkout as it was. A file that really differs is replaced, and the first difference is said.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import pandas as pd

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.contract import TOLERANCE, Paper, ResultTable
from arboretum.papers.kit.claims import CONCLUSIONS
from arboretum.papers.kit.verdicts import NOT_ASSESSED, Verdicts, checks_table, claims_table, verdicts_on
from arboretum.papers.results import Results
from arboretum.pipeline.agreement import Comparison, compare_frames, same_drawing, same_prose
from arboretum.pipeline.svg import svg_text
from arboretum.project.stored import judges, stored_results
from arboretum.project.workspace import Workspace
from arboretum.seeds import rooted
from arboretum.writing import write_text

KEPT = ".gitkeep"
DIGITS = 6  # of the metrics: far more than matter, and the same on every processor

CLAIMS = ResultTable(
    name="claims", build=lambda results: pd.DataFrame(), title="Claims", keys=("id",), prose=("observed", "remark")
)
CHECKS = ResultTable(
    name="checks",
    build=lambda results: pd.DataFrame(),
    title="The numbers behind every verdict",
    keys=("claim", "check"),
    prose=("varies",),
)


class Rendering:
    """One paper at one profile: its results and everything that is made from them."""

    def __init__(self, workspace: Workspace, profile: str, key: str):
        self.workspace, self.profile, self.key = workspace, profile, key
        self.paper: Paper = papers.get(key)
        self.results: Results = stored_results(workspace, profile, key)
        self.shown = self.results.tables.shown

    def files(self) -> Iterator[tuple[ResultTable, pd.DataFrame]]:
        """Every csv of the rendering: tables, what figures plot, and where claims are judged these and their checks."""
        for name, thing in self.shown.items():
            yield thing, self.results.tables[name]
        for table in judged_tables(self.key, self.profile):
            yield table, self.claims if table is CLAIMS else self.checks

    @cached_property
    def verdicts(self) -> Verdicts:
        """Each claim as it is stated, and our verdict, in the order of claims.yaml; None where it was not run."""
        path = self.workspace.published(self.key) / "claims.yaml"
        for name in self.paper.claims:
            if name not in self.results.stated:
                raise ArboretumError(f"claims of {self.key} judge {name!r}, which {path} does not state.")
        return verdicts_on(self.paper.claims, self.results)

    @cached_property
    def claims(self) -> pd.DataFrame:
        return claims_table(self.verdicts)

    @cached_property
    def checks(self) -> pd.DataFrame:
        return checks_table(self.verdicts)

    def metrics(self) -> dict[str, Any]:
        """What ``dvc metrics show`` and ``dvc exp show`` compare: errors by method, and how many claims held."""
        picked = {}
        for name in self.shown:
            table = self.paper.tables.get(name)  # a figure may plot a table under its name
            if table and table.metrics and len(self.results.tables[name]):
                values = table.metrics(self.results.tables[name])
                picked[name] = {str(method): round(float(value), DIGITS) for method, value in values.items()}
        if not judges(self.key, self.profile):
            return picked
        found = self.claims["conclusion"].value_counts()
        counts = {name.replace(" ", "_"): int(found.get(name, 0)) for name in (*CONCLUSIONS, NOT_ASSESSED)}
        return {**picked, "claims": {"stated": len(self.claims), **counts}}

    def counts(self) -> dict[str, int]:
        """How many tables and figures there are."""
        return {
            "tables": sum(name in self.paper.tables for name in self.shown),
            "figures": sum(name in self.paper.figures for name in self.shown),
        }


def judged_tables(key: str, profile: str) -> list[ResultTable]:
    """The csv files of claims that a paper has at a profile."""
    return [CLAIMS, CHECKS] if judges(key, profile) else []


# ------------------------------------------------------------------ writing what differs


@dataclass
class Rendered:
    """What a rendering gave: metrics, numbers of tables and figures, replaced files with their first differences."""

    metrics: dict[str, Any] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    replaced: list[str] = field(default_factory=list)


class Change(NamedTuple):
    """A file that a rendering writes, and how it differs from the stored one."""

    path: Path
    text: str
    difference: str


def render(workspace: Workspace, profile: str, key: str, figures: bool = True) -> Rendered:
    """Write the tables, figures, claims and metrics of one paper, where they differ from what is stored."""
    with rooted(workspace.seed):
        return _render(Rendering(workspace, profile, key), figures)


def _render(rendering: Rendering, figures: bool) -> Rendered:
    """Everything is made before the first file is written or removed: a rendering that fails leaves all as it was."""
    workspace, profile, key = rendering.workspace, rendering.profile, rendering.key
    names = {f"{table.name}.csv" for table, _ in rendering.files()}
    changes = [*changed_tables(rendering), *(changed_figures(rendering) if figures else ())]
    rendered = Rendered(rendering.metrics(), rendering.counts())
    path, text = workspace.metrics(profile, key), json.dumps(rendered.metrics, indent=1) + "\n"
    rendered.replaced = write_changes(workspace, changes)
    if not path.is_file() or path.read_bytes() != text.encode():
        write_text(path, text)
    remove_others(workspace.tables(profile, key), names)
    if figures:
        remove_others(workspace.figures(profile, key), drawings(rendering))
    return rendered


def write_changes(workspace: Workspace, changes: Sequence[Change]) -> list[str]:
    """Write files that differ; returns one line for each, but for the mark that keeps an empty folder."""
    for change in changes:
        write_text(change.path, change.text)
    return [f"{one.path.relative_to(workspace.out)}: {one.difference}" for one in changes if one.path.name != KEPT]


def changed_tables(rendering: Rendering) -> Iterator[Change]:
    """The tables that differ from what is stored."""
    folder = rendering.workspace.tables(rendering.profile, rendering.key)
    for table, frame in rendering.files():
        path = folder / f"{table.name}.csv"
        difference = replaces(path, table, frame)
        if difference is not None:
            yield Change(path, csv_text(frame), difference)


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as csv: floats as the shortest text that reads back to the same number."""
    return frame.to_csv(index=False, lineterminator="\n")


def as_stored(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame as it reads back from its csv."""
    return pd.read_csv(io.StringIO(csv_text(frame)))


def replaces(path: Path, table: ResultTable, frame: pd.DataFrame) -> str | None:
    """Why a table must replace its stored file: "new", or the first difference; None where the stored one can stay."""
    if not path.is_file():
        return "new"
    try:
        stored = pd.read_csv(path)
    except Exception:
        return "the stored file cannot be read"
    found = as_stored(frame)
    differences = compare_table(path.name, stored, found, table).differences
    if differences:
        return str(differences[0]).removeprefix(f"{path.name}: ")
    return None if same_prose(stored, found, table.prose) else "other words"


def compare_table(file: str, stored: pd.DataFrame, found: pd.DataFrame, table: ResultTable) -> Comparison:
    """Compare a stored table with a regenerated one, as both read back from csv."""
    if table is CHECKS:
        return _compare_checks(file, stored, found)
    return compare_frames(
        file, stored, found, table.keys, ignored=(*table.timing, *table.prose), tolerance=table.tolerance
    )


def _compare_checks(file: str, stored: pd.DataFrame, found: pd.DataFrame) -> Comparison:
    """Checks: each claim's within the tolerance of the claim."""
    tolerances = {name: one.tolerance for key in papers.present() for name, one in papers.get(key).claims.items()}
    comparison = compare_frames(file, stored[["claim", "check"]], found[["claim", "check"]], CHECKS.keys)
    if comparison.differences:
        return comparison
    for name, rows in stored.groupby("claim", sort=False):
        other, allowed = found.loc[rows.index], tolerances.get(name, TOLERANCE)
        comparison += compare_frames(file, rows, other, CHECKS.keys, ignored=CHECKS.prose, tolerance=allowed)
    return comparison


def drawings(rendering: Rendering) -> set[str]:
    """The files that the folder of figures holds; git keeps no empty folder, and DVC expects this one."""
    return {f"{name}.svg" for name in rendering.shown if name in rendering.paper.figures} or {KEPT}


def changed_figures(rendering: Rendering) -> Iterator[Change]:
    """Draw every figure of a paper from the data it plots: those that differ from what is stored."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder = rendering.workspace.figures(rendering.profile, rendering.key)
    for name in rendering.shown:
        if name not in rendering.paper.figures:
            continue
        drawn = rendering.paper.figures[name].draw(rendering.results.tables[name])
        path, text = folder / f"{name}.svg", svg_text(drawn)
        plt.close(drawn)
        if not path.is_file():
            yield Change(path, text, "new")
        elif not same_drawing(path.read_text("utf-8", errors="replace"), text):
            yield Change(path, text, "drawn anew")
    if drawings(rendering) == {KEPT} and not (folder / KEPT).is_file():
        yield Change(folder / KEPT, "", "new")


def draw_figures(rendering: Rendering) -> None:
    """Draw the figures alone."""
    write_changes(rendering.workspace, list(changed_figures(rendering)))


def remove_others(folder: Path, keep: set[str]) -> None:
    """Remove the files of ``folder`` that a rendering no longer has."""
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.name not in keep:
            path.unlink()


def first_lines(replaced: Sequence[str], most: int = 20) -> Iterator[str]:
    """What was replaced, one line per file; a long list is cut."""
    yield from (f"  replaced {line}" for line in replaced[:most])
    if len(replaced) > most:
        yield f"  ... and {len(replaced) - most} more files"
