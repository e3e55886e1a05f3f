"""The results of a paper as they are stored in a checkout, ready for its tables, figures and claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.inventory import sets_frame
from arboretum.papers.kit.stated import Stated, claims_of
from arboretum.papers.results import NotRun, Results
from arboretum.project import params as parameters
from arboretum.project.manifest import manifest_of
from arboretum.project.raw_results import read_raw
from arboretum.project.readings import MARK, Readings, read_readings
from arboretum.project.workspace import EXTENDED, FULL, SEEDS, Workspace

JUDGED = (FULL, SEEDS)  # the profiles at which claims are judged


class StoredFrames(Mapping[str, pd.DataFrame]):
    """Frames by name, read on demand; a missing one raises an error naming the command that creates it."""

    def __init__(self, folder: Path, suffix: str, read: Callable[[Path], pd.DataFrame], remedy: str):
        self.folder, self.suffix, self.read, self.remedy = folder, suffix, read, remedy
        self.frames: dict[str, pd.DataFrame] = {}

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name not in self.frames:
            path = self.folder / f"{name}{self.suffix}"
            if not path.is_file():
                raise ArboretumError(f"{path} is missing. {self.remedy}")
            try:
                self.frames[name] = self.read(path)
            except ArboretumError:
                raise
            except Exception as problem:
                raise ArboretumError(f"{path} cannot be read ({problem}). {self.remedy}") from None
        return self.frames[name].copy()

    def __iter__(self) -> Iterator[str]:
        return (path.stem for path in sorted(self.folder.glob(f"*{self.suffix}")))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def stored_results(workspace: Workspace, profile: str, key: str) -> Results:
    """What the tables, figures and claims of a paper look at, at one profile."""
    params = parameters.read(workspace, [key])
    results = _results(workspace, params, profile, key, raw_frames(workspace, profile, key))
    if profile == EXTENDED:
        results.readings = UnderReadings.of(workspace, params, key, results.raw)
    return results


def raw_frames(workspace: Workspace, profile: str, key: str) -> StoredFrames:
    """The raw results of a paper by experiment."""
    remedy = (
        f"Run `arboretum run {key} --profile {profile}`, or restore it: git checkout -- results/{profile}/{key}/raw"
    )
    return StoredFrames(workspace.raw(profile, key), ".parquet", read_raw, remedy)


def _results(
    workspace: Workspace, params: parameters.Params, profile: str, key: str, raw: Mapping[str, pd.DataFrame]
) -> Results:
    printed = StoredFrames(
        workspace.published(key), ".csv", pd.read_csv, "Printed numbers belong to the project: restore the file."
    )
    has_sets = bool(parameters.sets_of_paper(params, profile, key))
    sets = sets_frame(manifest_of(workspace, profile, key) if has_sets else {})
    return Results(raw, printed, sets, shown_at(params, profile, key), stated_claims(workspace, key))


@dataclass(frozen=True)
class UnderReadings(Mapping[str, Results]):
    """The results of a paper under each of its readings, as its claims look at them."""

    workspace: Workspace
    params: parameters.Params
    key: str
    readings: Readings
    run: Mapping[str, pd.DataFrame]  # what the readings run, as ``accuracy@midpoint``
    made: dict[str, Results] = field(default_factory=dict)

    @classmethod
    def of(
        cls, workspace: Workspace, params: parameters.Params, key: str, run: Mapping[str, pd.DataFrame]
    ) -> UnderReadings | None:
        """None where the paper has no readings."""
        readings = read_readings(parameters.readings_file(workspace.conf, key))
        return cls(workspace, params, key, readings, run) if readings else None

    def __getitem__(self, name: str) -> Results:
        """Experiments that the reading runs from ``extended``, all others from the stored results of ``full``."""
        if name not in self.made:
            self.made[name] = self._made(name)
        return self.made[name]

    def _made(self, name: str) -> Results:
        stored = replace(self.workspace, out=self.workspace.root)
        changed = {one: f"{one}{MARK}{name}" for one in self.readings.run_by(name, self.params[FULL][self.key])}
        raw = _Overlaid(self.run, changed, raw_frames(stored, FULL, self.key), self.readings.left_out)
        return _results(stored, self.params, FULL, self.key, raw)

    def __iter__(self) -> Iterator[str]:
        return iter(self.readings.readings)

    def __len__(self) -> int:
        return len(self.readings.readings)

    @property
    def described(self) -> Mapping[str, Any]:
        return self.readings.readings

    @property
    def headline(self) -> Any:
        return self.readings.headline

    @property
    def claims(self) -> Mapping[str, Any]:
        return papers.get(self.key).claims

    @property
    def seeds(self) -> pd.DataFrame:
        """The verdicts on other seeds, one row per claim and seed, the control first; empty where there are none."""
        path = self.workspace.seeds(self.key)
        return read_csv(path) if path.is_file() else pd.DataFrame()


class _Overlaid(Mapping[str, pd.DataFrame]):
    """Frames by name; those of ``other`` (by the name they have here) from ``above``, all others from ``below``."""

    def __init__(
        self,
        above: Mapping[str, pd.DataFrame],
        other: Mapping[str, str],
        below: Mapping[str, pd.DataFrame],
        left_out: Sequence[str],
    ):
        self.above, self.other, self.below, self.left_out = above, other, below, left_out

    def __getitem__(self, name: str) -> pd.DataFrame:
        if name in self.left_out:
            raise NotRun(name)
        return self.above[self.other[name]] if name in self.other else self.below[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.below)

    def __len__(self) -> int:
        return len(self.below)


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Around the reading of a stored file: whatever damage leads to becomes an error that says how to restore it."""
    try:
        yield
    except ArboretumError:
        raise
    except Exception as problem:
        raise ArboretumError(f"{path} cannot be read ({problem}). Restore it: git checkout -- {path}") from None


def read_csv(path: Path) -> pd.DataFrame:
    """A stored csv; a missing or damaged one raises an error that says how to restore it."""
    with reading(path):
        return pd.read_csv(path)


def shown_at(params: parameters.Params, profile: str, key: str) -> dict[str, Any]:
    """The tables and figures of a paper whose experiments a profile runs; one without any is made from data sets."""
    run = set(parameters.experiments_at(params, profile, key))
    readings, has_sets = any(MARK in name for name in run), bool(parameters.sets_of_paper(params, profile, key))
    return {
        name: thing
        for name, thing in papers.get(key).shown.items()
        if (readings if thing.readings else set(thing.sources) <= run and (thing.sources or has_sets))
    }


def stated_claims(workspace: Workspace, key: str) -> dict[str, Stated]:
    """The claims that a paper makes, by id, as claims.yaml states them."""
    path = workspace.published(key) / "claims.yaml"
    if not path.is_file():
        return {}
    with reading(path):
        return claims_of(path.read_text("utf-8"), str(path))


def judges(key: str, profile: str) -> bool:
    """Whether the claims of a paper are judged at a profile: at the printed protocol, and on other seeds."""
    return profile in JUDGED and bool(papers.get(key).claims)
