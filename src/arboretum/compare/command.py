"""``arboretum compare``: run, judge, print, write."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd

from arboretum.compare.evaluate import read_as
from arboretum.compare.folds import data_sets, opened, run_all
from arboretum.compare.page import interval, page
from arboretum.compare.settings import Comparison, read_words
from arboretum.compare.verdicts import Verdicts, judge, sentences
from arboretum.pipeline.own_code import look_in_current_folder
from arboretum.pipeline.render import csv_text
from arboretum.project.workspace import Workspace
from arboretum.writing import write_text


def compare(workspace: Workspace, words: Sequence[str]) -> Path:
    """Compare, print the table and what follows from it, and write the page and the files; returns the page."""
    look_in_current_folder()
    comparison = read_words(workspace.conf, words)
    sets = data_sets(workspace, comparison)
    folds = run_all(workspace, comparison, sets)
    found = judge(comparison, folds)
    notes = {
        label: note
        for label, spec in comparison.learners.items()
        if (note := "; ".join(dict.fromkeys(filter(None, (read_as(spec, opened(data).X) for data in sets.values())))))
    }
    print(table_text(found))
    for sentence in sentences(comparison, found):
        print(sentence)
    folder = Path("outputs") / "compare" / comparison.title
    command = shlex.join(["arboretum", "compare", *words])
    write_text(folder / "folds.csv", csv_text(folds))
    write_text(folder / "errors.csv", csv_text(found.errors))
    write_text(folder / "pairs.csv", csv_text(pd.concat([found.pairs_overall, found.pairs])))
    write_text(folder / "comparison.json", as_json(comparison, found, command))
    write_text(folder / "index.html", page(comparison, found, notes, command))
    print(f"page: {folder / 'index.html'}")
    return folder / "index.html"


def table_text(found: Verdicts) -> str:
    """The errors as they are printed: over all sets where there are several, and on each."""
    one = found.errors["dataset"].nunique() == 1
    rows = []
    for table in ([found.overall] if not found.overall.empty else []) + [found.errors]:
        for row in table.itertuples():
            where = {} if one else {"dataset": getattr(row, "dataset", "all")}
            rows.append(
                where
                | {
                    "learner": row.learner,
                    "error %": f"{row.error:.2f}",
                    "95% interval": interval(row.low, row.high),
                    "rank": f"{row.rank:.2f}",
                    "fit s": f"{row.fit_seconds:.2g}",
                }
            )
    return pd.DataFrame(rows).to_string(index=False)


def as_json(comparison: Comparison, found: Verdicts, command: str) -> str:
    """Everything for machines; an interval that does not exist is null."""
    parts = {
        name: getattr(found, name).replace([np.inf, -np.inf], np.nan).astype(object)
        for name in ("errors", "pairs", "overall", "pairs_overall")
    }
    plain = {name: table.where(table.notna(), None).to_dict("records") for name, table in parts.items()}
    settings = asdict(comparison) | {"title": comparison.title}
    said = {"conclusions": sentences(comparison, found), "tests": found.tests}
    return json.dumps({"command": command, "settings": settings, **said, **plain}, indent=1, default=str) + "\n"
