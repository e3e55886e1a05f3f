"""What the tables, figures and claims of dynint share: accuracy and margin of every run, and means over sets.

A frame of runs has one row per set, strategy, scheme, number of trees and number of neighbours, and one column per
repetition. Simple voting (``sv``) has neither scheme nor neighbours: an empty name and 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from arboretum.papers.inventory import beside_print
from arboretum.papers.results import Results, once

SCHEMES = ("heom", "heomw", "rf", "rfw")
STRATEGIES = ("ds", "dv", "dvs")
STAND_IN = "images"  # windows of two other photographs than the paper's, which are not public
TREES, NEIGHBOURS = 100, 15  # the configuration of Tables 2 and 3
AXES = ["dataset", "strategy", "scheme", "trees", "neighbours"]


def printed_sets(results: Results) -> pd.DataFrame:
    """The sets of this profile in the order of print: dataset, printed_as, status, and the columns of Table 1."""
    return beside_print(results.sets, results.printed["table1_datasets"])


def improved_in_print(results: Results) -> list[str]:
    """The sets of this profile among the 12 on which print finds an improvement, in the order of print."""
    sets = printed_sets(results)
    return list(sets.loc[(sets["in_12_improved"] == 1) & (sets["status"] == "available"), "dataset"])


def others(results: Results) -> list[str]:
    """The sets of this profile that are not among those 12."""
    sets = printed_sets(results)
    return list(sets.loc[(sets["in_12_improved"] == 0) & (sets["status"] == "available"), "dataset"])


def without_stand_in(names: Sequence[str]) -> list[str]:
    return [name for name in names if name != STAND_IN]


# ------------------------------------------------------------------ runs


def runs_of(frame: pd.DataFrame, value: str, extra: Sequence[str] = ()) -> pd.DataFrame:
    """Runs of ``value`` ("right" or "margin"), as shares of the cases held out, from raw rows; one column per run.

    ``extra`` are further columns that tell rows apart, such as the drawing of a generated set.
    """
    parts = []
    for strategy in ("sv", *STRATEGIES):
        column = f"{value}_{strategy}"
        if column not in frame:
            continue
        rows = frame[[*extra, "dataset", "scheme", "trees", "neighbours", "repetition"]].assign(strategy=strategy)
        rows["share"] = frame[column] / frame["cases"]
        if strategy == "sv":
            rows = rows.assign(scheme="", neighbours=0).drop_duplicates([*extra, *AXES, "repetition"])
        parts.append(rows)
    long = pd.concat(parts, ignore_index=True)
    return long.pivot(index=[*extra, *AXES], columns="repetition", values="share").sort_index()


@once
def accuracy_runs(results: Results) -> pd.DataFrame:
    """Accuracy of every run of the experiment ``accuracy``."""
    return runs_of(results.raw["accuracy"], "right")


@once
def margin_runs(results: Results) -> pd.DataFrame:
    """Mean margin (equation 7) of every run; DS has none, it would follow from its accuracy."""
    return runs_of(results.raw["accuracy"], "margin")


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


def mean_over_sets(runs: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The mean over sets, run by run: sets are independent, so its spread over runs is that of the mean."""
    chosen = runs[runs.index.get_level_values("dataset").isin(list(names))]
    return chosen.groupby(level=[name for name in runs.index.names if name != "dataset"]).mean()


def mean_and_error(runs: pd.DataFrame) -> pd.DataFrame:
    """Mean over repetitions and its standard error."""
    return pd.DataFrame({"mean": runs.mean(axis=1), "se": runs.sem(axis=1)})


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


def forest_runs(frame: pd.DataFrame, extra: Sequence[str] = ()) -> pd.DataFrame:
    """Least, mean and greatest accuracy of a tree, agreement and coverage of forests of 100 trees, run by run."""
    keys = [*extra, "dataset", "repetition"]
    first = frame[frame["trees"] == TREES].drop_duplicates(keys).set_index(keys)
    shares = {name: first[column] / first["cases"] for name, column in FOREST.items()}
    shares["aver"] = shares["aver"] / TREES
    return pd.DataFrame(shares).rename_axis(columns="column").stack().unstack("repetition")
