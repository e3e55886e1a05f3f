"""The identity of a task: the SHA-256 of its name, resolved parameters, data and code."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def code_files(paper: str) -> list[Path]:
    """The sources that can change a number of ``paper``: its experiments and all of ours that they import."""
    found: dict[str, Path] = {}
    waiting = [f"arboretum.papers.{paper}.experiments"]
    while waiting:
        module = waiting.pop()
        path = _source(module)
        if path is not None and module not in found:
            found[module] = path
            waiting += _imported(ast.parse(path.read_text("utf-8")))
    return [found[module] for module in sorted(found)]


def _source(module: str) -> Path | None:
    """The file of a module of ours, None for any other name."""
    if module.split(".")[0] != "arboretum":
        return None
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # a name inside a module
        return None
    return Path(spec.origin) if spec and spec.origin else None


def _imported(tree: ast.AST) -> Iterator[str]:
    """The modules that a source imports, wherever it does; of ``from a.b import c`` both a.b and a.b.c."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


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
