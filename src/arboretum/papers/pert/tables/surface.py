"""Section 6: interpolation, continuity and multilinearity of the surface Q, and how forests approach it."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.pert.tables.keys import with_equal_keys
from arboretum.papers.results import Results, once


@once
def posterior_rows(results: Results) -> pd.DataFrame:
    """The rows of the experiment, with places that compare as equal where they are."""
    return with_equal_keys(results.raw["posterior"], "at_1", "at_2")


def rows_of_part(results: Results, *parts: str) -> pd.DataFrame:
    frame = posterior_rows(results)
    return frame[frame["part"].isin(parts)]


@table(
    title="Section 6: the surface Q",
    keys=("features", "cases"),
    sources=("posterior",),
    caption=(
        "Worst case over random samples. bend: second difference along one axis, within a block and across its "
        "border. jump: change of Q from a shift before a border to the same shift behind it. z: forests against Q, "
        "in standard errors; the tests of one sample share a forest and are not independent."
    ),
)
def posterior(results: Results) -> pd.DataFrame:
    """Interpolation, continuity and multilinearity of Q, worst case of all samples; and forests against Q."""
    rows = []  # counts are stored as floats, beside other quantities: round() makes whole numbers of them again
    for (features, cases), group in rows_of_part(results, "checks").groupby(["features", "cases"]):
        by = group.groupby("quantity")["value"]
        worst, total = by.max(), by.sum()
        row = {"features": features, "cases": cases, "samples": group["number"].nunique()}
        row["sets_of_cases"] = round(worst["sets of cases"])
        row["largest_departure_from_the_labels"] = worst["largest departure from the labels"]
        jumps = group[group["quantity"] == "largest jump"].groupby("at_1")["value"].max()
        row |= {f"largest_jump_at_{shift:g}": jump for shift, jump in jumps.items()}
        for where in ("within a block", "across a border"):
            row[f"largest_bend_{where.replace(' ', '_')}"] = worst[f"largest second difference {where}"]
        row["trees"] = round(group.loc[group["quantity"] == "training errors of the trees", "at_1"].max())
        row["training_errors_of_trees"] = round(total["training errors of the trees"])
        for short, name in (("forest", "forest less Q"), ("forest_bend", "second difference of the forest")):
            row[f"{short}_tests"] = round(total[f"{name}: tests"])
            row[f"{short}_beyond_three"] = round(total[f"{name}: beyond three standard errors"])
            row[f"{short}_largest_z"] = worst[f"{name}: largest"]
            row[f"{short}_mean_squared_z"] = total[f"{name}: sum of squares"] / total[f"{name}: tests"]
        rows.append(row)
    return pd.DataFrame(rows)


@table(
    title="Section 6: forests approach Q",
    keys=("trees",),
    sources=("posterior",),
    caption="Root mean square over points, mean over forests; expected: of independent trees with these Q.",
)
def convergence(results: Results) -> pd.DataFrame:
    """Distance of forests from Q, mean over forests, as the number of trees grows."""
    frame = rows_of_part(results, "convergence")
    wide = frame.pivot_table(index="at_1", columns="quantity", values="value", aggfunc="mean")
    by_trees = frame[frame["quantity"] == "root mean square"].groupby("at_1")["value"]
    distance = pd.DataFrame([with_ends("distance", mean_of(runs.to_numpy())) for _, runs in by_trees])
    return pd.DataFrame(
        {
            "trees": wide.index.astype(int),
            **distance,
            "expected_distance": wide["expected root mean square"].to_numpy(),
            "largest_distance": wide["largest"].to_numpy(),
        }
    )
