"""Everything in order: fetch, prepare, recompute elsewhere, render, compare with what is stored, report.

The recomputation has a place and a task store of its own, kept until the run succeeds, so that an interrupted run
resumes and stored results are never touched.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass

from arboretum.errors import ArboretumError
from arboretum.pipeline import params as parameters
from arboretum.pipeline.engines import EngineSettings
from arboretum.pipeline.experiment import Plan, run_and_store
from arboretum.pipeline.params import Params
from arboretum.pipeline.progress import duration
from arboretum.pipeline.render import Rendering, draw_figures, render
from arboretum.pipeline.verify import Difference, compare_paper
from arboretum.pipeline.workspace import Workspace


@dataclass(frozen=True)
class PaperOutcome:
    """What became of one paper: its counts, its differences from what is stored, the time it took."""

    key: str
    metrics: dict
    differences: list[Difference]
    seconds: float

    def __str__(self) -> str:
        claims = self.metrics["claims"]
        verdicts = ", ".join(
            f"{count} {name.replace('_', ' ')}" for name, count in claims.items() if name != "stated" and count
        )
        return (
            f"{self.key:<10} {self.metrics['tables']:>2} tables  {self.metrics['figures']:>2} figures  "
            f"{claims['stated']:>2} claims{f' ({verdicts})' if verdicts else ''}  "
            f"{len(self.differences)} differences  {duration(self.seconds)}"
        )


def recompute(
    workspace: Workspace,
    elsewhere: Workspace,
    params: Params,
    profile: str,
    key: str,
    settings: EngineSettings,
) -> PaperOutcome:
    """Recompute one paper in another place and compare it with what is stored."""
    start = time.monotonic()
    for name in parameters.experiments_at(params, profile, key):
        run_and_store(Plan.make(elsewhere, profile, key, name), settings)
    metrics = render(elsewhere, profile, key)
    return PaperOutcome(key, metrics, compare_paper(workspace, elsewhere, profile, key), time.monotonic() - start)


def reproduce(
    workspace: Workspace, params: Params, profile: str, settings: EngineSettings, only: Sequence[str] = ()
) -> list[PaperOutcome]:
    """Recompute a profile in a place of its own and compare; the place is removed when nothing differs."""
    place = workspace.root / ".arboretum" / "reproduce" / profile
    elsewhere = workspace.elsewhere(place)
    outcomes = [
        recompute(workspace, elsewhere, params, profile, key, settings)
        for key in only or parameters.papers_at(params, profile)
    ]
    if not any(outcome.differences for outcome in outcomes):
        shutil.rmtree(place)
    return outcomes


def draw_missing_figures(workspace: Workspace, params: Params, profile: str) -> None:
    """Draw the figures of stored results where a checkout has none: those of quick are not in git."""
    for key in parameters.papers_at(params, profile):
        if not workspace.figures(profile, key).is_dir():
            draw_figures(Rendering(workspace, profile, key))


def refuse_differences(differences: Sequence[Difference], most: int = 20) -> None:
    """Raise when regenerated results differ from the stored ones, naming the cells."""
    if differences:
        shown = "\n".join(f"  {difference}" for difference in differences[:most])
        more = f"\n  ... and {len(differences) - most} more" if len(differences) > most else ""
        raise ArboretumError(f"{len(differences)} differences between stored and regenerated results:\n{shown}{more}")
