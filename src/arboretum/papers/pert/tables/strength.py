"""Table 4: strength and correlation."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures import vote_sums
from arboretum.measures.margins import breiman_bound
from arboretum.measures.ties import less
from arboretum.papers.contract import table
from arboretum.papers.kit.beside import beside
from arboretum.papers.pert.tables.keys import SYNTHETIC
from arboretum.papers.results import Results, once


@once
def strength_points(results: Results) -> pd.DataFrame:
    """Strength, correlation, bound and error of every forest; index dataset, learner, repetition.

    ``correlation_infinite`` takes the spread that is due to the finite number of trees out of the variance of the
    margin: of the pairs of votes on a case, those of a tree with itself are left out. ``right_less_wrong`` counts all
    wrong votes, not only those for the strongest rival: the same for two classes.
    """
    frame = results.raw["strength"].set_index(["dataset", "learner", "repetition"])
    cases, trees = frame["cases"], frame["trees"]
    strength = vote_sums.strength(frame["margins"], cases, trees)
    variance = vote_sums.margin_variance(frame["margins"], frame["squared_margins"], cases, trees)
    own = frame["right_votes"] + frame["rival_votes"]
    infinite = (frame["squared_margins"] - own) / (cases * trees * (trees - 1)) - strength**2
    correlation = vote_sums.correlation(variance, frame["spread"])
    lead_variance = vote_sums.margin_variance(frame["leads"], frame["squared_leads"], cases, trees)
    return pd.DataFrame(
        {
            "strength_right_less_wrong": vote_sums.strength(frame["leads"], cases, trees),
            "correlation_right_less_wrong": vote_sums.correlation(lead_variance, frame["lead_spread"]),
            "strength": strength,
            "correlation": correlation,
            "correlation_infinite": vote_sums.correlation(infinite, frame["spread"]),
            "bound": breiman_bound(strength, correlation),
            "error": frame["errors"] / cases,
            "tree_error": 1 - frame["right_votes"] / (cases * trees),
        }
    )


@table(
    title="Table 4: strength and correlation",
    keys=("dataset", "learner"),
    sources=("strength",),
    caption=(
        "On test sets of 3000, mean over samples. right less wrong: with all wrong votes in place of those for the "
        "strongest rival, which differs for the three classes of waveform. correlation of infinitely many: without "
        "the share of the variance that is due to the finite number of trees. Printed bounds are computed from the "
        "printed values."
    ),
)
def table4(results: Results) -> pd.DataFrame:
    """Strength and correlation of bagged CART and PERT, with Breiman's bound and the error itself."""
    points = strength_points(results)
    grouped = points.groupby(level=["dataset", "learner"])
    mean, error = grouped.mean(), grouped.sem()
    above = points["error"].where(less(points["bound"], points["error"])).groupby(level=["dataset", "learner"]).count()
    text = results.printed["table4_strength_correlation"].set_index("dataset")
    rows = []
    for name in SYNTHETIC:
        for learner in ("bagged_cart", "pert", "pert_bagged"):
            key = (name, learner)
            row = {"dataset": name, "learner": learner}
            for measure in ("strength", "correlation"):
                printed = text.loc[name].get(f"{measure}_{learner}", np.nan)
                row |= beside(measure, printed, mean.loc[key, measure], standard_error=error.loc[key, measure])
            for measure in ("strength", "correlation"):
                row[f"{measure}_right_less_wrong"] = mean.loc[key, f"{measure}_right_less_wrong"]
            row["correlation_of_infinitely_many"] = mean.loc[key, "correlation_infinite"]
            row["bound_printed"] = text.loc[name].get(f"bound_{learner}_derived", np.nan)
            row |= {column: mean.loc[key, column] for column in ("bound", "error", "tree_error")}
            row |= {"forests": int(grouped.size()[key]), "forests_above_bound": int(above[key])}
            rows.append(row)
    return pd.DataFrame(rows)
