"""Where things lie in a checkout."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from arboretum.errors import ArboretumError
from arboretum.failures import spelled
from arboretum.seeds import STORED

FULL = "full"  # the printed protocol in full
EXTENDED = "extended"  # beyond the paper, and its other readings
PROFILES = ("quick", FULL, EXTENDED)
SEEDS = "seeds"  # the profile of replications on other seeds: a stated share of the printed protocol


@dataclass(frozen=True)
class Workspace:
    """A checkout: what is read lies under ``root``, what is computed under ``out`` (the same, unless verifying)."""

    root: Path
    out: Path
    tasks: Path
    manifests: Path | None = None
    seed: int = STORED

    @classmethod
    def at(cls, root: Path) -> Workspace:
        """The checkout in the folder ``root``."""
        tasks = Path(os.environ.get("ARBORETUM_TASKS") or root / ".arboretum" / "tasks")
        return cls(root=root, out=root, tasks=tasks.resolve())

    @classmethod
    def find(cls, start: Path | None = None) -> Workspace:
        """The checkout that holds ``start`` (default: ARBORETUM_ROOT or the current folder)."""
        start = Path(start or os.environ.get("ARBORETUM_ROOT") or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / "conf" / "config.yaml").is_file() and (folder / "dvc.yaml").is_file():
                return cls.at(spelled(folder))
        raise ArboretumError(
            f"no Arboretum checkout at or above {start} (looked for conf/config.yaml and dvc.yaml). "
            "Change into a clone of the project, or set ARBORETUM_ROOT to it."
        )

    def elsewhere(self, out: Path) -> Workspace:
        """The same checkout with results, figures and tasks under ``out``: stored results stay untouched."""
        return replace(self, out=out, tasks=out / "tasks")

    def partial(self) -> Workspace:
        """The place for results without sets that cannot be had: manifests, results, figures, not the tasks."""
        place = self.root / ".arboretum" / "partial"
        return replace(self, out=place, manifests=place / "data" / "manifest")

    def seeded(self, seed: int) -> Workspace:
        """The place of a replication on another seed: drawn data, tasks, results, never the stored ones."""
        place = self.root / ".arboretum" / "seeds" / str(seed)
        return replace(self, out=place, tasks=place / "tasks", manifests=place / "data" / "manifest", seed=seed)

    @property
    def conf(self) -> Path:
        return self.root / "conf"

    @property
    def params(self) -> Path:
        return self.root / "params.yaml"

    @property
    def stages(self) -> Path:
        return self.root / "stages.yaml"

    def code(self, name: str) -> Path:
        """The file that holds the hash of what a stage's code does."""
        return self.root / ".arboretum" / "code" / f"{name}.txt"

    def published(self, paper: str) -> Path:
        return self.root / "data" / "published" / paper

    def raw_data(self, profile: str) -> Path:
        return self.root / "data" / "raw" / profile

    def prepared(self, profile: str) -> Path:
        return self.root / "data" / "prepared" / profile

    def drawn(self, name: str) -> Path:
        """A data set that was drawn anew for the seed of this place."""
        return self.out / "data" / "drawn" / f"{name}.parquet"

    def manifest(self, profile: str, paper: str) -> Path:
        return (self.manifests or self.root / "data" / "manifest") / profile / f"{paper}.json"

    def raw(self, profile: str, paper: str) -> Path:
        return self.out / "results" / profile / paper / "raw"

    def tables(self, profile: str, paper: str) -> Path:
        return self.out / "results" / profile / paper / "tables"

    def metrics(self, profile: str, paper: str) -> Path:
        return self.out / "results" / profile / paper / "metrics.json"

    def figures(self, profile: str, paper: str) -> Path:
        return self.out / "figures" / profile / paper

    def seeds(self, paper: str) -> Path:
        """The verdicts of a paper on other seeds."""
        return self.root / "results" / "seeds" / f"{paper}.csv"

    def comparison(self, profile: str) -> Path:
        """What the last recomputation of a profile on this machine found."""
        return self.root / ".arboretum" / "compared" / f"{profile}.json"

    @property
    def report(self) -> Path:
        return self.out / "report"
