"""The identity of a task: the SHA-256 of its name, resolved parameters, data and code."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import arboretum

PACKAGE = Path(arboretum.__file__).parent
ROOMS = ("datasets", "trees", "ensembles", "measures")


def code_files(paper: str) -> list[Path]:
    """The sources that can change a number of ``paper``: the four lower rooms, what papers share, its experiments."""
    files = [path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")]
    files += [PACKAGE / "seeds.py", *(PACKAGE / "papers").glob("*.py")]
    return [*sorted(files), Path(find_spec(f"arboretum.papers.{paper}.experiments").origin)]


def _without_docstrings(tree: ast.AST) -> ast.AST:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
            and body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
            and isinstance(body[0].value.value, str)
        ):
            node.body = body[1:] or [ast.Pass()]
    return tree


def code_hash(files: Iterable[Path]) -> str:
    """A hash of what the sources do: their syntax trees, without comments, layout and docstrings."""
    digest = hashlib.sha256()
    for path in files:
        tree = _without_docstrings(ast.parse(path.read_text("utf-8")))
        digest.update(f"{path.parent.name}/{path.name}\n{ast.dump(tree)}\n".encode())
    return digest.hexdigest()


@cache
def code_fingerprint(paper: str) -> str:
    """The code fingerprint of a paper in this process."""
    return code_hash(code_files(paper))


def task_id(paper: str, experiment: str, task: Mapping[str, Any], data: str | None, code: str) -> str:
    """The identity of one task; equal identities mean equal rows."""
    identity = {"name": f"{paper}/{experiment}", "task": task, "data": data, "code": code}
    return hashlib.sha256(canonical(identity).encode()).hexdigest()


def canonical(value: object) -> str:
    """JSON with sorted keys and no spaces: one text for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
