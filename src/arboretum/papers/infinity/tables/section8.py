"""Section 8: its printed numbers under every reading, uniform and triangular cuts, and how the error falls with T."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, less
from arboretum.papers.contract import table
from arboretum.papers.infinity.tables.exact_keys import PERCENT
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.estimate import Estimate, exact, in_per_cent, with_error
from arboretum.papers.results import Results, once

READING = ["problem", "square", "exponent", "masses", "cells", "grid", "cuts", "rule"]
UNIT_SQUARE = "[0, 1]^2"
NO_CHOICE = "-"  # stands where a problem does not have a choice: text, so that a csv reads back to the same
PRINTED_GRID = 200
NUMBERS = {  # our name of a printed number -> problem, cuts, problem in error_values.csv
    "Gaussians": ("gaussians", "uniform", "two-gaussians-sd0.71-sd1.36"),
    "linear": ("linear", "uniform", "linear-x1+x2<=1"),
    "circle": ("circle", "uniform", "circle-r2<=0.49"),
    "circle, skewed": ("circle", "triangular", "circle-r2<=0.49"),
}
ANALYTIC = ["printed kernel", "exact kernel"]
RAN_THE_KERNEL = ["Gaussians", "linear"]  # of these the text says that "the kernel 8)" was run: forests are no reading
BAYES, RISE = ("bayes", "Bayes rate"), ("increase", "rise over Bayes")  # column of readings, and what it is
ROOM = {  # what is printed of each number -> how far off, in points, still counts as the same number
    "Gaussians": {BAYES: 0.5, RISE: 0.1},
    "linear": {RISE: 0.1},
    "circle": {RISE: 2.0},
    "circle, skewed": {RISE: 0.5},
}
LITERAL = {  # section 8 as it stands: unit square, sd a standard deviation, P as stated, Theorem 4's kernel or a vote
    "Gaussians": {"exponent": "exp(-r2/(2 s^2))", "masses": "density", "rule": "printed kernel"},
    "linear": {"masses": "natural", "cells": "share", "rule": "printed kernel"},
    "circle": {"masses": "natural", "cells": "share", "rule": "printed kernel"},
    "circle, skewed": {"masses": "natural", "cells": "share", "rule": "kernel average"},
}


@once
def boundaries(results: Results) -> pd.DataFrame:
    """The raw rows, one per reading, tree size and rule."""
    return results.raw["boundaries"].replace({"exponent": {"": NO_CHOICE}, "cells": {"": NO_CHOICE}})


def kept(rows: pd.DataFrame, having: pd.Series) -> pd.DataFrame:
    """Of each problem the rows that have something; all where none has it, as in results of another reading."""
    return rows[having | ~having.groupby(rows["problem"]).transform("any")]


@once
def smallest_trees(results: Results) -> pd.DataFrame:
    """The rows of section 8 proper: trees of the printed size, which is the smallest."""
    rows = boundaries(results)
    return rows[rows["leaves"] == rows["leaves"].min()].reset_index(drop=True)


def forest_sizes(results: Results) -> set[int]:
    """The numbers of leaves with which forests were grown; larger trees have analytic kernels alone."""
    rows = boundaries(results)
    return set(rows.loc[rows["forests"] > 0, "leaves"])


def _estimate(value: float, error: float, forests: float) -> Estimate:
    """A mean over forests; an analytic kernel has none, and no noise."""
    return with_error(value, error, forests, f"{forests:g} forests") if forests else exact(value)


def _with_ends(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """The columns ``name``, ``name_low`` and ``name_high``: means over forests with their intervals."""
    columns = (rows[name], rows[f"{name}_se"], rows["forests"])
    return pd.DataFrame([with_ends(name, _estimate(*row)) for row in zip(*columns, strict=True)], index=rows.index)


# ------------------------------------------------------------------ readings


@table(
    title="Every reading of section 8",
    keys=("number", *READING),
    sources=("boundaries",),
    caption="Per cent. Masses: natural as stated, balanced with each class scaled to one half; for the Gaussians, "
    "density (X follows the mixture) or uniform. Cells on the boundary count by the share of their area or by their "
    "centre. Area: share of the square where the rule differs from the Bayes rule; bias: area given to class +1 in "
    "excess, which the text has below zero for the circle. Nearest: no other reading comes nearer to print by more "
    "than rounding; for the Gaussians and the line, of which the text says that the kernel was run, no forest is one.",
)
def readings(results: Results) -> pd.DataFrame:
    """Every reading of section 8's numbers, in per cent, with those nearest to print marked."""
    rows = smallest_trees(results)
    out = rows[READING].copy()
    for name in ("bayes", "bias"):
        out[name] = PERCENT * rows[name]
    for name in ("increase", "area"):
        out = out.join(PERCENT * _with_ends(rows, name))
    out["number"] = [_number_of(problem, cuts) for problem, cuts in zip(out["problem"], out["cuts"], strict=True)]
    printed = _printed_numbers(results)
    out["bayes_printed"] = out["number"].map(printed["bayes_rate_pct"]).where(out["problem"] == "gaussians")
    out["increase_printed"] = out["number"].map(printed["increase_over_bayes_pct"])
    out["increase_difference"] = out["increase"] - out["increase_printed"]
    out["distance"], out["unit"] = _distance(out)
    allowed = out["rule"].isin(ANALYTIC) | ~out["number"].isin(RAN_THE_KERNEL)
    least = out["distance"].where(allowed).groupby(out["number"]).transform("min")
    out["nearest"] = allowed & at_most(out["distance"], least)
    columns = ["number", *READING, "unit", "bayes", "bayes_printed", "increase", "increase_printed", "increase_low"]
    columns += ["increase_high", "increase_difference", "area", "area_low", "area_high", "bias", "distance", "nearest"]
    return out[columns].sort_values(["number", *READING], kind="stable")


