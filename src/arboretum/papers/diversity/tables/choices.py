"""Beyond print (profile ``extended``): open choices one at a time, other papers' trees on the same map, pruning."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import first_greatest, first_least, less
from arboretum.papers.contract import mean_by, table
from arboretum.papers.diversity.tables.forests import correlation
from arboretum.papers.diversity.tables.shared import in_order, mean_and_error, with_components
from arboretum.papers.results import Results, once

SURE = 2  # standard errors


@once
def part_of(results: Results, part: str) -> pd.DataFrame:
    """The forests of one part with all their trees: components of every set, learner and split."""
    frame = results.raw["choices"].query("part == @part")
    frame = with_components(frame[frame["members"] == frame["members"].max()])
    votes = frame["trials"] * frame["cases"] * frame["members"]
    return in_order(frame.assign(good=frame["good_votes"] / votes, bad=frame["bad_votes"] / votes), "split")


def by_split(results: Results, part: str, column: str) -> pd.DataFrame:
    """One component: one row per set and split, one column per learner."""
    return part_of(results, part).pivot(index=["dataset", "split"], columns="learner", values=column)


def default_of(variant: str) -> str:
    """The learner whose setting a variant changes: "w_lerp, b 5" is a variant of "w_lerp"."""
    return variant.split(",")[0]


@once
def changes_by_set(results: Results) -> pd.DataFrame:
    """Every variant on every set: its error, and the change from its default and from the standard forest."""
    errors, rows = by_split(results, "variants", "error"), []
    for variant in dict.fromkeys(part_of(results, "variants")["learner"]):
        row = {"error": mean_and_error(errors[variant])[0]}
        for name, rival in (("change", default_of(variant)), ("less_rf", "rf")):
            row[name], row[f"{name}_standard_error"] = mean_and_error(errors[variant] - errors[rival])
        rows.append(pd.DataFrame(row).reset_index().assign(learner=variant))
    return in_order(pd.concat(rows))


@table(
    title="Choices that the thesis leaves open, set by set",
    keys=("learner", "dataset"),
    sources=("choices",),
    caption=(
        "Error of all trees, mean over splits, one setting changed at a time. change: from the learner before the "
        "comma, on the same splits; less rf: from the standard forest. mnist-5k is a smaller sample of the same digits "
        "as mnist-subset."
    ),
)
def open_choices_by_set(results: Results) -> pd.DataFrame:
    frame = changes_by_set(results)
    return frame[["learner", "dataset", *frame.columns.difference(["learner", "dataset"], sort=False)]]


@table(
    title="Choices that the thesis leaves open",
    keys=("learner",),
    sources=("choices",),
    caption=(
        "Mean over sets and splits of the error of all trees, one setting changed at a time: M_max, the clip b, "
        "weights from out-of-bag votes, weights in the tree construction as well, a floor under the weights, and how "
        "constant features are treated. change: from the learner before the comma; standard errors: the sets fixed, "
        "the splits drawn anew. surely: by two standard errors on that set; those of the large sets come from two "
        "splits and are rough."
    ),
)
def open_choices(results: Results) -> pd.DataFrame:
    """Means over sets."""
    rows = []
    for variant, here in changes_by_set(results).groupby("learner", sort=False):
        row = {"learner": variant, "error": here["error"].mean()}
        for name in ("change", "less_rf"):
            change, error = here[name].to_numpy(), here[f"{name}_standard_error"].to_numpy()
            row |= {name: change.mean(), f"{name}_standard_error": np.sqrt(np.sum(error**2)) / len(error)}
            row[f"{name}_surely_better"] = int(less(change + SURE * error, 0).sum())
            row[f"{name}_surely_worse"] = int(less(0, change - SURE * error).sum())
        rows.append(row | {"sets": len(here)})
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ the trees of the other papers

MAPPED = ("member_error", "diversity", "good", "bad", "error")


@table(
    title="Guided forests among the trees of the other papers",
    keys=("dataset", "learner"),
    metrics=mean_by("learner", "error"),
    sources=("choices",),
    caption=(
        "150 trees, mean over splits that all share. error = member error - diversity, and diversity = good - bad: "
        "good is the share of wrong votes where the ensemble is right, bad the share of right votes where it errs "
        "(Lemma 4.4.4). vr: variable-random trees at that alpha; weka forest: random forest in Weka's flavour."
    ),
)
def all_trees(results: Results) -> pd.DataFrame:
    columns = {}
    for name in MAPPED:
        mean, error = mean_and_error(by_split(results, "map", name))
        columns |= {name: mean.stack(), f"{name}_standard_error": error.stack()}
    return in_order(pd.DataFrame(columns).reset_index())


@table(
    title="Is diversity good? Across the trees of all five papers",
    keys=("dataset",),
    sources=("choices",),
    caption=(
        "Correlations across the learners of the map, on one set: of the ensemble's error with diversity, with its "
        "good and its bad part, and with the error of a member. Positive with diversity: the more diverse ensembles "
        "err more."
    ),
)
def good_and_bad(results: Results) -> pd.DataFrame:
    """One row per set."""
    rows = []
    for dataset, here in results.tables["all_trees"].groupby("dataset", sort=False):
        here = here.set_index("learner")
        best, most = here.index[first_least(here["error"])], here.index[first_greatest(here["diversity"])]
        rows.append(
            {
                "dataset": dataset,
                "learners": len(here),
                **{f"error_with_{name}": correlation(here[name], here["error"]) for name in MAPPED[:-1]},
                "lowest_error": best,
                "lowest_error_value": here.loc[best, "error"],
                "most_diverse": most,
                "most_diverse_error": here.loc[most, "error"],
            }
        )
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ pruning


@table(
    title="Section 6.2: pruning a forest by clustering its members",
    keys=("dataset", "members"),
    sources=("choices",),
    caption=(
        "Members are clustered by how often they disagree on training cases that no tree has seen; one of each cluster "
        "is kept. Its error beside that of as many first trees of the forest, mean over splits and three trials."
    ),
)
def pruning(results: Results) -> pd.DataFrame:
    frame = results.raw["choices"].query("part == 'pruning'")
    frame = frame.assign(
        error=frame["ensemble_errors"] / (frame["trials"] * frame["cases"]),
        member_error=frame["member_errors"] / (frame["kept"] * frame["cases"]),
    )
    rows = []
    for members, here in frame.groupby("members"):
        by_learner = here.pivot(index=["dataset", "split"], columns="learner", values=["error", "member_error"])
        columns = {}
        for name in ("error", "member_error"):
            kept, first = by_learner[name, "representatives"], by_learner[name, "first trees"]
            columns |= {f"{name}_kept": mean_and_error(kept)[0], f"{name}_first": mean_and_error(first)[0]}
            columns[f"{name}_difference"], columns[f"{name}_difference_standard_error"] = mean_and_error(kept - first)
        rows.append(pd.DataFrame(columns).reset_index().assign(members=members))
    found = in_order(pd.concat(rows), "members")
    return found[["dataset", "members", *found.columns.difference(["dataset", "members"], sort=False)]]
