"""Beyond print: what the rule for tied votes decides."""

from __future__ import annotations

import pandas as pd

from arboretum.papers.contract import table
from arboretum.papers.dynint.experiments.ties import VOTERS
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results

COUNTED = ("tied", "right_first", "right_drawn")


@table(
    title="Tied votes: the first class, or one of the tied ones drawn",
    keys=("trees", "strategy"),
    sources=("ties",),
    caption=(
        "Mean over all sets, the splits and forests of Table 2, forest similarity with local weights, 15 neighbours. "
        "tied: per cent of the cases whose vote has no single winner. drawn_less_first: accuracy in points if one of "
        "the tied classes is drawn (its mean over all draws, exactly) less that with the first of them; "
        "gain_drawn_less_first: the same of the gain over voting. Intervals: 95%, over splits."
    ),
)
def ties(results: Results) -> pd.DataFrame:
    """One row per number of trees and strategy."""
    frame, rows = results.raw["ties"], []
    keys = ["trees", "strategy", "repetition"]
    share = {one: (100 * frame[one] / frame["cases"]).groupby([frame[key] for key in keys]).mean() for one in COUNTED}
    moved = share["right_drawn"] - share["right_first"]
    for trees in sorted(frame["trees"].unique()):
        for strategy in VOTERS:
            here, voting = moved.loc[trees, strategy], moved.loc[trees, "sv"]
            change, gain = mean_of(here.to_numpy()), mean_of((here - voting).to_numpy())
            rows.append(
                {
                    "trees": trees,
                    "strategy": strategy,
                    "tied": share["tied"].loc[trees, strategy].mean(),
                    "accuracy_first": share["right_first"].loc[trees, strategy].mean(),
                    "drawn_less_first": change.value,
                    "drawn_less_first_low": change.low,
                    "drawn_less_first_high": change.high,
                    "gain_drawn_less_first": gain.value,
                    "gain_drawn_less_first_low": gain.low,
                    "gain_drawn_less_first_high": gain.high,
                }
            )
    return pd.DataFrame(rows)
