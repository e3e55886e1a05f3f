"""What a claim rests on: the tables and figures that its function looks at, and those that print names."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from typing import Any

ONE = r"(?:[IVX]+-\d+|[A-Z]\.\d+|\d+(?:\.\d+)*)"
PLACE = re.compile(rf"\b(Table|Fig)[a-z]*\.? ({ONE}[a-z]?(?:(?:, | and ){ONE}[a-z]?)*)")
NUMBER = re.compile(ONE)


def bare(number: str) -> str:
    """A number or name of print without what differs between the two: ``figure5_10`` and ``5.10`` are both ``510``."""
    return re.sub(r"[^a-z0-9]", "", number.lower().removeprefix("figure"))


def looked_at(judge: Callable[..., Any]) -> list[str]:
    """The names of the tables that a claim's function asks for, itself or through functions beside it."""
    return list(dict.fromkeys(_tables(inspect.getmodule(judge), getattr(judge, "__name__", ""), frozenset())))


def _tables(module: Any, name: str, seen: frozenset[str]) -> Iterator[str]:
    function = _functions(module).get(name)
    if function is None or name in seen:
        return
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and _is_tables(node.value) and isinstance(node.slice, ast.Constant):
            yield node.slice.value
        elif isinstance(node, ast.Compare) and _is_tables(node.comparators[0]) and isinstance(node.left, ast.Constant):
            yield node.left.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called = getattr(module, node.func.id, None)
            if inspect.isfunction(called) and ".papers." in called.__module__:
                yield from _tables(inspect.getmodule(called), called.__name__, seen | {name})


def _is_tables(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "tables"


@cache
def _functions(module: Any) -> dict[str, ast.AST]:
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return {}
    return {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def named_places(where: str, shown: Iterable[str]) -> list[str]:
    """Those of the tables and figures ``shown`` that a text names: ``Fig 2a; Table 3`` names figure2 and table3."""
    wanted = {
        f"{'' if kind == 'Fig' else 'table'}{bare(number)}"
        for kind, numbers in PLACE.findall(where)
        for number in NUMBER.findall(numbers)
    }
    return [name for name in shown if bare(name) in wanted]


def rests_on(judge: Callable[..., Any], where: str, shown: Collection[str]) -> list[str]:
    """Those of the tables and figures ``shown`` that a claim rests on; those that print names come first."""
    names = [*named_places(where, shown), *looked_at(judge)]
    return [name for name in dict.fromkeys(names) if name in shown]


def rows_named(texts: Iterable[str], rows: Collection[str]) -> list[str]:
    """The rows (data sets, methods) that the values of a claim name, in the order in which they are named."""
    parts = (part.strip() for text in texts for part in [text, *re.split(r"[;,.]\s*", text)])
    return [part for part in dict.fromkeys(parts) if part in rows and not part.isdecimal()]
