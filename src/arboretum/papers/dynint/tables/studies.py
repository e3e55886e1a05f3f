"""Accuracy and margin of every study, and means over studies: what tables, figures and claims of dynint are made of.

A study is the printed protocol, 30 splits; further ones have splits of their own, or, of a generated set, a drawing of
their own. A frame has one row per set, strategy, scheme, number of trees and number of neighbours, and one column per
study (or per split: what paired tests look at). Cells of studies that a set does not have are empty. Simple voting
(``sv``) has neither scheme nor neighbours: an empty name and 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from arboretum.measures.paired import statistic
from arboretum.papers.dynint.experiments.integrated import STRATEGIES
from arboretum.papers.dynint.experiments.replications import summed
from arboretum.papers.inventory import beside_print
from arboretum.papers.results import NotRun, Results, once

SCHEMES = ("heom", "heomw", "rf", "rfw")
STAND_IN = "images"  # windows of two other photographs than the paper's, which are not public
STUDIES = ("accuracy", "replications", "further", "draws")  # the experiments that studies come from
TREES, NEIGHBOURS = 100, 15  # the configuration of Tables 2 and 3
AXES = ["dataset", "strategy", "scheme", "trees", "neighbours"]


@once
def printed_sets(results: Results) -> pd.DataFrame:
    """The sets of this profile in the order of print: dataset, printed_as, status, and the columns of Table 1."""
    return beside_print(results.sets, results.printed["table1_datasets"])


def sets_run(results: Results) -> pd.DataFrame:
    """Those of them whose data there are; readings leave one of them out for its cost."""
    sets = printed_sets(results)
    known = results.raw["accuracy"]["dataset"] if "accuracy" in set(results.raw) else sets["dataset"]
    return sets[(sets["status"] == "available") & sets["dataset"].isin(known)]


def improved_in_print(results: Results) -> list[str]:
    """The sets of this profile among the 12 on which the paper finds an improvement, in its order."""
    sets = sets_run(results)
    return list(sets.loc[sets["in_12_improved"] == 1, "dataset"])


def others(results: Results) -> list[str]:
    """The sets of this profile that are not among those 12."""
    sets = sets_run(results)
    return list(sets.loc[sets["in_12_improved"] == 0, "dataset"])


def without_stand_in(names: Sequence[str]) -> list[str]:
    return [name for name in names if name != STAND_IN]


# ------------------------------------------------------------------ runs and studies


def runs_of(frame: pd.DataFrame, value: str, by: str = "repetition") -> pd.DataFrame:
    """Shares of the cases held out that are right, or mean margins, from raw rows; one column per run.

    ``value`` is "right" or "margin", ``by`` the column that numbers the runs.
    """
    parts = []
    for strategy in ("sv", *STRATEGIES):
        column = f"{value}_{strategy}"
        if column not in frame:
            continue
        rows = frame[["dataset", "scheme", "trees", "neighbours", by]].assign(strategy=strategy)
        rows["share"] = frame[column] / frame["cases"]
        if strategy == "sv":
            rows = rows.assign(scheme="", neighbours=0).drop_duplicates([*AXES, by])
        parts.append(rows)
    return pd.concat(parts).pivot(index=AXES, columns=by, values="share").sort_index()


def ask_for(results: Results, table: str) -> None:
    """Stop, as asking for that table would, where a profile does not run its experiments."""
    if table not in results.tables.shown:
        raise NotRun(table)


@once
def accuracy_runs(results: Results) -> pd.DataFrame:
    """Accuracy on each of the 30 splits of the printed protocol."""
    ask_for(results, "table2")
    return runs_of(results.raw["accuracy"], "right")


@once
def margin_runs(results: Results) -> pd.DataFrame:
    """Mean margin (equation 7) on each of these splits; DS has none, it would follow from its accuracy."""
    ask_for(results, "table3")
    return runs_of(results.raw["accuracy"], "margin")


@once
def study_sums(results: Results) -> pd.DataFrame:
    """Sums over the splits of each study, numbered by ``replication``; study 0 is the experiment accuracy."""
    ask_for(results, "table2")
    own = results.raw["accuracy"]
    first = [
        summed(rows.drop(columns=["dataset", "repetition"])).assign(
            dataset=name, replication=0, splits=rows["repetition"].nunique()
        )
        for name, rows in own.groupby("dataset")
    ]
    more = [results.raw[name] for name in STUDIES[1:]]
    return pd.concat([*first, *(rows[rows["dataset"].isin(own["dataset"])] for rows in more)], ignore_index=True)


@once
def accuracies(results: Results) -> pd.DataFrame:
    """Mean accuracy of each study."""
    return runs_of(study_sums(results), "right", "replication")


@once
def margins(results: Results) -> pd.DataFrame:
    """Mean margin of each study."""
    return runs_of(study_sums(results), "margin", "replication")


def whole(runs: pd.DataFrame) -> pd.DataFrame:
    """The studies that all rows have: for means of several configurations, and for counts of sets."""
    return runs.dropna(axis=1)


@once
def studied_t(results: Results, value: str) -> pd.DataFrame:
    """t of the paired test against voting over the splits of each study that all sets have; one column per study."""
    frame, parts = study_sums(results), []
    splits = frame["splits"]
    for strategy in STRATEGIES:
        if f"{value}_{strategy}" not in frame:
            continue
        mean = (frame[f"{value}_{strategy}"] - frame[f"{value}_sv"]) / splits
        spread = (frame[f"squares_{value}_{strategy}"] - splits * mean**2).clip(lower=0) / (splits - 1)
        rows = frame[["dataset", "scheme", "trees", "neighbours", "replication"]].assign(strategy=strategy)
        parts.append(rows.assign(t=statistic(mean, np.sqrt(spread / splits))))
    return whole(pd.concat(parts).pivot(index=AXES, columns="replication", values="t").sort_index())


def splits_of(results: Results) -> int:
    """How many splits a study has."""
    return int(study_sums(results)["splits"].iloc[0])


def gains_over_voting(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs of DS, DV and DVS less those of simple voting by the same trees on the same split."""
    voting = runs.xs(("sv", "", 0), level=["strategy", "scheme", "neighbours"])
    dynamic = runs[runs.index.get_level_values("strategy") != "sv"]
    keys = dynamic.index.droplevel(["strategy", "scheme", "neighbours"])
    return dynamic - voting.loc[keys].to_numpy()


