"""The results of a paper as they are stored in a checkout, ready for its tables, figures and claims."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from arboretum import papers
from arboretum.errors import ArboretumError
from arboretum.papers.inventory import sets_frame
from arboretum.papers.kit.stated import Stated, read_claims
from arboretum.papers.results import Results
from arboretum.project import params as parameters
from arboretum.project.manifest import manifest_of
from arboretum.project.raw_results import read_raw
from arboretum.project.workspace import FULL, SEEDS, Workspace

JUDGED = (FULL, SEEDS)  # the profiles at which claims are judged
NOT_ASSESSED = "not assessed"  # its experiments have not been run at this profile


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
    params = parameters.read(workspace)
    raw = StoredFrames(
        workspace.raw(profile, key),
        ".parquet",
        read_raw,
        f"Run `arboretum run {key} --profile {profile}`, or restore it: git checkout -- results/{profile}/{key}/raw",
    )
    printed = StoredFrames(
        workspace.published(key), ".csv", pd.read_csv, "Printed numbers belong to the project: restore the file."
    )
    has_sets = bool(parameters.sets_of_paper(params, profile, key))
    sets = sets_frame(manifest_of(workspace, profile, key) if has_sets else {})
    return Results(raw, printed, sets, shown_at(params, profile, key), stated_claims(workspace, key))


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
    has_sets = bool(parameters.sets_of_paper(params, profile, key))
    return {
        name: thing
        for name, thing in papers.get(key).shown.items()
        if set(thing.sources) <= run and (thing.sources or has_sets)
    }


def stated_claims(workspace: Workspace, key: str) -> dict[str, Stated]:
    """The claims that a paper makes, by id, as claims.yaml states them."""
    path = workspace.published(key) / "claims.yaml"
    if not path.is_file():
        return {}
    with reading(path):
        entries = (yaml.safe_load(path.read_text("utf-8")) or {}).get("claims")
    return read_claims(entries, str(path))


def judges(key: str, profile: str) -> bool:
    """Whether the claims of a paper are judged at a profile: at the printed protocol, and on other seeds."""
    return profile in JUDGED and bool(papers.get(key).claims)
