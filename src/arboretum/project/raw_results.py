"""Raw results: one parquet file per experiment that carries the SHA-256 of its content.

Files stored before they carried it are compared with the hash that DVC keeps of them in ``dvc.lock``.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from arboretum.errors import ArboretumError
from arboretum.writing import atomic_path

KEY = b"arboretum.sha256"


def write_raw(frame: pd.DataFrame, path: Path) -> None:
    """Store raw results: the same rows give the same bytes."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = table.replace_schema_metadata({**(table.schema.metadata or {}), KEY: content_hash(table)})
    with atomic_path(path) as temporary:
        pq.write_table(table, temporary, compression="zstd")


def read_raw(path: Path) -> pd.DataFrame:
    """Read raw results; a missing or damaged file is an error that says how to get it back."""
    profile, paper = path.parts[-4:-2]
    again = f"Run `arboretum run {paper}/{path.stem} --profile {profile}`"
    if not path.is_file():
        raise ArboretumError(f"{path} is missing. {again}.")
    try:
        table = pq.read_table(path)
        whole = is_whole(path, table)
        frame = pd.read_parquet(path)
    except (pa.ArrowException, OSError, ValueError, KeyError, TypeError) as problem:
        whole, why = False, f"{type(problem).__name__}: {str(problem).splitlines()[0] if str(problem) else ''}"
    else:
        why = "its content is not what its checksum says"
    if not whole:
        raise ArboretumError(
            f"{path} is damaged or cannot be read ({why}). {again}, or restore it: git checkout -- {path}"
        )
    return frame


def is_whole(path: Path, table: pa.Table) -> bool:
    """Whether the content is what was stored: by the file's own hash, else by the one in dvc.lock."""
    stated = (table.schema.metadata or {}).get(KEY)
    if stated is not None:
        return stated == content_hash(table)
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest() == _locked(path.absolute())


def content_hash(table: pa.Table) -> bytes:
    """SHA-256 of names, types, values and what pandas notes of them, in hexadecimal digits."""
    notes = {key: value for key, value in (table.schema.metadata or {}).items() if key != KEY}
    digest = hashlib.sha256(repr(sorted(notes.items())).encode())
    for name in table.column_names:
        column = [name, str(table.schema.field(name).type), table[name].to_pylist()]
        digest.update(json.dumps(column, separators=(",", ":")).encode())
    return digest.hexdigest().encode()


def _locked(path: Path) -> str | None:
    """What dvc.lock of the checkout of a file says its MD5 is; None where it says nothing of the file."""
    for folder in path.parents:
        if (folder / "dvc.lock").is_file():
            return _outputs(folder / "dvc.lock").get(path.relative_to(folder).as_posix())
    return None


@lru_cache(maxsize=4)
def _outputs(lock: Path) -> dict[str, str]:
    try:
        stages = yaml.load(lock.read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["stages"]
        return {out["path"]: out["md5"] for stage in stages.values() for out in stage.get("outs", ()) if "md5" in out}
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError) as problem:
        why = " ".join(str(problem).split())
        raise ArboretumError(f"{lock} is damaged ({why}). Restore it: git checkout -- dvc.lock") from None
