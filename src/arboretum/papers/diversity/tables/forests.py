"""Chapter 4 and sections 5.1, 5.2, 5.3.4 on forests: trade-off, good and bad diversity, competence, margins."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most
from arboretum.papers.contract import table
from arboretum.papers.diversity.tables.components import (
    AS_TEXT,
    RUN,
    components,
    curves,
    in_order,
    last_plotted,
    most_trees,
    sets_present,
)
from arboretum.papers.kit.curves import less, means
from arboretum.papers.results import Results, once

FORESTS_OF_5_2 = ("bioresponse", "qsar-biodeg")  # the sets of Figure 5.2


@once
def measured_forests(results: Results) -> pd.DataFrame:
    """What the experiment ``growth`` measured of each forest, as rates."""
    frame = results.raw["growth"]
    votes, cases = frame["members"] * frame["cases"], frame["cases"]
    disagreement = 1 - frame["agreeing_pairs"] / (frame["members"] ** 2 * cases)
    member = frame["wrong_votes"] / votes
    error = frame["errors"] / cases
    return frame.assign(
        member_error=member,
        error=error,
        diversity=member - error,
        good_diversity=frame["good_votes"] / votes,
        bad_diversity=frame["bad_votes"] / votes,
        disagreement=disagreement,
        disagreement_error_ratio=disagreement / member,
        improvement_rate=(member - error) / member,
        two_competent=at_most(0, frame["two_competence_gap"]),
        k_competent=at_most(0, frame["k_competence_gap"]),
    )


def correlation(one: pd.Series, other: pd.Series) -> float:
    """Pearson's correlation; NaN where there are fewer than three points or one does not vary."""
    if len(one) < 3 or np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return np.nan
    return float(np.corrcoef(one, other)[0, 1])


@table(
    title="Observation 5.1.1: member error against diversity",
    keys=("dataset", "across"),
    sources=("growth", "guided"),
    caption=(
        "Pearson's correlation of member error and diversity. Figure 5.2 speaks of forests of several sizes; drawn "
        "are the prefixes 1..39 of one forest. apart: forests of several sizes that share no tree, 3 or more trees, "
        "each less the mean of its split and trial. learners: means of all learners of the text with 39 trees, and "
        "with all trees. within sizes: forests of one size that differ by split and trial."
    ),
)
def trade_off(results: Results) -> pd.DataFrame:
    """Correlations by what varies, one row per set and kind of forests."""
    rows = []
    frame = components(results)
    forests = measured_forests(results).query("kind == 'apart' and members >= 3")
    for dataset in sets_present(results):
        first = frame.query("dataset == @dataset and learner == 'rf' and split == 0 and members <= 39")
        rows.append(points(dataset, "prefixes of one forest, as run", first))
        mean = curves(results).loc[dataset].reset_index()
        text = mean[~mean["learner"].isin(AS_TEXT)]
        for members in (last_plotted(results), most_trees(results)):
            rows.append(points(dataset, f"learners, {members} trees", text[text["members"] == members]))
        here = forests[forests["dataset"] == dataset]
        if len(here):
            names = ["member_error", "diversity"]
            group = here.groupby(["split", "trial"])[names]
            rows.append(points(dataset, "forests apart, several sizes", here[names] - group.transform("mean")))
            largest = here[here["members"] == here["members"].max()]
            rows.append(points(dataset, "forests apart, largest size", largest))
    return pd.DataFrame(rows)


def points(dataset: str, across: str, frame: pd.DataFrame) -> dict[str, object]:
    found = correlation(frame["member_error"], frame["diversity"])
    return {"dataset": dataset, "across": across, "points": len(frame), "correlation": found}


@table(
    title="Chapter 4 measured on standard forests",
    keys=("dataset", "members"),
    sources=("growth",),
    caption=(
        "First trees of one forest, mean over splits and trials. good - bad diversity = diversity (Lemma 4.4.4, by "
        "correctness). disagreement: of two members drawn with replacement. DER and EIR: section 5.2. competent: "
        "share of forests. The ad-hoc measures are those of section 4.1."
    ),
)
def forest_measures(results: Results) -> pd.DataFrame:
    """Good and bad diversity, disagreement, competence and ad-hoc measures by the number of trees."""
    frame = measured_forests(results).query("kind == 'prefix'")
    shown = ["member_error", "error", "diversity", "good_diversity", "bad_diversity", "disagreement"]
    shown += ["disagreement_error_ratio", "improvement_rate", "two_competent", "k_competent"]
    shown += ["vote_entropy", "correctness_entropy", "correctness_variance"]
    mean = frame.groupby(["dataset", "members"])[shown].mean().reset_index()
    return in_order(mean.astype(dict.fromkeys(shown, float)), "members")


@table(
    title="Section 4.1: do ad-hoc measures follow the error?",
    keys=("dataset", "measure"),
    sources=("growth",),
    caption=(
        "Correlation of each measure with minus the error, across forests that differ by split and trial and have the "
        "same number of trees, and along the number of trees. A forest grows more diverse with every tree whatever "
        "the measure; among forests of one size none needs to tell which is better."
    ),
)
def measures_and_error(results: Results) -> pd.DataFrame:
    """One row per set and measure."""
    frame = measured_forests(results).query("kind == 'prefix' and members > 1")
    rows = []
    for dataset, here in frame.groupby("dataset"):
        last = here[here["members"] == here["members"].max()]
        along = here.groupby("members").mean(numeric_only=True)
        for name in ("diversity", "disagreement", "vote_entropy", "correctness_entropy", "correctness_variance"):
            rows.append(
                {
                    "dataset": dataset,
                    "measure": name.replace("_", " "),
                    "across_forests": correlation(last[name], -last["error"]),
                    "along_trees": correlation(along[name], -along["error"]),
                }
            )
    return in_order(pd.DataFrame(rows), "measure")


# ------------------------------------------------------------------ section 5.3.4


@once
def sides_of_splits(results: Results) -> pd.DataFrame:
    """Mean share of wrong members on either side of 1/2; columns dataset, learner, split, members, right, wrong."""
    frame = results.raw["margins"].query("part == 'along'")
    share = frame["wrong"] / (frame["cases"] * frame["members"] * frame["trials"])
    wide = frame.assign(share=share).pivot(
        index=["dataset", "learner", "split", "members"], columns="place", values="share"
    )
    return wide.rename(columns={0: "right", 1: "wrong"}).reset_index()


@table(
    title="Section 5.3.4: share of wrong members where the vote is right and where it errs",
    keys=("dataset", "learner", "members"),
    sources=("margins",),
    caption=(
        "W is averaged over the three trials, as the author's code does; the vote is right where W < 1/2. Mean over "
        "splits; less rf: paired; intervals of 95%. In the binary case the margin is 1 - 2W."
    ),
)
def margins(results: Results) -> pd.DataFrame:
    """Mean W on both sides with ten trees and with the most that Figure 5.11 shows here."""
    frame, sides = sides_of_splits(results), ["share_where_right", "share_where_wrong"]
    frame = frame.rename(columns={"right": sides[0], "wrong": sides[1]})
    frame = frame[frame["members"].isin({10, frame["members"].max()})]
    runs = less(frame, "rf", sides, RUN, "_less_rf")
    found = means(runs, ["dataset", "learner", "members"], [*sides, *(f"{side}_less_rf" for side in sides)])
    return in_order(found.rename(columns={"runs": "splits"}), "members")
