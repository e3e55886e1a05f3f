"""Raw results to tables, figures, claims and metrics: seconds of work, identical bytes each time."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd
import yaml

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.files import atomic_path, write_text
from arboretum.papers.shape import INCONCLUSIVE, NOT_ASSESSED, NOT_REPRODUCED, REPRODUCED, Paper, Verdict
from arboretum.pipeline import params as parameters
from arboretum.pipeline.workspace import Workspace

CLAIM_COLUMNS = ["id", "where", "statement", "verdict", "observed", "printed", "note", "informed_by_print"]
SVG_SETTINGS = {"svg.hashsalt": "arboretum", "svg.fonttype": "none", "savefig.bbox": "tight"}


class Frames(dict):
    """Frames by name, read from a folder on demand; a missing one is told with the command that makes it."""

    def __init__(self, folder: Path, suffix: str, read: Callable[[Path], pd.DataFrame], remedy: str):
        super().__init__()
        self.folder, self.suffix, self.read, self.remedy = folder, suffix, read, remedy

    def __missing__(self, name: str) -> pd.DataFrame:
        path = self.folder / f"{name}{self.suffix}"
        if not path.is_file():
            raise ArboretumError(f"{path} is missing. {self.remedy}")
        self[name] = self.read(path)
        return self[name]


class NotRun(KeyError):
    """A claim asked for a table whose experiments this profile does not run."""


class Built(dict):
    """Tables and figure data by name."""

    def __missing__(self, name: str) -> pd.DataFrame:
        raise NotRun(name)


class Rendering:
    """The inputs and outputs of one paper's rendering at one profile."""

    def __init__(self, workspace: Workspace, profile: str, key: str):
        self.workspace, self.profile, self.key = workspace, profile, key
        self.paper: Paper = papers.get(key)
        self.raw = Frames(
            workspace.raw(profile, key),
            ".parquet",
            pd.read_parquet,
            f"Run `arboretum run {key} --profile {profile}`.",
        )
        self.printed = Frames(
            workspace.published(key),
            ".csv",
            pd.read_csv,
            "Printed numbers belong to the project: restore the file.",
        )

    @cached_property
    def present(self) -> set[str]:
        """The experiments that this profile runs."""
        return set(parameters.experiments_at(parameters.read(self.workspace), self.profile, self.key))

    def wanted(self, things: dict[str, Any]) -> dict[str, Any]:
        """Tables or figures whose experiments this profile runs."""
        return {name: thing for name, thing in things.items() if set(thing.sources) <= self.present}

    @cached_property
    def frames(self) -> Built:
        """Every table, and the data of every figure, by name."""
        built = {name: table.build(self.raw, self.printed) for name, table in self.wanted(self.paper.tables).items()}
        built |= {name: figure.data(self.raw, self.printed) for name, figure in self.wanted(self.paper.figures).items()}
        return Built(built)

    def claims(self) -> pd.DataFrame:
        """One row a claim: what the paper says, what we observed, and the verdict."""
        path = self.workspace.published(self.key) / "claims.yaml"
        stated = yaml.safe_load(path.read_text("utf-8"))["claims"] if self.paper.claims else []
        known = {claim["id"] for claim in stated}
        strangers = sorted(set(self.paper.claims) - known)
        if strangers:
            raise ArboretumError(f"claims.py of {self.key} judges {strangers[0]!r}, which {path} does not state.")
        rows = [self._claim(claim) for claim in stated if claim["id"] in self.paper.claims]
        return pd.DataFrame(rows, columns=CLAIM_COLUMNS)

    def _claim(self, stated: dict[str, Any]) -> dict[str, Any]:
        try:
            verdict = self.paper.claims[stated["id"]](self.frames)
        except NotRun:
            verdict = Verdict(NOT_ASSESSED, "", "its experiments have not been run at this profile")
        return {
            "id": stated["id"],
            "where": stated["where"],
            "statement": " ".join(stated["statement"].split()),
            "verdict": NOT_ASSESSED if self.profile == "quick" else verdict.verdict,
            "observed": verdict.observed,
            "printed": printed_values(stated.get("published") or {}),
            "note": verdict.note,
            "informed_by_print": bool(stated.get("informed_by_print", False)),
        }


def printed_values(published: dict[str, Any]) -> str:
    """What the paper prints on a claim, as one line."""
    return "; ".join(f"{name} {_spoken(value)}" for name, value in published.items())


def _spoken(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_spoken(item)}" for name, item in value.items())
    if isinstance(value, list):
        return " / ".join(_spoken(item) for item in value)
    return str(value)


def csv_text(frame: pd.DataFrame) -> str:
    """A frame as csv: floats as the shortest text that reads back to the same number."""
    return frame.to_csv(index=False, lineterminator="\n")


def save_figure(figure: Any, path: Path) -> None:
    """Save a figure as SVG with nothing in it that changes from run to run."""
    with atomic_path(path) as temporary, matplotlib.rc_context(SVG_SETTINGS):
        figure.savefig(temporary, format="svg", metadata={"Date": None, "Creator": "Arboretum"})


def replace_folder(folder: Path, keep: set[str]) -> None:
    """Remove the files of ``folder`` that this rendering did not write."""
    for path in folder.glob("*") if folder.is_dir() else ():
        if path.name not in keep:
            path.unlink()


def render(workspace: Workspace, profile: str, key: str, figures: bool = True) -> dict[str, Any]:
    """Write tables, figures, claims.csv and metrics.json of one paper; returns the metrics."""
    rendering = Rendering(workspace, profile, key)
    tables = workspace.tables(profile, key)
    written = set()
    for name, frame in rendering.frames.items():
        write_text(tables / f"{name}.csv", csv_text(frame))
        written.add(f"{name}.csv")
    claims = rendering.claims()
    if len(claims):
        write_text(tables / "claims.csv", csv_text(claims))
        written.add("claims.csv")
    replace_folder(tables, written)
    if figures:
        draw_figures(rendering)
    metrics = summary(rendering, claims)
    write_text(workspace.metrics(profile, key), json.dumps(metrics, indent=1) + "\n")
    return metrics


def draw_figures(rendering: Rendering) -> None:
    """Draw every figure of a paper from the data it plots."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    folder = rendering.workspace.figures(rendering.profile, rendering.key)
    folder.mkdir(parents=True, exist_ok=True)
    wanted = rendering.wanted(rendering.paper.figures)
    for name, figure in wanted.items():
        drawn = figure.draw(rendering.frames[name])
        save_figure(drawn, folder / f"{name}.svg")
        plt.close(drawn)
    if not wanted:
        write_text(folder / ".gitkeep", "")  # git keeps no empty folder, and DVC expects this one
    replace_folder(folder, {f"{name}.svg" for name in wanted} or {".gitkeep"})


def summary(rendering: Rendering, claims: pd.DataFrame) -> dict[str, Any]:
    """Counts for ``dvc metrics show``."""
    verdicts = claims["verdict"].value_counts()
    return {
        "tables": len(rendering.wanted(rendering.paper.tables)),
        "figures": len(rendering.wanted(rendering.paper.figures)),
        "claims": {
            "stated": len(claims),
            **{verdict.replace(" ", "_"): int(verdicts.get(verdict, 0)) for verdict in VERDICTS},
        },
    }


VERDICTS = (REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE, NOT_ASSESSED)
