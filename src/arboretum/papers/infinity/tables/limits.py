"""Beyond the paper: the limit of many variables, bandwidths, kernels on a sample, theorems and their checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.estimate import exact
from arboretum.papers.kit.stated import Stated, claims_of
from arboretum.papers.kit.verdicts import checks_table
from arboretum.papers.results import Results

FILE = Path(__file__).parents[1] / "theorems.yaml"
CASE = ["variables", "leaves"]
Z_TOLERANCE = 1e-6  # of z-scores, whose denominators are small
PLACE_TOLERANCE = 1e-5  # of the place of a flat maximum


@cache
def stated_theorems() -> dict[str, Stated]:
    return claims_of(FILE.read_text("utf-8"), FILE.name)


def wide(results: Results, part: str) -> pd.DataFrame:
    """The rows of one part of the experiment `limits`: a column for each quantity."""
    rows = results.raw["limits"]
    rows = rows[rows["part"] == part]
    return rows.pivot_table(index=CASE, columns="quantity", values="value").rename_axis(None, axis=1).reset_index()


@table(
    title="The kernel of many variables",
    keys=("leaves", "variables"),
    sources=("limits",),
    tolerance=PLACE_TOLERANCE,
    caption="Beyond print. gap: the largest U - K, at this distance in every variable. repeat bound: "
    "(H^2 - sum 1/n^2) / (2M). bound: the one of order log T log log T / M, where it is proved. constant: what M times "
    "the gap goes to. regime: H log H / M.",
)
def kernel_limit(results: Results) -> pd.DataFrame:
    """The largest U - K, with its bounds and its sharp constant."""
    rows = wide(results, "gap")
    rows["gap_times_variables"] = rows["gap"] * rows["variables"]
    columns = ["leaves", "variables", "gap", "distance", "repeat_bound", "bound", "gap_times_variables", "constant"]
    return rows[[*columns, "regime"]].sort_values(columns[:2], kind="stable")


@table(
    title="Bandwidths",
    keys=("variables", "leaves"),
    sources=("limits",),
    tolerance=1e-6,
    caption="Beyond print. The mean squared distance per variable of pairs that share a leaf: z uniform in the leaf "
    "of x (proportion), weighted by K (kernel), and of pairs that differ alike in both variables of the square "
    "(diagonal). slope: the power of 1/T since the row above.",
)
def bandwidths(results: Results) -> pd.DataFrame:
    """Squared bandwidths, and how fast they fall."""
    rows = wide(results, "bandwidth").drop(columns=["kernel, error", "proportion, error"])
    log = np.log(rows.set_index("variables")[["leaves", "proportion", "kernel", "diagonal"]])
    steps = log.groupby(level=0).diff().reset_index(drop=True)
    for name in ("proportion", "kernel", "diagonal"):
        rows[f"slope_{name}"] = -steps[name] / steps["leaves"]
    return rows


@table(
    title="The kernel on a finite sample",
    keys=("trees", "features", "cases"),
    sources=("limits",),
    tolerance=Z_TOLERANCE,
    caption="Beyond print. The exact kernel of PERT and of VR-Trees at alpha 0, by recursion over sets of training "
    "cases, and forests of the engine against it at random pairs.",
)
def finite_kernel(results: Results) -> pd.DataFrame:
    """Properties of both kernels on small samples."""
    found = [wide(results, rule).assign(trees=name) for rule, name in (("pert", "PERT"), ("vr", "VR-Trees, alpha 0"))]
    rows = pd.concat(found, ignore_index=True).rename(columns={"variables": "features", "leaves": "cases"})
    return rows[["trees", "features", "cases", *[c for c in rows if c not in ("trees", "features", "cases")]]]


def _first(results: Results) -> dict:
    pairs, gaps = wide(results, "pairs"), results.tables["kernel_limit"]
    return {
        "least U - K": exact(pairs["least U - K"].min()),
        "largest (U - K) - (U - Theorem 4)": exact(pairs["largest (U - K) - (U - Theorem 4)"].max()),
        "largest gap over its bound": exact((gaps["gap"] / gaps["repeat_bound"]).max()),
        "error of the closed form at T = 3": exact(pairs["largest error of the closed form at T = 3"].max()),
        "gain of unequal distances": exact(pairs["largest U - Theorem 4, less its largest at equal distances"].max()),
    }


def _second(results: Results) -> dict:
    gaps = results.tables["kernel_limit"]
    ratio = gaps["gap_times_variables"] / gaps["constant"]
    most = gaps[gaps["variables"] == gaps["variables"].max()]
    return {
        "M sup (U - K) over C_T, most variables": {f"T={t}": exact(ratio[i]) for i, t in most["leaves"].items()},
        "M sup (U - K) over C_T, largest": exact(ratio.max()),
        "C_T": {f"T={row.leaves}": exact(row.constant) for row in most.itertuples()},
    }


def _third(results: Results) -> dict:
    gaps = results.tables["kernel_limit"]
    near = gaps[gaps["regime"].between(0.5, 2)]
    return {
        "largest gap over the bound": exact((gaps["gap"] / gaps["bound"]).max()),
        "gap where log T log log T / M is near 1": {
            f"M={row.variables}, T={row.leaves}": exact(row.gap) for row in near.itertuples()
        },
    }


def _fourth(results: Results) -> dict:
    raw, last = wide(results, "bandwidth"), results.tables["bandwidths"].groupby("variables").last()
    z = wide(results, "sides").drop(columns=CASE)
    return {
        "product against recursion": exact(raw[["kernel, error", "proportion, error"]].max(axis=None)),
        "largest |z| of whole trees": exact(z.abs().max(axis=None)),
        "slope less 1/(2M), proportions": {
            f"M={m}": exact(slope - 1 / (2 * m)) for m, slope in last["slope_proportion"].items()
        },
        "slope less 4/(15M), kernel": {
            f"M={m}": exact(slope - 4 / (15 * m)) for m, slope in last["slope_kernel"].items()
        },
    }


def _fifth(results: Results) -> dict:
    large = results.tables["large_trees"].query("grid == grid.max() and masses == 'natural' and rule == 'exact kernel'")
    small = results.tables["sharpness"].query("problem == 'circle' and masses == 'natural'")
    diagonal = results.tables["bandwidths"]["slope_diagonal"].dropna()
    return {
        "slope of the rise on the circle": exact(-large["exponent"].iloc[-1]),
        "slope of the bandwidth along the diagonal": exact(diagonal.iloc[-1]),
        "slope of the rise, averaged proportions": _slope(small, "node proportion"),
        "slope of the rise, vote": _slope(small, "vote"),
    }


def _slope(rows: pd.DataFrame, rule: str):
    few, many = (row for _, row in rows[rows["rule"] == rule].sort_values("leaves").tail(2).iterrows())
    return exact(-np.log(many["increase"] / few["increase"]) / np.log(many["leaves"] / few["leaves"]))


def _sixth(results: Results) -> dict:
    rows = results.tables["finite_kernel"].groupby("trees")
    found = {name: rows[name].max() for name in ("asymmetry", "diagonal off 1", "largest K between classes")}
    found |= {
        "least eigenvalue": rows["least eigenvalue"].min(),
        "largest |z| of forests": rows["largest |z| of forests"].max(),
    }
    return {name: {trees: exact(value) for trees, value in values.items()} for name, values in found.items()}


ESTIMATES: Mapping[str, Callable[[Results], dict]] = {
    "infinity-t01": _first,
    "infinity-t02": _second,
    "infinity-t03": _third,
    "infinity-t04": _fourth,
    "infinity-t05": _fifth,
    "infinity-t06": _sixth,
}


@table(
    title="Statements beyond the paper",
    keys=("theorem", "check"),
    sources=("limits", "boundaries"),
    tolerance=PLACE_TOLERANCE,
    caption="What docs/infinity-kernel.md proves, and what was checked of it: each check beside its limits, judged as "
    "the claims of the paper are, but not counted among them.",
)
def theorems(results: Results) -> pd.DataFrame:
    """Every check of every theorem."""
    stated = stated_theorems()
    verdicts = [(stated[name], stated[name].judged(estimates(results))) for name, estimates in ESTIMATES.items()]
    rows = checks_table(verdicts).rename(columns={"claim": "theorem"})
    conclusions = {one.id: judged.conclusion for one, judged in verdicts}
    rows["statement"] = rows["theorem"].map({one.id: one.statement for one, _ in verdicts})
    rows["holds"] = rows["theorem"].map(conclusions).eq("reproduced")
    return rows[["theorem", "statement", "holds", "check", "value", "limit_low", "limit_high", "verdict"]]
