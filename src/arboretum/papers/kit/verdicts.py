"""The claims of a paper judged on its results, as tables: one row per claim, and one per check."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from arboretum.papers.kit.claims import Claim, Judged
from arboretum.papers.kit.stated import Stated
from arboretum.papers.results import NotRun, Results, settled

NOT_ASSESSED = "not assessed"  # its experiments have not been run
CLAIM_COLUMNS = ["id", "where", "statement", "conclusion", "numbers", "observed", "remark", "informed_by_print"]
CHECK_COLUMNS = ["claim", "check", "kind", "value", "low", "high", "varies", "limit_low", "limit_high", "printed"]
CHECK_COLUMNS += ["unit", "verdict", "precision"]

Verdicts = list[tuple[Stated, Judged | None]]


def verdicts_on(claims: Mapping[str, Claim], results: Results) -> Verdicts:
    """Each claim as it is stated, and our verdict, in the order of claims.yaml; None where it was not run."""
    stated = [claim for claim in results.stated.values() if claim.id in claims]
    return [(claim, _judged(claim, claims[claim.id], results)) for claim in stated]


def _judged(stated: Stated, claim: Claim, results: Results) -> Judged | None:
    try:
        return stated.judged(claim.estimates(results))
    except NotRun:
        return None


def claims_table(verdicts: Verdicts) -> pd.DataFrame:
    """One row per claim: what the paper says, whether it holds, how many numbers agree, and what was observed."""
    rows = []
    for stated, judged in verdicts:
        row = {"id": stated.id, "where": stated.where, "statement": stated.statement}
        row |= {"conclusion": judged.conclusion if judged else NOT_ASSESSED}
        row |= {"numbers": judged.numbers_agree if judged else "", "observed": judged.observed if judged else ""}
        row |= {"remark": judged.remark if judged else ""}
        rows.append(row | {"informed_by_print": stated.informed_by_print})
    return pd.DataFrame(rows, columns=CLAIM_COLUMNS)


def checks_table(verdicts: Verdicts) -> pd.DataFrame:
    """Every check of every claim: its estimate, its limits, and what became of it."""
    rows = []
    for stated, judged in verdicts:
        for one in judged.checked if judged else ():
            check, estimate, (low, high) = one.check, one.estimate, one.check.limits
            row = {"claim": stated.id, "check": check.name, "kind": check.kind, "value": estimate.value}
            row |= {"low": estimate.low, "high": estimate.high, "varies": estimate.varies}
            row |= {"limit_low": low, "limit_high": high, "printed": check.printed, "unit": check.unit}
            rows.append(row | {"verdict": one.outcome, "precision": one.precision})
    return settled(pd.DataFrame(rows, columns=CHECK_COLUMNS).astype({"printed": float, "precision": float}))
