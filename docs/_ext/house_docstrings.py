"""Docstrings as they are written here, made ready for Sphinx.

They say ``name : what it means``; numpydoc wants the meaning on the next line. Lines ``name : float, default 0.5``,
which give a type as numpydoc has it, are left as they are.
"""

from __future__ import annotations

import re

SECTIONS = ("Parameters", "Attributes", "Returns", "Yields", "Other Parameters")
ENTRY = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")
TYPE = re.compile(
    r"^(\{|(float|int|bool|str|array|object|callable|list|tuple|dict|None|RandomState|ndarray|estimator)\b)"
)


def rewrite(lines: list[str]) -> list[str]:
    """The lines of a docstring with each meaning below its name."""
    found, inside = [], False
    for place, line in enumerate(lines):
        underlined = place + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[place + 1].strip() or ".")
        if underlined:
            inside = line.strip() in SECTIONS
        elif inside and line and not line.startswith((" ", "-")) and not ENTRY.match(line):
            inside = False
            found.append("")
        listed = place > 0 and (not lines[place - 1] or bool(ENTRY.match(lines[place - 1])))
        entry = ENTRY.match(line) if inside or listed else None
        if entry and not TYPE.match(entry[2]):
            found += [entry[1], f"    {entry[2]}"]
        else:
            found.append(line)
    return found


def plain(lines: list[str]) -> list[str]:
    """Formulas as they stand: bars are bars, and an indented block after a colon keeps its lines."""
    found = []
    for place, line in enumerate(lines):
        blank, formula = (*lines[place + 1 : place + 3], "", "")[:2]
        if re.search(r"^\S.*[^:]:$", line) and not blank and formula.startswith(" "):
            line += ":"
        parts = line.split("``")
        found.append("``".join(part.replace("|", r"\|") if i % 2 == 0 else part for i, part in enumerate(parts)))
    return found


def process(app, what, name, obj, options, lines) -> None:
    lines[:] = plain(rewrite(lines))


def skip(app, what, name, obj, skipped, options) -> bool | None:
    """scikit-learn's metadata requests are not ours to document; fields of a named tuple are in its signature."""
    field = str(getattr(obj, "__doc__", "")).startswith("Alias for field number")
    return True if field or re.fullmatch(r"set_\w+_request", name) else None


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-skip-member", skip)
    app.connect("autodoc-process-docstring", process, priority=100)  # before numpydoc
    return {"parallel_read_safe": True}
