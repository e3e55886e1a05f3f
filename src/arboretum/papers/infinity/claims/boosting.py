"""Sections 3 to 5 and appendix I: what trees span, and where population AdaBoost goes."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import equal, first_greatest, less
from arboretum.papers.infinity.claims.shared import each
from arboretum.papers.infinity.tables.boosting import BOOSTING_TOLERANCE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, claim, decide


def _ranks(rows: pd.DataFrame) -> dict[str, dict[str, int]]:
    """Rank and number of functions by case, which is named by its number of variables D and of leaves T."""
    cases = [f"D={row.variables}, T={row.leaves}" for row in rows.itertuples()]
    return {name: dict(zip(cases, rows[name].tolist(), strict=True)) for name in ("rank", "functions")}


@claim("infinity-c01")
def large_trees_are_complete(results: Results, stated: Stated) -> Verdict:
    """T > D leaves span every function on the grid."""
    rows = results.tables["completeness"]
    rows = rows[rows["leaves"] > rows["variables"]]
    values = _ranks(rows)
    observed = each("*: rank {rank[*]} of {functions[*]}", values["rank"], "; ")
    return Verdict(decide(values["rank"] == values["functions"]), values, observed)


@claim("infinity-c02")
def small_trees_are_incomplete(results: Results, stated: Stated) -> Verdict:
    """T <= D leaves do not, and the parity function is orthogonal to all of them."""
    rows = results.tables["completeness"]
    rows = rows[rows["leaves"] <= rows["variables"]]
    values = _ranks(rows) | {"product": float(rows["largest_product_with_parity"].max())}
    parts = {
        "rank below the number of functions": decide(bool((rows["rank"] < rows["functions"]).all())),
        "parity orthogonal to every tree": decide(bool(equal(values["product"], 0.0))),
    }
    observed = each("*: rank {rank[*]} of {functions[*]}", values["rank"], "; ")
    note = (
        "The conjectured converse holds: T-1 cuts bound a leaf in at most T-1 variables, so the rank is the sum of "
        "C(D, j)(m-1)^j over j < T, and with T <= D the product of the variables' signs is orthogonal to every tree."
    )
    return Verdict(parts, values, observed + "; largest product with parity {product:below 1e-12}", note)


@claim("infinity-c03", tolerance=BOOSTING_TOLERANCE)
def boosting_converges_to_bayes(results: Results, stated: Stated) -> Verdict:
    """With T > D, s_M -> -r in L2 and the error -> Bayes."""
    rows = results.tables["population_boosting"]
    rows = rows[rows["leaves"] > rows["variables"]]
    slowest = rows.iloc[first_greatest(rows["distance"], tolerance=BOOSTING_TOLERANCE)]
    values = {
        "distance": float(rows["distance"].max()),
        "error_above_bayes": float(rows["error_above_bayes"].max()),
        "problems": len(rows),
        "slowest": slowest["problem"],
        "slowest_leaves": int(slowest["leaves"]),
        "slowest_cells": int(slowest["cells"]),
        "slowest_steps": int(slowest["steps"]),
        "xor_steps": int(rows.loc[rows["problem"] == "xor", "steps"].max()),
        "rate": _exponent_of_slowest(results, slowest),
    }
    parts = {
        "distance to -r": decide(bool(less(values["distance"], stated.limit("distance")))),
        "error above Bayes": decide(bool(less(values["error_above_bayes"], stated.limit("error_above_bayes")))),
    }
    observed = (
        "largest ||s+r|| {distance:.2g}, largest error above Bayes {error_above_bayes:.2g}, over {problems} problems "
        "and grids"
    )
    note = (
        "Slowest: {slowest}, T={slowest_leaves}, {slowest_cells} cells per side, after {slowest_steps} steps, where "
        "the loss above its minimum falls like M to the power {rate:.2f}; the paper gives no rate. The xor needs "
        "{xor_steps} steps."
    )
    return Verdict(parts, values, observed, note)


def _exponent_of_slowest(results: Results, slowest: pd.Series) -> float:
    """The power with which the loss of one run fell over its last full decade of steps."""
    rates = results.tables["boosting_rate"]
    of_run = (rates[["problem", "leaves", "cells"]] == slowest[["problem", "leaves", "cells"]]).all(axis=1)
    return float(rates.loc[of_run, "loss_exponent"].iloc[-1])


@claim("infinity-c04", tolerance=BOOSTING_TOLERANCE)
def small_trees_reach_bayes_where_they_can(results: Results, stated: Stated) -> Verdict:
    """Smaller trees reach Bayes if and only if they can approximate r."""
    rows = results.tables["population_boosting"]
    rows = rows[rows["leaves"] <= rows["variables"]]
    above = dict(zip(rows["problem"], rows["error_above_bayes"].astype(float), strict=True))
    stuck = [value for problem, value in above.items() if problem != "additive"]
    parts = {
        "additive r: Bayes is reached": decide(bool(less(above["additive"], stated.limit("reached")))),
        "other r: it is not": decide(all(less(stated.limit("stuck"), value) for value in stuck)),
    }
    observed = each("*: error above Bayes {above[*]:z.4f}", above, "; ")
    return Verdict(parts, {"above": above}, observed, "Trees with T <= D; only the additive r is a sum of stumps.")


@claim("infinity-c05", tolerance=BOOSTING_TOLERANCE)
def one_step_shrinks_the_loss(results: Results, stated: Stated) -> Verdict:
    """I_{M+1}^2 = I_M^2 (1 - b^2) at every step, and the loss never rises."""
    rows = results.tables["population_boosting"]
    values = {
        "gap": float(rows["identity_gap"].max()),
        "rise": max(float(rows["largest_rise"].max()), 0.0),
        "steps": int(rows["steps"].sum()),
    }
    parts = {  # both are residues of rounding, far below their limits
        "the identity": decide(values["gap"] < stated.limit("gap")),
        "the loss never rises": decide(values["rise"] < stated.limit("rise")),
    }
    observed = "largest relative gap {gap:below 1e-12}, largest rise of the loss {rise:below 1e-12}, {steps} steps"
    note = (
        "The weight must be sqrt(p(1|x) p(-1|x)), whose root print has lost; cosh x - 1 >= x^2 is false (x^2/2 holds) "
        "and c = b + O(b^3); the proof survives both."
    )
    return Verdict(parts, values, observed, note)
