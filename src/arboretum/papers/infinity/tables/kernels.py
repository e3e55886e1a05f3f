"""Section 7: the kernel by formula and by trees, Corollary 5, and the properties of section 6."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import chi2

from arboretum.measures.ties import first_greatest
from arboretum.papers.contract import mean_by, table
from arboretum.papers.infinity.tables.exact_keys import with_exact_keys
from arboretum.papers.results import Results, once

MAP_TIE = 1.5e-6  # maps are stored to six digits: a difference of one unit there is a tie
MAP_TOLERANCE = 2e-6
# A z-score divides a difference of nearly equal numbers by as little as 1e-6 / sqrt(trees): 1e-16 becomes 1e-8.
Z_TOLERANCE = 1e-6


@once
def kernel_shape_part(results: Results, part: str) -> pd.DataFrame:
    """The rows of one map or check of the experiment kernel_shape."""
    rows = results.raw["kernel_shape"]
    return with_exact_keys(rows[rows["part"] == part].reset_index(drop=True), "at_1", "at_2")


@table(
    title="The kernel three ways",
    keys=("variables", "leaves", "distance", "place"),
    sources=("kernel",),
    caption="Theorem 4 as printed, the exact kernel, and the share of the engine's purely random trees that hold both "
    "points in one leaf. The pair is at the same distance in every variable: from a face of the cube, a third of the "
    "way in, or about the centre.",
)
def kernel(results: Results) -> pd.DataFrame:
    """Theorem 4, the exact kernel and trees of the engine, by place in the cube."""
    rows = with_exact_keys(_with_z_scores(results.raw["kernel"].query("kind == 'layout'")), "distance")
    rows = rows.sort_values(["variables", "leaves", "distance", "place"], kind="stable")
    columns = ["variables", "leaves", "distance", "place", "theorem_4", "exact", "simulated"]
    columns += ["simulated_standard_error", "theorem_4_z", "exact_z", "log_form", "harmonic_form"]
    return rows[columns]


@table(
    title="Random pairs: which formula do trees obey?",
    keys=("variables", "leaves"),
    sources=("kernel",),
    tolerance=Z_TOLERANCE,
    caption="Each pair has trees of its own, so that the z-scores are independent: their squares sum to a chi-square "
    "if the formula is right.",
)
def kernel_test(results: Results) -> pd.DataFrame:
    """Random pairs, each with trees of its own: chi-square of the z-scores of both formulas."""
    rows = _with_z_scores(results.raw["kernel"].query("kind == 'random'"))
    groups = [((str(m), str(t)), group) for (m, t), group in rows.groupby(["variables", "leaves"])]
    return pd.DataFrame([_chi_squares(*case, group) for case, group in [*groups, (("all", "all"), rows)]])


def _with_z_scores(rows: pd.DataFrame) -> pd.DataFrame:
    """The share of trees that hold a pair in one leaf, and how many standard errors it is from each formula."""
    share = rows["together"] / rows["trees"]
    scores = {"simulated": share, "simulated_standard_error": np.sqrt(share * (1 - share) / rows["trees"])}
    for name in ("theorem_4", "exact"):
        # a kernel of exactly 0 or 1 has no spread; the floor keeps the score finite, and enormous if a tree disagrees
        spread = np.sqrt((rows[name] * (1 - rows[name])).clip(lower=1e-12) / rows["trees"])
        scores[f"{name}_z"] = (share - rows[name]) / spread
    return rows.assign(**scores)


def _chi_squares(variables: str, leaves: str, rows: pd.DataFrame) -> dict:
    found = {"variables": variables, "leaves": leaves, "pairs": len(rows), "trees_per_pair": int(rows["trees"].min())}
    for name in ("exact", "theorem_4"):
        z = rows[f"{name}_z"]
        found[f"{name}_chi_square"] = float((z**2).sum())
        found[f"{name}_p"] = float(chi2.sf((z**2).sum(), len(z)))
        found[f"{name}_largest_z"] = float(z.abs().max())
    return found


@table(
    title="Where the printed kernel and Figure III-1 err",
    keys=("what",),
    metrics=mean_by("what", "largest"),
    sources=("kernel_shape",),
    tolerance=MAP_TOLERANCE,
)
def kernel_errors(results: Results) -> pd.DataFrame:
    """Where the printed kernel errs: the largest and mean shortfall over pairs on the diagonal; Figure III-1's."""
    return pd.DataFrame([*_errors_of_theorem_4(results), *_errors_of_straight_lines(results)])


