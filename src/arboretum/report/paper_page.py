"""The page of one paper at one profile: its tables and figures ready to show, and its claims with what they rest on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from markupsafe import Markup

from arboretum.papers.kit.verdicts import NOT_ASSESSED
from arboretum.report.compact import CompactView, compact
from arboretum.report.drawings import PRINTED_MEANS, on_page, print_against_ours
from arboretum.report.explorers import explorer
from arboretum.report.frames import Frame, read_frame
from arboretum.report.inputs import PaperInputs, bare
from arboretum.report.tables import TableView, View

MOST_ROWS_OF_A_CLAIM = 12


@dataclass(frozen=True)
class Shown:
    """One table or figure on a page."""

    name: str
    title: str
    caption: str
    sources: tuple[str, ...]
    csv: str
    length: int
    sets: frozenset[str] = frozenset()  # the data sets that have a row in it
    places: Mapping[str, str] = field(default_factory=dict)  # the address of a row by its label
    table: TableView | None = None
    view: View | None = None
    compact: CompactView | None = None
    command: str = ""
    drawing: Markup = field(default_factory=Markup)
    svg: str = ""
    printed: Mapping[str, str] = field(default_factory=dict)
    without_print: bool = False

    @property
    def short(self) -> str:
        """The title up to its colon, as a link names it."""
        return self.title.split(":")[0]


@dataclass(frozen=True)
class PaperPage:
    """Makes what the page shows. ``copy`` puts a file into the site, ``link`` is the address of a data set's page.

    ``same_sets`` says whether this profile has all data sets of the printed protocol; where it has not, printed means
    over sets are left out.
    """

    paper: PaperInputs
    copy: Callable[[Path, str], str]
    link: Callable[[str], str]
    same_sets: bool = True

    @property
    def key(self) -> str:
        return self.paper.key

    @property
    def profile(self) -> str:
        return self.paper.inputs.profile

    @property
    def address(self) -> str:
        return f"{self.profile}/{self.key}.html"

    @cached_property
    def tables(self) -> list[Shown]:
        return [self._table(name) for name in self.paper.tables]

    @cached_property
    def figures(self) -> list[Shown]:
        return [self._figure(name) for name in self.paper.figures]

    @cached_property
    def shown(self) -> dict[str, Shown]:
        return {item.name: item for item in (*self.figures, *self.tables)}

    @property
    def front(self) -> Shown | None:
        """The figure of the findings, or the first one."""
        return self.shown.get(self.paper.findings.figure) or next(iter(self.figures), None)

    @cached_property
    def claims(self) -> list[dict[str, Any]]:
        """The claims that were judged, each with the tables, figures and rows that it rests on."""
        return [self._claim(claim) for claim in self.paper.claims]

    @property
    def judged(self) -> list[dict[str, Any]]:
        return [claim for claim in self.claims if claim["verdict"] != NOT_ASSESSED]

    @cached_property
    def explorers(self) -> list[dict[str, Any]]:
        """The curves that a reader can move along."""
        frames = {name: read_frame(self.paper.table_path(name)) for name in (*self.paper.tables, *self.paper.figures)}
        made = [explorer(stated, frames) for stated in self.paper.findings.explore]
        return [found for found in made if found]

    def claims_on(self, name: str) -> list[str]:
        """The claims that rest on a table or figure."""
        return [claim["id"] for claim in self.claims if name in claim["rests_on"]]

    @property
    def thumbnail(self) -> Markup:
        """The picture of a paper in the overview: its figure in small, or its first numbers against print."""
        if self.front:
            return Markup('<img src="{}" alt="{}" loading="lazy">').format(self.front.svg, self.front.title)
        for item in self.tables:
            measure, pairs = item.table.pairs()
            if pairs:
                return Markup(print_against_ours(pairs, measure))
        return Markup("")

    def downloads(self) -> list[tuple[str, str]]:
        """Files beside the tables and figures: their addresses and what is in them."""
        paper = self.paper
        found = [(self._copied(path), f"{rows} rows") for path, rows in paper.raw.items()]
        found.append((self._copied(paper.metrics_path), "errors by method, and how many claims held"))
        for name, what in (("claims", "verdicts"), ("checks", "the numbers behind every verdict")):
            path = paper.results / "tables" / f"{name}.csv"
            if path.is_file():
                found.append((self._copied(path), what))
        return found

    def _copied(self, path: Path) -> str:
        return self.copy(path, f"{self.profile}/{self.key}")

    def _claim(self, claim: Mapping[str, Any]) -> dict[str, Any]:
        cells = [strip.cell for group in claim["checks"] for strip in group.strips]
        rows = {
            (item.places[row], f"{row} in {item.short}"): None
            for item in (self.shown[name] for name in claim["rests_on"])
            for row in rows_named([claim["id"], *cells], item.places)
        }
        return {**claim, "rows": list(rows)[:MOST_ROWS_OF_A_CLAIM]}

    def _view(self, frame: Frame, name: str, table: Any) -> TableView:
        reasons = {
            name: facts.get("reason") or "not available"
            for name, facts in self.paper.manifest.items()
            if facts.get("status") != "available"
        }
        return TableView(frame, table.keys, table.timing, reasons, self.link, name, self.same_sets)

    def _table(self, name: str) -> Shown:
        table, path = self.paper.tables[name], self.paper.table_path(name)
        frame = read_frame(path)
        tabled = self._view(frame, name, table)
        row = shlex.quote(tabled.label(0).split(" / ")[0]) if tabled.frame.length else "ROW"
        return Shown(
            name,
            table.title,
            table.caption,
            table.sources,
            self._copied(path),
            frame.length,
            sets=frozenset(frame.columns.get("dataset", ())),
            places=tabled.places(),
            table=tabled,
            view=tabled.view(),
            compact=compact(tabled, table.title),
            command=f"arboretum explain {self.key} {name} --row {row} --profile {self.profile}",
            without_print=len(tabled.frame.columns) < len(frame.columns),
        )

    def _figure(self, name: str) -> Shown:
        figure, path, drawn = self.paper.figures[name], self.paper.table_path(name), self.paper.figure_path(name)
        frame, svg = read_frame(path), self._copied(drawn)
        return Shown(
            name,
            figure.title,
            figure.caption,
            figure.sources,
            self._copied(path),
            frame.length,
            sets=frozenset(frame.columns.get("dataset", ())),
            drawing=Markup(on_page(drawn, f"{self.key}-{name}", figure.title, f"../{svg}", self.same_sets)),
            svg=svg,
            printed=self.paper.printed_figures.get(bare(name), {}),
            without_print=not self.same_sets and PRINTED_MEANS in drawn.read_text("utf-8"),
        )


def rows_named(texts: Iterable[str], rows: Collection[str]) -> list[str]:
    """The rows (data sets, methods) that the cells of a claim name, in the order in which they are named."""
    parts = (part.strip() for text in texts for part in [text, *re.split(r"[;,.]\s*", text)])
    return [part for part in dict.fromkeys(parts) if part in rows and not part.isdecimal()]