def at_table2(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs at the configuration of Tables 2 and 3: 100 trees, 15 neighbours; index dataset, strategy, scheme."""
    known = runs.xs(TREES, level="trees")
    return known[known.index.get_level_values("neighbours").isin((0, NEIGHBOURS))].droplevel("neighbours")


def drawn_sets(results: Results) -> list[str]:
    """The generated sets, each study of which has a drawing of its own."""
    return sorted(set(results.raw["draws"]["dataset"]) & set(results.raw["accuracy"]["dataset"]))


@once
def held_out_over_learned(results: Results) -> pd.Series:
    """Cases held out over cases learned from, for each set: what the corrected resampled t-test asks for."""
    held_out = results.raw["accuracy"].groupby("dataset")["cases"].first()
    rows = results.sets.set_index("dataset")["rows"].loc[held_out.index]
    return held_out / (rows - held_out)


# ------------------------------------------------------------------ what the trees of a forest are worth


FOREST = {  # columns of Table 2 and the counts that they are made of
    "min": "right_least",
    "aver": "right_all",
    "max": "right_greatest",
    "agreement": "agreed",
    "coverage": "covered",
}


def forest_runs(frame: pd.DataFrame, by: str = "repetition") -> pd.DataFrame:
    """Least, mean and greatest accuracy of a tree, agreement and coverage of forests of 100 trees, run by run."""
    keys = ["dataset", by]
    first = frame[frame["trees"] == TREES].drop_duplicates(keys).set_index(keys)
    shares = {name: first[column] / first["cases"] for name, column in FOREST.items()}
    shares["aver"] = shares["aver"] / TREES
    return pd.DataFrame(shares).rename_axis(columns="column").stack().unstack(by)
