"""What a site is made from: the stored results of a profile and what is published. Nothing is computed here."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.contract import Citation, Paper
from arboretum.papers.kit.checks import HOLDS
from arboretum.papers.kit.claims import CONCLUSIONS, CONTRADICTED, CORRECTED, INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED
from arboretum.papers.kit.readings import said
from arboretum.papers.kit.stated import Stated
from arboretum.papers.kit.verdicts import NOT_ASSESSED
from arboretum.project import params as parameters
from arboretum.project.manifest import manifest_of
from arboretum.project.raw_results import read_raw
from arboretum.project.stored import judges, read_csv, reading, shown_at, stated_claims
from arboretum.project.workspace import EXTENDED, FULL, Workspace
from arboretum.report.findings import Findings, read_findings, values_of
from arboretum.report.notes import Notes, read_notes
from arboretum.report.strips import groups

VERDICTS = (*CONCLUSIONS, NOT_ASSESSED)
SHOWN = (FULL, "extended", "quick")  # the profiles of a site, the one that opens first
DEVIATION = ("paper", "where", "printed_protocol", "ours", "reason", "reading", "gives")


@dataclass(frozen=True)
class Inputs:
    """Where the inputs of one profile lie under ``root``, and the papers that have results there."""

    root: Path
    profile: str

    @property
    def workspace(self) -> Workspace:
        return Workspace.at(self.root)

    @cached_property
    def params(self) -> Mapping[str, Any]:
        return parameters.read(self.workspace, ())  # they were checked when the results were made

    @cached_property
    def papers(self) -> list[PaperInputs]:
        """The papers with results at this profile, in the order of params.yaml."""
        section, known = self.params.get(self.profile) or {}, papers.present()
        order = [key for key in section if key in known]
        return [PaperInputs(self, key) for key in order if any((self.results / key).rglob("*.*"))]

    @property
    def results(self) -> Path:
        return self.root / "results" / self.profile

    @cached_property
    def sets(self) -> dict[str, dict[str, Mapping[str, Any]]]:
        """Every data set of the papers shown: paper -> facts, by name."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for paper in self.papers:
            for name, facts in paper.manifest.items():
                found.setdefault(name, {})[paper.key] = facts
        return dict(sorted(found.items()))

    def spec(self, name: str) -> Mapping[str, Any]:
        """What conf/dataset says of a set."""
        return parameters.spec_of(self.params, name)

    @cached_property
    def comparison(self) -> Mapping[str, Any]:
        """What the last recomputation on this machine found; empty where there was none."""
        path = self.workspace.comparison(self.profile)
        try:
            return json.loads(path.read_text("utf-8")) if path.is_file() else {}
        except ValueError as problem:
            raise ArboretumError(f"{path} is damaged ({problem}). Delete it and build the report again.") from None

    @cached_property
    def deviations(self) -> list[dict[str, str]]:
        """Where our protocol is not the printed one, of the papers shown."""
        path = self.root / "docs" / "deviations.csv"
        rows = read_rows(path) if path.is_file() else []
        if rows and not set(DEVIATION) <= set(rows[0]):
            raise ArboretumError(f"{path} needs the columns {', '.join(DEVIATION)}. It has {', '.join(rows[0])}.")
        shown = {paper.key for paper in self.papers}
        return [row for row in rows if row["paper"] in shown]


def stored_profiles(root: Path) -> list[Inputs]:
    """The profiles with results of any paper, in the order in which a site shows them."""
    found = [inputs for inputs in (Inputs(root, profile) for profile in SHOWN) if inputs.papers]
    if not found:
        raise ArboretumError(
            f"no results of any paper under {root / 'results'}. Run `arboretum render --profile quick` "
            "(or `make reproduce`) first."
        )
    return found