def _number_of(problem: str, cuts: str) -> str:
    """The printed number that a reading is a reading of; optimal cuts have none."""
    return next((name for name, (p, c, _) in NUMBERS.items() if (p, c) == (problem, cuts)), NO_CHOICE)


def _printed_numbers(results: Results) -> pd.DataFrame:
    rows = results.printed["error_values"]
    skewed = rows["kernel"].str.contains("triangular")
    numbers = {
        name: rows[(rows["problem"] == problem) & (skewed == (cuts == "triangular"))].iloc[0]
        for name, (_, cuts, problem) in NUMBERS.items()
    }
    return pd.DataFrame(numbers).T[["bayes_rate_pct", "increase_over_bayes_pct"]].astype(float)


def _distance(out: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """How far a reading is from print, and whether the nearer unit is probability or area.

    The Gaussians have two printed numbers; their distance is the sum of both, in probability. Where the classes
    are scaled the paper's per cent may be of the area.
    """
    mass = (out["increase"] - out["increase_printed"]).abs()
    mass += (out["bayes"] - out["bayes_printed"]).abs().fillna(0.0)
    area = (out["area"] - out["increase_printed"]).abs().where(out["problem"] != "gaussians", np.inf)
    nearer_area = less(area, mass)
    return mass.where(~nearer_area, area), pd.Series(np.where(nearer_area, "area", "probability"), index=out.index)


@table(
    title="The numbers of section 8",
    keys=("number",),
    sources=("boundaries",),
    caption="Per cent. As stated: unit square, sd taken as a standard deviation, P as the text has it, Theorem 4's "
    "kernel. Nearest: the reading that comes nearest to print, the first in order of its keys if several do. Least and "
    "greatest over all readings on the unit square.",
)
def section8(results: Results) -> pd.DataFrame:
    """The five numbers of section 8: as the text stands, at the nearest reading, and over all readings."""
    rows = results.tables["readings"]
    out = []
    for number, group in rows[rows["number"] != NO_CHOICE].groupby("number", sort=False):
        literal, nearest = as_stated(group, number), group[group["nearest"]].iloc[0]
        for (name, label), tolerance in ROOM[number].items():
            found = _beside_print(group, literal, nearest, name)
            within = at_most(abs(found["nearest"] - found["value_printed"]), tolerance)
            shared = {"tolerance": tolerance, "readings": len(group), "within_tolerance": bool(within)}
            out.append({"number": f"{number}: {label}", **found, **shared, "nearest_reading": _in_words(nearest)})
    return pd.DataFrame(out)


def as_stated(readings_of_number: pd.DataFrame, number: str) -> pd.Series:
    """The reading of a printed number that takes section 8 as it stands, on its grid or else the finest."""
    rows = kept(readings_of_number, readings_of_number["square"] == UNIT_SQUARE)
    grid = PRINTED_GRID if PRINTED_GRID in set(rows["grid"]) else rows["grid"].max()
    rows = rows[rows["grid"] == grid]
    for column, value in LITERAL[number].items():
        rows = kept(rows, rows[column].str.startswith(value))
    return rows.iloc[0]


def _beside_print(group: pd.DataFrame, literal: pd.Series, nearest: pd.Series, name: str) -> dict[str, float]:
    unit_square = kept(group, group["square"] == UNIT_SQUARE)
    in_area = name == "increase" and nearest["unit"] == "area"
    return {
        "value_printed": nearest[f"{name}_printed"],
        "as_stated": literal[name],
        "nearest": nearest["area" if in_area else name],
        "least_on_unit_square": unit_square[name].min(),
        "greatest_on_unit_square": unit_square[name].max(),
    }


def _in_words(row: pd.Series) -> str:
    parts = [row["square"], row["exponent"], f"{row['masses']} masses", row["rule"], f"grid {row['grid']}"]
    parts.append("" if row["cells"] == NO_CHOICE else f"boundary cells by {row['cells']}")
    return ", ".join(part for part in [*parts, f"in {row['unit']}"] if part not in ("", NO_CHOICE))


# ------------------------------------------------------------------ cuts, leaves, rules


@table(
    title="Uniform and triangular cuts",
    keys=("square", "masses", "cells", "grid", "rule"),
    sources=("boundaries",),
)
def skewing(results: Results) -> pd.DataFrame:
    """Uniform against triangular cuts on the circle, the same reading on both sides."""
    rows = smallest_trees(results).query("problem == 'circle' and forests > 0")
    keys = ["square", "masses", "cells", "grid", "rule"]
    out = []
    for case, group in rows.groupby(keys):
        cuts = group.set_index("cuts")
        uniform, skewed = cuts.loc["uniform"], cuts.loc["triangular"]
        se = float(np.hypot(uniform["increase_se"], skewed["increase_se"]))
        forests = uniform["forests"]  # of each kind of cuts
        fall = with_error(
            uniform["increase"] - skewed["increase"], se, 2 * forests - 1, f"{forests} and {forests} forests"
        )
        found = dict(zip(keys, case, strict=True))
        found |= {f"{name}_cuts": PERCENT * cuts.loc[name, "increase"] for name in cuts.index}
        out.append(found | with_ends("fall", in_per_cent(fall)) | {"ratio": skewed["increase"] / uniform["increase"]})
    return pd.DataFrame(out)


@table(
    title="The rise over Bayes by number of leaves",
    keys=("problem", "exponent", "masses", "rule", "leaves"),
    sources=("boundaries",),
)
def sharpness(results: Results) -> pd.DataFrame:
    """Section 7: the rise over Bayes as trees grow, on the unit square with uniform cuts."""
    rows = growing_trees(results)
    out = rows[["problem", "exponent", "masses", "rule", "leaves"]].copy()
    out = out.join(PERCENT * _with_ends(rows, "increase"))
    return out.sort_values(["problem", "exponent", "masses", "rule", "leaves"], kind="stable")


@once
def growing_trees(results: Results) -> pd.DataFrame:
    """The raw rows of the unit square at the numbers of leaves of which forests were grown, on the grid they share."""
    rows = boundaries(results)
    rows = rows[rows["cuts"] == "uniform"]
    rows = kept(rows, rows["square"] == UNIT_SQUARE)
    rows = kept(rows, rows["cells"] != "centre")
    rows = rows[rows["leaves"].isin(forest_sizes(results))]
    sizes = rows.groupby("leaves")["grid"].agg(lambda grids: set(grids))
    rows = rows[rows["grid"].isin(set.intersection(*sizes))]
    return rows.assign(rule=rows["rule"].str.replace(r", \d+ trees", "", regex=True))


@table(
    title="How fast the loss falls to Bayes",
    keys=("masses", "rule", "grid", "leaves"),
    sources=("boundaries",),
    caption="Beyond print: the rise over Bayes on the circle with the analytic kernels, per cent, for trees up to far "
    "more leaves than forests could be grown with. Exponent: the power of T with which the rise changed since the row "
    "above. Two grids show what the grid adds.",
)
def large_trees(results: Results) -> pd.DataFrame:
    """Section 7: in the limit of sharpness the loss goes to the Bayes risk; how fast?"""
    rows = boundaries(results)
    rows = rows[rows["problem"] == "circle"]
    rows = kept(rows, rows["square"] == UNIT_SQUARE)
    rows = kept(rows, rows["cells"] == "share")
    rows = rows[(rows["forests"] == 0) & (rows["cuts"] == "uniform")]
    grids = set(rows.loc[rows["leaves"] > max(forest_sizes(results)), "grid"])
    rows = rows[rows["grid"].isin(grids)]
    shared = set.intersection(*(set(group["leaves"]) for _, group in rows.groupby("grid")))
    keys = ["masses", "rule", "grid", "leaves"]
    out = rows.loc[rows["leaves"].isin(shared), [*keys, "increase"]].sort_values(keys, kind="stable")
    out["increase"] *= PERCENT
    steps = out.groupby(["masses", "rule", "grid"])[["increase", "leaves"]].transform(
        lambda column: np.log(column).diff()
    )
    return out.assign(exponent=steps["increase"] / steps["leaves"])


@table(
    title="Voting and averaging",
    keys=("problem", "square", "exponent", "masses", "cells", "grid", "cuts", "rule"),
    sources=("boundaries",),
)
def vote_or_average(results: Results) -> pd.DataFrame:
    """Section 6: how often vote and node proportion agree with the kernel average of the same forest."""
    rows = smallest_trees(results).query("forests > 0")
    keys = ["problem", "square", "exponent", "masses", "cells", "grid", "cuts"]
    averaged = rows[rows["rule"].str.startswith("kernel")].set_index(keys)["increase"]
    others = rows[~rows["rule"].str.startswith("kernel")]
    out = others[keys].copy()
    out["rule"] = others["rule"].str.replace(r", \d+ trees", "", regex=True)
    out = out.join(_with_ends(others, "agreement"))
    mean = averaged.loc[pd.MultiIndex.from_frame(others[keys])].to_numpy()
    out["error_less_than_average_by"] = PERCENT * (mean - others["increase"].to_numpy())
    return out.sort_values([*keys, "rule"], kind="stable")


@table(
    title="The bound on the rise over Bayes",
    keys=("problem",),
    sources=("boundaries",),
)
def bound(results: Results) -> pd.DataFrame:
    """Section 8, equation 9: the integral of |D| over the symmetric difference less the rise over Bayes."""
    grouped = boundaries(results).groupby("problem")["bound_gap"]
    out = pd.DataFrame({"readings": grouped.size(), "largest_gap": grouped.apply(lambda gap: gap.abs().max())})
    return out.reset_index()