def _errors_of_theorem_4(results: Results) -> list[dict]:
    maps = kernel_shape_part(results, "error_map")
    keys = ["variables", "leaves", "at_1", "at_2"]
    wide = maps.pivot_table(index=keys, columns="quantity", values="value").reset_index()
    wide["gap"] = wide["exact"] - wide["printed"]
    rows = []
    for (variables, leaves), group in wide.groupby(["variables", "leaves"]):
        worst = group.iloc[first_greatest(group["gap"], tolerance=MAP_TIE)]
        face = group[group[["at_1", "at_2"]].isin([0.0, 1.0]).any(axis=1)]
        rows.append(
            {
                "what": f"exact kernel less Theorem 4, M={variables}, T={leaves}",
                "largest": group["gap"].max(),
                "mean": group["gap"].mean(),
                "least": group["gap"].min(),
                "largest_from_a_face": face["gap"].abs().max(),
                "where": f"x = {worst['at_1']:g}, z = {worst['at_2']:g} in every variable",
            }
        )
    return rows


def _errors_of_straight_lines(results: Results) -> list[dict]:
    rows = []
    for rate, group in kernel_shape_part(results, "appendix").groupby("at_1"):
        gap = (group["value"] - rate * group["at_2"]).abs()
        rows.append(
            {
                "what": f"-log U less lambda d, lambda = {rate:g}",
                "largest": gap.max(),
                "mean": gap.mean(),
                "least": gap.min(),
                "where": f"d = {group['at_2'].iloc[first_greatest(gap)]:g}",
            }
        )
    return rows


@table(
    title="Corollary 5",
    keys=("variables", "leaves", "pairs", "against", "form"),
    sources=("kernel_shape",),
    caption="Largest and mean difference of exp(-lambda city-block distance) from a kernel, and the largest difference "
    "as a share of the kernel.",
)
def corollary(results: Results) -> pd.DataFrame:
    """Corollary 5: how far exp(-lambda city-block distance) is from the kernels, largest, mean and largest relative."""
    rows = kernel_shape_part(results, "corollary")
    split = rows["quantity"].str.extract(r"(?P<form>\w+) - (?P<against>\w+), (?P<statistic>\w+)")
    wide = (
        pd.concat([rows[["variables", "leaves", "at_1", "value"]], split], axis=1)
        .pivot_table(index=["variables", "leaves", "at_1", "form", "against"], columns="statistic", values="value")
        .reset_index()
    )
    wide["pairs"] = np.where(wide.pop("at_1") == 0, "uniform in the cube", "with faces and corners")
    wide["form"] = wide["form"].map({"log": "log(T)/M, as printed", "harmonic": "H(T-1)/M"})
    wide["against"] = wide["against"].map({"printed": "Theorem 4", "exact": "exact kernel"})
    order = ["variables", "leaves", "pairs", "against", "form", "largest", "mean", "relative"]
    return wide[order].sort_values(order[:5], kind="stable")


