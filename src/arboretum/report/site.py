"""The pages of all profiles: written into a folder beside the site, which then takes its place."""

from __future__ import annotations

import errno
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from importlib import resources
from itertools import count
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arboretum.errors import ArboretumError
from arboretum.project import params as parameters
from arboretum.project.machine import machine, packages
from arboretum.report import numbers, provenance
from arboretum.report.citing import bibtex, read_citation
from arboretum.report.frames import readable
from arboretum.report.inputs import SHOWN, VERDICTS, Inputs, PaperInputs, stored_profiles
from arboretum.report.mosaic import in_order
from arboretum.report.paper_page import PaperPage
from arboretum.report.search import documents
from arboretum.report.set_page import SetPages
from arboretum.writing import lives

MARK = '<meta name="generator" content="Arboretum">'
ASSETS = ("style.css", "site.js", "explorer.js", "minisearch.js")


def build(root: Path, out: Path) -> Path:
    """Build the site from what is stored under ``root``; returns its first page, ``out/index.html``."""
    root, out = Path(root).resolve(), Path(out).resolve()
    _refuse_strangers(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    _sweep(out)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.{os.getpid()}.", dir=out.parent) as beside:
        new = Path(beside, "new")
        Site(root, new).write()
        _take_place(new, out, Path(beside))
    return out / "index.html"


def _take_place(new: Path, out: Path, aside: Path) -> None:
    """Put ``new`` where ``out`` is; another build may do the same at this moment."""
    for number in count():
        with suppress(FileNotFoundError):
            out.rename(aside / f"old{number}")
        try:
            new.rename(out)
            return
        except OSError as problem:
            if problem.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise


def _sweep(out: Path) -> None:
    """Remove what builds that were killed left beside ``out``."""
    for left in out.parent.glob(f".{out.name}.*"):
        process = left.name.removeprefix(f".{out.name}.").partition(".")[0]
        if process.isdecimal() and not lives(int(process)):
            shutil.rmtree(left, ignore_errors=True)


def _refuse_strangers(out: Path) -> None:
    """Never replace a folder that is not a report."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    first = out / "index.html"
    if not first.is_file() or MARK not in first.read_text("utf-8", errors="replace"):
        raise ArboretumError(f"{out} exists and is not a report, so it stays. Move it away or build elsewhere.")


class Site:
    """Writes every page into ``out``."""

    def __init__(self, root: Path, out: Path) -> None:
        self.root, self.out = root, out
        self.profiles: list[Inputs] = stored_profiles(root)
        self.sets = SetPages(self.profiles)
        self.environment = Environment(
            loader=PackageLoader("arboretum.report"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters.update(readable=readable, yaml=as_yaml, said=said)

    @cached_property
    def pages(self) -> dict[str, dict[str, PaperPage]]:
        """The page of each paper by key and profile, the profile that opens first in front."""
        found: dict[str, dict[str, PaperPage]] = {}
        for inputs in self.profiles:
            for paper in inputs.papers:
                page = PaperPage(paper, self._copy, self._set_link, self._same_sets(paper))
                found.setdefault(paper.key, {})[inputs.profile] = page
        order = [key for key in self.profiles[0].params.get(self.profiles[0].profile) or {} if key in found]
        return {key: found[key] for key in dict.fromkeys([*order, *found])}

    @property
    def homes(self) -> list[PaperPage]:
        """The page of each paper that opens first."""
        return [next(iter(by_profile.values())) for by_profile in self.pages.values()]

    def _same_sets(self, paper: PaperInputs) -> bool:
        """Whether a profile has as many data sets of a paper as the printed protocol."""
        printed = [other for inputs in self.profiles if inputs.profile == SHOWN[0] for other in inputs.papers]
        return all(len(paper.manifest) >= len(other.manifest) for other in printed if other.key == paper.key)

    def write(self) -> None:
        self.out.mkdir()
        for name in ASSETS:
            content = resources.files("arboretum.report").joinpath("templates", name).read_bytes()
            (self.out / name).write_bytes(content)
        self.environment.globals.update(
            homes=self.homes,
            verdicts=VERDICTS,
            mark=Markup(MARK),
            sets=self.sets.found,
            profiles=self.profiles,
            in_order=in_order,
        )
        for by_profile in self.pages.values():
            for page in by_profile.values():
                self._paper(page, by_profile)
        self._page("index.html", "index", comparisons=[inputs.comparison for inputs in self.profiles])
        self._page("claims.html", "claims")
        self._page("sets.html", "sets")
        for name in self.sets.found:
            self._page(f"sets/{name}.html", "set", **self.sets.page(name, self.pages))
        rows = {tuple(row.items()): row for inputs in self.profiles for row in inputs.deviations}
        self._page("deviations.html", "deviations", rows=list(rows.values()))
        self._search()
        self._provenance()

    def _page(self, path: str, template: str, **values: Any) -> None:
        base = "../" * path.count("/")
        text = self.environment.get_template(f"{template}.html.j2").render(base=base, here=path, **values)
        target = self.out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")

    def _copy(self, path: Path, folder: str) -> str:
        """Copy a file into the site for download; returns its address from the site's root."""
        address = f"files/{folder}/{path.name}"
        target = self.out / address
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
        return address

    def _set_link(self, name: str) -> str:
        return f"../sets/{name}.html" if name in self.sets.found else ""

    def _paper(self, page: PaperPage, by_profile: Mapping[str, PaperPage]) -> None:
        self._page(
            page.address,
            "paper",
            page=page,
            paper=page.paper,
            by_profile=by_profile,
            home=next(iter(by_profile.values())),
            citation=bibtex(page.key, page.paper.citation, read_citation(self.root)),
        )

    def _search(self) -> None:
        """The index of the search as a script: a page opened from a folder may load no other kind of file."""
        found = json.dumps(documents(self.homes, self.sets.found), ensure_ascii=False, separators=(",", ":"))
        (self.out / "search.js").write_text(f"window.arboretumIndex = {found};\n", encoding="utf-8", newline="\n")

    def _provenance(self) -> None:
        inputs = self.profiles[0]
        self._page(
            "provenance.html",
            "provenance",
            machine=machine(),
            commit=provenance.commit(self.root),
            packages=packages(),
            code=provenance.code_fingerprint(),
            params=provenance.sha256_of(parameters.shown(inputs.params)),
        )


def as_yaml(value: Any) -> str:
    """A value as YAML, as conf/ would write it."""
    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100).rstrip()


def said(value: Any) -> str:
    """A value of a claim as text: numbers with as many digits as help."""
    if not isinstance(value, float):
        return str(value)
    return numbers.free_text(str(value), numbers.column_decimals([str(value)]))
