"""Why ringnorm fails: error by dimension, class and distance from the origin."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.beside import with_ends
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.pert.tables.keys import with_equal_keys
from arboretum.papers.results import Results

NAMES = {"bayes": "Bayes rule", "pert": "PERT", "forest_single": "Forest-RI, F = 1"}


def name_of(learner: str) -> str:
    return NAMES.get(learner) or f"VR-Trees, alpha {learner.removeprefix('vr_')}"


@table(
    title="Why ringnorm fails: dimension and class",
    keys=("dimension", "learner"),
    sources=("ringnorm",),
    caption="Per cent. Class 1 is the wide normal, class 2 the narrow one inside it.",
)
def ringnorm(results: Results) -> pd.DataFrame:
    """Error of every learner by dimension, and which class it errs on."""
    frame = results.raw["ringnorm"]
    keys = ["dimension", "learner", "repetition"]
    sums = frame.groupby(keys, sort=False)[["errors", "cases"]].sum()
    rate = 100 * sums["errors"] / sums["cases"]
    wide = rate.unstack("learner")
    above = wide.sub(wide["bayes"], axis=0)
    first, second = (frame[frame["class"] == label].groupby(keys[:2])[["errors", "cases"]].sum() for label in (1, 2))
    variable_random = sorted(name for name in set(frame["learner"]) if name.startswith("vr_"))
    rows = []
    for dimension in sorted(set(frame["dimension"])):
        for learner in ["pert", "forest_single", *variable_random, "bayes"]:
            key, excess = (dimension, learner), above.loc[dimension, learner]
            wrong = first.loc[key, "errors"] + second.loc[key, "errors"]
            rows.append(
                {
                    "dimension": dimension,
                    "learner": learner,
                    "name": name_of(learner),
                    **with_ends("error", mean_of(wide.loc[dimension, learner].to_numpy())),
                    **with_ends("above_bayes", mean_of(excess.to_numpy())),
                    "error_class_1": 100 * first.loc[key, "errors"] / first.loc[key, "cases"],
                    "error_class_2": 100 * second.loc[key, "errors"] / second.loc[key, "cases"],
                    "share_of_errors_on_class_1": first.loc[key, "errors"] / wrong if wrong else np.nan,
                }
            )
    return pd.DataFrame(rows)


@table(
    title="Why ringnorm fails: distance from the origin",
    keys=("dimension", "learner", "class", "from"),
    sources=("ringnorm",),
    caption="from: |x| / sqrt(dimension), lower end of the bin; the last bin is open.",
)
def ringnorm_rings(results: Results) -> pd.DataFrame:
    """Error by distance from the origin and class, all repetitions together."""
    frame = with_equal_keys(results.raw["ringnorm"], "from")
    sums = frame.groupby(["dimension", "learner", "class", "from"])[["cases", "errors"]].sum().reset_index()
    total = sums.groupby(["dimension", "learner"])["errors"].transform("sum")
    sums["error"] = 100 * sums["errors"] / sums["cases"]
    sums["share_of_errors"] = (sums["errors"] / total).fillna(0.0)
    return sums
