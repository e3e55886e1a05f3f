"""Where PERT stands among AdaBoost and the two Forest-RI: within their range, better or worse than all three."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import TOLERANCE, at_most, first_greatest, first_least
from arboretum.papers.contract import table
from arboretum.papers.pert.tables.errors import LEARNERS, runs_of_table2
from arboretum.papers.results import Results, once
from arboretum.seeds import generator

RIVALS = [learner for learner in LEARNERS if learner != "pert"]
DRAWS = 1000  # bootstrap samples


def errors_by_run(results: Results, large: str) -> dict[str, pd.DataFrame]:
    """For each set the errors of its runs, one column per learner; an expensive learner has fewer runs."""
    runs = runs_of_table2(results, large)
    wide = runs.pivot(index=["dataset", "repetition"], columns="learner", values="error")[list(LEARNERS)]
    return {name: frame.droplevel("dataset") for name, frame in wide.groupby(level="dataset")}


def gaps_of(errors: pd.DataFrame) -> pd.DataFrame:
    """Error of PERT less that of each rival on the same hold-outs."""
    return errors[RIVALS].rsub(errors["pert"], axis=0)


def resampled_rows(gaps: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Positions of runs drawn with replacement, :data:`DRAWS` times; runs that lack a rival are drawn apart."""
    lacking = np.isnan(gaps).any(axis=1)
    groups = [np.flatnonzero(lacking == kind) for kind in (False, True) if (lacking == kind).any()]
    return np.concatenate([group[rng.integers(len(group), size=(DRAWS, len(group)))] for group in groups], axis=1)


@once
def places_of_samples(results: Results, large: str = "fixed") -> pd.DataFrame:
    """Where PERT stands in bootstrap samples of the runs of each set: DRAWS rows, one column per set."""
    found = {}
    for name, errors in errors_by_run(results, large).items():
        gaps = gaps_of(errors).to_numpy()
        rows = resampled_rows(gaps, generator(paper="pert", purpose="bootstrap", dataset=name))
        means = np.nanmean(gaps[rows], axis=1)
        found[name] = place(0.0, -means.max(axis=1), -means.min(axis=1))
    return pd.DataFrame(found)


@once
def samples_of_pert(results: Results) -> pd.DataFrame:
    """The same as print compares: bootstrap means of PERT, to a tenth, among the printed columns of the three."""
    errors, shown = errors_by_run(results, "fixed"), results.tables["table2"].set_index("dataset")
    found = {}
    for name in shown.index[shown["status"] == "available"]:
        runs = errors[name]["pert"].dropna().to_numpy()
        rng = generator(paper="pert", purpose="bootstrap", dataset=name, learner="pert")
        drawn = runs[rng.integers(len(runs), size=(DRAWS, len(runs)))].mean(axis=1)
        printed = shown.loc[name, [f"{rival}_printed" for rival in RIVALS]]
        found[name] = place(np.round(drawn + TOLERANCE, 1), printed.min(), printed.max())  # a half goes up
    return pd.DataFrame(found)


@table(
    title="PERT among the other three",
    keys=("dataset",),
    sources=("accuracy",),
    caption=(
        "less best, less worst: error of PERT less that of the best and of the worst of the other three, on the "
        "hold-outs that both have. Shares: of bootstrap samples of the hold-outs, in which PERT lies within the range "
        "of the three, is better or worse than all."
    ),
)
def places(results: Results) -> pd.DataFrame:
    """Where PERT stands among the three others, printed and ours."""
    shown, errors, samples = results.tables["table2"], errors_by_run(results, "fixed"), places_of_samples(results)
    rows = []
    for row in shown[shown["status"] == "available"].to_dict("records"):
        gaps = gaps_of(errors[row["dataset"]]).agg(["mean", "sem"]).T
        printed = [row[f"{rival}_printed"] for rival in RIVALS]
        found = {"dataset": row["dataset"]}
        found["place_printed"] = str(place(row["pert_printed"], min(printed), max(printed)))
        found["place"] = str(place(0.0, -gaps["mean"].max(), -gaps["mean"].min()))
        found |= {f"{kind}_share": (samples[row["dataset"]] == kind).mean() for kind in ("within", "better", "worse")}
        for name, position, against in (
            ("best", first_greatest(gaps["mean"]), min(printed)),
            ("worst", first_least(gaps["mean"]), max(printed)),
        ):
            found |= {f"{name}_of_three": RIVALS[position]}
            found |= {f"less_{name}_printed": round(row["pert_printed"] - against, 1)}
            found |= {f"less_{name}": gaps["mean"].iloc[position]}
            found |= {f"less_{name}_standard_error": gaps["sem"].iloc[position]}
        rows.append(found)
    return pd.DataFrame(rows)


def place(value, low, high):
    """Where a value lies, seen from a range; at its ends it is within. Elementwise."""
    inside = at_most(low, value) & at_most(value, high)
    return np.where(inside, "within", np.where(np.asarray(value) < low, "better", "worse"))
