"""Read a prepared data set and refuse one whose content is not what its fingerprint says."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, overload

import pandas as pd

from arboretum.datasets import dataset
from arboretum.datasets.by_name import prepared_path
from arboretum.datasets.dataset import Dataset, fingerprint
from arboretum.errors import ArboretumError
from arboretum.failures import spelled


@overload
def load(path: str | Path, expected: str | None = None, *, return_X_y: Literal[False] = False) -> Dataset: ...


@overload
def load(
    path: str | Path, expected: str | None = None, *, return_X_y: Literal[True]
) -> tuple[pd.DataFrame, pd.Series]: ...


def load(
    path: str | Path, expected: str | None = None, *, return_X_y: bool = False
) -> Dataset | tuple[pd.DataFrame, pd.Series]:
    """A data set by its name, such as "glass", or from its prepared file.

    A set asked for by name is fetched and prepared on first use and then comes from the cache. Its fingerprint is
    computed anew and compared with the one in the file. ``expected`` is the fingerprint that the manifest has for the
    set, where the caller knows it. With ``return_X_y`` the answer is (X, y), as from scikit-learn's loaders, otherwise
    a :class:`Dataset`.
    """
    if isinstance(path, str) and not Path(path).suffix and Path(path).name == path:
        path = prepared_path(path)
    data = _read(Path(path), expected)
    return (data.X, data.y) if return_X_y else data


def _read(path: Path, expected: str | None) -> Dataset:
    remedy = f"Make it again: arboretum fetch --profile {path.parent.name} --sets {path.stem}"
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
    if expected is not None and found != expected:
        raise ArboretumError(
            f"{path} is not the data set of the manifest: fingerprint {found[:12]}, not {expected[:12]}. {remedy}; if "
            "the manifest is damaged, restore it: git checkout -- data/manifest"
        )
    return data


def _first_line(problem: Exception) -> str:
    lines = str(problem).strip().splitlines()
    return f"{type(problem).__name__}: {lines[0] if lines else ''}"
