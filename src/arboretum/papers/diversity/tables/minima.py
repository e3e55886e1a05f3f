"""Tables 5.1 and 5.2: the least error over the number of trees, what it hides, and where a printed cell lies."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, first_least
from arboretum.papers.contract import mean_by, table
from arboretum.papers.diversity.tables.components import (
    AS_TEXT,
    PLOTTED,
    PRINTED_SET,
    components,
    in_order,
)
from arboretum.papers.kit.curves import less, means
from arboretum.papers.results import Results, once

READINGS = ("least", "at_39", "at_all", "at_chosen")
TABLE_5_1 = ("rf", "w_drf", "w_sigm", "w_lerp")
TABLE_5_2 = ("rf", "w_drf", "w_lerp", "w_dyn")
CAPTION = (
    "Mean over splits; all learners share splits and training samples. least: minimum over 1..39 trees on the test "
    "cases, as print has it. at 39 and at all: the error with 39 and with all trees. at chosen: with the number of "
    "trees up to 39 that is best out of bag; optimism: how much the least error lies below it. less rf: paired with "
    "the standard forest. Intervals of 95%; none where there are fewer than three splits."
)


@once
def readings_of_splits(results: Results) -> pd.DataFrame:
    """The error of each split, read in four ways; index dataset, learner, split."""
    rows = {}
    for key, group in components(results).groupby(["dataset", "learner", "split"], sort=False):
        early = group[group["members"] <= PLOTTED]
        errors, places = early["error"].to_numpy(), early["members"].to_numpy()
        chosen = first_least(early["oob_error"].to_numpy())
        least = first_least(errors)
        rows[key] = {
            "least": errors[least],
            "least_trees": places[least],
            "at_39": errors[-1],
            "at_all": group["error"].iloc[-1],
            "at_chosen": errors[chosen],
            "chosen_trees": places[chosen],
        }
    index = pd.MultiIndex.from_tuples(rows, names=["dataset", "learner", "split"])
    return pd.DataFrame(list(rows.values()), index=index)


def printed_cell(printed: pd.DataFrame, dataset: str, learner: str) -> float:
    """The printed least error of a set and learner; what was run is printed under the name that the text gives it."""
    wide, name = printed.set_index("dataset"), PRINTED_SET.get(dataset, dataset)
    column = AS_TEXT.get(learner, learner)
    return float(wide.loc[name, column]) if name in wide.index and column in wide else np.nan


@table(
    title="Least error of every learner, and what it hides",
    keys=("dataset", "learner"),
    metrics=mean_by("learner", "at_all"),
    sources=("guided",),
    caption=CAPTION,
)
def minima(results: Results) -> pd.DataFrame:
    """All learners, those that were run beside those of the text."""
    runs = less(readings_of_splits(results).reset_index(), "rf", ("least", "at_all"), ("dataset", "split"), "_less_rf")
    runs = runs.assign(optimism=runs["at_chosen"] - runs["least"])
    shown = [*READINGS, "least_less_rf", "at_all_less_rf"]
    keys = ["dataset", "learner"]
    trees = runs.groupby(keys)[["least_trees", "chosen_trees", "optimism"]].mean().reset_index()
    return in_order(means(runs, keys, shown).rename(columns={"runs": "splits"}).merge(trees, on=keys))


def beside_print(results: Results, name: str, learners: tuple[str, ...]) -> pd.DataFrame:
    """The cells of a printed table with ours."""
    ours, printed = results.tables["minima"], results.printed[name]
    ours = ours[ours["learner"].isin([*learners, *(run for run, text in AS_TEXT.items() if text in learners)])]
    cells = [printed_cell(printed, row.dataset, row.learner) for row in ours.itertuples()]
    shown = ours.assign(printed=cells).dropna(subset="printed")
    return shown.rename(columns={"printed": "least_printed"}).assign(least_difference=shown["least"] - shown["printed"])


@table(
    title="Table 5.1: least error over the number of trees",
    keys=("dataset", "learner"),
    sources=("guided",),
    caption=CAPTION + " Learners as run stand beside the printed cell of the learner that the text describes.",
)
def table5_1(results: Results) -> pd.DataFrame:
    """Seven sets, four learners."""
    return beside_print(results, "table5_1", TABLE_5_1)


@table(
    title="Table 5.2: least error over the number of trees, more than two classes",
    keys=("dataset", "learner"),
    sources=("guided",),
    caption=CAPTION + " w_dyn as run weighs all cases alike: it is a standard forest.",
)
def table5_2(results: Results) -> pd.DataFrame:
    """Three sets, four learners."""
    return beside_print(results, "table5_2", TABLE_5_2)


# ------------------------------------------------------------------ what chance does to a printed cell


@once
def least_of_draws(results: Results) -> pd.DataFrame:
    """Least error of every draw: one split of its own for each learner, as the author drew them."""
    frame = results.raw["printed"]
    return frame.assign(least=frame["least_errors"] / (frame["cases"] * frame["trials"]))


def printed_anywhere(results: Results, dataset: str, learner: str) -> float:
    """The printed cell of Table 5.1, or of 5.2 where the first has no such column."""
    first = printed_cell(results.printed["table5_1"], dataset, learner)
    return first if not np.isnan(first) else printed_cell(results.printed["table5_2"], dataset, learner)


@table(
    title="Where a printed cell lies among draws like the author's",
    keys=("dataset", "learner"),
    sources=("printed",),
    caption=(
        "The author drew one unseeded split for each learner and printed its least error over 1..39 trees. Each draw "
        "here is such a split. low and high hold the central 95% of draws; below: share of draws at or below print."
    ),
)
def printed_cells(results: Results) -> pd.DataFrame:
    """The distribution of a cell over draws, and the place of the printed one in it."""
    draws = least_of_draws(results)
    rows = []
    for (dataset, learner), group in draws.groupby(["dataset", "learner"]):
        values, printed = group["least"].to_numpy(), printed_anywhere(results, dataset, learner)
        if np.isnan(printed):
            continue
        low, high = np.quantile(values, [0.025, 0.975])
        rows.append(
            {
                "dataset": dataset,
                "learner": learner,
                "draws": len(values),
                "printed": printed,
                "mean": values.mean(),
                "standard_deviation": values.std(ddof=1),
                "low": low,
                "high": high,
                "below": float(np.mean(at_most(values, printed))),
                "inside": bool(at_most(low, printed) and at_most(printed, high)),
            }
        )
    return in_order(pd.DataFrame(rows))


@table(
    title="Printed differences from the standard forest beside those of chance",
    keys=("dataset", "learner"),
    sources=("printed",),
    caption=(
        "printed: cell of the learner less that of the standard forest. expected: difference of the means over draws; "
        "deviation: of the difference of two draws on splits of their own. by chance: chance that two standard "
        "forests on splits of their own differ by at least as much as print."
    ),
)
def printed_differences(results: Results) -> pd.DataFrame:
    """How much of a printed difference two splits of their own explain."""
    draws = least_of_draws(results).set_index(["dataset", "learner"])["least"]
    rows = []
    for dataset, learner in sorted(set(draws.index)):
        printed = printed_anywhere(results, dataset, learner) - printed_anywhere(results, dataset, "rf")
        if learner == "rf" or np.isnan(printed):
            continue
        ours, forest = draws[dataset, learner].to_numpy(), draws[dataset, "rf"].to_numpy()
        pairs = np.abs(forest[:, None] - forest[None, :])[~np.eye(len(forest), dtype=bool)]
        expected = ours.mean() - forest.mean()
        rows.append(
            {
                "dataset": dataset,
                "learner": learner,
                "printed_difference": printed,
                "expected_difference": expected,
                "deviation": np.hypot(ours.std(ddof=1), forest.std(ddof=1)),
                "by_chance": float(np.mean(at_most(abs(printed), pairs))),
            }
        )
    return in_order(pd.DataFrame(rows))
