"""What the code of a stage does, as one hash: the syntax trees of exactly the sources that it reaches.

A source is reached by imports, wherever they stand but under ``if TYPE_CHECKING:``, whose body never runs. Of ``from
package import name`` the module that defines the name is reached, not everything else that the package exports.
Comments, layout and docstrings do not count: better words recompute nothing.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeGuard

from arboretum import papers
from arboretum.project import params as parameters
from arboretum.project.workspace import PROFILES, Workspace
from arboretum.writing import write_text

OURS = "arboretum"
FETCHING = "arboretum.pipeline.data"
RENDERING = "arboretum.pipeline.render"
REPORTING = "arboretum.report.site"


@cache
def _source(module: str) -> Path | None:
    """The file of a module of ours; None for any other name."""
    if module.split(".")[0] != OURS:
        return None
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:  # a name inside a module
        return None
    return Path(spec.origin) if spec and spec.origin else None


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _imported(path: Path) -> list[str]:
    """The modules of ours that a source imports, wherever it does, but for what only type checkers see."""
    found, tree = [], _tree(path)
    unseen = {inner for node in ast.walk(tree) if _for_checkers(node) for line in node.body for inner in ast.walk(line)}
    for node in ast.walk(tree):
        if node in unseen:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [_home(node.module, alias.name) for alias in node.names]
    return found


def _for_checkers(node: ast.AST) -> TypeGuard[ast.If]:
    """Is it ``if TYPE_CHECKING:``, whose body never runs?"""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _home(module: str, name: str) -> str:
    """The module that ``from module import name`` reaches: the submodule of that name, or where the name is defined."""
    if _source(f"{module}.{name}") is not None:
        return f"{module}.{name}"
    path = _source(module)
    if path is not None and path.name == "__init__.py":
        for node in _tree(path).body:
            if isinstance(node, ast.ImportFrom) and node.module and name in (alias.name for alias in node.names):
                return _home(node.module, name)
    return module


def reached(*roots: str) -> list[Path]:
    """The sources that the modules ``roots`` reach, themselves among them, sorted by module name."""
    found: dict[str, Path] = {}
    waiting = list(roots)
    while waiting:
        module = waiting.pop()
        path = _source(module)
        if path is not None and module not in found:
            found[module] = path
            waiting += _imported(path)
    return [found[module] for module in sorted(found)]


def experiment_modules(paper: str, experiment: str) -> list[str]:
    """The modules that define an experiment: those of its plan, its run and its cost."""
    defined = papers.get(paper).experiments[experiment]
    return sorted({function.__module__ for function in (defined.plan, defined.run, defined.cost) if function})


def code_files(paper: str, experiment: str) -> list[Path]:
    """The sources that can change a number of an experiment."""
    return reached(*experiment_modules(paper, experiment))


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


@cache
def _meaning(source: str) -> bytes:
    """What a source does, in a form that does not change with its comments, docstrings and layout."""
    return ast.dump(_without_docstrings(ast.parse(source))).encode()


def code_hash(files: Iterable[Path]) -> str:
    """A hash of what sources do: their syntax trees without docstrings. Files other than Python count byte by byte."""
    digest = hashlib.sha256()
    for path in files:
        content = _meaning(path.read_text("utf-8")) if path.suffix == ".py" else path.read_bytes()
        digest.update(f"{path.parent.name}/{path.name}\n".encode() + content + b"\n")
    return digest.hexdigest()


@cache
def code_fingerprint(paper: str, experiment: str) -> str:
    """The code fingerprint of an experiment in this process."""
    return code_hash(code_files(paper, experiment))


def fingerprints() -> dict[str, str]:
    """The hash of what each stage runs, by name: fetch, <paper>/<experiment>, <paper>/render, report."""
    found = {"fetch": code_hash(reached(FETCHING))}
    for paper in papers.present():
        for experiment in papers.get(paper).experiments:
            found[f"{paper}/{experiment}"] = code_fingerprint(paper, experiment)
        shown = [f"{papers.__name__}.{paper}.{part}" for part in ("tables", "figures", "claims")]
        found[f"{paper}/render"] = code_hash([*reached(RENDERING, *shown), *_texts(paper, "remarks.yaml")])
    templates = sorted((_source(REPORTING).parent / "templates").iterdir())
    texts = [text for paper in papers.present() for text in _texts(paper, "findings.yaml")]
    found["report"] = code_hash([*reached(REPORTING), *templates, *texts])
    return found


def _texts(paper: str, name: str) -> list[Path]:
    """A file of texts in the folder of a paper, where there is one."""
    return [path for path in (Path(folder) / paper / name for folder in papers.__path__) if path.is_file()]


def wanted_sets(params: parameters.Params, profile: str) -> str:
    """What fetching and preparing a profile depend on: its data sets, and those of each of its papers."""
    listed = {"all": parameters.sets_of_profile(params, profile)}
    listed |= {
        paper: parameters.sets_of_paper(params, profile, paper) for paper in parameters.papers_at(params, profile)
    }
    lines = [f"{name}: {' '.join(sets)}" for name, sets in listed.items()]
    for name in listed["all"]:  # a manifest holds the printed name of a set and why it differs
        said = {key: params["datasets"][name].get(key, {}) for key in ("names", "printed", "differences")}
        lines.append(f"{name} as printed: {json.dumps(said, sort_keys=True)}")
    return "\n".join(lines)


def write_fingerprints(workspace: Workspace) -> None:
    """Write the hash of the code of each stage, the data sets of each profile, and the parameters that a report reads.

    A file that holds it already is left as it is.
    """
    params = parameters.read(workspace, ())  # what runs a stage checks its settings
    found = fingerprints() | {f"sets/{profile}": wanted_sets(params, profile) for profile in PROFILES}
    found["report-params"] = parameters.shown(params)
    wanted = {workspace.code(name): value + "\n" for name, value in found.items()}
    for path, text in wanted.items():
        if not path.is_file() or path.read_bytes() != text.encode():
            write_text(path, text)
    for path in workspace.code("any").parent.rglob("*.txt"):
        if path not in wanted:
            path.unlink()
