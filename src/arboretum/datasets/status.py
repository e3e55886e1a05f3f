"""What was found beside what the papers print."""

from __future__ import annotations

import pandas as pd

COUNTS = ("rows", "numeric", "categorical", "nominal", "binary", "classes")
SHOWN = ("source", "rows", "numeric", "nominal", "binary", "classes", "missing")
COLUMNS = [
    "name",
    "papers",
    "status",
    "source",
    "rows",
    "numeric",
    "nominal",
    "binary",
    "classes",
    "missing",
    "fingerprint",
    "agrees",
    "difference",
]


def status_table(specs: dict[str, dict], facts: dict[str, dict]) -> pd.DataFrame:
    """One row per set: source, counts, fingerprint, and agreement with every printed figure.

    ``facts`` is what :func:`arboretum.datasets.prepare` returned (or a manifest made of it). ``agrees`` is
    "yes", "no", or "-" where no paper prints a size; ``difference`` names printed and found figures and why.
    """
    rows = [_row(name, spec, facts.get(name, {"status": "not prepared"})) for name, spec in specs.items()]
    return pd.DataFrame(rows, columns=COLUMNS).convert_dtypes()


def differences(printed: dict, found: dict) -> dict[str, tuple[int, int]]:
    """Printed counts that neither declared levels nor occurring values give: count -> (printed, found)."""
    return {
        count: (printed[count], found[count])
        for count in COUNTS
        if count in printed and printed[count] not in {found[count], found.get(f"{count}_occurring")}
    }


def _row(name: str, spec: dict, found: dict) -> dict:
    row = {"name": name, "papers": " ".join(spec.get("names", {})), "status": found["status"]}
    if found["status"] != "available":
        return {**row, "agrees": "-", "difference": found.get("reason", "")}
    row |= {key: found[key] for key in SHOWN} | {"fingerprint": found["fingerprint"][:12]}
    printed = spec.get("printed", {})
    notes = [_note(paper, differences(figures, found), spec) for paper, figures in printed.items()]
    notes = [note for note in notes if note]
    return {**row, "agrees": ("no" if notes else "yes") if printed else "-", "difference": "; ".join(notes)}


def _note(paper: str, differing: dict[str, tuple[int, int]], spec: dict) -> str:
    if not differing:
        return ""
    figures = ", ".join(f"{count} printed {printed}, found {found}" for count, (printed, found) in differing.items())
    return f"{paper}: {figures} ({spec.get('differences', {}).get(paper, 'not explained')})"
