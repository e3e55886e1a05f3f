"""Beyond print: the choices that the paper leaves open, larger and smaller neighbourhoods, other ensembles."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import less
from arboretum.papers.contract import mean_by, table
from arboretum.papers.dynint.tables.shared import (
    NEIGHBOURS,
    SCHEMES,
    STAND_IN,
    gains_over_voting,
    improved_in_print,
    mean_and_error,
    mean_over_sets,
    runs_of,
)
from arboretum.papers.results import Results, once

DEFAULT = "as in Table 2"  # the choice that changes nothing
EVERYONE = 1_000_000  # neighbours: all training cases
VOTE = "ds_vote"


def mean_difference(one: pd.DataFrame, other: pd.DataFrame) -> tuple[float, float]:
    """The mean of paired differences over repetitions, and its standard error; frames of one row."""
    found = mean_and_error(one - other.to_numpy()).iloc[0]
    return float(found["mean"]), float(found["se"])


@once
def choice_runs(results: Results, value: str) -> pd.DataFrame:
    """Means over the sets improved in print, run by run; index choice, strategy, scheme, trees, neighbours.

    A vote of the trees tied for DS stands beside the strategies as one of its own.
    """
    frame = results.raw["choices"]
    parts = [runs_of(rows, value).assign(choice=choice) for choice, rows in frame.groupby("choice")]
    if value == "right":
        voted = frame.assign(right_ds=frame[f"right_{VOTE}"])
        voted = [runs_of(rows, value).assign(choice=choice) for choice, rows in voted.groupby("choice")]
        parts += [part.xs("ds", level="strategy", drop_level=False).rename({"ds": VOTE}) for part in voted]
    whole = pd.concat(parts).set_index("choice", append=True)
    order = ["dataset", "choice", "strategy", "scheme", "trees", "neighbours"]
    return mean_over_sets(whole.reorder_levels(order), improved_in_print(results))


@table(
    title="Choices that the paper leaves open",
    keys=("choice", "scheme", "neighbours"),
    sources=("choices",),
    caption=(
        f"Means over the sets improved in print without {STAND_IN}; 100 trees. change: against the choice of the "
        "tables, on the same splits and forests. voting among tied trees: DS with the vote of all trees that tie for "
        "the least local error."
    ),
)
def choices(results: Results) -> pd.DataFrame:
    """One choice changed at a time: accuracy of DV, DVS and DS, margin of DVS."""
    accuracy, margin = choice_runs(results, "right"), choice_runs(results, "margin")
    names = [DEFAULT, *sorted(set(accuracy.index.get_level_values("choice")) - {DEFAULT})]
    rows = []
    for choice in names:
        known = accuracy.loc[choice].xs("dvs", level="strategy")
        for scheme, _, neighbours in sorted(known.index, key=lambda key: (SCHEMES.index(key[0]), key[2])):
            if neighbours != NEIGHBOURS:
                continue
            row = {"choice": choice, "scheme": scheme, "neighbours": neighbours}
            for name, runs, strategy in (
                ("accuracy_of_dvs", accuracy, "dvs"),
                ("accuracy_of_dv", accuracy, "dv"),
                ("margin_of_dvs", margin, "dvs"),
                ("accuracy_of_ds", accuracy, "ds"),
                ("accuracy_of_ds_voting_among_tied_trees", accuracy, VOTE),
            ):
                here = one_row(runs, choice, strategy, scheme, neighbours)
                change, error = mean_difference(here, one_row(runs, DEFAULT, strategy, scheme, neighbours))
                row |= {name: float(here.mean(axis=1).iloc[0])}
                if name in ("accuracy_of_dvs", "margin_of_dvs"):
                    row |= {f"change_in_{name}": change, f"change_in_{name}_standard_error": error}
            rows.append(row)
    return pd.DataFrame(rows)


def one_row(runs: pd.DataFrame, choice: str, strategy: str, scheme: str, neighbours: int) -> pd.DataFrame:
    """The row of one configuration, as a frame."""
    key = {"choice": choice, "strategy": strategy, "scheme": scheme, "neighbours": neighbours}
    return runs.xs(tuple(key.values()), level=list(key))


@table(
    title="Neighbourhoods from 5 cases to all",
    keys=("scheme", "neighbours"),
    sources=("choices",),
    caption=(
        f"Means over the sets improved in print without {STAND_IN}; 100 trees. gain: accuracy of DVS less that of "
        "simple voting. neighbours: all where every training case is one."
    ),
)
def neighbourhoods(results: Results) -> pd.DataFrame:
    """Accuracy and margin of DVS against the size of the neighbourhood."""
    gains = {value: gains_over_choice(choice_runs(results, value)) for value in ("right", "margin")}
    rows = []
    for scheme in SCHEMES:
        known = gains["right"].xs(("dvs", scheme), level=["strategy", "scheme"])
        for neighbours in sorted(known.index.get_level_values("neighbours")):
            row = {"scheme": scheme, "neighbours": str(neighbours) if neighbours < EVERYONE else "all"}
            for value, name in (("right", "gain"), ("margin", "margin_gain")):
                here = gains[value].xs(("dvs", scheme, neighbours), level=["strategy", "scheme", "neighbours"])
                found = mean_and_error(here).iloc[0]
                row |= {name: found["mean"], f"{name}_standard_error": found["se"]}
            rows.append(row)
    return pd.DataFrame(rows)


def gains_over_choice(runs: pd.DataFrame) -> pd.DataFrame:
    """Gains over voting of the choice of the tables."""
    return gains_over_voting(runs.loc[DEFAULT])


# ------------------------------------------------------------------ more diverse trees


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
        "Standard errors from the spread between repetitions. sets: with a higher and with a lower accuracy by DVS."
    ),
)
def diversity(results: Results) -> pd.DataFrame:
    """Does the gain of dynamic integration grow with the diversity of the trees?"""
    runs = ensemble_runs(results)
    by_run = runs.groupby(level=["ensemble", "repetition"]).mean().groupby(level="ensemble")
    mean, error = by_run.mean(), by_run.sem()
    by_set = runs["gain"].groupby(level=["ensemble", "dataset"]).mean()
    rows = []
    for ensemble in sorted(mean.index, key=position):
        row = {"ensemble": ensemble}
        for column in mean:
            row[column] = mean.loc[ensemble, column]
            if column in ("disagreement", "gain", "margin_gain"):
                row[f"{column}_standard_error"] = error.loc[ensemble, column]
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
