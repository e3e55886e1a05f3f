"""Sections 6 and 7, appendices II and III: properties of the kernel, Theorem 4, Corollary 5, more leaves."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.infinity.claims.shared import each
from arboretum.papers.infinity.tables.kernels import MAP_TOLERANCE
from arboretum.papers.infinity.tables.section8 import UNIT_SQUARE
from arboretum.papers.results import Results
from arboretum.papers.verdicts import Stated, Verdict, claim, decide, judge


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
    """Symmetric, one on the diagonal, positive semidefinite, blind to labels."""
    rows = results.tables["kernel_properties"]
    rows = rows[rows["of"].isin(["formula", "forest"])]

    def found(quantity: str) -> pd.Series:
        return rows.loc[rows["quantity"].str.contains(quantity), "value"]

    values = {
        "asymmetry": float(found("asymmetry").max()),
        "diagonal": float(found("diagonal").max()),
        "labels": float(found("labels").max()),
        "least_eigenvalue": float(found("eigenvalue").min()),
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
    return Verdict(parts, values, observed, "A finite forest gives a semidefinite matrix; the limit is definite.")


@claim("infinity-c07")
def kernel_is_continuous(results: Results, stated: Stated) -> Verdict:
    """The change of K under a shift e falls to zero within Condition C's bound; forests converge to K."""
    rows = results.tables["kernel_properties"]  # in order of leaves, quantity and shift or number of trees
    shift = rows[rows["of"] == "shift"]
    change = shift[shift["quantity"] == "largest change"]
    excess = shift.loc[shift["quantity"] == "largest excess over the bound", "value"].max()
    forest = rows[rows["of"] == "trees"]
    nearest = change[change["at"] == change["at"].min()].iloc[0]
    values = {
        "change": float(nearest["value"]),
        "shift": float(nearest["at"]),
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
    observed = "change {change:.4f} at e = {shift:g}, within the bound by {room:.4f} or more; forests off by "
    observed += each("{forests[*]:.3f} at *", values["forests"])
    note = "Condition C is exact here: v(e) = sup 1 - K(x-e, x+e). The limit printed as Theta is 0."
    return Verdict(parts, values, observed, note)


@claim("infinity-c08")
def vote_agrees_with_kernel_average(results: Results, stated: Stated) -> Verdict:
    """Votes agree with the kernel average on smooth problems."""
    rows = results.tables["vote_or_average"]
    rows = rows[(rows["rule"] == "vote") & (rows["cuts"] == "uniform")]
    smooth, circle = rows[rows["problem"] == "gaussians"], rows[rows["problem"] == "circle"]
    circle = circle[(circle["square"] == UNIT_SQUARE) & (circle["masses"] == "natural")]
    values = {
        "least": float(smooth["agreement"].min()),
        "greatest": float(smooth["agreement"].max()),
        "low": float(smooth["agreement_low"].min()),
        "high": float(smooth["agreement_high"].max()),
        "density": float(smooth.loc[smooth["masses"] == "density", "agreement"].min()),
        "circle": float(circle["agreement"].min()),
        "circle_gain": float(circle["error_less_than_average_by"].max()),
    }
    observed = (
        "Gaussians: agreement {least:.3f} to {greatest:.3f} over readings ({density:.3f} or more where X follows the "
        "mixture); circle, as stated: {circle:.3f}, the vote errs {circle_gain:.1f} points less"
    )
    note = (
        "Averaged leaf integrals are the kernel form exactly; averaged leaf proportions, which the paper calls exact, "
        "are a third rule. Median and mean part company where the margin is skewed over trees."
    )
    return Verdict(judge(values["low"], values["high"], stated.limit("agreement")), values, observed, note)


@claim("infinity-c09")
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
        "change": float(rows.loc[["printed, change by permuting variables"]].max()),
        "moved": float(rows.loc[["exact, change by moving the pair"]].max()),
    }
    note = (
        "Of the printed formula. The true kernel is invariant too, but moving a pair changes it by up to {moved:.3f}."
    )
    holds = values["change"] < stated.limit("change")  # a residue of rounding, far below its limit
    return Verdict(decide(holds), values, "largest change by permuting {change:below 1e-12}", note)


@claim("infinity-c11")
def kernel_is_exponential_in_distance(results: Results, stated: Stated) -> Verdict:
    """exp(-lambda city-block distance) is near the kernel for all M >= 5, T <= exp(M/2)."""
    rows = results.tables["corollary"]
    rows = rows[(rows["against"] == "Theorem 4") & (rows["pairs"] == "uniform in the cube")]
    log, harmonic = (rows[rows["form"].str.startswith(form)] for form in ("log", "H"))
    largest = {f"M={row.variables}, T={row.leaves}": float(row.largest) for row in log.itertuples()}
    limit = stated.limit("largest")
    within = [case for case, value in largest.items() if at_most(value, limit)]
    values = {"largest": largest, "harmonic": float(harmonic["largest"].max()), "limit": limit}
    values["within"] = ", ".join(within) or "none"
    note = (
        "The paper gives no tolerance; {limit:g} is ours. With H(T-1)/M, which log T replaces, the largest is "
        "{harmonic:.2f}. Within {limit:g}: {within}."
    )
    observed = "largest difference " + each("{largest[*]:.2f} (*)", largest)
    return Verdict(decide(len(within) == len(largest)), values, observed, note)


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
def more_leaves_less_error(results: Results, stated: Stated) -> Verdict:
    """The rise over Bayes falls with T on the circle, under both masses and every rule."""
    rows = results.tables["sharpness"]  # in order of leaves within masses and rule
    rows = rows[rows["problem"] == "circle"]
    falls = [_falls_strictly(group["increase"]) for _, group in rows.groupby(["masses", "rule"])]
    shown = rows[(rows["masses"] == "natural") & (rows["rule"] == "exact kernel")]
    values = {
        "rise": {f"T={row.leaves}": float(row.increase) for row in shown.itertuples()},
        "falls": int(np.sum(falls)),
        "combinations": len(falls),
    }
    note = "Exact kernel, uniform P; falls in {falls} of {combinations} combinations of masses and rule, slowly."
    return Verdict(decide(all(falls)), values, "rise " + each("{rise[*]:.1f} (*)", values["rise"]), note)
