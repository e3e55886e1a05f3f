"""Sets, learners, and the components of the error of every split, from counts."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.kit.curves import means
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
COMPARED = ("member_error", "bias", "variance", "diversity", "error")
RUN = ("dataset", "split", "members")  # what learners share
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
    """Means over splits with their intervals; index dataset, learner, members."""
    keys = ["dataset", "learner", "members"]
    return means(components(results), keys, COMPARED).set_index(keys).sort_index()


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


def sets_present(results: Results, names: tuple[str, ...] = SETS) -> list[str]:
    """Those of ``names`` that this profile has run, in the order of print."""
    run = set(results.raw["guided"]["dataset"])
    return [name for name in names if name in run]


def chosen_set(results: Results, wanted: str) -> str:
    """The set that a figure shows; a profile without it shows the first one with as many classes, or any."""
    present = sets_present(results)
    alike = [name for name in present if (name in BINARY) == (wanted in BINARY)]
    return wanted if wanted in present else (alike or present)[0]
