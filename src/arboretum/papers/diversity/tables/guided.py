"""Sections 5.1 and 5.3: components along the number of trees, learner against forest, text against code."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import first_greatest, less
from arboretum.papers.contract import table
from arboretum.papers.diversity.tables.shared import (
    AS_RUN,
    PRINTED_SET,
    components,
    curves,
    in_order,
    last_plotted,
    mean_and_error,
    most_trees,
    paired,
    sets_present,
    test_cases,
    with_components,
)
from arboretum.papers.results import Results, once

COMPARED = ("member_error", "bias", "variance", "diversity", "error")
PRINTED_LEARNER = {
    "rf": "rf",
    "w_drf": "drf",
    "w_drf_fit": "drf_fit",
    "w_xuchen": "xuchen",
    "w_sigm": "sigm",
    "w_lerp": "lerp",
    "w_dyn": "dyn",
}
PRINTED_TERM = {"err": "error", "bias": "bias", "var": "variance", "div": "diversity"}


@table(
    title="Components of every learner beside the standard forest",
    keys=("dataset", "learner", "members"),
    sources=("guided",),
    caption=(
        "0/1 loss, mean over splits. member error = bias + variance; error = member error - diversity. less rf: "
        "paired with the standard forest on the same splits."
    ),
)
def guided_components(results: Results) -> pd.DataFrame:
    """Components with two, with 39 and with all trees."""
    sizes = sorted({2, last_plotted(results), most_trees(results)})
    frame, rows = components(results), []
    for members in sizes:
        at = frame[frame["members"] == members].set_index(["learner", "dataset", "split"]).sort_index()
        for learner in at.index.unique("learner"):
            ours, forest = at.loc[learner][list(COMPARED)], at.loc["rf"][list(COMPARED)]
            mean, error = mean_and_error(ours, test_cases(results))
            gap, gap_error = mean_and_error(ours - forest, test_cases(results))
            for dataset in mean.index:
                row = {"dataset": dataset, "learner": learner, "members": members}
                for name in COMPARED:
                    row |= {name: mean.loc[dataset, name], f"{name}_standard_error": error.loc[dataset, name]}
                for name in ("member_error", "diversity", "error"):
                    row[f"{name}_less_rf"] = gap.loc[dataset, name]
                    row[f"{name}_less_rf_standard_error"] = gap_error.loc[dataset, name]
                rows.append(row)
    return in_order(pd.DataFrame(rows), "members")


@table(
    title="Observation 5.1.1: what grows in a standard forest",
    keys=("dataset",),
    sources=("guided",),
    caption=(
        "Change of bias, variance and member error from 10 trees to all of them, mean over splits; correlation of "
        "the diversity and of minus the error along the number of trees, of the mean curve. The member error of "
        "trees grown alike is the same for every number of trees up to chance."
    ),
)
def growth_of_forests(results: Results) -> pd.DataFrame:
    """Standard forests, one row per set."""
    frame, last = components(results), most_trees(results)
    forest = frame[frame["learner"] == "rf"].set_index(["members", "dataset", "split"])[list(COMPARED)].sort_index()
    first = min(10, last)
    change, change_error = mean_and_error(forest.loc[last] - forest.loc[first], test_cases(results))
    curve = curves(results).xs("rf", level="learner")
    rows = []
    for dataset in sets_present(results):
        along = curve.loc[dataset]
        row = {"dataset": dataset, "from_trees": first, "to_trees": last}
        for name in COMPARED:
            row[f"{name}_change"] = change.loc[dataset, name]
            row[f"{name}_change_standard_error"] = change_error.loc[dataset, name]
        row["correlation"] = np.corrcoef(-along["error"], along["diversity"])[0, 1]
        rows.append(row)
    return pd.DataFrame(rows)


@table(
    title="Weighted bootstrapping: the jump at the start and the peak of diversity",
    keys=("dataset", "learner"),
    sources=("guided",),
    caption=(
        "Jump: member error of two trees less that of one, mean over splits. Peak: the number of trees at which the "
        "mean curve of the diversity is highest, and how much lower it is with all trees."
    ),
)
def spikes(results: Results) -> pd.DataFrame:
    """One row per set and learner."""
    frame = components(results).set_index(["members", "learner", "dataset", "split"])[["member_error", "diversity"]]
    frame = frame.sort_index()
    jump = frame.loc[2] - frame.loc[1]
    rows = []
    for learner in jump.index.unique("learner"):
        mean, error = mean_and_error(jump.loc[learner], test_cases(results))
        for dataset in mean.index:
            along = curves(results).loc[dataset, learner]["diversity"]
            peak = first_greatest(along.to_numpy())
            rows.append(
                {
                    "dataset": dataset,
                    "learner": learner,
                    "jump": mean.loc[dataset, "member_error"],
                    "jump_standard_error": error.loc[dataset, "member_error"],
                    "jump_of_diversity": mean.loc[dataset, "diversity"],
                    "peak_trees": int(along.index[peak]),
                    "peak": along.iloc[peak],
                    "fall_from_peak": along.iloc[peak] - along.iloc[-1],
                }
            )
    return in_order(pd.DataFrame(rows))


# ------------------------------------------------------------------ text against code


@once
def digitised(results: Results) -> pd.DataFrame:
    """Figures A.1 to A.3 read off print, mean where a curve is drawn twice; columns dataset, learner, members, ..."""
    frame = results.printed["printed_curves"].rename(columns={"M": "members", "set": "dataset"})
    ours = {printed: name for name, printed in PRINTED_SET.items()}
    learner = {printed: name for name, printed in PRINTED_LEARNER.items()}
    frame = frame.assign(
        dataset=frame["dataset"].replace(ours),
        learner=frame["learner"].map(learner),
        term=frame["term"].map(PRINTED_TERM),
    )
    return frame.groupby(["dataset", "learner", "members", "term"], as_index=False)["value"].mean()


def distance_to_print(results: Results, dataset: str, learner: str, printed_as: str) -> dict[str, float]:
    """Mean distance of our mean curve from the printed one, over the trees plotted, for diversity and member error."""
    print_ = digitised(results)
    print_ = print_[(print_["dataset"] == dataset) & (print_["learner"] == printed_as)]
    wide = print_.pivot(index="members", columns="term", values="value")
    if wide.empty or (dataset, learner) not in curves(results).index.droplevel("members"):
        return {"diversity": np.nan, "member_error": np.nan}
    ours = curves(results).loc[dataset, learner].reindex(wide.index)
    member = wide["bias"] + wide["variance"]
    return {
        "diversity": float((ours["diversity"] - wide["diversity"]).abs().mean()),
        "member_error": float((ours["member_error"] - member).abs().mean()),
    }


@table(
    title="Text against code",
    keys=("learner", "dataset"),
    sources=("guided",),
    caption=(
        "The author's code differs from the text in three learners; both are computed. effect: as run less as the "
        "text has it, paired, with 39 trees. distance: mean distance of our mean curve from the digitised print over "
        "1..39 trees, where print shows the learner; print has one split, ours are means. print follows: the reading "
        "whose member error and diversity are nearer, summed."
    ),
)
def text_against_code(results: Results) -> pd.DataFrame:
    """One row per learner that differs and set."""
    members, rows = last_plotted(results), []
    for text, run in AS_RUN.items():
        effects = {name: paired(results, name, members, run, text) for name in ("member_error", "diversity", "error")}
        for dataset in sets_present(results):
            row = {"learner": text, "dataset": dataset}
            for name, effect in effects.items():
                row[f"{name}_effect"] = effect.loc[dataset, "difference"]
                row[f"{name}_effect_standard_error"] = effect.loc[dataset, "error"]
            distances = {}
            for reading, learner in (("text", text), ("code", run), ("forest", "rf")):
                found = distance_to_print(results, dataset, learner, text)
                row |= {f"{name}_distance_of_{reading}": value for name, value in found.items()}
                distances[reading] = found["diversity"] + found["member_error"]
            row["print_follows"] = ""
            if not np.isnan(distances["text"]):
                row["print_follows"] = "the code" if less(distances["code"], distances["text"]) else "the text"
            rows.append(row)
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ more than three trials


@table(
    title="More than three trials",
    keys=("dataset", "learner", "members", "trials"),
    sources=("trials",),
    caption=(
        "Components from the first three trials, and from more, of the same splits. The central model of 0/1 loss is "
        "a vote of the trials: with three of them bias and variance are rough, while diversity and error are means."
    ),
)
def more_trials(results: Results) -> pd.DataFrame:
    """Components and differences from the standard forest by the number of trials."""
    frame = with_components(results.raw["trials"])
    keys = ["dataset", "learner", "members", "trials"]
    mean = frame.groupby(keys)[list(COMPARED)].mean()
    forest = mean.xs("rf", level="learner").reindex(mean.index.droplevel("learner"))
    for name in ("diversity", "error"):
        mean[f"{name}_less_rf"] = mean[name].to_numpy() - forest[name].to_numpy()
    return in_order(mean.reset_index(), "members", "trials")
