"""Beyond print (profile ``extended``): the trees of the other papers on the map of the guided ones, and pruning."""

from __future__ import annotations

import pandas as pd

from arboretum.measures.ties import first_greatest, first_least
from arboretum.papers.contract import mean_by, table
from arboretum.papers.diversity.tables.components import in_order, with_components
from arboretum.papers.diversity.tables.forests import correlation
from arboretum.papers.kit.curves import means
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results

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
    frame = results.raw["choices"].query("part == 'map'")
    frame = with_components(frame[frame["members"] == frame["members"].max()])
    votes = frame["trials"] * frame["cases"] * frame["members"]
    runs = frame.assign(good=frame["good_votes"] / votes, bad=frame["bad_votes"] / votes)
    return in_order(means(runs, ["dataset", "learner"], MAPPED))


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
    run, names = ["dataset", "split", "members"], ["error", "member_error"]
    by_learner = frame.pivot(index=run, columns="learner", values=names)
    kept, first = (by_learner.xs(one, level="learner", axis=1) for one in ("representatives", "first trees"))
    shown = {"_kept": kept, "_first": first, "_difference": kept - first}
    runs = pd.concat([part.add_suffix(end) for end, part in shown.items()], axis=1)
    return in_order(means(runs.reset_index(), ["dataset", "members"], list(runs)), "members")


# ------------------------------------------------------------------ tied votes


@table(
    title="Tied votes: the first class, or one of the tied ones drawn",
    keys=("dataset", "learner", "members"),
    sources=("ties",),
    caption=(
        "Splits and forests of the experiment guided, means over five splits of three trials, in per cent. tied: "
        "cases whose vote has no single winner. drawn_less_first: the error if one of the tied classes is drawn (its "
        "mean over all draws, exactly) less that with the first of them; less_forest: the same of the error less "
        "that of the standard forest, which the comparisons are about. Intervals: 95%, over splits."
    ),
)
def ties(results: Results) -> pd.DataFrame:
    """One row per set, learner and number of trees."""
    frame = results.raw["ties"].set_index(["dataset", "learner", "members", "split"])
    shares = 100 * frame[["tied", "right_first", "right_drawn"]].div(frame["cases"], axis=0)
    moved, rows = shares["right_first"] - shares["right_drawn"], []
    for (dataset, learner, members), here in moved.groupby(level=["dataset", "learner", "members"]):
        forest = moved.loc[dataset, "rf", members]
        change, apart = mean_of(here.to_numpy()), mean_of(here.to_numpy() - forest.to_numpy())
        key = (dataset, learner, members)
        rows.append(
            {
                **dict(zip(("dataset", "learner", "members"), key, strict=True)),
                "tied": shares["tied"].loc[key].mean(),
                "error_first": 100 - shares["right_first"].loc[key].mean(),
                "drawn_less_first": change.value,
                "drawn_less_first_low": change.low,
                "drawn_less_first_high": change.high,
                "less_forest": apart.value,
                "less_forest_low": apart.low,
                "less_forest_high": apart.high,
            }
        )
    return in_order(pd.DataFrame(rows), "members")
