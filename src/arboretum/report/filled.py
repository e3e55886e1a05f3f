"""Passages of the hand-written pages of docs/ whose numbers come from stored results: ``make pages``.

A page marks a passage with ``<!-- filled: name -->`` and ``<!-- end of filled -->``; what stands between them is made
from the text of that name in docs/filled.yaml. Its places are ``{pert[c01][ratio.least]:.1f}``, a value of a claim by
the names that remarks use (and ``verdict``), and ``{dynint[extended selectors][out of bag, heom, dvs][gain]:.1f}``, a
cell of a stored table: profile and name, the keys of the row, the column.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.kit.wording import say
from arboretum.project.stored import read_csv
from arboretum.report.findings import Values, values_of
from arboretum.report.inputs import PaperInputs

WIDTH = 120
END = "<!-- end of filled -->"


class Named(dict):
    """What a place may name; asking for anything else is an error that says what is near."""

    def __init__(self, what: str, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.what = what

    def __missing__(self, name: str) -> Any:
        raise ArboretumError(f"{self.what} has no {name!r}. {nearest(name, list(self))}")


class OfPaper:
    """The claims of a paper by number, and the rows of its stored tables."""

    def __init__(self, paper: PaperInputs) -> None:
        self.paper = paper

    def __getitem__(self, name: str) -> Mapping[str, Any]:
        profile, _, table = name.partition(" ")
        if table:
            return self._rows(profile, table)
        identity = f"{self.paper.key}-{name}"
        if identity not in self.paper.checks:
            raise ArboretumError(f"{name!r} is no claim of {self.paper.key} and no profile and table.")
        conclusions = {claim["id"]: claim["verdict"] for claim in self.paper.claims}
        numbers = values_of(self.paper.checks[identity], self.paper.stated[identity].checks)
        return Values(identity, numbers | {"verdict": conclusions[identity]})

    def _rows(self, profile: str, table: str) -> Mapping[str, Any]:
        shown = self.paper.paper.shown
        if table not in shown:
            raise ArboretumError(f"{self.paper.key} has no table {table!r}. {nearest(table, list(shown))}")
        path = self.paper.inputs.root / "results" / profile / self.paper.key / "tables" / f"{table}.csv"
        frame = read_csv(path)
        return rows_by_keys(frame, list(shown[table].keys or frame.columns[:1]), f"table {table} at {profile}")


def rows_by_keys(frame: pd.DataFrame, keys: list[str], what: str) -> Named:
    """The rows of a table by the words of their keys, ``out of bag, heom, dvs``.

    By the first of its keys a group of rows has ``gain.least`` and ``gain.greatest`` of every column of numbers.
    """
    found: dict[str, Named] = {}
    for count in range(1, len(keys) + 1):
        for values, group in frame.groupby(keys[:count], sort=False):
            name = ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)
            numbers = group.select_dtypes("number")
            ends = {"least": numbers.min(), "greatest": numbers.max()}
            row = {f"{column}.{end}": value for end, columns in ends.items() for column, value in columns.items()}
            found[name] = Named(f"{what}, {name},", row | (group.iloc[0].to_dict() if len(group) == 1 else {}))
    return Named(what, found)


def filled(page: str, texts: Mapping[str, str], values: Mapping[str, Any], place: str) -> str:
    """The page with every passage of ``texts`` made anew; a passage without its marks is an error."""
    for name, text in texts.items():
        start = f"<!-- filled: {name} -->\n"
        before, *after = page.split(start)
        if len(after) != 1 or END not in after[0]:
            raise ArboretumError(f"{place} needs one {start.strip()}, and {END} after it.")
        try:
            made = wrapped(say(text, **values))
        except ArboretumError as problem:
            raise ArboretumError(f"docs/filled.yaml: {place}: {name}: {problem}") from None
        page = before + start + made + END + after[0].partition(END)[2]
    return page


def wrapped(text: str) -> str:
    """A paragraph in lines of a page, or a table; a line that does not begin with | belongs to the row before it."""
    if text.startswith("|"):
        return re.sub(r"\s*\n\s*(?!\|)", " ", text) + "\n"
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def filled_pages(root: Path, papers: Iterable[PaperInputs]) -> dict[Path, str]:
    """Every page that docs/filled.yaml names, as it should be."""
    stated = yaml.safe_load((root / "docs" / "filled.yaml").read_text("utf-8"))
    values = {paper.key: OfPaper(paper) for paper in papers}
    paths = {name: root / "docs" / name for name in stated}
    return {path: filled(path.read_text("utf-8"), stated[name], values, f"docs/{name}") for name, path in paths.items()}
