"""Verdicts on the 18 claims of `infinity`, each from the tables alone.

Most claims are mathematics: a statement about all x or all T falls by one counter-example. The numbers of section 8
depend on readings that the paper does not give; there the interval is the range over readings, and a reading that
contradicts the text in another respect does not count.
"""

from __future__ import annotations

import pandas as pd

from arboretum.papers.shape import NOT_REPRODUCED, Frames, Verdict, decide, judge

UNIT = "[0, 1]^2"


def complete(tables: Frames) -> Verdict:
    """c01: T > D leaves span every function on the grid."""
    rows = tables["completeness"]
    large = rows[rows["leaves"] > rows["variables"]]
    observed = "; ".join(f"D={r.variables}, T={r.leaves}: rank {r.rank} of {r.functions}" for r in _named(large))
    return Verdict(decide(bool((large["rank"] == large["functions"]).all())), observed)


def incomplete(tables: Frames) -> Verdict:
    """c02: T <= D leaves do not, and the parity function is orthogonal to all of them."""
    rows = tables["completeness"]
    small = rows[rows["leaves"] <= rows["variables"]]
    below = bool((small["rank"] < small["functions"]).all())
    orthogonal = bool((small["largest_product_with_parity"] == 0).all())
    observed = "; ".join(f"D={r.variables}, T={r.leaves}: rank {r.rank} of {r.functions}" for r in _named(small))
    note = (
        "The conjectured converse holds: T-1 cuts bound a leaf in at most T-1 variables, so the rank is the sum of "
        "C(D, j)(m-1)^j over j < T, and with T <= D the product of the variables' signs is orthogonal to every tree."
    )
    return Verdict(decide(below and orthogonal), f"{observed}; largest product with parity 0", note)


def _named(rows: pd.DataFrame):
    return rows.itertuples(index=False)


def converges(tables: Frames) -> Verdict:
    """c03: with T > D, s_M -> -r in L2 and the error -> Bayes."""
    rows = tables["population_boosting"]
    rows = rows[rows["leaves"] > rows["variables"]]
    far, above = rows["distance"].max(), rows["error_above_bayes"].max()
    worst = rows.loc[rows["distance"].idxmax()]
    observed = f"largest ||s+r|| {far:.2g}, largest error above Bayes {above:.2g}, over {len(rows)} problems"
    note = f"Slowest: {worst['problem']}, T={worst['leaves']}, after {worst['steps']} steps. The xor needs a handful."
    return Verdict(decide(far < 0.05 and above < 1e-3), observed, note)


def small_trees(tables: Frames) -> Verdict:
    """c04: smaller trees reach Bayes if and only if they can approximate r."""
    rows = tables["population_boosting"]
    small = rows[rows["leaves"] <= rows["variables"]].set_index("problem")["error_above_bayes"]
    holds = small["additive"] < 1e-3 and bool((small.drop("additive") > 0.01).all())
    observed = "; ".join(f"{problem}: error above Bayes {value:.4f}" for problem, value in small.items())
    return Verdict(decide(bool(holds)), observed, "Trees with T <= D; only the additive r is a sum of stumps.")


def one_step(tables: Frames) -> Verdict:
    """c05: I_{M+1}^2 = I_M^2 (1 - b^2) at every step, and the loss never rises."""
    rows = tables["population_boosting"]
    gap, rise = rows["identity_gap"].max(), rows["largest_rise"].max()
    observed = (
        f"largest relative gap {gap:.1e}, largest rise of the loss {max(rise, 0):.1e}, {rows['steps'].sum()} steps"
    )
    note = (
        "The weight must be sqrt(p(1|x) p(-1|x)), whose root print has lost; cosh x - 1 >= x^2 is false (x^2/2 holds) "
        "and c = b + O(b^3); the proof survives both."
    )
    return Verdict(decide(gap < 1e-10 and rise < 1e-10), observed, note)


