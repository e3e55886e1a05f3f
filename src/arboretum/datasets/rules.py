"""``parse`` rules that contradict themselves, found before a file is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any

TEXTS = ("columns", "classes", "drop", "missing", "empty", "without_class")
RANGE = re.compile(r"(.*?)(\d+)\.\.(\d+)")


def expand_names(names: list[str]) -> list[str]:
    """``['a1..3', 'class']`` to ``['a1', 'a2', 'a3', 'class']``."""
    expanded: list[str] = []
    for entry in names:
        match = RANGE.fullmatch(entry)
        if match:
            prefix, first, last = match[1], int(match[2]), int(match[3])
            expanded += [f"{prefix}{number}" for number in range(first, last + 1)]
        else:
            expanded.append(entry)
    return expanded


def contradictions(parse: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the rules of a set or of one source, each as a message that says how to fix it."""
    if wrong := next(_no_plain_text(parse), None):
        yield wrong
        return
    yield from _separator(parse)
    yield from _columns(parse)
    yield from _nominal(parse)
    yield from _classes(parse)
    yield from _group(parse)
    yield from _keep(parse)


def unnamed(columns: Iterable[str]) -> Iterator[str]:
    """One message for each column without a name."""
    for place, column in enumerate(columns, 1):
        if not column.strip():
            yield f"column {place} has no name. Name it in the file, or list all names in parse.columns."


def _no_plain_text(parse: Mapping[str, Any]) -> Iterator[str]:
    """Names, levels and classes are text without blanks around it: others would match no cell."""
    lists = {key: parse.get(key) or [] for key in TEXTS}
    lists["relabel"] = [*(parse.get("relabel") or {}), *(parse.get("relabel") or {}).values()]
    lists["nominal"] = [text for block in parse.get("nominal", []) for text in (*block["columns"], *block["levels"])]
    lists["missing_in"] = [text for rule in parse.get("missing_in", []) for text in rule["values"]]
    for key, texts in lists.items():
        for text in texts:
            if not isinstance(text, str):
                yield f"parse.{key} holds {text!r}, which is not text. Write it in quotes."
            elif text != text.strip():
                yield f"parse.{key} holds {text!r}. Leave out the blanks: cells are read without blanks around them."


def _separator(parse: Mapping[str, Any]) -> Iterator[str]:
    separator = parse.get("separator", ",")
    if separator != "blank" and (len(separator.encode()) != 1 or separator in '"\r\n'):
        yield f"parse.separator is {separator!r}, must be one character of ASCII, or `blank` for white space."


def _columns(parse: Mapping[str, Any]) -> Iterator[str]:
    lists = [parse.get("columns", []), *(block["columns"] for block in parse.get("nominal", []))]
    for entry in (entry for names in lists for entry in names):
        match = RANGE.fullmatch(entry)
        if match and int(match[2]) > int(match[3]):
            yield f"column range {entry!r} runs backwards. Write the smaller number first."
    yield from unnamed(expand_names(parse.get("columns", [])))


def _nominal(parse: Mapping[str, Any]) -> Iterator[str]:
    blocks = [(expand_names(block["columns"]), block["levels"]) for block in parse.get("nominal", [])]
    for column in _repeated(column for columns, _ in blocks for column in columns):
        yield f"column {column!r} stands twice in parse.nominal. Name it in one block."
    for columns, levels in blocks:
        for level in _repeated(levels):
            yield f"column {columns[0]!r}: {level!r} stands twice among the levels in parse.nominal. Name it once."
        for column in columns:
            tokens = {*parse.get("missing", [])}
            tokens |= {
                value for rule in parse.get("missing_in", []) if rule["column"] == column for value in rule["values"]
            }
            for level in levels:
                if level in tokens and parse.get("missing_means", {}).get(column) != level:
                    yield (
                        f"column {column!r}: {level!r} is a level in parse.nominal and means missing in parse.missing "
                        "or parse.missing_in. Take it out of one of them."
                    )


def _classes(parse: Mapping[str, Any]) -> Iterator[str]:
    for name in _repeated(parse.get("classes", [])):
        yield f"class column {parse.get('target')!r}: {name!r} stands twice in parse.classes. Name it once."


def _group(parse: Mapping[str, Any]) -> Iterator[str]:
    """Classes of a number: each but the last has an upper bound, and the bounds grow."""
    if "group" not in parse:
        return
    groups, said = parse["group"], f"class column {parse.get('target')!r}: parse.group"
    if not groups:
        yield f"{said} is empty. List the classes, each but the last with its upper bound `max`."
        return
    for group in groups[:-1]:
        if group.get("max") is None:
            yield f"{said}: {group['class']!r} has no max. Each class but the last has an upper bound."
    if groups[-1].get("max") is not None:
        yield f"{said}: the last class {groups[-1]['class']!r} has a max. It takes all numbers above the others."
    bounds = [group["max"] for group in groups[:-1] if group.get("max") is not None]
    if any(not low < high for low, high in pairwise(bounds)):
        yield f"{said}: bounds must grow from class to class, not {', '.join(map(str, bounds))}."


def _keep(parse: Mapping[str, Any]) -> Iterator[str]:
    for run in parse.get("keep", []):
        count = run["last"] - run["first"] + 1
        if count < 1:
            yield f"parse.keep: a run begins at row {run['first']} and ends at row {run['last']}. Exchange the two."
        elif len(run["begins"]) > count:
            yield f"parse.keep: a run names {len(run['begins'])} first classes of {count} rows. Name fewer."


def _repeated(values: Iterable[str]) -> list[str]:
    """Values that stand more than once, each named once."""
    listed = list(values)
    return [value for value in dict.fromkeys(listed) if listed.count(value) > 1]
