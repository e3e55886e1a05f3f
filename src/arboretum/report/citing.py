"""How to cite a paper and this reproduction, as BibTeX, from CITATION.cff."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from arboretum.papers.contract import Citation

KINDS = {"article": "article", "conference-paper": "inproceedings", "report": "techreport", "thesis": "mastersthesis"}
PLACES = {"article": "journal", "inproceedings": "booktitle", "techreport": "institution", "mastersthesis": "school"}


def read_citation(root: Path) -> Mapping[str, Any]:
    """CITATION.cff of a checkout; empty where it has none."""
    path = root / "CITATION.cff"
    return yaml.safe_load(path.read_text("utf-8")) if path.is_file() else {}


def bibtex(key: str, cited: Citation, listed: Mapping[str, Any]) -> str:
    """The entry of a paper, and that of this project where ``listed`` (CITATION.cff) has one."""
    return "\n\n".join(filter(None, [_paper(key, cited, listed), _project(listed)]))


def _paper(key: str, cited: Citation, listed: Mapping[str, Any]) -> str:
    same = [entry for entry in listed.get("references") or [] if entry["title"] == cited.title]
    kind = KINDS.get(same[0]["type"], "misc") if same else "misc"
    names = [f"{name['family-names']}, {name['given-names']}" for name in same[0]["authors"]] if same else []
    fields = {
        "author": " and ".join(names) or " and ".join(name.strip() for name in cited.authors.split(";")),
        "title": f"{{{cited.title}}}",
        PLACES.get(kind, "howpublished"): cited.venue,
        "year": cited.year,
    }
    return _entry(kind, f"{key}{cited.year}", fields)


def _project(listed: Mapping[str, Any]) -> str:
    if not listed:
        return ""
    names = " and ".join(f"{{{author['name']}}}" for author in listed["authors"] if "name" in author)
    note = f"Version {listed['version']}. {listed.get('abstract', '')}".strip()
    fields = {"author": names, "title": f"{{{listed['title']}}}", "note": note}
    return _entry("software", listed["title"].lower(), fields)


def _entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{kind}{{{key},", *lines, "}"])
