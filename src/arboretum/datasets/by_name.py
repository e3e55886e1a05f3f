"""A data set by its name: fetched, checked and prepared when it is first asked for, then read from the cache."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from platformdirs import user_cache_dir

from arboretum.datasets.fetch import FetchSettings, fetch
from arboretum.datasets.prepare import prepare
from arboretum.errors import ArboretumError, nearest
from arboretum.failures import spelled
from arboretum.strict_yaml import load_yaml

SOURCES = Path(__file__).resolve().parents[3]  # the checkout that this code lies in, unless it was installed


def cached(name: str) -> tuple[Path, str | None]:
    """Where the prepared set lies in the cache, made first if it is not there, and the fingerprint that conf pins."""
    root = _checkout()
    folder = root / "conf" / "dataset"
    known = [path.stem for path in folder.glob("*.yaml")]
    if name not in known:
        raise ArboretumError(f"unknown data set {name!r}. {nearest(name, known)}")
    text = (folder / f"{name}.yaml").read_bytes()
    place = Path(user_cache_dir("arboretum")) / "datasets" / hashlib.sha256(text).hexdigest()[:16]
    path = spelled(place) / "prepared" / f"{name}.parquet"
    specs = {name: load_yaml(text.decode())}
    if not path.is_file():
        fetch(specs, place / "raw", FetchSettings(root=root), progress=False)
        facts = prepare(specs, place / "raw", path.parent)[name]
        if facts["status"] != "available":
            raise ArboretumError(f"Data set {name} cannot be had here: {facts['reason']}")
    return path, specs[name].get("fingerprint")


def _checkout() -> Path:
    """The checkout whose conf/ describes the data sets: ARBORETUM_ROOT, the current folder, or that of this code."""
    start = Path(os.environ.get("ARBORETUM_ROOT") or Path.cwd()).resolve()
    for folder in (start, *start.parents, SOURCES):
        if (folder / "conf" / "dataset").is_dir():
            return folder
    raise ArboretumError(
        "conf/dataset of a clone of the project describes the data sets: change into one, or set ARBORETUM_ROOT to it"
    )
