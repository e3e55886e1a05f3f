"""What the question of the thesis comes to: does guided growth make a forest better, and is diversity why?"""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import first_greatest, first_least, less
from arboretum.papers.contract import table
from arboretum.papers.diversity.tables.shared import (
    GUIDED_BY_TEXT,
    curves,
    most_trees,
    paired,
    sets_present,
)
from arboretum.papers.results import Results


@table(
    title="What the question comes to: guided growth against the standard forest",
    keys=("dataset",),
    sources=("guided",),
    caption=(
        "All trees, mean over splits that all learners share, strategies as the text has them, by weighted "
        "bootstrapping. surely: by two standard errors of the paired difference. The best strategy is picked on the "
        "test cases, so its gain is an upper limit. price and gain: by how much member error and diversity of the best "
        "one exceed those of the forest; it pays where the gain is larger."
    ),
)
def question(results: Results) -> pd.DataFrame:
    """One row per set."""
    members, strategies = most_trees(results), list(GUIDED_BY_TEXT)
    at, rows = curves(results).xs(members, level="members"), []
    gaps = {name: paired(results, "error", members, name, "rf") for name in strategies}
    for dataset in sets_present(results):
        here = at.loc[dataset]
        best = strategies[first_least(here.loc[strategies, "error"])]
        ends = {name: gap.loc[dataset] for name, gap in gaps.items()}
        rows.append(
            {
                "dataset": dataset,
                "trees": members,
                "error_of_the_forest": here.loc["rf", "error"],
                "best_strategy": best,
                "error_of_the_best": here.loc[best, "error"],
                "less_forest": ends[best]["difference"],
                "less_forest_standard_error": ends[best]["error"],
                "surely_better": sum(bool(less(end["difference"] + 2 * end["error"], 0)) for end in ends.values()),
                "surely_worse": sum(bool(less(0, end["difference"] - 2 * end["error"])) for end in ends.values()),
                "strategies": len(strategies),
                "price_in_member_error": here.loc[best, "member_error"] - here.loc["rf", "member_error"],
                "gain_in_diversity": here.loc[best, "diversity"] - here.loc["rf", "diversity"],
                "most_diverse_strategy": strategies[first_greatest(here.loc[strategies, "diversity"])],
            }
        )
    return pd.DataFrame(rows)
