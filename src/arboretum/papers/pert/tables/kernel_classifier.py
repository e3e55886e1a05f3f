"""Beyond the paper: the forest's vote and the kernel classifier of its leaves."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.kit.estimate import difference_of
from arboretum.papers.results import Results


@table(
    title="The kernel classifier of a forest",
    keys=("dataset", "learner"),
    sources=("kernel_classifier",),
    caption="Beyond print. Errors in per cent on the hold-outs of Table 2. vote: of the forest. kernel: the class with "
    "the greatest sum of K(x, x_i) over its training cases, K the share of trees in which x and x_i share a leaf. "
    "more: kernel less vote, paired, with its interval. cases per leaf: training cases, over all leaves.",
)
def kernel_classifier(results: Results) -> pd.DataFrame:
    """Errors of both rules on the same forests, and the mean number of training cases in a leaf."""
    runs = results.raw["kernel_classifier"]
    rates = runs.assign(vote=100 * runs["errors"] / runs["cases"], kernel=100 * runs["kernel_errors"] / runs["cases"])
    rows = []
    for (dataset, learner), found in rates.groupby(["dataset", "learner"]):
        more = difference_of(found["kernel"].to_numpy(), found["vote"].to_numpy())
        row = {"dataset": dataset, "learner": learner, "vote": found["vote"].mean(), "kernel": found["kernel"].mean()}
        row |= {"more": more.value, "more_low": more.low, "more_high": more.high}
        leaves = found["leaves"] / found["trees"]
        rows.append(row | {"cases_per_leaf": (found["training_cases"] / leaves).mean(), "repetitions": len(found)})
    return pd.DataFrame(rows)
