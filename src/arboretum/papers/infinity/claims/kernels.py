"""Sections 6 and 7, appendices II and III: properties of the kernel, Theorem 4, Corollary 5, more leaves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from arboretum.measures.ties import equal, first_greatest, less
from arboretum.papers.infinity.claims.readings import fall, over_forests, over_readings
from arboretum.papers.infinity.tables.kernels import MAP_TOLERANCE, Z_TOLERANCE
from arboretum.papers.infinity.tables.section8 import UNIT_SQUARE, growing_trees, kept, smallest_trees
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import exact
from arboretum.papers.results import Results

CENTRE = 0.5  # of the cube, in every variable
FIGURE_1 = "M=2, T=3"


def by_case(rows: pd.DataFrame, column: str) -> dict:
    """A column by number of variables M and of leaves T."""
    return {f"M={m}, T={t}": exact(x) for m, t, x in zip(rows["variables"], rows["leaves"], rows[column], strict=True)}


def not_falling(groups, column: str):
    """At how many steps within the groups the next value does not lie below the one before it."""
    steps = groups[column].diff().dropna()
    return exact((~less(steps, 0.0)).sum())


@claim("infinity-c06", evidence=("kernel_properties",))
def kernel_is_positive_definite(results: Results):
    """Departures from properties i to iv on random points; the least eigenvalue on the corners of a box."""
    rows = results.tables["kernel_properties"]
    corners = rows[(rows["of"] == "corners of a box") & rows["quantity"].str.startswith("exact")]
    few = corners["leaves"] <= corners["variables"]
    rows = rows[rows["of"].isin(["formula", "forest"])]
    values = {
        name: rows.loc[rows["quantity"].str.contains(name), "value"]
        for name in ("asymmetry", "diagonal", "labels", "eigenvalue")
    }
    return {
        "least eigenvalue": exact(values.pop("eigenvalue").min()),
        "departure": {name: exact(found.max()) for name, found in values.items()},
        "eigenvalue on corners, T <= M": exact(corners.loc[few, "value"].abs().max()),
        "eigenvalue on corners, T = M + 1": exact(corners.loc[~few, "value"].min()),
    }


@claim("infinity-c07", evidence=("kernel_properties",))
def kernel_is_continuous(results: Results):
    """The change of K under smaller and smaller shifts, Condition C's bound, and forests of more and more trees."""
    rows = results.tables["kernel_properties"].set_index("at")  # in order of leaves, quantity and shift or trees
    shift, trees = rows[rows["of"] == "shift"], rows.loc[rows["of"] == "trees", "value"]
    change = shift[shift["quantity"] == "largest change"]
    return {
        "fall of the change": {
            f"T={leaves}, e = {large:g} to {small:g}": exact(group[large] - group[small])
            for leaves, group in change.groupby("leaves")["value"]
            for small, large in pairwise(group.index)
        },
        "excess over the bound": exact(shift.loc[shift["quantity"] == "largest excess over the bound", "value"].max()),
        "fall of the distance from K": {
            f"{few:g} to {many:g} trees": exact(trees[few] - trees[many]) for few, many in pairwise(trees.index)
        },
    }


@claim("infinity-c08", evidence=("vote_or_average",))
def vote_agrees_with_kernel_average(results: Results):
    """Share of X on which averaged class probabilities and votes agree with the kernel average of the same forest."""
    rows = smallest_trees(results).query("forests > 0 and cuts == 'uniform'")
    rows = rows.assign(agreement=[over_forests(row, "agreement", 1.0) for _, row in rows.iterrows()])
    votes, averages = (rows[rows["rule"].str.startswith(rule)] for rule in ("vote", "node proportion"))
    smooth = votes[votes["problem"] == "gaussians"]
    circle = votes[votes["problem"] == "circle"]
    circle = kept(circle, circle["square"] == UNIT_SQUARE)
    circle = kept(circle, circle["masses"] == "natural")
    mixture = kept(smooth, smooth["masses"] == "density")
    return {
        "averaged class probabilities, least": min(averages["agreement"], key=lambda one: one.value),
        "vote, Gaussians": over_readings(smooth["agreement"]),
        "vote, Gaussians, X from the mixture": over_readings(mixture["agreement"]),
        "vote, circle as stated": over_readings(circle["agreement"]),
    }


