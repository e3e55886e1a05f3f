"""OpenML, through its own client and its own cache folder, by data id.

The client returns columns with its own kinds (REAL columns come back as integers when they hold small whole
numbers) and levels; they are written down as text together with what OpenML declares, so that the next step
treats them as it treats any other file.
"""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pandas as pd
import pyarrow as pa
from pyarrow import csv

from arboretum.datasets.sources.errors import SourceError, Unreachable

PROBE_SECONDS = 10


class OpenML:
    """The client, asked for one set at a time: its cache is not safe for threads."""

    def __init__(self, offline: bool) -> None:
        self.offline = offline
        self._lock = threading.Lock()
        self._unreachable: Unreachable | None = None

    def obtain(self, source: dict) -> tuple[dict[str, bytes], dict]:
        """One file of text, and the columns, levels and classes that OpenML declares for it."""
        with self._lock:
            frame, target = self._downloaded(source["id"])
        target = source.get("parse", {}).get("target", target)
        if target not in frame.columns:
            raise SourceError(f"no column {target!r} to be the class; there are {', '.join(frame.columns)}")
        return {f"openml-{source['id']}.csv": _as_text(frame)}, _declared(frame, target)

    def _downloaded(self, data_id: int) -> tuple[pd.DataFrame, str]:
        try:
            import openml  # slow to import, and few runs need it
        except ModuleNotFoundError:
            raise SourceError("the openml client is not installed: pip install 'arboretum[openml]'") from None

        folder = Path(openml.config.get_cache_directory()) / "datasets" / str(data_id)
        described = (folder / "description.xml").is_file()
        cached_text = described and (folder / "dataset.arff").is_file()
        if not cached_text and not (described and (folder / f"dataset_{data_id}.pq").is_file()):
            self._probe(openml.config.server, folder)
        try:
            # With cached text the client would still ask for parquet, and delete the cache if that fails.
            with _environment(OPENML_SKIP_PARQUET="true") if cached_text else nullcontext():
                dataset = openml.datasets.get_dataset(data_id, download_data=True)
                frame, *_ = dataset.get_data(dataset_format="dataframe")
        except Exception as error:  # the client's own errors, those of requests and minio, and the parser's
            raise SourceError(f"OpenML gave no data set {data_id}: {type(error).__name__}: {error}") from None
        return frame, dataset.default_target_attribute

    def _probe(self, server: str, folder: Path) -> None:
        """The client waits without limit; ask once, with one, whether anybody is there."""
        import requests

        if self.offline:
            raise SourceError(f"not in OpenML's cache ({folder}), and offline is set")
        if self._unreachable:
            raise self._unreachable
        try:
            requests.head(server, timeout=PROBE_SECONDS)
        except requests.RequestException as error:
            self._unreachable = Unreachable(f"OpenML cannot be reached: {type(error).__name__}")
            raise self._unreachable from None


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _as_text(frame: pd.DataFrame) -> bytes:
    columns = {name: _text(frame[name]) for name in frame.columns}
    buffer = io.BytesIO()
    csv.write_csv(pa.table(columns), buffer, csv.WriteOptions(include_header=False))
    return buffer.getvalue()


def _text(column: pd.Series) -> pa.Array:
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        text = pa.array(column.to_numpy(dtype="float64", na_value=float("nan")), from_pandas=True).cast(pa.string())
    else:
        text = pa.array([None if pd.isna(value) else str(value) for value in column], type=pa.string())
    return text.fill_null("")


def _declared(frame: pd.DataFrame, target: str) -> dict:
    """What OpenML says of the columns, kept beside the text."""
    levels = {name: _levels(frame[name]) for name in frame.columns}
    if levels[target] is None:
        levels[target] = sorted(set(_text(frame[target].dropna()).to_pylist()), key=float)
    return {"columns": list(frame.columns), "target": target, "levels": levels}


def openml_rules(declared: dict, rules: dict) -> dict:
    """Parse rules from what OpenML declares and what the configuration adds or overrides."""
    levels, unknown = declared["levels"], {"", *rules.get("missing", [])}
    target = rules.get("target", declared["target"])
    passed_over = {target, *rules.get("drop", [])} | ({*levels} if rules.get("numeric") == "all" else set())
    nominal = [
        {"columns": [name], "levels": [level for level in levels[name] if level not in unknown]}
        for name in declared["columns"]
        if levels[name] is not None and name not in passed_over
    ]
    given = {key: value for key, value in rules.items() if key not in {"nominal", "numeric", "missing"}}
    return {
        "format": "csv",
        "columns": declared["columns"],
        "target": target,
        "classes": levels[target],
        "missing": sorted(unknown),
        "nominal": nominal + list(rules.get("nominal", [])),
        **given,
    }


def _levels(column: pd.Series) -> list[str] | None:
    if isinstance(column.dtype, pd.CategoricalDtype):
        return [str(level) for level in column.cat.categories]
    if pd.api.types.is_bool_dtype(column) or not pd.api.types.is_numeric_dtype(column):
        return sorted({str(value) for value in column.dropna()})
    return None