@dataclass(frozen=True)
class PaperInputs:
    """What is stored and published of one paper."""

    inputs: Inputs
    key: str

    @cached_property
    def paper(self) -> Paper:
        return papers.get(self.key)

    @property
    def citation(self) -> Citation:
        return self.paper.citation or Citation(authors=self.key, year="", title=self.key)

    @property
    def results(self) -> Path:
        return self.inputs.results / self.key

    @property
    def published(self) -> Path:
        return self.inputs.root / "data" / "published" / self.key

    @cached_property
    def params(self) -> Mapping[str, Any]:
        """The sections of its experiments at this profile, by experiment."""
        section = self.inputs.params[self.inputs.profile][self.key]
        run = parameters.experiments_at(self.inputs.params, self.inputs.profile, self.key)
        return {name: section[name] for name in run}

    @cached_property
    def _shown(self) -> dict[str, Any]:
        return shown_at(self.inputs.params, self.inputs.profile, self.key)

    @property
    def tables(self) -> dict[str, Any]:
        return {name: thing for name, thing in self._shown.items() if name in self.paper.tables}

    @property
    def figures(self) -> dict[str, Any]:
        return {name: thing for name, thing in self._shown.items() if name in self.paper.figures}

    def table_path(self, name: str) -> Path:
        """The csv of a table, or of what a figure plots."""
        return self._rendered(self.results / "tables" / f"{name}.csv")

    def figure_path(self, name: str) -> Path:
        return self._rendered(self.inputs.root / "figures" / self.inputs.profile / self.key / f"{name}.svg")

    @property
    def metrics_path(self) -> Path:
        return self._rendered(self.results / "metrics.json")

    def _rendered(self, path: Path) -> Path:
        return _require(path, f"Run `arboretum render {self.key} --profile {self.inputs.profile}`.")

    @cached_property
    def claims(self) -> list[dict[str, Any]]:
        """The claims with their verdicts, what they rest on and the checks behind them."""
        return [self._claim(row) for row in self._claim_rows]

    @cached_property
    def _claim_rows(self) -> list[dict[str, str]]:
        if not judges(self.key, self.inputs.profile):
            return []
        path = self.table_path("claims")
        rows = read_rows(path)
        for row in rows:
            if row.get("conclusion") not in VERDICTS:
                raise ArboretumError(
                    f"{path}: claim {row['id']} has the conclusion {row.get('conclusion')!r}, not one of "
                    f"{', '.join(VERDICTS)}. Run `arboretum render {self.key} --profile {self.inputs.profile}`."
                )
        return rows

    def _claim(self, row: dict[str, str]) -> dict[str, Any]:
        identity = row["id"]
        return {
            **row,
            "verdict": row["conclusion"],
            "informed": row["informed_by_print"] == "True",
            "seeds": self._seeds(identity),
            "marks": self.under_readings.get(identity, []),
            "readings": self._readings(identity),
            "robust": self._robust(identity),
            "choice": self.findings.choice(identity),
            "rests_on": [name for name in self.paper.claims[identity].evidence if name in self._shown],
            "checks": groups(self.checks.get(identity, []), self.stated[identity].checks),
        }

    @cached_property
    def checks(self) -> dict[str, list[dict[str, str]]]:
        """The rows of checks.csv, by claim."""
        found: dict[str, list[dict[str, str]]] = {}
        for row in read_rows(self.table_path("checks")):
            found.setdefault(row["claim"], []).append(row)
        return found

    @property
    def numbers_that_agree(self) -> tuple[int, int]:
        """How many printed numbers agree, of how many that were checked."""
        numbers = [row["verdict"] for rows in self.checks.values() for row in rows if row["kind"] == "number"]
        return numbers.count(HOLDS), len(numbers)

    @cached_property
    def findings(self) -> Findings:
        """What its page says before any table; nothing at a profile that judges nothing."""
        if not self._claim_rows:
            return Findings()
        return read_findings(
            next(iter(_in_package(self.key, "findings.yaml")), Path()),
            self.figures,
            {row["id"]: row["conclusion"] for row in self._claim_rows},
            {identity: values_of(rows, self.stated[identity].checks) for identity, rows in self.checks.items()},
        )

    def _readings(self, identity: str) -> str:
        """How a claim fares under the readings of its paper, and which choices turn it."""
        if identity not in self.under_readings:
            return ""
        return said(self.of_readings("verdicts_by_reading"), self.of_readings("headline_by_reading"), identity)

    def _robust(self, identity: str) -> bool:
        """Whether all readings and seeds have the same conclusion of a claim."""
        marks = self.under_readings.get(identity, [])
        return bool(marks) and all(row["same"] == "True" for row in marks)

    def of_readings(self, name: str) -> pd.DataFrame:
        """A stored table of the readings of the paper, read once."""
        if name not in self._of_readings:
            self._of_readings[name] = read_csv(self._extended / f"{name}.csv")
        return self._of_readings[name]

    @property
    def _extended(self) -> Path:
        return self.inputs.root / "results" / EXTENDED / self.key / "tables"

    @cached_property
    def _of_readings(self) -> dict[str, pd.DataFrame]:
        return {}

    def _seeds(self, identity: str) -> str:
        """What other seeds conclude, and the control: the stored seed at the size at which they were run."""
        main = str(self.inputs.params[self.inputs.profile].get("seed", 1))
        found = {row["seed"]: row["conclusion"] for row in self.replications if row["id"] == identity}
        control = found.pop(main, "")
        if not control or not found:
            return ""
        listed = [f"{name} on {list(found.values()).count(name)}" for name in VERDICTS if name in found.values()]
        return f"{', '.join(listed)} of {len(found)} other seeds; the control, the stored seed at their size: {control}"

    @cached_property
    def replications(self) -> list[dict[str, str]]:
        """The verdicts on other seeds, one row per claim and seed; none where no replication is stored."""
        path = self.inputs.workspace.seeds(self.key)
        return read_rows(path) if path.is_file() else []

    @cached_property
    def stated(self) -> dict[str, Stated]:
        """Every claim that the paper makes, by id."""
        return stated_claims(self.inputs.workspace, self.key)

    @property
    def open_claims(self) -> list[Stated]:
        """The claims that nothing here judges yet."""
        judged = {claim["id"] for claim in self.claims}
        return [claim for identity, claim in self.stated.items() if identity not in judged]

    @property
    def assessed(self) -> list[dict[str, Any]]:
        """The claims that were assessed, those that failed first."""
        order = (NOT_REPRODUCED, CONTRADICTED, INCONCLUSIVE, CORRECTED, REPRODUCED)
        return [claim for verdict in order for claim in self.claims if claim["verdict"] == verdict]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        found = [claim["verdict"] for claim in self.claims]
        return {verdict: found.count(verdict) for verdict in VERDICTS}

    @property
    def held(self) -> int:
        """How many conclusions held, as printed or once corrected."""
        return self.verdicts[REPRODUCED] + self.verdicts[CORRECTED]

    @cached_property
    def under_readings(self) -> dict[str, list[dict[str, str]]]:
        """What each reading and seed concludes of a claim, by claim; none where no readings are stored."""
        path = self._extended / "verdicts_by_reading.csv"
        found: dict[str, list[dict[str, str]]] = {}
        for row in read_rows(path) if path.is_file() else []:
            found.setdefault(row["claim"], []).append(row)
        return found

    @property
    def robust(self) -> int | None:
        """How many claims have the same conclusion under all readings and seeds; None where none are stored."""
        if not self.under_readings:
            return None
        return sum(map(self._robust, self.under_readings))

    @property
    def badge(self) -> str:
        """The paper in a phrase: "31 of 46 hold, 28 robust"."""
        words = f"{self.held} of {len(self.claims)} hold"
        return words if self.robust is None else f"{words}, {self.robust} robust"

    @cached_property
    def notes(self) -> Notes:
        path = self.published / "NOTES.md"
        return read_notes(path.read_text("utf-8")) if path.is_file() else Notes()

    @cached_property
    def printed_figures(self) -> dict[str, Mapping[str, str]]:
        """What figures.yaml says of each printed figure, by its number."""
        path = self.published / "figures.yaml"
        listed = (_yaml(path).get("figures") or []) if path.is_file() else []
        return {bare(number): entry for entry in listed for number in str(entry["figure"]).split(",")}

    @cached_property
    def manifest(self) -> Mapping[str, Mapping[str, Any]]:
        """The data sets of this paper at this profile: facts, or why they cannot be had."""
        if not parameters.sets_of_paper(self.inputs.params, self.inputs.profile, self.key):
            return {}
        return manifest_of(self.inputs.workspace, self.inputs.profile, self.key)

    @cached_property
    def raw(self) -> dict[Path, int]:
        """The files of raw results and how many rows each has."""
        return {path: len(read_raw(path)) for path in sorted((self.results / "raw").glob("*.parquet"))}

    @property
    def deviations(self) -> list[dict[str, str]]:
        return [row for row in self.inputs.deviations if row["paper"] == self.key]


def bare(number: str) -> str:
    """A number or name of print without what differs between the two: ``figure5_10`` and ``5.10`` are both ``510``."""
    return re.sub(r"[^a-z0-9]", "", number.lower().removeprefix("figure"))


def _in_package(key: str, name: str) -> list[Path]:
    """A file in the folder of a paper, where there is one."""
    return [path for path in (Path(folder) / key / name for folder in papers.__path__) if path.is_file()]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a csv."""
    with reading(path), path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, strict=True)
        if not rows.fieldnames:
            raise ValueError("it is empty")
        return list(rows)


def _require(path: Path, remedy: str) -> Path:
    if not path.is_file():
        raise ArboretumError(f"{path} is missing. {remedy}")
    return path


def _yaml(path: Path) -> Any:
    with reading(path):
        return yaml.load(path.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