@table(
    title="Properties i to v",
    keys=("of", "variables", "leaves", "quantity", "at"),
    sources=("kernel_shape",),
    caption="Of the formulas and of forests on random points; of the formulas on the corners of a box, where the least "
    "eigenvalue is zero unless T > M; of shifts (Condition C); of forests with more and more trees.",
)
def kernel_properties(results: Results) -> pd.DataFrame:
    """Properties i-v of section 6, Condition C of appendix II and its convergence, as numbers."""
    names = {"gram": "formula", "forest_gram": "forest", "corners": "corners of a box"}
    names |= {"continuity": "shift", "convergence": "trees"}
    rows = pd.concat([kernel_shape_part(results, part).assign(of=of) for part, of in names.items()])
    columns = ["of", "variables", "leaves", "quantity", "at", "value"]
    return rows.rename(columns={"at_1": "at"})[columns].sort_values(columns[:5], kind="stable")


@table(
    title="Are the level sets city-block balls?",
    keys=("variables", "leaves", "kernel", "place", "level"),
    sources=("kernel_shape",),
    caption="The city-block distance from z at which K(x, z) falls to a level, x along an axis and along the diagonal, "
    "away from the nearer faces. Place: every coordinate of z, 0.5 at the centre of the cube. A city-block ball has "
    "the ratio 1, a Euclidean one sqrt(M).",
)
def level_sets(results: Results) -> pd.DataFrame:
    """Section 7: the pyramid, as distances at which the kernel falls to a level in two directions."""
    rows = kernel_shape_part(results, "level_sets")
    split = rows["quantity"].str.extract(r"(?P<kernel>\w+), along an? (?P<line>\w+)")
    keys = ["variables", "leaves", "kernel", "place", "level"]
    places = rows[["variables", "leaves", "value", "at_1", "at_2"]].rename(columns={"at_1": "level", "at_2": "place"})
    wide = (
        pd.concat([places, split], axis=1)
        .pivot(index=keys, columns="line", values="value")
        .rename(columns={"axis": "along_an_axis", "diagonal": "along_a_diagonal"})
        .rename_axis(None, axis=1)
        .reset_index()
    )
    wide["kernel"] = wide["kernel"].map({"printed": "Theorem 4", "exact": "exact kernel"})
    wide["ratio"] = wide["along_a_diagonal"] / wide["along_an_axis"]
    return wide.sort_values(keys, kind="stable")


@once
def bounded_pairs(results: Results) -> pd.DataFrame:
    """One row per pair: its mean distance, both kernels, the upper bound and the Laplace kernel."""
    keys = ["variables", "leaves", "at_1"]
    rows = kernel_shape_part(results, "bounds").pivot(index=keys, columns="quantity", values="value")
    rows.columns = [name.lower().replace(" ", "_") for name in rows.columns]
    return rows.reset_index().rename(columns={"at_1": "pair"})


@table(
    title="Two bounds on the kernel",
    keys=("variables", "leaves"),
    sources=("kernel_shape",),
    caption="Theorem 4 <= K <= prod(1 - d/n) <= exp(-H d), d the mean distance over variables and n = 1, ..., T-1: "
    "docs/infinity-kernel.md proves it. The last is the Laplace kernel, that of a Mondrian forest. Columns that "
    "compare two of them hold the largest excess over pairs, which is at most zero, up to rounding, if the bound "
    "holds; the others are means over pairs.",
)
def kernel_bounds(results: Results) -> pd.DataFrame:
    """The kernel between its bounds on random pairs."""
    out = []
    for (variables, leaves), pairs in bounded_pairs(results).groupby(["variables", "leaves"]):
        out.append(
            {
                "variables": variables,
                "leaves": leaves,
                "pairs": len(pairs),
                "theorem_4_above_kernel": (pairs["theorem_4"] - pairs["exact_kernel"]).max(),
                "kernel_above_upper_bound": (pairs["exact_kernel"] - pairs["upper_bound"]).max(),
                "upper_bound_above_laplace": (pairs["upper_bound"] - pairs["laplace_kernel"]).max(),
                **{name: pairs[name].mean() for name in ("theorem_4", "exact_kernel", "upper_bound", "laplace_kernel")},
            }
        )
    return pd.DataFrame(out)