def kernel_properties(tables: Frames) -> Verdict:
    """c06: symmetric, one on the diagonal, positive semidefinite, blind to labels."""
    rows = tables["kernel_properties"]
    rows = rows[rows["of"].isin(["formula", "forest"])]
    worst = {
        "asymmetry": rows.loc[rows["quantity"].str.contains("asymmetry"), "value"].max(),
        "diagonal off 1": rows.loc[rows["quantity"].str.contains("diagonal"), "value"].max(),
        "change by other labels": rows.loc[rows["quantity"].str.contains("labels"), "value"].max(),
    }
    least = rows.loc[rows["quantity"].str.contains("eigenvalue"), "value"].min()
    holds = all(value < 1e-9 for value in worst.values()) and least >= -1e-9
    observed = ", ".join(f"{name} {value:.1e}" for name, value in worst.items()) + f", least eigenvalue {least:.1e}"
    return Verdict(decide(bool(holds)), observed, "A finite forest gives a semidefinite matrix; the limit is definite.")


def continuity(tables: Frames) -> Verdict:
    """c07: the change of K under a shift e falls to zero within Condition C's bound; forests converge to K."""
    rows = tables["kernel_properties"]
    shift = rows[rows["of"] == "shift"]
    change = shift[shift["quantity"] == "largest change"].sort_values("at")
    falling = bool(change.groupby(["variables", "leaves"])["value"].apply(lambda v: v.is_monotonic_increasing).all())
    bounded = bool((shift.loc[shift["quantity"] == "largest excess over the bound", "value"] <= 1e-9).all())
    forest = rows[rows["of"] == "trees"].sort_values("at")
    closer = bool(forest["value"].is_monotonic_decreasing)
    least = change.loc[change["at"].idxmin()]
    observed = f"change {least['value']:.4f} at e = {least['at']:g}, falling and within the bound; forests off by "
    observed += ", ".join(f"{r.value:.3f} at N = {r.at:g}" for r in forest.itertuples())
    note = "Condition C is exact here: v(e) = sup 1 - K(x-e, x+e). The limit printed as Theta is 0."
    return Verdict(decide(falling and bounded and closer), observed, note)


def averaging(tables: Frames) -> Verdict:
    """c08: votes agree with the kernel average on smooth problems."""
    rows = tables["vote_or_average"]
    rows = rows[(rows["rule"] == "vote") & (rows["cuts"] == "uniform")]
    smooth, circle = rows[rows["problem"] == "gaussians"], rows[rows["problem"] == "circle"]
    stated = circle[(circle["square"] == UNIT) & (circle["masses"] == "natural")]
    density = smooth[smooth["masses"] == "density"]
    observed = (
        f"Gaussians: agreement {smooth['agreement'].min():.3f} to {smooth['agreement'].max():.3f} over readings "
        f"({density['agreement'].min():.3f} or more where X follows the mixture); circle, as stated: "
        f"{stated['agreement'].min():.3f}, the vote errs {stated['error_less_than_average_by'].max():.1f} points less"
    )
    note = (
        "Averaged leaf integrals are the kernel form exactly; averaged leaf proportions, which the paper calls exact, "
        "are a third rule. Median and mean part company where the margin is skewed over trees."
    )
    return Verdict(judge(smooth["agreement_low"].min(), smooth["agreement_high"].max(), (0.9, 1.001)), observed, note)


def theorem_4(tables: Frames) -> Verdict:
    """c09: trees obey the printed formula to within 4 standard errors."""
    total = tables["kernel_test"].set_index("variables").loc["all"]
    observed = (
        f"{total['pairs']} random pairs: largest z {total['theorem_4_largest_z']:.1f} for the printed formula, "
        f"{total['exact_largest_z']:.1f} for the exact one (chi-square p {total['exact_p']:.2f})"
    )
    note = (
        "The proof lets cuts come from one side of the interval only. The printed kernel is a lower bound, exact when "
        "the interval touches a face in every variable or is cut at most once; docs/infinity-kernel.md has the exact "
        "form."
    )
    return Verdict(decide(bool(total["theorem_4_largest_z"] <= 4)), observed, note)


def permutation(tables: Frames) -> Verdict:
    """c10: the printed kernel depends on the |x_m - z_m| only and permuting them changes nothing."""
    rows = tables["kernel_properties"]
    change = rows.loc[rows["quantity"] == "printed, change by permuting variables", "value"].max()
    moved = rows.loc[rows["quantity"] == "exact, change by moving the pair", "value"].max()
    observed = f"largest change by permuting {change:.1e}"
    note = (
        f"Of the printed formula. The true kernel is invariant too, but moving a pair changes it by up to {moved:.3f}."
    )
    return Verdict(decide(bool(change < 1e-12)), observed, note)


