"""Sections 6 and 7, appendices II and III: properties of the kernel, Theorem 4, Corollary 5, more leaves."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, equal, less
from arboretum.papers.infinity.claims.shared import each
from arboretum.papers.infinity.tables.kernels import MAP_TOLERANCE, Z_TOLERANCE
from arboretum.papers.infinity.tables.section8 import UNIT_SQUARE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import REPRODUCED, Stated, Verdict, claim, decide, judge

CENTRE = 0.5


def _rises(values: pd.Series) -> bool:
    """Whether no value lies below the one before it."""
    values = values.to_numpy()
    return bool(at_most(values[:-1], values[1:]).all())


def _falls_strictly(values: pd.Series) -> bool:
    """Whether every value lies below the one before it."""
    values = values.to_numpy()
    return bool(less(values[1:], values[:-1]).all())


@claim("infinity-c06")
def kernel_is_positive_definite(results: Results, stated: Stated) -> Verdict:
    """Symmetric, one on the diagonal, positive semidefinite, blind to labels; strictly definite where T > M."""
    properties = results.tables["kernel_properties"]
    rows = properties[properties["of"].isin(["formula", "forest"])]
    corners = properties[(properties["of"] == "corners of a box") & properties["quantity"].str.startswith("exact")]
    few = corners["leaves"] <= corners["variables"]

    def found(quantity: str) -> pd.Series:
        return rows.loc[rows["quantity"].str.contains(quantity), "value"]

    values = {
        "asymmetry": float(found("asymmetry").max()),
        "diagonal": float(found("diagonal").max()),
        "labels": float(found("labels").max()),
        "least_eigenvalue": float(found("eigenvalue").min()),
        "few_leaves": float(corners.loc[few, "value"].abs().max()),
        "many_leaves": float(corners.loc[~few, "value"].min()),
    }
    residue = stated.limit("residue")  # all four are residues of rounding, far below it
    parts = {
        "symmetric": decide(values["asymmetry"] < residue),
        "one on the diagonal": decide(values["diagonal"] < residue),
        "positive semidefinite": decide(values["least_eigenvalue"] >= -residue),
        "independent of labels": decide(values["labels"] < residue),
    }
    observed = (
        "asymmetry {asymmetry:below 1e-12}, diagonal off 1 {diagonal:below 1e-12}, change by other labels "
        "{labels:below 1e-12}, least eigenvalue {least_eigenvalue:below 1e-12} in size"
    )
    note = (
        "Strictly definite if and only if T > M (docs/infinity-kernel.md proves it): with T <= M parity on the "
        "corners of a box is in the null space, least eigenvalue {few_leaves:below 1e-12}; with T = M + 1 it is "
        "{many_leaves:.1e} or more there. A finite forest gives a semidefinite matrix."
    )
    return Verdict(parts, values, observed, note)


@claim("infinity-c07")
def kernel_is_continuous(results: Results, stated: Stated) -> Verdict:
    """The change of K under a shift e falls to zero within Condition C's bound; forests converge to K."""
    rows = results.tables["kernel_properties"]  # in order of leaves, quantity and shift or number of trees
    shift = rows[rows["of"] == "shift"]
    change = shift[shift["quantity"] == "largest change"]
    excess = shift.loc[shift["quantity"] == "largest excess over the bound", "value"].max()
    forest = rows[rows["of"] == "trees"]
    nearest = change[change["at"] == change["at"].min()]
    values = {
        "change": {f"T={row.leaves}": float(row.value) for row in nearest.itertuples()},
        "shift": float(change["at"].min()),
        "room": -float(excess),
        "forests": {f"N = {row.at:g}": float(row.value) for row in forest.itertuples()},
    }
    parts = {
        "the change falls with the shift": decide(
            all(_rises(group["value"]) for _, group in change.groupby(["variables", "leaves"]))
        ),
        "it stays within the bound": decide(bool(excess <= stated.limit("excess"))),
        "forests come closer to K with more trees": decide(_rises(-forest["value"])),
    }
    observed = "change at e = {shift:g}: " + each("{change[*]:.4f} (*)", values["change"])
    observed += ", within the bound by {room:.4f} or more; forests off by "
    observed += each("{forests[*]:.3f} at *", values["forests"])
    note = "Condition C is exact here: v(e) = sup 1 - K(x-e, x+e). The limit printed as Theta is 0."
    return Verdict(parts, values, observed, note)


