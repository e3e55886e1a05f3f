"""Read a prepared data set and refuse one whose content is not what its fingerprint says."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, overload

import pandas as pd

from arboretum.datasets import dataset
from arboretum.datasets.by_name import cached
from arboretum.datasets.dataset import Dataset, fingerprint
from arboretum.datasets.formats import is_own
from arboretum.datasets.inferred import Settings
from arboretum.datasets.own import own_dataset
from arboretum.errors import ArboretumError, nearest
from arboretum.failures import spelled

log = logging.getLogger(__name__)


@overload
def load(
    path: str | Path | pd.DataFrame,
    expected: str | None = None,
    *,
    return_X_y: Literal[False] = False,
    **settings: Any,
) -> Dataset: ...


@overload
def load(
    path: str | Path | pd.DataFrame, expected: str | None = None, *, return_X_y: Literal[True], **settings: Any
) -> tuple[pd.DataFrame, pd.Series]: ...


def load(
    path: str | Path | pd.DataFrame, expected: str | None = None, *, return_X_y: bool = False, **settings: Any
) -> Dataset | tuple[pd.DataFrame, pd.Series]:
    """A data set by its name, such as "glass", from its prepared file, or one of your own.

    A set asked for by name is fetched and prepared on first use and then comes from the cache. Its fingerprint is
    computed anew and compared with the one in the file, and that of a set asked for by name with the one that
    conf/dataset pins. ``expected`` is the fingerprint that the manifest has for the set, where the caller knows it.
    With ``return_X_y`` the answer is (X, y), as from scikit-learn's loaders, otherwise a :class:`Dataset`.

    Your own set is a csv, parquet or arff file, a data frame, or "openml:31". What its columns are is inferred and
    logged in one line; ``settings`` say what cannot be: ``target="class"`` (which a parquet file needs),
    ``kinds={"zip": "nominal"}``, ``missing=["-9"]``, ``drop=["id"]``, and ``columns=[...]`` for a file without names.
    """
    if _is_own(path, settings):
        data = _own(path, settings)
    elif isinstance(path, str) and not Path(path).suffix and Path(path).name == path:
        data = _by_name(path, expected)
    else:
        remedy = f"Make it again: arboretum fetch --profile {Path(path).parent.name} --sets {Path(path).stem}"
        advice = f"{remedy}; if the manifest is damaged, restore it: git checkout -- data/manifest"
        data = _read(Path(path), remedy)
        _check_expected(data, expected, f"{path} is not the data set of the manifest", advice)
    return (data.X, data.y) if return_X_y else data


def _is_own(path: object, settings: Mapping[str, Any]) -> bool:
    """Whether nobody has described a set: a frame, an id, any file but parquet, which needs a setting to be one."""
    if settings or not isinstance(path, str | Path):
        return True
    return is_own(str(path)) and Path(path).suffix != ".parquet"


def _own(path: Any, settings: Mapping[str, Any]) -> Dataset:
    known = [entry.name for entry in fields(Settings)]
    for name in settings:
        if name not in known:
            raise ArboretumError(f"unknown setting {name!r} of a data set. {nearest(name, known)}")
    own = own_dataset(path, Settings(**settings))
    log.info("%s", own.said)
    for warning in own.warnings:
        log.warning("data set %s: %s", own.data.name, warning)
    return own.data


def _by_name(name: str, expected: str | None) -> Dataset:
    """The set from the cache, which is the pinned one: whoever can write there could put another in its place."""
    path, pinned = cached(name)
    remedy = f"Delete it: the next load({name!r}) makes it again"
    data = _read(path, remedy)
    _check_expected(data, pinned, f"{path} is not the data set that conf/dataset/{name}.yaml pins", remedy)
    _check_expected(data, expected, f"{path} is not the data set that is expected", remedy)
    return data


def _read(path: Path, remedy: str) -> Dataset:
    try:
        data = dataset.load(spelled(path))
        found = fingerprint(data.X, data.y)
    except ArboretumError:
        raise
    except Exception as problem:  # the parquet and JSON readers raise whatever damage leads them to
        raise ArboretumError(f"{path} is damaged ({_first_line(problem)}). {remedy}") from None
    if found != data.fingerprint or data.name != path.stem:
        raise ArboretumError(
            f"{path} is damaged: it holds {data.name} with fingerprint {found[:12]}, and says {data.fingerprint[:12]}. "
            f"{remedy}"
        )
    return data


def _check_expected(data: Dataset, expected: str | None, otherwise: str, advice: str) -> None:
    if expected is not None and data.fingerprint != expected:
        raise ArboretumError(f"{otherwise}: fingerprint {data.fingerprint[:12]}, not {expected[:12]}. {advice}")


def _first_line(problem: Exception) -> str:
    lines = str(problem).strip().splitlines()
    return f"{type(problem).__name__}: {lines[0] if lines else ''}"