def corollary_5(tables: Frames) -> Verdict:
    """c11: exp(-lambda city-block distance) is near the kernel for all M >= 5, T <= exp(M/2)."""
    rows = tables["corollary"]
    rows = rows[(rows["against"] == "Theorem 4") & (rows["pairs"] == "uniform in the cube")]
    log = rows[rows["form"].str.startswith("log")]
    harmonic = rows[rows["form"].str.startswith("H")]
    within = ", ".join(f"M={r.variables}, T={r.leaves}" for r in log[log["largest"] <= 0.15].itertuples())
    observed = "largest difference " + ", ".join(
        f"{r.largest:.2f} (M={r.variables}, T={r.leaves})" for r in log.itertuples()
    )
    note = (
        f"The paper gives no tolerance; 0.15 is ours. With H(T-1)/M, which log T replaces, the largest is "
        f"{harmonic['largest'].max():.2f}. Within 0.15: {within or 'none'}."
    )
    return Verdict(decide(bool(log["largest"].max() <= 0.15)), observed, note)


def figure_iii_1(tables: Frames) -> Verdict:
    """c12: -log U = lambda d to 0.02 for lambda up to 0.5."""
    rows = tables["kernel_errors"]
    rows = rows[rows["what"].str.startswith("-log U")]
    observed = "largest gap " + ", ".join(f"{r.largest:.4f} ({r.what.split(', ')[1]})" for r in rows.itertuples())
    return Verdict(decide(bool(rows["largest"].max() <= 0.02)), observed, "Equation 6 has lost a leading exp(-lambda).")


def sharper(tables: Frames) -> Verdict:
    """c13: the rise over Bayes falls with T on the circle, under both masses and every rule."""
    rows = tables["sharpness"]
    rows = rows[rows["problem"] == "circle"].sort_values("leaves")
    falls = rows.groupby(["masses", "rule"])["increase"].apply(lambda rise: bool((rise.diff().dropna() < 0).all()))
    shown = rows[(rows["masses"] == "natural") & (rows["rule"] == "exact kernel")]
    observed = "rise " + ", ".join(f"{r.increase:.1f} (T={r.leaves})" for r in shown.itertuples())
    note = f"Exact kernel, uniform P; falls in {falls.sum()} of {len(falls)} combinations of masses and rule, slowly."
    return Verdict(decide(bool(falls.all())), observed, note)


def _reading(tables: Frames, number: str) -> tuple[pd.DataFrame, pd.Series]:
    rows = tables["readings"]
    rows = rows[rows["number"] == number]
    return rows, rows[rows["nearest"]].iloc[0]


def gaussians(tables: Frames) -> Verdict:
    """c14: Bayes 39.9 and a rise of 0.6, each to half a point."""
    rows, nearest = _reading(tables, "Gaussians")
    rows = rows[rows["rule"].isin(["printed kernel", "exact kernel"])]
    inside = (rows["bayes"] - 39.9).abs().le(0.5) & (rows["increase"] - 0.6).abs().le(0.5)
    stated = rows[
        (rows["square"] == UNIT) & rows["exponent"].eq("exp(-r2/(2 s^2))") & rows["masses"].eq("density")
    ].iloc[0]
    unit = rows[(rows["square"] == UNIT) & (rows["masses"] == "density")]
    observed = (
        f"as stated on the unit square: Bayes {stated['bayes']:.2f}, rise {stated['increase']:.2f}; nearest reading "
        f"({nearest['exponent']}): {nearest['bayes']:.2f}, {nearest['increase']:.2f}"
    )
    note = (
        f"{inside.sum()} of {len(rows)} readings give both numbers. What survives them: with the centre of the "
        f"Gaussians at a corner of the unit square and X following the mixture the rise is "
        f"{unit['increase'].max():.1f} or less."
    )
    return Verdict(_verdict(inside), observed, note)


