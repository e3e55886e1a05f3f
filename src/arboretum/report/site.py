"""The pages: written into a folder beside the site, which then takes its place."""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arboretum.errors import ArboretumError
from arboretum.papers.verdicts import VERDICTS
from arboretum.project.machine import machine, packages
from arboretum.report import provenance
from arboretum.report.drawings import inlined, print_against_ours
from arboretum.report.frames import Frame, read_frame, spoken
from arboretum.report.inputs import Inputs, PaperInputs, bare
from arboretum.report.tables import TableView, View

MARK = '<meta name="generator" content="Arboretum">'
FACTS = ("rows", "attributes", "numeric", "nominal", "binary", "classes", "missing")
COUNTS = (
    *("rows", "attributes", "numeric", "nominal", "nominal_occurring", "binary", "binary_occurring", "categorical"),
    *("classes", "classes_occurring", "missing", "rows_with_missing"),
)


def build(root: Path, profile: str, out: Path) -> Path:
    """Build the site of ``profile`` from what is stored under ``root``; returns its first page, ``out/index.html``."""
    root, out = Path(root).resolve(), Path(out).resolve()
    _refuse_strangers(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as beside:
        new, old = Path(beside, "new"), Path(beside, "old")
        Site(Inputs(root, profile), new).write()
        if out.exists():
            out.rename(old)
        new.rename(out)
    return out / "index.html"


def _refuse_strangers(out: Path) -> None:
    """Never replace a folder that is not a report."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    first = out / "index.html"
    if not first.is_file() or MARK not in first.read_text("utf-8", errors="replace"):
        raise ArboretumError(f"{out} exists and is not a report, so it stays. Move it away or build elsewhere.")


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
    view: View | None = None
    command: str = ""
    drawing: Markup = field(default_factory=Markup)
    svg: str = ""
    printed: Mapping[str, str] = field(default_factory=dict)


class Site:
    """Writes every page of one profile into ``out``."""

    def __init__(self, inputs: Inputs, out: Path) -> None:
        self.inputs, self.out = inputs, out
        self.environment = Environment(
            loader=PackageLoader("arboretum.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters["spoken"] = spoken
        self.environment.filters["yaml"] = as_yaml
        self.environment.globals.update(
            profile=inputs.profile, papers=inputs.papers, verdicts=VERDICTS, mark=Markup(MARK), sets=inputs.sets
        )

    def write(self) -> None:
        self.out.mkdir()
        style = resources.files("arboretum.report").joinpath("templates", "style.css").read_bytes()
        (self.out / "style.css").write_bytes(style)
        shown = {paper.key: self._paper(paper) for paper in self.inputs.papers}
        pictures = {key: self._picture(key, parts) for key, parts in shown.items()}
        self._page("index.html", "index", pictures=pictures, comparison=self.inputs.comparison)
        self._page("claims.html", "claims")
        self._page("sets.html", "sets", facts=FACTS)
        for name in self.inputs.sets:
            self._set(name, shown)
        self._page("deviations.html", "deviations")
        self._provenance()

    def _page(self, path: str, template: str, **values: Any) -> None:
        base = "../" * path.count("/")
        text = self.environment.get_template(f"{template}.html.j2").render(base=base, here=path, **values)
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def _copy(self, path: Path, paper: str) -> str:
        """Copy a file into the site for download; returns its address from the site's root."""
        address = f"files/{paper}/{path.name}"
        target = self.out / address
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        return address

    # papers

    def _paper(self, paper: PaperInputs) -> dict[str, list[Shown]]:
        tables = [self._table(paper, name) for name in paper.tables]
        figures = [self._figure(paper, name) for name in paper.figures]
        downloads = [(self._copy(path, paper.key), f"{rows} rows") for path, rows in paper.raw.items()]
        downloads.append((self._copy(paper.metrics_path, paper.key), ""))
        if paper.claims:
            downloads.append((self._copy(paper.table_path("claims"), paper.key), f"{len(paper.claims)} rows"))
        self._page(
            f"papers/{paper.key}.html", "paper", paper=paper, tables=tables, figures=figures, downloads=downloads
        )
        return {"tables": tables, "figures": figures}

    def _view(self, paper: PaperInputs, frame: Frame, table: Any) -> TableView:
        reasons = {
            name: facts.get("reason") or "not available"
            for name, facts in paper.manifest.items()
            if facts.get("status") != "available"
        }
        return TableView(frame, table.keys, table.timing, reasons, self._set_link)

    def _set_link(self, name: str) -> str:
        return f"../sets/{name}.html" if name in self.inputs.sets else ""

    def _table(self, paper: PaperInputs, name: str) -> Shown:
        table, path = paper.tables[name], paper.table_path(name)
        frame = read_frame(path)
        tabled = self._view(paper, frame, table)
        row = shlex.quote(tabled.label(0).split(" / ")[0]) if frame.length else "ROW"
        return Shown(
            name,
            table.title,
            table.caption,
            table.sources,
            self._copy(path, paper.key),
            frame.length,
            sets=frozenset(frame.columns.get("dataset", ())),
            view=tabled.view(),
            command=f"arboretum explain {paper.key} {name} --row {row} --profile {self.inputs.profile}",
        )

    def _figure(self, paper: PaperInputs, name: str) -> Shown:
        figure, path, drawn = paper.figures[name], paper.table_path(name), paper.figure_path(name)
        frame = read_frame(path)
        return Shown(
            name,
            figure.title,
            figure.caption,
            figure.sources,
            self._copy(path, paper.key),
            frame.length,
            sets=frozenset(frame.columns.get("dataset", ())),
            drawing=Markup(inlined(drawn, f"{paper.key}-{name}", figure.title)),
            svg=self._copy(drawn, paper.key),
            printed=paper.printed_figures.get(bare(name), {}),
        )

    def _picture(self, key: str, parts: Mapping[str, list[Shown]]) -> Markup:
        """The picture of a paper's card: its first figure, or its first table's numbers against the printed ones."""
        if parts["figures"]:
            first = parts["figures"][0]
            return Markup('<img src="{}" alt="{}" loading="lazy">').format(first.svg, first.title)
        paper = next(paper for paper in self.inputs.papers if paper.key == key)
        for name, table in paper.tables.items():
            measure, pairs = self._view(paper, read_frame(paper.table_path(name)), table).pairs()
            if pairs:
                return Markup(print_against_ours(pairs, measure))
        return Markup("")

    # data sets

    def _set(self, name: str, shown: Mapping[str, Mapping[str, list[Shown]]]) -> None:
        spec, facts = self.inputs.spec(name), next(iter(self.inputs.sets[name].values()))
        self._page(
            f"sets/{name}.html",
            "set",
            name=name,
            uses=self.inputs.sets[name],
            facts=facts,
            spec=spec,
            printed=printed_sizes(spec),
            sizes=sizes(facts, printed_sizes(spec)),
            places={
                key: [item for items in parts.values() for item in items if name in item.sets]
                for key, parts in shown.items()
            },
        )

    # provenance

    def _provenance(self) -> None:
        self._page(
            "provenance.html",
            "provenance",
            machine=machine(),
            commit=provenance.commit(self.inputs.root),
            packages=packages(),
            code=provenance.code_fingerprint(),
            params=provenance.sha256_of(self.inputs.workspace.params),
        )


def printed_sizes(spec: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The sizes that the papers print of a set, by paper."""
    printed = spec.get("printed") or {}
    return {paper: sizes for paper, sizes in printed.items() if isinstance(sizes, Mapping)}


def sizes(
    facts: Mapping[str, Any], printed: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, int | None, list[int | None]]]:
    """Each count of a set: its name, what we found, and what each paper prints."""
    found = {key: value for key, value in facts.items() if isinstance(value, int)}
    if {"nominal", "binary"} <= set(found):
        found["categorical"] = found["nominal"] + found["binary"]
    names = dict.fromkeys([*COUNTS, *found, *(key for counts in printed.values() for key in counts)])
    return [
        (name, found.get(name), [counts.get(name) for counts in printed.values()])
        for name in names
        if name in found or any(name in counts for counts in printed.values())
    ]


def as_yaml(value: Any) -> str:
    """A value as YAML, as conf/ would write it."""
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100).rstrip()