@claim("infinity-c09", evidence=("kernel_error_map", "kernel", "kernel_test"), tolerance=Z_TOLERANCE)
def theorem_4_is_the_kernel_of_trees(results: Results):
    """How many standard errors trees are from both formulas, over random pairs of points."""
    total = results.tables["kernel_test"].set_index("variables").loc["all"]
    return {
        "largest |z|, Theorem 4": exact(total["theorem_4_largest_z"]),
        "largest |z|, exact kernel": exact(total["exact_largest_z"]),
        "chi-square p, exact kernel": exact(total["exact_p"]),
        "pairs": exact(total["pairs"]),
    }


@claim("infinity-c10", evidence=("kernel_properties",))
def printed_kernel_is_permutation_invariant(results: Results):
    """The largest change of the kernel by permuting the variables, and by moving both points."""
    largest = results.tables["kernel_properties"].groupby("quantity")["value"].max()
    return {
        "change by permuting": exact(largest["printed, change by permuting variables"]),
        "change by moving the pair": exact(largest["printed, change by moving the pair"]),
        "change by moving the pair, exact kernel": exact(largest["exact, change by moving the pair"]),
    }


@claim("infinity-c11", evidence=("corollary", "kernel_between_bounds"))
def kernel_is_exponential_in_distance(results: Results):
    """The largest difference of exp(-lambda distance) from Theorem 4, absolute and as a share of the kernel."""
    rows = results.tables["corollary"].query("against == 'Theorem 4' and pairs == 'uniform in the cube'")
    log, harmonic = (rows[rows["form"].str.startswith(form)] for form in ("log", "H"))
    return {
        "absolute difference": by_case(log, "largest"),
        "relative difference": by_case(log, "relative"),
        "absolute difference, H(T-1)/M": exact(harmonic["largest"].max()),
        "relative difference, H(T-1)/M": exact(harmonic["relative"].max()),
    }


@claim("infinity-c12", evidence=("figure_iii_1", "kernel_errors"), tolerance=MAP_TOLERANCE)
def minus_log_u_is_linear(results: Results):
    """The largest difference of -log U from lambda d."""
    rows = results.tables["kernel_errors"].set_index("what")["largest"]
    return {"gap": {what.split(", ")[1]: exact(gap) for what, gap in rows.items() if what.startswith("-log U")}}


@claim("infinity-c13", evidence=("figure1", "level_sets", "sharpness_curve", "loss_to_bayes", "large_trees"))
def sharper_pyramid_less_error(results: Results):
    """Level sets along diagonal and axis, farthest from 1, and how the rise over Bayes falls with more leaves."""
    levels = results.tables["level_sets"].sort_values("leaves", kind="stable")
    nearer = levels.groupby(["kernel", "variables", "place", "level"])
    place = np.where(equal(levels["place"], CENTRE), "about the centre", "near a corner")
    kernel = levels["kernel"].where(
        levels["kernel"] == "Theorem 4", "kernel of trees " + pd.Series(place, levels.index)
    )
    farthest = levels.groupby([kernel, "variables", "leaves"])["ratio"].agg(
        lambda ratio: ratio.iloc[first_greatest((ratio - 1).abs())]
    )
    ratios = {name: by_case(rows.reset_index(), "ratio") for name, rows in farthest.groupby(level=0)}
    circle = growing_trees(results).query("problem == 'circle'").sort_values("leaves", kind="stable")
    large = results.tables["large_trees"].query("grid == grid.max()")
    rise = large[large["rule"] == "exact kernel"]
    rise = rise[(rise["masses"] == "natural") | (rise["masses"] != "natural").all()]
    return {
        "diagonal over axis, Figure 1": {name: cases.pop(FIGURE_1) for name, cases in ratios.items()},
        **{f"diagonal over axis, {name}": cases for name, cases in ratios.items()},
        "levels not nearer along an axis": not_falling(nearer, "along_an_axis"),
        "levels not nearer along a diagonal": not_falling(nearer, "along_a_diagonal"),
        "fall of the rise over Bayes": {
            f"{masses}, {rule}, T={few['leaves']} to {many['leaves']}": fall(few, many)
            for (masses, rule), group in circle.groupby(["masses", "rule"])
            for (_, few), (_, many) in pairwise(group.iterrows())
        },
        "steps of large trees without a fall": not_falling(large.groupby(["masses", "rule"]), "increase"),
        "rise over Bayes": {f"T={row.leaves}": exact(row.increase) for row in rise.itertuples()},
    }
