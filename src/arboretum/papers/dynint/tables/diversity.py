"""Beyond print: dynamic integration of other ensembles than random forests."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import less
from arboretum.papers.contract import mean_by, table
from arboretum.papers.dynint.tables.studies import STAND_IN
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results, once


@once
def ensemble_runs(results: Results) -> pd.DataFrame:
    """What each set and run says of an ensemble: disagreement of its trees, their accuracy, and gains of DVS."""
    frame = results.raw["diversity"].set_index(["ensemble", "dataset", "repetition"])
    cases, trees = frame["cases"], frame["trees"]
    return pd.DataFrame(
        {
            "disagreement": 1 - frame["agreements"] / (cases * trees * (trees - 1)),
            "tree_accuracy": frame["right_all"] / (cases * trees),
            "voting": frame["right_sv"] / cases,
            "dvs": frame["right_dvs"] / cases,
            "gain": (frame["right_dvs"] - frame["right_sv"]) / cases,
            "margin_gain": (frame["margin_dvs"] - frame["margin_sv"]) / cases,
        }
    )


@table(
    title="Dynamic integration of more diverse trees",
    keys=("ensemble",),
    metrics=mean_by("ensemble", "gain"),
    sources=("diversity",),
    caption=(
        f"All ensembles of 100 trees on bootstrap samples, all sets without {STAND_IN}; DVSrfw, 15 neighbours. "
        "disagreement: share of pairs of trees that differ on a case; gain: accuracy of DVS less that of voting. "
        "Intervals: 95%, from the spread between repetitions. sets: with a higher and with a lower accuracy by DVS."
    ),
)
def diversity(results: Results) -> pd.DataFrame:
    """Does the gain of dynamic integration grow with the diversity of the trees?"""
    runs = ensemble_runs(results)
    by_run = runs.groupby(level=["ensemble", "repetition"]).mean()
    by_set = runs["gain"].groupby(level=["ensemble", "dataset"]).mean()
    rows = []
    for ensemble in sorted(by_run.index.unique("ensemble"), key=position):
        row = {"ensemble": ensemble}
        for column, values in by_run.loc[ensemble].items():
            found = with_ends(str(column), mean_of(values.to_numpy()))
            row |= found if column in ("disagreement", "gain", "margin_gain") else {column: found[column]}
        row["sets_higher"] = int(less(0, by_set[ensemble]).sum())
        row["sets_lower"] = int(less(by_set[ensemble], 0).sum())
        rows.append(row)
    return pd.DataFrame(rows)


def position(ensemble: str) -> tuple[int, float, str]:
    """Random forest first, then VR-Trees by alpha, then the others by name."""
    if ensemble.startswith("VR-Trees"):
        return 1, float(ensemble.split()[-1]), ensemble
    return (0, 0.0, ensemble) if ensemble == "random forest" else (2, 0.0, ensemble)


@table(
    title="Gain and diversity, set by set",
    keys=("ensemble", "dataset"),
    sources=("diversity",),
    caption="Means over repetitions.",
)
def diversity_by_set(results: Results) -> pd.DataFrame:
    """The same for each set."""
    mean = ensemble_runs(results).groupby(level=["ensemble", "dataset"]).mean().reset_index()
    mean["place"] = [position(name) for name in mean["ensemble"]]
    return mean.sort_values(["place", "dataset"]).drop(columns="place").reset_index(drop=True)
