"""Classes of one's own on the command line: ``learner=ownrule.HalfwayForest``, from a module in the current folder.

Such a class has no version. What stands for it is what its source does, and the sources of one's own that it imports.
"""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from importlib.util import find_spec, resolve_name
from pathlib import Path
from pydoc import ErrorDuringImport, locate
from typing import Any

from arboretum.errors import ArboretumError
from arboretum.pipeline.code import OURS, code_hash, reached

INSTALLED = ("site-packages", "dist-packages")


def look_in_current_folder() -> None:
    """Let modules of the current folder be imported, here and in workers; at the end, so that they hide no library."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)


def class_of(path: str) -> type:
    """The class of a dotted path, or an error that says where it was looked for."""
    try:
        found = locate(path)
    except ErrorDuringImport as problem:
        raise ArboretumError(f"{path} fails to import: {problem}") from None
    if not isinstance(found, type):
        raise ArboretumError(
            f"unknown learner {path!r}: no class of that path, neither in {Path.cwd()} nor in an installed package."
        )
    return found


def parameters_of(path: str) -> list[str] | None:
    """The parameters that a class takes by name; None where it takes any."""
    taken = inspect.signature(class_of(path)).parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in taken):
        return None
    return [one.name for one in taken if one.kind is not one.VAR_POSITIONAL]


# ------------------------------------------------------------------ what stands for the code of a class


def foreign_version(learner: Mapping[str, Any]) -> str:
    """What stands for the code of the classes that a learner names: versions of packages, hashes of own sources."""
    return "+".join(filter(None, (_version(path) for path in _paths(learner))))


def _paths(spec: Any) -> Iterator[str]:
    """The paths of classes in a description, also of estimators within estimators."""
    if isinstance(spec, Mapping):
        if "_target_" in spec:
            yield str(spec["_target_"])
        for value in spec.values():
            yield from _paths(value)
    elif isinstance(spec, list | tuple):
        for value in spec:
            yield from _paths(value)


def _version(path: str) -> str:
    package = path.split(".")[0]
    module = next((name for name in _prefixes(path) if _own_source(name)), None)
    if module is not None:
        return code_hash(own_sources(module))
    try:
        return version({"sklearn": "scikit-learn"}.get(package, package))
    except PackageNotFoundError:
        return " ".join(version(name) for name in sorted(_distributions().get(package, [])))


@cache
def _distributions() -> Mapping[str, list[str]]:
    """The distributions that bring each package: asked only for those whose names differ, because it takes a while."""
    return packages_distributions()


def _prefixes(path: str) -> list[str]:
    """``a.b.C`` as the names of modules, the longest first."""
    parts = path.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


def own_sources(module: str) -> list[Path]:
    """The sources of one's own that a module reaches, itself among them, and those of ours that they import."""
    own: dict[str, Path] = {}
    ours: list[str] = []
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name.split(".")[0] == OURS:
            ours.append(name)
            continue
        path = None if name in own else _own_source(name)
        if path is not None:
            own[name] = path
            waiting += [*_prefixes(name)[1:], *_imported(name, path)]
    return [own[name] for name in sorted(own)] + reached(*ours)


def _own_source(module: str) -> Path | None:
    """The file of a module that belongs to nobody's package: neither installed, nor Python's, nor ours."""
    if module.split(".")[0] in (OURS, *sys.builtin_module_names):
        return None
    try:
        spec = find_spec(module)
    except (ImportError, ValueError, AttributeError):  # a name inside a module, or a module without a file
        return None
    if spec is None or not spec.has_location or not spec.origin:
        return None
    path = Path(spec.origin).resolve()
    libraries = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
    installed = set(INSTALLED) & set(path.parts) or any(path.is_relative_to(library) for library in libraries)
    return None if installed or not path.is_file() else path


def _imported(module: str, path: Path) -> Iterator[str]:
    """Every name that a source imports, wherever it does, as a module: a name inside a module is found to be none."""
    if path.suffix != ".py":
        return
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = "." * node.level + (node.module or "")
            try:
                source = resolve_name(source, package)
            except ImportError:  # a relative import in a module outside a package
                continue
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names)