@claim("infinity-c08")
def vote_agrees_with_kernel_average(results: Results, stated: Stated) -> Verdict:
    """Averaged class probabilities are the kernel form exactly; votes agree with it on smooth problems."""
    rows = results.tables["vote_or_average"]
    rows = rows[rows["cuts"] == "uniform"]
    votes, proportions = rows[rows["rule"] == "vote"], rows[rows["rule"] == "node proportion"]
    smooth, circle = votes[votes["problem"] == "gaussians"], votes[votes["problem"] == "circle"]
    circle = circle[(circle["square"] == UNIT_SQUARE) & (circle["masses"] == "natural")]
    values = {
        "least": float(smooth["agreement"].min()),
        "greatest": float(smooth["agreement"].max()),
        "low": float(smooth["agreement_low"].min()),
        "high": float(smooth["agreement_high"].max()),
        "density": float(smooth.loc[smooth["masses"] == "density", "agreement"].min()),
        "circle": float(circle["agreement"].min()),
        "circle_gain": float(circle["error_less_than_average_by"].max()),
        "proportion": float(proportions["agreement"].min()),
    }
    parts = {
        "averaged class probabilities are exact": decide(bool(less(stated.limit("exact"), values["proportion"]))),
        "the vote on smooth problems": judge(values["low"], values["high"], stated.limit("agreement")),
    }
    observed = (
        "Gaussians: agreement of vote and kernel average {least:.3f} to {greatest:.3f} over readings ({density:.3f} "
        "or more where X follows the mixture); circle, as stated: {circle:.3f}, the vote errs {circle_gain:.1f} "
        "points less; averaged class probabilities agree with the kernel average on {proportion:.3f} or more"
    )
    note = (
        "Averaged leaf integrals are the kernel form exactly; averaged leaf proportions, which the paper calls exact, "
        "are a third rule. Median and mean part company where the margin is skewed over trees. That voting and "
        "averaging differ little in error on data sets is not judged here."
    )
    return Verdict(parts, values, observed, note)


@claim("infinity-c09", tolerance=Z_TOLERANCE)
def theorem_4_is_the_kernel_of_trees(results: Results, stated: Stated) -> Verdict:
    """Trees obey the printed formula to within a number of standard errors."""
    total = results.tables["kernel_test"].set_index("variables").loc["all"]
    values = {
        "pairs": int(total["pairs"]),
        "theorem_4": float(total["theorem_4_largest_z"]),
        "exact": float(total["exact_largest_z"]),
        "exact_p": float(total["exact_p"]),
    }
    observed = (
        "{pairs} random pairs: largest z {theorem_4:.1f} for the printed formula, {exact:.1f} for the exact one "
        "(chi-square p {exact_p:.2f})"
    )
    note = (
        "The proof lets cuts come from one side of the interval only. The printed kernel is a lower bound, exact when "
        "the interval touches a face in every variable or is cut at most once; docs/infinity-kernel.md has the exact "
        "form."
    )
    return Verdict(decide(bool(at_most(values["theorem_4"], stated.limit("largest_z")))), values, observed, note)


@claim("infinity-c10")
def printed_kernel_is_permutation_invariant(results: Results, stated: Stated) -> Verdict:
    """The printed kernel depends on the |x_m - z_m| only and permuting them changes nothing."""
    rows = results.tables["kernel_properties"].set_index("quantity")["value"]
    values = {
        "permuted": float(rows.loc[["printed, change by permuting variables"]].max()),
        "moved": float(rows.loc[["printed, change by moving the pair"]].max()),
        "exact_moved": float(rows.loc[["exact, change by moving the pair"]].max()),
    }
    parts = {  # residues of rounding, far below their limit
        "invariant to permuting": decide(values["permuted"] < stated.limit("change")),
        "a function of the differences alone": decide(values["moved"] < stated.limit("change")),
    }
    note = (
        "Of the printed formula. The true kernel is invariant to permuting too, but moving a pair changes it by up to "
        "{exact_moved:.3f}."
    )
    observed = "largest change by permuting {permuted:below 1e-12}, by moving the pair {moved:below 1e-12}"
    return Verdict(parts, values, observed, note)


@claim("infinity-c11")
def kernel_is_exponential_in_distance(results: Results, stated: Stated) -> Verdict:
    """exp(-lambda city-block distance) is near the kernel for all M >= 5, T <= exp(M/2)."""
    rows = results.tables["corollary"]
    rows = rows[(rows["against"] == "Theorem 4") & (rows["pairs"] == "uniform in the cube")]
    log, harmonic = (rows[rows["form"].str.startswith(form)] for form in ("log", "H"))
    cases = [f"M={row.variables}, T={row.leaves}" for row in log.itertuples()]
    values = {
        "largest": dict(zip(cases, log["largest"].astype(float), strict=True)),
        "relative": dict(zip(cases, log["relative"].astype(float), strict=True)),
        "harmonic": float(harmonic["largest"].max()),
        "harmonic_relative": float(harmonic["relative"].max()),
        "limit": stated.limit("largest"),
        "relative_limit": stated.limit("relative"),
    }
    within = [case for case in cases if at_most(values["largest"][case], values["limit"])]
    values["within"] = "; ".join(within) or "none"
    parts = {
        "absolute difference": decide(len(within) == len(cases)),
        "relative difference": decide(bool(at_most(log["relative"], values["relative_limit"]).all())),
    }
    note = (
        "The paper gives no tolerance; {limit:g} and {relative_limit:.0%} of the kernel are ours. Within {limit:g}: "
        "{within}. With H(T-1)/M, which log T replaces and which bounds the kernel from above, the largest differences "
        "are {harmonic:.2f} and {harmonic_relative:.0%}."
    )
    observed = "largest difference, absolute and of the kernel: "
    observed += each("{largest[*]:.3f}, {relative[*]:.0%} (*)", cases, "; ")
    return Verdict(parts, values, observed, note)


