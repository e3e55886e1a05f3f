"""Section 8: its printed numbers under every reading, triangular cuts, and the bound on the rise."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import at_most, first_least, less
from arboretum.papers.infinity.claims.shared import verdict_of_readings
from arboretum.papers.infinity.tables.section8 import ANALYTIC, UNIT_SQUARE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, claim, decide, judge


def _readings(results: Results, number: str) -> tuple[pd.DataFrame, pd.Series]:
    """The readings of a printed number in order of their keys, and the first of those nearest to print."""
    rows = results.tables["readings"]
    rows = rows[rows["number"] == number]
    return rows, rows[rows["nearest"]].iloc[0]


def _within(values: pd.Series, stated: Stated, name: str) -> pd.Series:
    """Whether each value is as near to the printed one as the claim's limit of the same name allows."""
    return pd.Series(at_most((values - stated.printed(name)).abs(), stated.limit(name)), index=values.index)


@claim("infinity-c14")
def gaussians(results: Results, stated: Stated) -> Verdict:
    """The Bayes rate and the rise of the two Gaussians, both in one reading."""
    rows, nearest = _readings(results, "Gaussians")
    rows = rows[rows["rule"].isin(ANALYTIC)]
    inside = _within(rows["bayes"], stated, "bayes") & _within(rows["increase"], stated, "increase")
    density = rows[(rows["square"] == UNIT_SQUARE) & (rows["masses"] == "density")]
    literal = density[density["exponent"] == "exp(-r2/(2 s^2))"].iloc[0]
    values = {
        "stated_bayes": float(literal["bayes"]),
        "stated_rise": float(literal["increase"]),
        "nearest_exponent": nearest["exponent"],
        "nearest_bayes": float(nearest["bayes"]),
        "nearest_rise": float(nearest["increase"]),
        "agreeing": int(inside.sum()),
        "readings": len(rows),
        "density_rise": float(density["increase"].max()),
    }
    observed = (
        "as stated on the unit square: Bayes {stated_bayes:.2f}, rise {stated_rise:.2f}; nearest reading "
        "({nearest_exponent}): {nearest_bayes:.2f}, {nearest_rise:.2f}"
    )
    note = (
        "{agreeing} of {readings} readings give both numbers. What survives them: with the centre of the Gaussians at "
        "a corner of the unit square and X following the mixture the rise is {density_rise:.1f} or less."
    )
    return Verdict(verdict_of_readings(inside), values, observed, note)


@claim("infinity-c15")
def linear_boundary(results: Results, stated: Stated) -> Verdict:
    """On the unit square the kernel boundary lies on the line, and the rise is the printed one."""
    rows, _ = _readings(results, "linear")
    rows = rows[(rows["square"] == UNIT_SQUARE) & rows["rule"].isin(ANALYTIC)]
    share, centre = (rows.loc[rows["cells"] == cells, "increase"] for cells in ("share", "centre"))
    near = _within(rows["increase"], stated, "increase")
    values = {
        "least": float(share.min()),
        "greatest": float(share.max()),
        "centre_least": float(centre.min()),
        "centre_greatest": float(centre.max()),
        "near": int(near.sum()),
        "readings": len(rows),
        "printed": stated.printed("increase"),
        "limit": stated.limit("increase"),
    }
    parts = {
        "the boundaries coincide": judge(values["least"], values["greatest"], (0.0, stated.limit("coincide"))),
        "the printed rise": verdict_of_readings(near),
    }
    observed = (
        "rise {least:z.2f} to {greatest:z.2f} over grids, masses and both kernels, {centre_least:.2f} to "
        "{centre_greatest:.2f} if cells on the line are given whole to one class; {near} of {readings} readings are "
        "within {limit:g} of {printed:g}"
    )
    note = (
        "Symmetry makes the true line a zero of the kernel average, but not the only one: at the two ends of the line "
        "the sign is reversed in small spots. The printed rise is larger than these cost and smaller than the cost of "
        "whole cells on the line with uniform P, which falls on finer grids: probably an effect of the grid."
    )
    return Verdict(parts, values, observed, note)


