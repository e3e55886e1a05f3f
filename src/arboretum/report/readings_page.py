"""docs/readings.md and what docs/deviations.csv says of readings, made from the stored verdicts: ``make pages``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from arboretum.errors import ArboretumError, nearest
from arboretum.papers.kit.readings import CHOICE, said
from arboretum.papers.results import TEXT
from arboretum.report.inputs import PaperInputs

NONE = "none"  # a deviation that no reading undoes
INTRODUCTION = """\
# Every claim under every reading

No paper says everything, and some say one thing and ran another. Is a verdict that of the paper, or of our reading of
it? A *reading* is a named set of choices that the paper leaves open; `conf/paper/<paper>/readings.yaml` says of each
why it is defensible and where it comes from. The same claims judge every reading ([](judging.md)). Here is what turns,
and with which choice. `arboretum run pert --reading NAME` runs one. This page is made by `make pages`.
"""


def readings_page(papers: Sequence[PaperInputs]) -> str:
    """docs/readings.md: a section for each paper whose readings are stored."""
    return "\n".join([INTRODUCTION, *(_section(paper) for paper in papers if paper.under_readings)])


def _section(paper: PaperInputs) -> str:
    verdicts, choices = paper.of_readings("verdicts_by_reading"), paper.of_readings("headline_by_reading")
    readings = verdicts.loc[~verdicts["reading"].str.startswith("seed "), "reading"].unique()
    turning = verdicts.loc[~verdicts["same"], "claim"].unique()
    parts = [
        f"## {paper.citation.title} ({paper.key})\n",
        f"{paper.robust} of {len(paper.under_readings)} claims have the same conclusion under all "
        f"{len(readings)} readings.{' The others:' if len(turning) else ''}\n",
        *(f"- {claim}: {said(verdicts, choices, claim)}" for claim in turning),
        "" if len(turning) else None,
        _other_size(paper, verdicts),
        *(_figure(paper, name) for name in ("claims_by_reading", "specification_curve")),
        _answers(paper),
        _explained(paper.of_readings("readings_explained")),
    ]
    return "\n".join(part for part in parts if part is not None)


def _other_size(paper: PaperInputs, verdicts: pd.DataFrame) -> str | None:
    """What the smaller size of readings does to the conclusions of the text."""
    text = verdicts[verdicts["reading"] == TEXT].set_index("claim")["conclusion"]
    full = {claim["id"]: claim["verdict"] for claim in paper.claims}
    other = [f"{name} {found} (in full {full[name]})" for name, found in text.items() if found != full[name]]
    if not other:
        return None
    return "Readings are run at a smaller size than the printed protocol, the text too. There the text has: " + (
        "; ".join(other) + ".\n"
    )


def _figure(paper: PaperInputs, name: str) -> str:
    title = paper.paper.figures[name].title
    return f":::{{figure}} ../figures/extended/{paper.key}/{name}.svg\n:alt: {title}\n\n{title}\n:::\n"


def _answers(paper: PaperInputs) -> str | None:
    """What the printed tables tell of the readings, where the paper has a table that says so."""
    if "readings_answers" not in paper.paper.tables:
        return None
    rows = paper.of_readings("readings_answers").itertuples()
    return (
        "\n".join(
            f"- **{row.question}** {row.answer} Table 3: *{row.table3}*; Table 4: *{row.table4}*." for row in rows
        )
        + "\n"
    )


def _explained(table: pd.DataFrame) -> str:
    """The readings, each with what it chooses otherwise than the text, why, its source and what decides it."""
    choices = [name for name in table.columns if name.startswith(CHOICE)]
    text = table.set_index("reading").loc[TEXT]
    lines = ["| reading | chooses | why | source | decided by |", "|---|---|---|---|---|"]
    for _, row in table.fillna("").iterrows():
        shown = [name for name in choices if row["reading"] == TEXT or row[name] != text[name]]
        chooses = "; ".join(f"{name.removeprefix(CHOICE)}: {row[name]}" for name in shown)
        cells = [row["reading"], chooses, row["why"], row["source"], row["decided_by"]]
        lines.append("| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def with_readings(text: str, papers: Mapping[str, PaperInputs], path: str) -> str:
    """The deviations with what the reading of each gives; an unknown reading is an error with its line."""
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for number, row in enumerate(rows, start=2):
        writer.writerow({**row, "gives": gives(papers[row["paper"]], row["reading"], f"{path}, row {number}")})
    return out.getvalue()


def gives(paper: PaperInputs, reading: str, place: str) -> str:
    """How many printed numbers agree under a reading, and the paper's headline there, each with that of the text."""
    if reading == NONE:
        return NONE
    if not reading:
        raise ArboretumError(
            f"{place}: the column `reading` is empty. Name the reading that undoes it, or write `{NONE}`."
        )
    if not paper.under_readings:
        raise ArboretumError(f"{place}: no readings of {paper.key} are stored. Write `{NONE}`, or run them.")
    headline = paper.of_readings("headline_by_reading").set_index("reading")
    if reading not in headline.index:
        raise ArboretumError(f"{place}: unknown reading {reading!r}. {nearest(reading, [*headline.index, NONE])}")
    agree, of = _numbers_that_agree(paper, reading)
    as_text, of_text = _numbers_that_agree(paper, TEXT)
    return (
        f"{agree} of {of} printed numbers agree (text: {as_text} of {of_text}); {headline.loc[reading, 'title']}: "
        f"{headline.loc[reading, 'value']:.3g} (text: {headline.loc[TEXT, 'value']:.3g})"
    )


def _numbers_that_agree(paper: PaperInputs, reading: str) -> tuple[int, int]:
    verdicts = paper.of_readings("verdicts_by_reading")
    numbers = verdicts.loc[verdicts["reading"] == reading, "numbers"].dropna()
    found = [re.match(r"(\d+) of (\d+) agree", words) for words in numbers]
    return sum(int(one[1]) for one in found if one), sum(int(one[2]) for one in found if one)
