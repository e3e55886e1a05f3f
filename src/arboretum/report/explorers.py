"""Curves that a reader moves along: stored tables as lines over one variable, for each thing that can be picked.

``explore`` in a paper's findings.yaml lists them. A source is a stored table: ``x`` and ``y`` name its columns (or
``wide`` the start of the columns that hold y at each x), ``line`` the column that tells lines apart, ``pick`` the
columns to pick from, a text with ``=`` in front standing for itself. Beside the curves an explorer may show a path
(one table column against another), or at each x a map of the plane and a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arboretum.report.frames import Frame

DIGITS = 5


def explorer(stated: Mapping[str, Any], tables: Mapping[str, Frame]) -> dict[str, Any] | None:
    """What a page needs of one explorer; None where none of its tables is stored at this profile."""
    points = [point for source in stated["sources"] for point in _points(source, tables)]
    if not points:
        return None
    places = sorted({x for _, _, x, _, _ in points})
    paths = stated.get("path") or {}
    return {
        "title": stated["title"],
        "text": stated.get("text", ""),
        "labels": {name: stated[name] for name in ("x", "y")},
        "best": stated.get("best", ""),
        "picks": _picks(stated["pick"], [pick for pick, *_ in points]),
        "lines": list(dict.fromkeys(line for _, line, *_ in points)),
        "x": places,
        "ours": _curves(((pick, line, x, y) for pick, line, x, y, _ in points), places),
        "printed": _curves(((pick, line, x, y) for pick, line, x, _, y in points), places),
        "path": {
            "labels": {name: paths.get(name, "") for name in ("x", "y")},
            "ours": _paths(paths.get("sources") or [], tables, places),
        },
        "map": _map(stated["map"], tables, places) if "map" in stated else None,
        "tree": _trees(stated["tree"], tables, places) if "tree" in stated else None,
    }


def for_pick(made: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    """An explorer with one thing to pick, for a page of its own; None where it has no such thing."""
    if len(made["picks"]) > 1 or name not in made["picks"][0]["values"]:
        return None
    path = {**made["path"], "ours": _only(made["path"]["ours"], name)}
    picks = [{**made["picks"][0], "values": [name]}]
    sides = {side: _only(made[side], name) for side in ("ours", "printed")}
    return {**made, "picks": picks, **sides, "path": path}


def _only(found: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {name: found[name]} if name in found else {}


Point = tuple[str, str, float, float | None, float | None]  # pick, line, x, ours, printed


def _points(source: Mapping[str, Any], tables: Mapping[str, Frame]) -> Iterator[Point]:
    if source["table"] not in tables:
        return
    columns = tables[source["table"]].columns
    wide = [name for name in columns if "wide" in source and name.startswith(source["wide"])]
    for position in range(tables[source["table"]].length):
        pick, line = _named(source["pick"], columns, position), _named(source["line"], columns, position)
        printed = _number(columns[source["printed"]][position]) if "printed" in source else None
        for name in wide:
            yield pick, line, float(name.removeprefix(source["wide"])), _number(columns[name][position]), None
        if not wide:
            yield pick, line, float(columns[source["x"]][position]), _number(columns[source["y"]][position]), printed


def _named(stated: str | Sequence[str], columns: Mapping[str, Sequence[str]], position: int) -> str:
    """What one or several columns say, with a bar between them; a text with ``=`` in front stands for itself."""
    names = [stated] if isinstance(stated, str) else stated
    return "|".join(name[1:] if name.startswith("=") else columns[name][position] for name in names)


def _number(text: str) -> float | None:
    return float(f"{float(text):.{DIGITS}g}") if text else None


def _picks(labels: str | Sequence[str], picks: Sequence[str]) -> list[dict[str, Any]]:
    """One list to pick from for each label."""
    names = [labels] if isinstance(labels, str) else labels
    parts = [pick.split("|") for pick in picks]
    return [
        {"label": label, "values": list(dict.fromkeys(part[place] for part in parts))}
        for place, label in enumerate(names)
    ]


def _curves(points: Iterator[tuple[str, str, float, float | None]], places: Sequence[float]) -> dict[str, Any]:
    """Values by pick and line, one for each place; lines without any are left out."""
    found: dict[str, dict[str, list[float | None]]] = {}
    for pick, line, x, y in points:
        if y is not None:
            values = found.setdefault(pick, {}).setdefault(line, [None] * len(places))
            values[places.index(x)] = y
    return found


def _paths(
    sources: Sequence[Mapping[str, Any]], tables: Mapping[str, Frame], places: Sequence[float]
) -> dict[str, Any]:
    """Points (x, y) by pick and line, one for each place of the explorer."""
    sides = [
        _curves(
            (
                (pick, line, place, y)
                for source in sources
                for pick, line, place, y, _ in _points({**source, "x": source["at"], "y": source[side]}, tables)
            ),
            places,
        )
        for side in ("x", "y")
    ]
    return {
        pick: {line: list(zip(across, sides[1][pick][line], strict=True)) for line, across in lines.items()}
        for pick, lines in sides[0].items()
    }


def _map(stated: Mapping[str, Any], tables: Mapping[str, Frame], places: Sequence[float]) -> dict[str, Any]:
    """A plane: its cases, the sides of its grid, and the share of the second class in per cent, by model and place.

    ``models`` names the start of each model's columns; points go along x2 first.
    """
    columns = tables[stated["table"]].columns
    kinds = columns["kind"]
    x1, x2 = ([_number(text) for text in columns[name]] for name in ("x1", "x2"))
    points = [position for position, kind in enumerate(kinds) if kind == "map"]
    return {
        "cases": [
            [x1[position], x2[position], int(float(columns["label"][position]))]
            for position, kind in enumerate(kinds)
            if kind == "case"
        ],
        "x1": sorted({x1[position] for position in points}),
        "x2": sorted({x2[position] for position in points}),
        "shares": {
            model: [[round(100 * float(columns[f"{start}{x:g}"][position])) for position in points] for x in places]
            for model, start in stated["models"].items()
        },
    }


def _trees(stated: Mapping[str, Any], tables: Mapping[str, Frame], places: Sequence[float]) -> list[list[list[Any]]]:
    """For each place the nodes of a tree: across, depth, parent, share of the second class, whether deterministic."""
    columns = tables[stated["table"]].columns
    found: list[list[list[Any]]] = [[] for _ in places]
    for position, x in enumerate(columns["alpha"]):
        chosen = _number(columns["deterministic"][position])
        across, depth, parent, share = (
            _number(columns[name][position]) for name in ("across", "depth", "parent", "share")
        )
        found[places.index(float(x))].append([across, depth, parent, share, chosen])
    return found
