"""What the question of the thesis comes to: does guided growth make a forest better, and is diversity why?"""

from __future__ import annotations

import pandas as pd

from arboretum.measures.intervals import NONE
from arboretum.measures.ties import first_greatest, first_least
from arboretum.papers.contract import table
from arboretum.papers.diversity.tables.components import GUIDED_BY_TEXT, curves, most_trees, of_splits, sets_present
from arboretum.papers.kit.estimate import Estimate, chosen, difference_of, mean_of
from arboretum.papers.results import Results

LEVEL = 0.95


@table(
    title="What the question comes to: guided growth against the standard forest",
    keys=("dataset",),
    sources=("guided",),
    caption=(
        "All trees, mean over splits that all learners share, strategies as the text has them, by weighted "
        "bootstrapping. better and worse: how many strategies are so for certain, all sets and strategies counted as "
        "one family of comparisons at 95%. less forest: of the best one, which is picked on the test cases; its "
        "interval is that of the choice, over bootstrap samples of the splits. honest less forest: of the one that is "
        "best on one half of the splits, on the other half. price and gain: by how much member error and diversity of "
        "the best one exceed those of the forest; it pays where the gain is larger."
    ),
)
def question(results: Results) -> pd.DataFrame:
    """One row per set."""
    members, strategies, rows = most_trees(results), list(GUIDED_BY_TEXT), []
    at, errors = curves(results).xs(members, level="members"), of_splits(results, "error", members)
    sets = sets_present(results)
    level = 1 - (1 - LEVEL) / (len(sets) * len(strategies))
    for dataset in sets:
        here, runs = at.loc[dataset], errors.loc[dataset]
        best = strategies[first_least(here.loc[strategies, "error"])]
        gaps = runs[strategies].sub(runs["rf"], axis=0)
        ends = [difference_of(runs[name].to_numpy(), runs["rf"].to_numpy()).at(level) for name in strategies]
        picked, honest = chosen(gaps.to_numpy(), min), chosen_on_one_half(gaps)
        row = {
            "dataset": dataset,
            "trees": members,
            "splits": len(runs),
            "error_of_the_forest": here.loc["rf", "error"],
        }
        row |= {"best_strategy": best, "error_of_the_best": here.loc[best, "error"]}
        row |= interval("less_forest", picked) | interval("honest_less_forest", honest)
        row |= {"better": sum(high < 0 for _, high in ends), "worse": sum(low > 0 for low, _ in ends)}
        row |= {"strategies": len(strategies)}
        row["price_in_member_error"] = here.loc[best, "member_error"] - here.loc["rf", "member_error"]
        row["gain_in_diversity"] = here.loc[best, "diversity"] - here.loc["rf", "diversity"]
        row["most_diverse_strategy"] = strategies[first_greatest(here.loc[strategies, "diversity"])]
        rows.append(row)
    return pd.DataFrame(rows)


def chosen_on_one_half(gaps: pd.DataFrame) -> Estimate:
    """The gap of the strategy that is best on every other split, on the splits between them, and vice versa."""
    halves = gaps.iloc[::2], gaps.iloc[1::2]
    if not len(halves[1]):
        return Estimate(float("nan"), "one split", lambda level: NONE)
    best = [first_least(half.mean().to_numpy()) for half in halves]
    return mean_of([half.iloc[:, other].to_numpy() for half, other in zip(halves, best[::-1], strict=True)])


def interval(name: str, estimate: Estimate) -> dict[str, float]:
    """A value and its ends; NaN where there is no interval."""
    low, high = estimate.interval
    known = abs(low) < float("inf")
    return {name: estimate.value, f"{name}_low": low if known else None, f"{name}_high": high if known else None}
