"""Everything in order: recompute elsewhere, render, compare with what is stored, say what was compared.

The recomputation has a place and a task store of its own, kept until the run succeeds, so that an interrupted run
resumes and stored results are never touched. The place belongs to one setting of machine and libraries: numbers
computed under one never stand for another. A second run beside the first has a place of its own.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Any

from arboretum.papers.kit.checks import HOLDS
from arboretum.papers.kit.claims import CONCLUSIONS
from arboretum.papers.kit.verdicts import NOT_ASSESSED
from arboretum.pipeline.agreement import Comparison
from arboretum.pipeline.executors import RunSettings
from arboretum.pipeline.experiment import Plan, run_and_store
from arboretum.pipeline.progress import duration
from arboretum.pipeline.render import Rendered, Rendering, draw_figures, render
from arboretum.pipeline.verify import compare_paper
from arboretum.project import params as parameters
from arboretum.project.machine import machine, packages, setting_id
from arboretum.project.params import Params
from arboretum.project.stored import judges
from arboretum.project.workspace import FULL, Workspace
from arboretum.seeds import rooted
from arboretum.writing import claimed, write_text


@dataclass(frozen=True)
class PaperComparison:
    """What became of one paper: its counts, how it compares with what is stored, the time it took."""

    key: str
    rendered: Rendered
    comparison: Comparison
    seconds: float

    def __str__(self) -> str:
        counts = self.rendered.counts
        return (
            f"{self.key:<10} {counts['tables']:>2} tables  {counts['figures']:>2} figures  "
            f"{self.comparison.cells:>8} cells  {len(self.comparison.differences)} differences  "
            f"{duration(self.seconds)}"
        )


def recompute(
    workspace: Workspace, elsewhere: Workspace, params: Params, profile: str, key: str, settings: RunSettings
) -> PaperComparison:
    """Recompute one paper in another place and compare it with what is stored."""
    start = time.monotonic()
    for name in parameters.experiments_at(params, profile, key):
        run_and_store(Plan.make(elsewhere, profile, key, name), settings)
    rendered = render(elsewhere, profile, key)
    return PaperComparison(key, rendered, compare_paper(workspace, elsewhere, profile, key), time.monotonic() - start)


def place_of(workspace: Workspace, profile: str, settings: RunSettings) -> Path:
    """Where a profile is recomputed: a folder for each setting of machine, libraries and workers."""
    setting = setting_id(engine=settings.engine, workers=settings.workers)
    return workspace.root / ".arboretum" / "reproduce" / f"{profile}-{setting}"


def reproduce(
    workspace: Workspace, params: Params, profile: str, settings: RunSettings, only: Sequence[str] = ()
) -> list[PaperComparison]:
    """Recompute a profile in a place of its own and compare; the place is removed when nothing differs."""
    with free_place(workspace, place_of(workspace, profile, settings)) as place:
        elsewhere = workspace.elsewhere(place)
        compared = [
            recompute(workspace, elsewhere, params, profile, key, settings)
            for key in only or parameters.papers_at(params, profile)
        ]
        write_text(workspace.comparison(profile), json.dumps(comparison_record(profile, compared), indent=1) + "\n")
        if not any(paper.comparison.differences for paper in compared):
            shutil.rmtree(place)
    return compared


@contextmanager
def free_place(workspace: Workspace, first: Path) -> Iterator[Path]:
    """The first of ``first``, ``first-2``, ``first-3`` ... that no other run is using. One that was killed is free."""
    for number in count(1):
        place = first if number == 1 else first.with_name(f"{first.name}-{number}")
        with claimed(workspace.root / ".arboretum" / "locks" / f"{place.name}.lock") as own:
            if own:
                yield place
                return


def comparison_record(profile: str, compared: Sequence[PaperComparison]) -> dict[str, Any]:
    """What was compared, for the first page of the report: cells, differences, machine, versions, date."""
    return {
        "profile": profile,
        "machine": machine(),
        "packages": packages(),
        "papers": {
            paper.key: {
                "cells": paper.comparison.cells,
                "seconds": round(paper.seconds, 1),
                "differences": [
                    {name: value if isinstance(value, int | float | str | None) else str(value)
                     for name, value in asdict(difference).items()}
                    for difference in paper.comparison.differences
                ],
            }
            for paper in compared
        },
    }  # fmt: skip


def verdicts_judged_anew(workspace: Workspace, params: Params) -> Iterator[str]:
    """The claims of every paper, judged from the stored results of the printed protocol: one line per paper."""
    for key in parameters.papers_at(params, FULL):
        if judges(key, FULL) and workspace.metrics(FULL, key).is_file():
            with rooted(workspace.seed):
                rendering = Rendering(workspace, FULL, key)
                found = rendering.claims["conclusion"].value_counts()
            counts = ", ".join(f"{found[name]} {name}" for name in (*CONCLUSIONS, NOT_ASSESSED) if name in found)
            numbers = rendering.checks.query("kind == 'number'")["verdict"]
            agree = f"; {(numbers == HOLDS).sum()} of {len(numbers)} printed numbers agree" if len(numbers) else ""
            yield f"{key:<10} {len(rendering.claims):>2} claims: {counts}{agree}"


def draw_missing_figures(workspace: Workspace, params: Params, profile: str) -> None:
    """Draw the figures of stored results where a checkout has none: those of quick are not in git."""
    for key in parameters.papers_at(params, profile):
        if workspace.metrics(profile, key).is_file() and not workspace.figures(profile, key).is_dir():
            draw_figures(Rendering(workspace, profile, key))
