"""What the theory experiment found on random finite problems, as estimates: gaps, violations, values to look at.

Problems are finite and all expectations are sums, so that nothing is estimated: an identity may not deviate, an
inequality may not be violated. ``varies`` says on how many problems.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pandas as pd

from arboretum.papers.kit.estimate import Estimate, exact
from arboretum.papers.results import Results


def on_problems(value: float, problems: int) -> Estimate:
    return replace(exact(value), varies=f"exact, on {int(problems)} random problems")


@dataclass(frozen=True)
class Theory:
    """The statements of one claim; those asked for are named by how they begin."""

    results: Results
    claim: str

    def rows(self, kind: str, statement: str = "", variant: str | None = None) -> pd.DataFrame:
        frame = self.results.tables["statements"]
        keep = (frame["claim"] == self.claim) & (frame["kind"] == kind) & frame["statement"].str.startswith(statement)
        found = frame[keep if variant is None else keep & (frame["variant"] == variant)]
        if found.empty:
            raise LookupError(f"{self.claim}: no {kind} begins with {statement!r}")
        return found

    def gap(self, statement: str = "", variant: str | None = None) -> Estimate:
        """The largest deviation from an identity, over problems and variants."""
        found = self.rows("identity", statement, variant)
        return on_problems(found["extreme"].max(), found["problems"].sum())

    def violations(self, statement: str = "", variant: str | None = None, kind: str = "inequality") -> Estimate:
        """How many problems violate an inequality."""
        found = self.rows(kind, statement, variant)
        return on_problems(found["violations"].sum(), found["problems"].sum())

    def broken(self, statement: str, variant: str | None = None) -> Estimate:
        """How many problems break an identity."""
        return self.violations(statement, variant, "identity")

    def problems(self, statement: str = "", variant: str | None = None) -> Estimate:
        """On how many problems an inequality was tried."""
        return exact(self.rows("inequality", statement, variant)["problems"].sum())

    def value(self, statement: str, variant: str | None = None) -> Estimate:
        """A number to look at: its largest."""
        return exact(self.rows("value", statement, variant)["extreme"].max())

    def mean(self, statement: str, variant: str = "") -> Estimate:
        """Its mean over problems: by how much two sides differ where print is wrong."""
        return exact(self.rows("value", statement, variant)["mean"].iloc[0])

    def means(self, statement: str, kind: str = "value") -> dict[str, Estimate]:
        """The same, for each loss."""
        found = self.rows(kind, statement).set_index("variant")
        return {loss: on_problems(row["mean"], row["problems"]) for loss, row in found.iterrows()}
