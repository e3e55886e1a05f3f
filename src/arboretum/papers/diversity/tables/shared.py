"""What the tables of diversity share: sets, learners, components of every split, and means with their errors."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.results import Results, once

SETS = ("qsar-biodeg", "pima", "bioresponse", "spambase", "digits", "mnist-subset", "covertype")
BINARY = ("qsar-biodeg", "pima", "bioresponse", "spambase")
PRINTED_SET = {"covertype": "cover"}  # the others are printed under our names
LEARNERS = (
    "rf",
    "w_drf",
    "w_drf_fit",
    "w_xuchen",
    "w_sigm",
    "w_lerp",
    "w_dyn",
    "w_sigm_as_run",
    "w_dyn_as_run",
    "w_drf_fit_as_run",
)
AS_RUN = {"w_sigm": "w_sigm_as_run", "w_dyn": "w_dyn_as_run", "w_drf_fit": "w_drf_fit_as_run"}
AS_TEXT = {run: text for text, run in AS_RUN.items()}
GUIDED_BY_TEXT = ("w_drf", "w_xuchen", "w_sigm", "w_lerp", "w_dyn")  # weighted bootstrapping as the text has it
TERMS = ("error", "bias", "variance", "diversity")
PLOTTED = 39  # trees up to which the thesis plots, and over which its tables take the minimum


def in_order(frame: pd.DataFrame, *more: str) -> pd.DataFrame:
    """Rows by set and learner in the order of print, then by ``more``."""
    place = {name: number for number, name in enumerate((*SETS, *LEARNERS))}
    keys = [name for name in ("dataset", "learner") if name in frame]

    def by_place(column: pd.Series) -> pd.Series:
        return column.map(place) if column.name in keys else column

    return frame.sort_values([*keys, *more], key=by_place, kind="stable").reset_index(drop=True)


def with_components(frame: pd.DataFrame) -> pd.DataFrame:
    """Counts of one row per split (or trials) and number of trees as rates: every component of Theorem 4.2.2.

    Labels are observed once, so that the noise is 0. ``ensemble_bias`` is the error of the vote of the central model.
    """
    votes = frame["trials"] * frame["cases"]
    member = frame["member_errors"] / (votes * frame["members"])
    bias = frame["central_member_errors"] / (frame["cases"] * frame["members"])
    error = frame["ensemble_errors"] / votes
    return frame.assign(
        error=error,
        member_error=member,
        bias=bias,
        variance=member - bias,
        diversity=member - error,
        ensemble_bias=frame["central_ensemble_errors"] / frame["cases"],
    )


@once
def components(results: Results) -> pd.DataFrame:
    """Components of every set, learner, split and number of trees."""
    frame = with_components(results.raw["guided"])
    return in_order(frame.assign(oob_error=frame["oob_errors"] / frame["oob_cases"]), "split", "members")


@once
def curves(results: Results) -> pd.DataFrame:
    """Means over splits; index dataset, learner, members."""
    frame = components(results)
    return frame.groupby(["dataset", "learner", "members"])[["member_error", *TERMS]].mean()


def last_plotted(results: Results) -> int:
    """The number of trees at which learners are compared: 39, or all where fewer are grown."""
    members = components(results)["members"]
    return int(members[members <= PLOTTED].max())


def most_trees(results: Results) -> int:
    return int(components(results)["members"].max())


def of_splits(results: Results, column: str, members: int) -> pd.DataFrame:
    """A component at one number of trees: one row per set and split, one column per learner."""
    frame = components(results)
    return frame[frame["members"] == members].pivot(index=["dataset", "split"], columns="learner", values=column)


def mean_and_error(values: pd.Series | pd.DataFrame, cases: pd.Series | None = None):
    """Mean over splits and its standard error, for each set.

    A set with one split has the binomial error of its test cases, ``cases`` by set, as if its value were a rate.
    """
    grouped = values.groupby(level="dataset")
    mean, error = grouped.mean(), grouped.sem()
    if cases is not None:
        share = mean.abs().clip(upper=0.5)
        rough = np.sqrt((share * (1 - share)).div(cases.reindex(mean.index), axis=0))
        single = grouped.size() < 2
        error = error.where(~single, rough) if isinstance(error, pd.Series) else error.mask(single, rough)
    return mean, error


@once
def test_cases(results: Results) -> pd.Series:
    """Test cases of each set."""
    return results.raw["guided"].groupby("dataset")["cases"].first()


@once
def sets_run(results: Results) -> set[str]:
    """The sets that this profile has run."""
    return set(results.raw["guided"]["dataset"])


def sets_present(results: Results, names: tuple[str, ...] = SETS) -> list[str]:
    """Those of ``names`` that this profile has run, in the order of print."""
    return [name for name in names if name in sets_run(results)]


def chosen_set(results: Results, wanted: str) -> str:
    """The set that a figure shows; a profile without it shows the first one with as many classes, or any."""
    present = sets_present(results)
    alike = [name for name in present if (name in BINARY) == (wanted in BINARY)]
    return wanted if wanted in present else (alike or present)[0]


def paired(results: Results, column: str, members: int, learner: str, rival: str) -> pd.DataFrame:
    """``learner`` less ``rival`` on the same splits: mean and standard error, one row per set in the order of print."""
    wide = of_splits(results, column, members)
    mean, error = mean_and_error(wide[learner] - wide[rival], test_cases(results))
    return pd.DataFrame({"difference": mean, "error": error}).reindex(sets_present(results))
