"""The pages of data sets: sizes beside print, where a set is shown, and its errors by method, ours and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arboretum.report.explorers import for_pick
from arboretum.report.inputs import Inputs
from arboretum.report.paper_page import PaperPage, Shown

COUNTS = (
    *("rows", "attributes", "numeric", "nominal", "nominal_occurring", "binary", "binary_occurring", "categorical"),
    *("classes", "classes_occurring", "missing", "rows_with_missing"),
)


@dataclass(frozen=True)
class SetPages:
    """The data sets of all profiles; of a set that several have, the facts of the one that opens first."""

    profiles: Sequence[Inputs]

    @cached_property
    def found(self) -> dict[str, dict[str, Mapping[str, Any]]]:
        """Every data set: paper -> facts, by name."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for inputs in self.profiles:
            for name, uses in inputs.sets.items():
                for paper, facts in uses.items():
                    found.setdefault(name, {}).setdefault(paper, facts)
        return dict(sorted(found.items()))

    def page(self, name: str, pages: Mapping[str, Mapping[str, PaperPage]]) -> dict[str, Any]:
        """What the page of a set shows."""
        spec, uses = self.profiles[0].spec(name), self.found[name]
        facts = next(iter(uses.values()))
        shown = {key: next(page for page in pages[key].values() if name in page.paper.manifest) for key in uses}
        places = {
            key: [(item, item.places.get(name, item.name)) for item in page.shown.values() if name in item.sets]
            for key, page in shown.items()
        }
        return {
            "name": name,
            "uses": uses,
            "facts": facts,
            "spec": spec,
            "printed": printed_sizes(spec),
            "sizes": sizes(facts, printed_sizes(spec)),
            "shown": shown,
            "places": places,
            "explorers": [
                (page, found)
                for page in shown.values()
                for stated in page.explorers
                if (found := for_pick(stated, name))
            ],
            "errors": [
                (shown[key], item, row)
                for key, items in places.items()
                for item, _ in items
                for row in rows_of(item, name)
            ],
        }


def rows_of(item: Shown, name: str) -> list[Any]:
    """The rows of a set in the compact view of a table."""
    rows = item.compact.rows if item.compact else []
    return [row for row in rows if row.label.split(" / ")[0] == name and any(cell.sort for cell in row.cells)]


def printed_sizes(spec: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The sizes that the papers print of a set, by paper."""
    printed = spec.get("printed") or {}
    return {paper: sizes for paper, sizes in printed.items() if isinstance(sizes, Mapping)}


def sizes(
    facts: Mapping[str, Any], printed: Mapping[str, Mapping[str, Any]]
) -> list[tuple[str, int | None, list[int | None]]]:
    """Each count of a set: its name, what we found, and what each paper prints."""
    found = {key: value for key, value in facts.items() if isinstance(value, int)}
    if {"nominal", "binary"} <= set(found):
        found["categorical"] = found["nominal"] + found["binary"]
    names = dict.fromkeys([*COUNTS, *found, *(key for counts in printed.values() for key in counts)])
    return [
        (name, found.get(name), [counts.get(name) for counts in printed.values()])
        for name in names
        if name in found or any(name in counts for counts in printed.values())
    ]