@claim("infinity-c16")
def circle(results: Results, stated: Stated) -> Verdict:
    """The rise at the circle, with the bias toward the outer class that the text describes."""
    rows, nearest = _readings(results, "circle")
    rows = rows[rows["square"] == UNIT_SQUARE]
    value = rows["increase"].where(rows["unit"] == "probability", rows["area"])
    near = _within(value, stated, "increase")
    inward = pd.Series(less(rows["bias"], 0.0), index=rows.index)
    as_stated = rows.loc[(rows["masses"] == "natural") & rows["rule"].isin(ANALYTIC), "increase"]
    values = {
        "stated_least": float(as_stated.min()),
        "stated_greatest": float(as_stated.max()),
        "nearest_masses": nearest["masses"],
        "nearest_rule": nearest["rule"],
        "nearest_unit": nearest["unit"],
        "nearest": float(value[nearest.name]),
        "near": int(near.sum()),
        "readings": len(rows),
        "limit": stated.limit("increase"),
        "inward": int(inward.sum()),
        "near_and_inward": int((near & inward).sum()),
    }
    parts = {
        "the printed rise": verdict_of_readings(near),
        "bias toward class -1": verdict_of_readings(inward),
        "both in one reading": verdict_of_readings(near & inward),
    }
    observed = (
        "as stated (uniform P): rise {stated_least:.1f} to {stated_greatest:.1f}; nearest reading ({nearest_masses} "
        "masses, {nearest_rule}, in {nearest_unit}): {nearest:.1f}"
    )
    note = (
        "{near} of {readings} readings on the unit square come within {limit:g} points, {inward} have the bias toward "
        "class -1 that the text describes, {near_and_inward} have both: scaled classes put the boundary outside the "
        "circle."
    )
    return Verdict(parts, values, observed, note)


@claim("infinity-c17")
def triangular_cuts_reduce_the_error(results: Results, stated: Stated) -> Verdict:
    """Triangular cuts lower the error, by the factor of the claim and to the printed number."""
    rows = results.tables["skewing"]
    rows = rows[rows["square"] == UNIT_SQUARE]
    falls = less(0.0, rows["fall_low"])
    enough = less(rows["ratio"], 1 / stated.limit("factor"))
    near = _within(rows["triangular_cuts"], stated, "skewed")
    least = rows.iloc[first_least(rows["triangular_cuts"])]
    values = {
        "least_ratio": float(rows["ratio"].min()),
        "greatest_ratio": float(rows["ratio"].max()),
        "readings": len(rows),
        "skewed": stated.printed("skewed"),
        "symmetric": stated.printed("symmetric"),
        "printed_ratio": stated.printed("skewed") / stated.printed("symmetric"),
        "falls": int(falls.sum()),
        "factor": stated.limit("factor"),
        "enough": int(enough.sum()),
        "near": int(near.sum()),
        "least_triangular": float(least["triangular_cuts"]),
        "least_rule": least["rule"],
        "least_masses": least["masses"],
        "least_uniform": float(least["uniform_cuts"]),
    }
    observed = (
        "ratio of errors {least_ratio:.2f} to {greatest_ratio:.2f} over {readings} readings on the unit square; "
        "printed {skewed:g}/{symmetric:g} = {printed_ratio:.2f}"
    )
    note = (
        "The error falls in {falls} of {readings} readings, to 1/{factor:g} in {enough}, to about {skewed:g} in "
        "{near}. The least, {least_triangular:.1f}, is of {least_rule} with {least_masses} masses; there uniform cuts "
        "give {least_uniform:.1f}, not {symmetric:g}."
    )
    parts = {
        "the error falls": verdict_of_readings(falls),
        "to less than a third": verdict_of_readings(enough),
        "to the printed error": verdict_of_readings(near),
    }
    return Verdict(parts, values, observed, note)


@claim("infinity-c18")
def rise_is_bounded(results: Results, stated: Stated) -> Verdict:
    """The rise is bounded by the integral of |D| over the symmetric difference: with equality."""
    rows = results.tables["bound"]
    values = {"gap": float(rows["largest_gap"].max()), "readings": int(rows["readings"].sum())}
    holds = values["gap"] < stated.limit("gap")  # a residue of rounding, far below its limit
    observed = "largest gap {gap:below 1e-12} over {readings} rules and readings"
    return Verdict(decide(holds), values, observed, "An equality, by definition of both sides.")


@claim("infinity-c19")
def skewness_is_strength(results: Results, stated: Stated) -> Verdict:
    """Along alpha, from random to optimal cuts, strength goes with skewness and correlation against symmetry."""
    rows = results.tables["skewness_conjecture"]
    limit = stated.limit("rank_correlation")
    inside = less(0.0, rows["least_error_alpha"]) & less(rows["least_error_alpha"], 1.0)
    values = {
        "strength": float(rows["strength_with_skewness"].min()),
        "correlation": float(rows["correlation_with_symmetry"].max()),
        "paths": len(rows),
        "inside": int(inside.sum()),
    }
    parts = {
        "strength with skewness": decide(bool(less(limit, values["strength"]))),
        "correlation against symmetry": decide(bool(less(values["correlation"], -limit))),
    }
    observed = (
        "rank correlations along alpha at least {strength:.2f} (strength, skewness) and at most {correlation:.2f} "
        "(correlation, symmetry) over {paths} problems and tree sizes"
    )
    note = "The error is least between the two ends of alpha in {inside} of {paths}."
    return Verdict(parts, values, observed, note)