@claim("infinity-c12", tolerance=MAP_TOLERANCE)
def minus_log_u_is_linear(results: Results, stated: Stated) -> Verdict:
    """-log U = lambda d for lambda up to 0.5."""
    rows = results.tables["kernel_errors"]
    rows = rows[rows["what"].str.startswith("-log U")]
    largest = {row.what.split(", ")[1]: float(row.largest) for row in rows.itertuples()}
    holds = all(at_most(value, stated.limit("largest")) for value in largest.values())
    observed = "largest gap " + each("{largest[*]:.4f} (*)", largest)
    return Verdict(decide(holds), {"largest": largest}, observed, "Equation 6 has lost a leading exp(-lambda).")


@claim("infinity-c13")
def sharper_pyramid_less_error(results: Results, stated: Stated) -> Verdict:
    """Level sets are city-block balls, wider for smaller lambda; the rise over Bayes falls with T on the circle."""
    levels = results.tables["level_sets"]
    at_centre = equal(levels["place"], CENTRE)
    exact = levels["kernel"] == "exact kernel"
    rows = results.tables["sharpness"]  # in order of leaves within masses and rule
    rows = rows[rows["problem"] == "circle"]
    falls = [_falls_strictly(group["increase"]) for _, group in rows.groupby(["masses", "rule"])]
    large = results.tables["large_trees"]
    large = large[large["grid"] == large["grid"].max()]
    shown = large[(large["masses"] == "natural") & (large["rule"] == "exact kernel")]
    values = {
        "exact": _range(levels.loc[exact & at_centre, "ratio"]),
        "exact_elsewhere": _range(levels.loc[exact & ~at_centre, "ratio"]),
        "theorem_4": _range(levels.loc[~exact, "ratio"]),
        "rise": {f"T={row.leaves}": float(row.increase) for row in shown.itertuples()},
        "falls": int(np.sum(falls)),
        "combinations": len(falls),
        "overall": _power(shown["leaves"].iloc[[0, -1]], shown["increase"].iloc[[0, -1]]),
        "exponent": float(shown["exponent"].iloc[-1]),
    }
    city_block = (1 - stated.limit("ratio"), 1 + stated.limit("ratio"))
    parts = {
        "level sets about the centre, kernel of trees": decide(judge(*values["exact"], city_block) == REPRODUCED),
        "level sets elsewhere, kernel of trees": decide(judge(*values["exact_elsewhere"], city_block) == REPRODUCED),
        "level sets, Theorem 4": decide(judge(*values["theorem_4"], city_block) == REPRODUCED),
        "wider for smaller lambda": decide(_narrower_with_leaves(levels)),
        "more leaves, less error": decide(all(falls)),
        "toward Bayes": decide(
            all(_falls_strictly(group["increase"]) for _, group in large.groupby(["masses", "rule"]))
        ),
    }
    observed = (
        "city-block distance of a level set, diagonal over axis: {exact[0]:.2f} to {exact[1]:.2f} for the kernel of "
        "trees about the centre of the cube, {exact_elsewhere[0]:.2f} to {exact_elsewhere[1]:.2f} near a corner, "
        "{theorem_4[0]:.2f} to {theorem_4[1]:.2f} for Theorem 4; rise "
    )
    note = (
        "The pyramid is that of the kernel itself about the centre of the cube; Theorem 4 has none. Rise: circle, "
        "exact kernel, uniform P; with forests it falls in {falls} of {combinations} combinations of masses and rule. "
        "It goes to Bayes slowly, over this range like T to the power {overall:.2f}, at its end {exponent:.2f}."
    )
    return Verdict(parts, values, observed + each("{rise[*]:.1f} (*)", values["rise"]), note)


def _range(values: pd.Series) -> list[float]:
    return [float(values.min()), float(values.max())]


def _power(ends: pd.Series, values: pd.Series) -> float:
    """The power of x that takes the first of two values to the second."""
    return float(np.log(values).diff().iloc[-1] / np.log(ends).diff().iloc[-1])


def _narrower_with_leaves(levels: pd.DataFrame) -> bool:
    """Whether more leaves bring a level nearer to the centre, for each kernel, number of variables and level."""
    groups = levels.sort_values("leaves", kind="stable").groupby(["kernel", "variables", "place", "level"])
    return all(
        _falls_strictly(group[column]) for _, group in groups for column in ("along_an_axis", "along_a_diagonal")
    )
