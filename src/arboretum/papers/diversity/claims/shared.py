"""What the claims of diversity share: statements of theory, signs over sets, and the verdict of what was run."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most
from arboretum.papers.diversity.tables.theory import statements_of
from arboretum.papers.results import NotRun, Results
from arboretum.papers.verdicts import INCONCLUSIVE, NOT_REPRODUCED, REPRODUCED, decide, judge


def chosen(results: Results, claim: str, kind: str, statement: str = "", variant: str | None = None) -> pd.DataFrame:
    """Rows of a claim of theory by kind, by how the statement begins, and by variant."""
    if "statements" not in results.tables:
        raise NotRun("statements")
    frame = statements_of(results, claim)
    keep = (frame["kind"] == kind) & frame["statement"].str.startswith(statement)
    found = frame[keep if variant is None else keep & (frame["variant"] == variant)]
    if found.empty:
        raise LookupError(f"{claim}: no {kind} begins with {statement!r}")
    return found


def largest_gap(results: Results, claim: str, statement: str = "", variant: str | None = None) -> float:
    """The largest deviation from an identity, over problems and variants."""
    return float(chosen(results, claim, "identity", statement, variant)["extreme"].max())


def broken(results: Results, claim: str, statement: str = "", variant: str | None = None) -> tuple[int, int]:
    """How many problems violate an inequality, and of how many."""
    found = chosen(results, claim, "inequality", statement, variant)
    return int(found["violations"].sum()), int(found["problems"].sum())


def value_of(results: Results, claim: str, statement: str, variant: str = "", column: str = "extreme") -> float:
    return float(chosen(results, claim, "value", statement, variant)[column].iloc[0])


def within(gap: float, limit: float) -> str:
    """The verdict of an identity: its largest deviation is at most the limit."""
    return decide(bool(at_most(gap, limit, tolerance=0)))


def without(violations: int, limit: int) -> str:
    """The verdict of an inequality: no more violations than the limit, which is none."""
    return decide(violations <= limit)


def sign(difference: float, error: float, inside: tuple[float, float]) -> str:
    """The verdict of a difference with its standard error; one without an error is judged as it stands."""
    half = 0.0 if np.isnan(error) else 2 * error
    return judge(difference - half, difference + half, inside)


def signs(frame: pd.DataFrame, inside: tuple[float, float]) -> dict[str, str]:
    """The verdict of each row of :func:`tables.shared.paired`, by set."""
    return {name: sign(row["difference"], row["error"], inside) for name, row in frame.iterrows()}


def on_enough(verdicts: Mapping[str, str], share: float) -> str:
    """Reproduced on at least ``share`` of the sets: surely so, surely not, or open."""
    needed = int(np.ceil(share * len(verdicts) - 1e-9))
    sure = sum(verdict == REPRODUCED for verdict in verdicts.values())
    against = sum(verdict == NOT_REPRODUCED for verdict in verdicts.values())
    if sure >= needed:
        return REPRODUCED
    return NOT_REPRODUCED if len(verdicts) - against < needed else INCONCLUSIVE


def count(verdicts: Mapping[str, str]) -> int:
    return sum(verdict == REPRODUCED for verdict in verdicts.values())


def differences(frame: pd.DataFrame) -> dict[str, float]:
    return {name: float(value) for name, value in frame["difference"].items()}
