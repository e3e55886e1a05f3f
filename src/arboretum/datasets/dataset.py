"""A prepared data set: typed columns, declared levels, a fingerprint of its content, and its parquet file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from arboretum.errors import ArboretumError
from arboretum.writing import atomic_path

METADATA = b"arboretum"


@dataclass(frozen=True)
class Dataset:
    """Attributes and class of one data set.

    ``X`` holds numeric columns as float64 and nominal ones as categoricals with their *declared* levels, missing
    values as NaN; ``y`` is a categorical with the *declared* classes. Levels and classes that never occur keep
    their codes. ``fingerprint`` is the SHA-256 of that content and of nothing else.
    """

    name: str
    X: pd.DataFrame
    y: pd.Series
    fingerprint: str

    def __repr__(self) -> str:
        nominal = sum(is_nominal(self.X[name]) for name in self.X.columns)
        kinds = f"{self.X.shape[1] - nominal} numeric and {nominal} nominal columns"
        return f"<Dataset {self.name}: {len(self.y)} cases, {kinds}, {len(self.y.cat.categories)} classes; X and y>"


def make_dataset(name: str, X: pd.DataFrame, y: pd.Series) -> Dataset:
    """A data set with its fingerprint."""
    return Dataset(name, X, y, fingerprint(X, y))


def is_nominal(column: pd.Series) -> bool:
    """Whether a column holds levels rather than numbers."""
    return isinstance(column.dtype, pd.CategoricalDtype)


def fingerprint(X: pd.DataFrame, y: pd.Series) -> str:
    """SHA-256 of names, kinds, levels, classes and values, the same with every version of every library."""
    kinds = [[name, *_kind(X[name])] for name in X.columns]
    header = {"columns": kinds, "target": [y.name, *_kind(y)], "rows": len(y)}
    digest = hashlib.sha256(json.dumps(header, sort_keys=True, separators=(",", ":")).encode("ascii"))
    for column in [*(X[name] for name in X.columns), y]:
        digest.update(_canonical_bytes(column))
    return digest.hexdigest()


def _kind(column: pd.Series) -> list:
    return ["nominal", list(column.cat.categories)] if is_nominal(column) else ["numeric"]


def _canonical_bytes(column: pd.Series) -> bytes:
    if is_nominal(column):
        return np.asarray(column.cat.codes, dtype="<i4").tobytes()
    values = np.asarray(column, dtype="<f8") + 0.0  # one zero: -0.0 becomes 0.0
    values[np.isnan(values)] = np.nan  # one NaN
    return values.tobytes()


def save(dataset: Dataset, path: Path) -> None:
    """Write parquet atomically; the same content gives the same bytes."""
    columns = {str(name): _to_arrow(dataset.X[name]) for name in dataset.X.columns}
    columns[str(dataset.y.name)] = _to_arrow(dataset.y)
    described = {
        "name": dataset.name,
        "fingerprint": dataset.fingerprint,
        "target": dataset.y.name,
        "classes": list(dataset.y.cat.categories),
        "levels": {
            name: list(dataset.X[name].cat.categories) for name in dataset.X.columns if is_nominal(dataset.X[name])
        },
    }
    table = pa.table(columns).replace_schema_metadata({METADATA: json.dumps(described).encode("utf-8")})
    with atomic_path(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def _to_arrow(column: pd.Series) -> pa.Array:
    if is_nominal(column):
        codes = column.cat.codes.to_numpy()
        levels = np.asarray([*column.cat.categories, None], dtype=object)  # code -1 is the last one
        return pa.array(levels[codes], type=pa.string())
    return pa.array(column.to_numpy(), type=pa.float64(), from_pandas=True)


def load(path: str | Path) -> Dataset:
    """Read a prepared set; levels and classes come back as declared."""
    path = Path(path)
    if not path.is_file():
        raise ArboretumError(f"{path} does not exist. Run `arboretum fetch` to get the data sets.")
    table = pq.read_table(path)
    described = (table.schema.metadata or {}).get(METADATA)
    if described is None:
        raise ArboretumError(
            f"{path} is not a prepared set of this project. Delete it and prepare the set "
            "again; a table of your own needs target=NAME of its class column."
        )
    described = json.loads(described)
    target = described["target"]
    columns = {
        name: _from_arrow(table[name], described["levels"].get(name)) for name in table.column_names if name != target
    }
    y = pd.Series(_from_arrow(table[target], described["classes"]), name=target)
    return Dataset(described["name"], pd.DataFrame(columns), y, described["fingerprint"])


def _from_arrow(column: pa.ChunkedArray, levels: list[str] | None) -> np.ndarray | pd.Categorical:
    if levels is None:
        return column.to_numpy().astype(np.float64)
    return categorical(column, levels)


def categorical(values: pa.ChunkedArray | pa.Array, levels: list[str]) -> pd.Categorical:
    """Text to codes of the declared levels; null and unknown text become missing."""
    codes = pa.compute.index_in(values, value_set=pa.array(levels, type=pa.string()))
    return pd.Categorical.from_codes(codes.fill_null(-1).to_numpy(), dtype=category_type(levels))


def category_type(levels: list[str]) -> pd.CategoricalDtype:
    """Unordered levels held as plain text objects, whatever string type pandas prefers."""
    return pd.CategoricalDtype(pd.Index(levels, dtype=object))