def linear(tables: Frames) -> Verdict:
    """c15: on the unit square the rise is below half a point."""
    rows, _ = _reading(tables, "linear")
    analytic = rows[(rows["square"] == UNIT) & rows["rule"].isin(["printed kernel", "exact kernel"])]
    share = analytic[analytic["cells"] == "share"]
    centre = analytic[analytic["cells"] == "centre"]
    observed = (
        f"rise {share['increase'].min():.2f} to {share['increase'].max():.2f} over grids, masses and both kernels"
    )
    note = (
        "Symmetry makes the true line a zero of the kernel average, but not the only one: at the two ends of the line "
        "the sign is reversed in small spots. Cells on the line given whole to class 1 "
        f"add a grid effect of up to {centre['increase'].max():.1f}."
    )
    return Verdict(judge(share["increase"].min(), share["increase"].max(), (0.0, 0.5)), observed, note)


def circle(tables: Frames) -> Verdict:
    """c16: a rise of 10.3 to two points, biased toward the outer class as the text has it."""
    rows, nearest = _reading(tables, "circle")
    rows = rows[rows["square"] == UNIT]
    value = rows["increase"].where(rows["unit"] == "probability", rows["area"])
    near = (value - 10.3).abs().le(2)
    inward = rows["bias"] < 0
    stated = rows[inward & rows["rule"].isin(["printed kernel", "exact kernel"])]["increase"]
    observed = (
        f"as stated (uniform P): rise {stated.min():.1f} to {stated.max():.1f}; nearest reading "
        f"({nearest['masses']} masses, {nearest['rule']}, in {nearest['unit']}): {value[nearest.name]:.1f}"
    )
    note = (
        f"{near.sum()} of {len(rows)} readings on the unit square come within 2 points; "
        f"{(near & inward).sum()} of them have the bias toward class -1 that the text describes: scaled classes put "
        "the boundary outside the circle."
    )
    return Verdict(NOT_REPRODUCED if not (near & inward).any() else _verdict(near[inward]), observed, note)


def skewed(tables: Frames) -> Verdict:
    """c17: triangular cuts cut the error to less than a third, the same reading before and after."""
    rows = tables["skewing"]
    unit = rows[rows["square"] == UNIT]
    least = unit.loc[unit["triangular_cuts"].idxmin()]
    observed = (
        f"ratio of errors {unit['ratio'].min():.2f} to {unit['ratio'].max():.2f} over {len(unit)} readings on the unit "
        f"square; printed 1.5/10.3 = 0.15"
    )
    note = (
        f"The error falls in {(unit['fall_low'] > 0).sum()} of {len(unit)} readings, the conclusion that survives, and "
        f"to a third in {(unit['ratio'] < 1 / 3).sum()}. The least, {least['triangular_cuts']:.1f}, is of "
        f"{least['rule']} with {least['masses']} masses; there uniform cuts give {least['uniform_cuts']:.1f}, not 10.3."
    )
    return Verdict(_verdict(unit["ratio"] < 1 / 3), observed, note)


def _verdict(inside: pd.Series) -> str:
    """All readings agree with print, none does, or some do."""
    return judge(float(inside.min()), float(inside.max()), (1.0, 1.0))


def bound(tables: Frames) -> Verdict:
    """c18: the rise is bounded by the integral of |D| over the symmetric difference: with equality."""
    rows = tables["bound"]
    gap = rows["largest_gap"].max()
    observed = f"largest gap {gap:.1e} over {rows['readings'].sum()} rules and readings"
    return Verdict(decide(bool(gap < 1e-12)), observed, "An equality, by definition of both sides.")


CLAIMS = {
    "infinity-c01": complete,
    "infinity-c02": incomplete,
    "infinity-c03": converges,
    "infinity-c04": small_trees,
    "infinity-c05": one_step,
    "infinity-c06": kernel_properties,
    "infinity-c07": continuity,
    "infinity-c08": averaging,
    "infinity-c09": theorem_4,
    "infinity-c10": permutation,
    "infinity-c11": corollary_5,
    "infinity-c12": figure_iii_1,
    "infinity-c13": sharper,
    "infinity-c14": gaussians,
    "infinity-c15": linear,
    "infinity-c16": circle,
    "infinity-c17": skewed,
    "infinity-c18": bound,
}
