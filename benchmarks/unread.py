"""Columns of raw results that nothing reads: ``python -m benchmarks.unread [--profile full] [--papers pert]``.

Either a column is read or it is not stored. Columns are changed in every row, and tables, what figures plot, claims and
checks are made from them in memory. A column whose change moves none of them is unread.
Keys of an experiment tell its rows apart and are left out; so are the runs of readings, which have the columns of the
experiment that they repeat. ``tests/papers/unread.yaml`` lists the columns that are stored all the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from arboretum import papers
from arboretum.papers.kit.verdicts import checks_table, claims_table, verdicts_on
from arboretum.papers.results import Results
from arboretum.project import params as parameters
from arboretum.project.raw_results import read_raw
from arboretum.project.readings import MARK
from arboretum.project.stored import judges, stored_results
from arboretum.project.workspace import PROFILES, Workspace
from arboretum.seeds import rooted

Column = tuple[str, str]  # experiment and name
CLAIMS = "claims"
UNREAD, LATER = "nothing reads", "read at other profiles"  # sections of the list
LISTED = Path(__file__).parents[1] / "tests" / "papers" / "unread.yaml"


def altered(values: pd.Series) -> pd.Series:
    """Other values of the same kind and about the same size, not all moved alike; missing ones stay missing."""
    there = values.notna()
    if values.dtype == bool:
        return ~values
    if pd.api.types.is_numeric_dtype(values):
        factor = np.where(np.arange(len(values)) % 2, 0.5, 0.25)
        whole = pd.api.types.is_integer_dtype(values)
        return (values + 1 + np.arange(len(values)) % 3 if whole else values * factor + factor).where(there, values)
    return values.where(~there, values.astype(str) + " altered")


class Made:
    """What is made from the results of a paper, piece by piece: tables, what figures plot, then claims and checks."""

    def __init__(self, workspace: Workspace, profile: str, key: str):
        self.profile, self.key, self.paper = profile, key, papers.get(key)
        self.results = stored_results(workspace, profile, key)
        self.raw = {
            name: read_raw(workspace.raw(profile, key) / f"{name}.parquet")
            for name in parameters.experiments_at(parameters.read(workspace, [key]), profile, key)
            if MARK not in name
        }
        self.made: dict[str, str] = {}
        self.everything = [*self.results.tables.shown, *([CLAIMS] if judges(key, profile) else [])]

    def changed(self, columns: Sequence[Column]) -> Results:
        """The results with some columns altered."""
        raw = dict(self.raw)
        for name, column in columns:
            raw[name] = raw[name].assign(**{column: altered(raw[name][column])})
        base = self.results
        return Results(raw, base.printed, base.sets, base.tables.shown, base.stated)

    def piece(self, results: Results, name: str) -> str:
        """A table as text; of claims the verdicts and their numbers. What readings give is left out: "" """
        if name == CLAIMS:
            verdicts = verdicts_on(self.paper.claims, results)
            return claims_table(verdicts).to_csv() + checks_table(verdicts).to_csv()
        return "" if results.tables.shown[name].readings else results.tables[name].to_csv()

    def before(self, name: str) -> str:
        if name not in self.made:
            self.made[name] = self.piece(self.changed(()), name)
        return self.made[name]

    def differs(self, columns: Sequence[Column], pieces: Sequence[str]) -> bool:
        """Whether a piece differs, or cannot be made, when columns are altered."""
        results = self.changed(columns)
        for name in pieces:
            before = self.before(name)
            try:
                if self.piece(results, name) != before:
                    return True
            except Exception:  # impossible values are noticed too
                return True
        return False

    def near(self, experiment: str) -> list[str]:
        """The tables and figures that say they are made from an experiment."""
        return [name for name, thing in self.results.tables.shown.items() if experiment in thing.sources]

    def unread(self, columns: Sequence[Column]) -> list[Column]:
        """Those of the columns that nothing reads: all altered at once, halved where something differs."""
        if not columns or not self.differs(columns, self.everything):
            return list(columns)
        half = len(columns) // 2
        return [*self.unread(columns[:half]), *self.unread(columns[half:])] if half else []


def unread(
    workspace: Workspace, profile: str, key: str, only: Collection[Column] | None = None
) -> dict[str, list[str]]:
    """The columns that nothing reads at a profile, by experiment; of ``only`` these columns, or of all but keys."""
    with rooted(workspace.seed):
        made = Made(workspace, profile, key)
        columns = [
            (name, column)
            for name, frame in made.raw.items()
            for column in frame.columns
            if ((name, column) in only if only is not None else column not in made.paper.experiments[name].keys)
        ]
        if only is None:
            columns = [one for one in columns if not made.differs([one], made.near(one[0]))]
        found: dict[str, list[str]] = {}
        for name, column in made.unread(columns):
            found.setdefault(name, []).append(column)
        return found


def listed(key: str, *where: str) -> dict[str, set[str]]:
    """The columns of a paper that ``tests/papers/unread.yaml`` lists, by experiment."""
    found: dict[str, set[str]] = {}
    for section in where:
        for name, columns in (yaml.safe_load(LISTED.read_text("utf-8"))[section].get(key) or {}).items():
            found.setdefault(name, set()).update(columns)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profile", default="full", choices=PROFILES)
    parser.add_argument("--papers", default=",".join(papers.present()), metavar="A,B")
    options = parser.parse_args()
    for key in options.papers.split(","):
        for name, columns in unread(Workspace.find(), options.profile, key).items():
            known = listed(key, UNREAD, *((LATER,) if options.profile == "quick" else ())).get(name, set())
            print(f"{key}/{name}: " + ", ".join(one + " (listed)" * (one in known) for one in columns), flush=True)


if __name__ == "__main__":
    main()
