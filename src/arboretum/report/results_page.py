"""docs/results.md, docs/readings.md, filled passages of docs/, the mosaic and the table in README.md: ``make pages``.

What a paper's findings say stands once, in ``papers/<key>/findings.yaml``; its numbers come from the stored checks.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from arboretum.papers.kit.claims import CONCLUSIONS
from arboretum.project.workspace import FULL, Workspace
from arboretum.report.filled import filled_pages
from arboretum.report.inputs import Inputs, PaperInputs
from arboretum.report.mosaic import drawing
from arboretum.report.readings_page import readings_page, with_readings
from arboretum.writing import write_text

WIDTH = 120
BETWEEN = ("<!-- verdicts: made by make pages -->\n", "<!-- end of verdicts -->")
INTRODUCTION = """\
# What came out

This page is made by `make pages` from the findings of each paper and the stored checks behind its verdicts.

Every claim of a paper is stated in `data/published/<paper>/claims.yaml` with the checks that decide it, and a verdict
answers two questions ([](judging.md)). Does the sentence hold? It is *reproduced* if the 95% interval of every check
lies inside its limits, *not reproduced* if some check lies outside even when the number of checks is allowed for, else
*inconclusive*; *reproduced once corrected* if it fails as printed and holds after a named correction; and where the
printed sentence and the printed numbers disagree, *the paper contradicts itself*. Do the printed numbers come out? So
many of so many agree. [](verdicts.md) lists what moved when one instrument replaced 131 hand-made judgements.
"""
AFTER_THE_TABLE = """\
The report has every claim as a picture of its checks, with the rows and figures that it rests on: build it with
`make report` and open `report/index.html`. Where our protocol is not the printed one, [](deviations.md) says so.
"""


def table_of_verdicts(papers: list[PaperInputs]) -> str:
    """One row per paper: claims, conclusions, printed numbers that agree."""
    names = [name for name in CONCLUSIONS if any(paper.verdicts[name] for paper in papers)]
    robust = any(paper.robust is not None for paper in papers)  # where readings are stored
    headings = ["paper", "claims", *names, *["the same under all readings"] * robust, "numbers that agree"]
    lines = ["| " + " | ".join(headings) + " |", "|---" * len(headings) + "|"]
    for paper in papers:
        title = f"`{paper.key}` {paper.citation.short.replace(' (', ' ').replace(')', '')}, *{paper.citation.title}*"
        cells = [title, str(sum(paper.verdicts.values())), *(str(paper.verdicts[name]) for name in names)]
        cells += ["–" if paper.robust is None else f"{paper.robust} of {len(paper.under_readings)}"] * robust
        lines.append("| " + " | ".join([*cells, "{} of {}".format(*paper.numbers_that_agree)]) + " |")
    return "\n".join(lines) + "\n"


def results_page(papers: list[PaperInputs]) -> str:
    """docs/results.md."""
    parts = [INTRODUCTION, table_of_verdicts(papers), AFTER_THE_TABLE, *map(_section, papers)]
    return "\n".join(parts)


def _section(paper: PaperInputs) -> str:
    findings, citation = paper.findings, paper.citation
    parts = [f"## {citation.title} ({paper.key})\n"]
    if findings.figure:
        title = paper.figures[findings.figure].title
        address = f"../figures/{paper.inputs.profile}/{paper.key}/{findings.figure}.svg"
        parts.append(f":::{{figure}} {address}\n:alt: {title}\n\n{title}\n:::\n")
    parts.append(_wrapped(f"**{findings.headline}**"))
    parts += [_wrapped(f"*{sentence.label}.* {sentence.text}") for sentence in findings.sentences]
    return "\n".join(parts)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) + "\n"


def with_table(readme: str, table: str) -> str:
    """The README with the table between its marks."""
    start, end = BETWEEN
    if readme.count(start) != 1 or readme.count(end) != 1:
        raise ValueError(f"README.md needs one {start.strip()} and one {end}")
    return re.sub(f"(?<={re.escape(start)}).*(?={re.escape(end)})", lambda _: table, readme, flags=re.DOTALL)


def pages(root: Path) -> dict[Path, str]:
    """What the pages of docs/ that are made from results, and README.md, should hold."""
    papers, readme = Inputs(root, FULL).papers, root / "README.md"
    deviations = root / "docs" / "deviations.csv"
    return filled_pages(root, papers) | {
        root / "docs" / "readings.md": readings_page(papers),
        deviations: with_readings(
            deviations.read_text("utf-8"), {paper.key: paper for paper in papers}, "docs/deviations.csv"
        ),
        root / "docs" / "results.md": results_page(papers),
        root / "docs" / "_static" / "mosaic.svg": drawing(papers),
        readme: with_table(readme.read_text("utf-8"), table_of_verdicts(papers)),
    }


if __name__ == "__main__":
    for path, text in pages(Workspace.find().root).items():
        write_text(path, text)
        print(path)
