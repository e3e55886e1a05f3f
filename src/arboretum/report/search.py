"""What the search finds: papers, claims, tables, figures, learners and data sets, one document each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from arboretum.report.frames import readable
from arboretum.report.paper_page import PaperPage

LEARNERS = ("learner", "method", "scheme")


def documents(pages: Sequence[PaperPage], sets: Collection[str]) -> list[dict[str, str]]:
    """The documents of a site: kind, title, text and address of each."""
    found = [document for page in pages for document in _of_paper(page)]
    found += [_document("data set", name, "", f"sets/{name}.html") for name in sets]
    return [{"id": str(place), **document} for place, document in enumerate(found)]


def _document(kind: str, title: str, text: str, address: str) -> dict[str, str]:
    return {"kind": kind, "title": title, "text": text, "url": address}


def _of_paper(page: PaperPage) -> Iterator[dict[str, str]]:
    cited = page.paper.citation
    yield _document("paper", cited.title, f"{page.key} {cited.authors} {cited.year} {cited.adds}", page.address)
    for claim in page.claims:
        text = f"{claim['statement']} {claim['where']} {claim['verdict']}"
        yield _document("claim", claim["id"], text, f"{page.address}#{claim['id']}")
    for item in page.shown.values():
        kind = "figure" if item.svg else "table"
        yield _document(kind, item.title, f"{page.key} {item.caption}", f"{page.address}#{item.name}")
    for learner, address in _learners(page).items():
        yield _document("learner", readable(learner), page.key, f"{page.address}#{address}")


def _learners(page: PaperPage) -> Mapping[str, Any]:
    """The learners that the tables of a paper name, each with the first row that does."""
    found: dict[str, str] = {}
    for item in page.tables:
        columns = item.table.frame.columns
        for name in (name for name in LEARNERS if name in columns):
            for position, value in enumerate(columns[name][: len(item.view.rows)]):
                if value:
                    found.setdefault(value, item.table.anchors[position])
    return found
