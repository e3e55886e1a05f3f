"""``arboretum init dataset mine.csv target=class``: keep a file of one's own as a data set of the checkout.

The file is copied to ``data/bundled`` and described in ``conf/dataset/<name>.yaml`` by the rules that were inferred, so
that it is read the same way from then on, wherever the checkout is; its content is pinned.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml
from pyarrow import csv

from arboretum.datasets.formats import PACKED, TEXT
from arboretum.datasets.own import Own
from arboretum.errors import ArboretumError
from arboretum.pipeline.own_sets import own_name, read_own, say, take_settings
from arboretum.project.workspace import Workspace
from arboretum.writing import write_bytes, write_text

LARGE = 1_000_000


def init_dataset(workspace: Workspace, reference: str, words: Sequence[str]) -> list[Path]:
    """Write the files of a new data set; returns them. Nothing that exists is touched."""
    settings, rest = take_settings(words)
    names = [word.removeprefix("name=") for word in rest if word.startswith("name=")]
    if other := [word for word in rest if not word.startswith("name=")]:
        raise ArboretumError(f"unknown setting {other[0]!r}: name, target, kinds.COLUMN, missing, drop or columns.")
    name = names[-1] if names else own_name(reference, ())
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]*", name):
        raise ArboretumError(f"{name!r} cannot name a data set. Say name=... in small letters, digits and hyphens.")
    described = workspace.conf / "dataset" / f"{name}.yaml"
    if described.exists():
        raise ArboretumError(f"{described} exists already. Say name=... for another name.")
    own = read_own(reference, settings, name)
    content, rules, suffix = kept_text(own, Path(reference))
    kept = workspace.root / "data" / "bundled" / f"{name}{suffix}"
    if kept.exists():
        raise ArboretumError(f"{kept} exists already. Say name=... for another name.")
    say(own)
    if len(content) > LARGE:
        print(f"{kept} has {len(content) / 1e6:.1f} MB: think of a mirror folder in its stead (docs/datasets.md)")
    write_bytes(kept, content)
    path = kept.relative_to(workspace.root).as_posix()
    write_text(described, yaml.safe_dump(specification(own, path, content, rules), sort_keys=False, width=118))
    return [described, kept]


def kept_text(own: Own, path: Path) -> tuple[bytes, dict[str, Any], str]:
    """The text of a set and its rules: a file of text as it is, any other as csv."""
    suffix = next((end for end in (*PACKED, *TEXT) if path.name.lower().endswith(end)), None)
    if suffix is not None:
        return path.expanduser().read_bytes(), own.rules, suffix
    text = pa.table({name: own.table[name].fill_null("") for name in own.table.column_names})
    buffer = io.BytesIO()
    csv.write_csv(text, buffer)
    rules = {key: value for key, value in own.rules.items() if key not in ("format", "columns", "skip", "separator")}
    nulls = [name for name in own.table.column_names if own.table[name].null_count]
    if "missing_in" in rules:
        listed = {rule["column"]: rule["values"] for rule in rules["missing_in"]}
        listed |= {name: [*listed.get(name, []), ""] for name in nulls}
        rules["missing_in"] = [{"column": name, "values": values} for name, values in listed.items()]
    elif nulls:
        rules["missing"] = ["", *(token for token in rules.get("missing", []) if token != "")]
    if own.rules["target"] in nulls:
        rules["without_class"] = ["", *rules.get("without_class", [])]
    return buffer.getvalue(), {"format": "csv", **rules}, ".csv"


def specification(own: Own, path: str, content: bytes, rules: dict[str, Any]) -> dict[str, Any]:
    """What conf/dataset says of the set."""
    member = {"path": path, "sha256": hashlib.sha256(content).hexdigest()}
    return {
        "name": own.data.name,
        "title": own.data.name,
        "rows": len(own.data.y),
        "attributes": own.data.X.shape[1],
        "fingerprint": own.data.fingerprint,
        "sources": [{"kind": "bundled", "members": [member]}],
        "parse": rules,
        "licence": "your own",
    }
