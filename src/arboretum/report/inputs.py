"""What a site is made from: the stored results of a profile and what is published. Nothing is computed here."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from arboretum import papers
from arboretum.errors import ArboretumError, nearest
from arboretum.papers.contract import Citation, Paper
from arboretum.papers.verdicts import INCONCLUSIVE, NOT_ASSESSED, NOT_REPRODUCED, REPRODUCED, VERDICTS
from arboretum.project import params as parameters
from arboretum.project.manifest import manifest_of
from arboretum.project.raw_results import read_raw
from arboretum.project.stored import reading, shown_at
from arboretum.project.workspace import Workspace
from arboretum.report.evidence import bare, rests_on
from arboretum.report.findings import Findings, read_findings, values_by_claim
from arboretum.report.notes import Notes, read_notes

SHOWN = ("paper", "extended", "quick")  # the profiles of a site, the one that opens first
DEVIATION = ("paper", "where", "printed_protocol", "ours", "reason")


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
        return parameters.read(self.workspace)

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
        """The claims with a verdict; each with what claims.yaml says of how it is judged."""
        return [self._claim(row) for row in self._claim_rows]

    @cached_property
    def _claim_rows(self) -> list[dict[str, str]]:
        if not self.paper.claims:
            return []
        path = self.table_path("claims")
        rows = read_rows(path)
        for row in rows:
            if row["verdict"] not in VERDICTS:
                raise ArboretumError(
                    f"{path}: claim {row['id']} has the verdict {row['verdict']!r}, not one of {', '.join(VERDICTS)}. "
                    f"Run `arboretum render {self.key} --profile {self.inputs.profile}`."
                )
        return rows

    def _claim(self, row: dict[str, str]) -> dict[str, Any]:
        parts = [part.rpartition(": ") for part in (row.get("parts") or "").split("; ") if part]
        return {
            **row,
            "parts": [{"name": name, "verdict": verdict} for name, _, verdict in parts],
            "informed": row.get("informed_by_print") == "True",
            "seeds": self._seeds(row["id"], row["verdict"]),
            "choice": self.findings.choice(row["id"]),
            "values": self.claim_values.get(row["id"], {}),
            "rests_on": self._rests_on(row),
            **self._judged(row["id"]),
        }

    def _rests_on(self, row: Mapping[str, str]) -> list[str]:
        """The tables and figures to look at for a claim: those its function reads, and those the findings name."""
        found = rests_on(self.paper.claims[row["id"]].judge, row["where"], list(self._shown))
        stated = self.findings.evidence.get(row["id"].rpartition("-")[2], ())
        for name in stated:
            if name not in self._shown:
                known = nearest(name, list(self._shown))
                raise ArboretumError(
                    f"findings.yaml of {self.key}: evidence of {row['id']}: no table {name!r}. {known}"
                )
        return list(dict.fromkeys([*found, *stated]))

    @cached_property
    def claim_values(self) -> dict[str, dict[str, Any]]:
        """What each verdict rests on: the values of a claim by name, its limits as ``limit: name``."""
        path = self.results / "tables" / "claim_values.csv"
        return values_by_claim(read_rows(path)) if path.is_file() else {}

    @cached_property
    def findings(self) -> Findings:
        """What its page says before any table; nothing at a profile that judges nothing."""
        if self.inputs.profile != "paper":
            return Findings()
        return read_findings(
            next(iter(_in_package(self.key, "findings.yaml")), Path()),
            self.figures,
            {row["id"]: row["verdict"] for row in self._claim_rows},
            self.claim_values,
            {identity: claim.get("published") or {} for identity, claim in self.stated.items()},
        )

    def _seeds(self, identity: str, verdict: str) -> str:
        """On how many other seeds the verdict held, in words; empty at a profile that judges nothing."""
        found = [row["verdict"] for row in self.replications if row["id"] == identity]
        if not found or verdict == NOT_ASSESSED:
            return ""
        others = [f"{other} on {found.count(other)}" for other in VERDICTS if other != verdict and other in found]
        return f"the verdict held on {found.count(verdict)} of {len(found)}" + "".join(f"; {other}" for other in others)

    @cached_property
    def replications(self) -> list[dict[str, str]]:
        """The verdicts on other seeds, one row per claim and seed; none where no replication is stored."""
        path = self.inputs.workspace.seeds(self.key)
        return read_rows(path) if path.is_file() else []

    def _judged(self, identity: str) -> dict[str, str]:
        stated = self.stated.get(identity, {})
        return {key: " ".join(str(stated.get(key) or "").split()) for key in ("predicate", "tolerance", "kind")}

    @cached_property
    def stated(self) -> dict[str, Mapping[str, Any]]:
        """Every claim that the paper makes, by id."""
        path = self.published / "claims.yaml"
        return {claim["id"]: claim for claim in _yaml(path)["claims"]} if path.is_file() else {}

    @property
    def open_claims(self) -> list[Mapping[str, Any]]:
        """The claims that nothing here judges yet."""
        judged = {claim["id"] for claim in self.claims}
        return [claim for identity, claim in self.stated.items() if identity not in judged]

    @property
    def assessed(self) -> list[dict[str, Any]]:
        """The claims that were assessed, those that failed first."""
        order = (NOT_REPRODUCED, INCONCLUSIVE, REPRODUCED)
        return [claim for verdict in order for claim in self.claims if claim["verdict"] == verdict]

    @property
    def verdicts(self) -> dict[str, int]:
        """How many claims have each verdict."""
        found = [claim["verdict"] for claim in self.claims]
        return {verdict: found.count(verdict) for verdict in VERDICTS}

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
