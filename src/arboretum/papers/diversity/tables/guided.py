"""Sections 5.1 and 5.3: components along the number of trees, learner against forest, text against code."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, first_greatest
from arboretum.papers.contract import table
from arboretum.papers.diversity.tables.components import (
    AS_RUN,
    COMPARED,
    PRINTED_SET,
    RUN,
    components,
    curves,
    in_order,
    last_plotted,
    most_trees,
    sets_present,
    with_components,
)
from arboretum.papers.kit.curves import less, means
from arboretum.papers.results import Results, once

BY = ["dataset", "learner", "members"]
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
PAIRED = ("member_error", "diversity", "error")
LEAST_SPLITS = 3  # from which on the noise of a curve can be seen


@table(
    title="Components of every learner beside the standard forest",
    keys=("dataset", "learner", "members"),
    sources=("guided",),
    caption=(
        "0/1 loss, mean over splits, intervals of 95%. member error = bias + variance; error = member error - "
        "diversity. less rf: paired with the standard forest on the same splits. Bias and variance are those of three "
        "trials: see the table of more trials."
    ),
)
def guided_components(results: Results) -> pd.DataFrame:
    """Components with two, with 39 and with all trees."""
    frame = components(results)
    frame = frame[frame["members"].isin({2, last_plotted(results), most_trees(results)})]
    runs = less(frame, "rf", PAIRED, RUN, "_less_rf")
    return in_order(means(runs, BY, [*COMPARED, *(f"{name}_less_rf" for name in PAIRED)]), "members")


@table(
    title="Observation 5.1.1: what grows in a standard forest",
    keys=("dataset",),
    sources=("guided",),
    caption=(
        "Change of bias, variance and member error from 10 trees to all of them, mean over splits; correlation of "
        "the diversity and of minus the error along the number of trees, of the mean curve. The member error of "
        "trees grown alike is the same for every number of trees up to chance; how it divides into bias and variance "
        "is an artefact of the three trials: see the table of more trials."
    ),
)
def growth_of_forests(results: Results) -> pd.DataFrame:
    """Standard forests, one row per set."""
    last = most_trees(results)
    first = min(10, last)
    forest = components(results).query("learner == 'rf'").set_index(["members", "dataset", "split"])[list(COMPARED)]
    change = (forest.loc[last] - forest.loc[first]).add_suffix("_change").reset_index()
    found = in_order(means(change, ["dataset"], [f"{name}_change" for name in COMPARED]))
    mean = curves(results)
    along = [mean.loc[dataset, "rf"] for dataset in found["dataset"]]
    follows = [np.corrcoef(-curve["error"], curve["diversity"])[0, 1] for curve in along]
    return found.assign(from_trees=first, to_trees=last, correlation=follows)


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
    jump = (frame.loc[2] - frame.loc[1]).reset_index()
    jump = jump.rename(columns={"member_error": "jump", "diversity": "jump_of_diversity"})
    found = in_order(means(jump, ["dataset", "learner"], ["jump", "jump_of_diversity"]))
    pairs = found[["dataset", "learner"]].itertuples(index=False)
    mean = curves(results)
    along = [mean.loc[(*pair,), "diversity"] for pair in pairs]
    peaks = [first_greatest(curve.to_numpy()) for curve in along]
    at = list(zip(along, peaks, strict=True))
    return found.assign(
        peak_trees=[int(curve.index[peak]) for curve, peak in at],
        peak=[curve.iloc[peak] for curve, peak in at],
        fall_from_peak=[curve.iloc[peak] - curve.iloc[-1] for curve, peak in at],
    )


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


def printed_pair(results: Results, dataset: str, learner: str) -> pd.DataFrame:
    """The printed diversity and member error of a learner, by the number of trees; empty where it is not drawn."""
    frame = digitised(results)
    frame = frame[(frame["dataset"] == dataset) & (frame["learner"] == learner)]
    wide = frame.pivot(index="members", columns="term", values="value")
    if wide.empty:
        return wide
    return pd.DataFrame({"diversity": wide["diversity"], "member_error": wide["bias"] + wide["variance"]})


def apart(curve: pd.DataFrame, other: pd.DataFrame) -> pd.Series:
    """Mean distance of two pairs of curves."""
    return (curve - other).abs().mean()


def noise_of_one_split(results: Results, dataset: str, learner: str, members: pd.Index) -> np.ndarray:
    """How far the curves of each split lie from the mean of the other splits, summed."""
    frame = components(results)
    frame = frame[(frame["dataset"] == dataset) & (frame["learner"] == learner) & frame["members"].isin(members)]
    names = ["diversity", "member_error"]
    splits = [one.set_index("members")[names] for _, one in frame.groupby("split")]
    total = sum(splits)
    return np.array([apart(one, (total - one) / (len(splits) - 1)).sum() for one in splits])


@table(
    title="Text against code",
    keys=("learner", "dataset"),
    sources=("guided",),
    caption=(
        "The author's code differs from the text in three learners; both are computed. effect: as run less as the "
        "text has it, paired, with 39 trees. distance: mean distance of our mean curve from the digitised print over "
        "1..39 trees, where print shows the learner; print has one split, ours are means. within: share of our splits "
        "that lie as far from the others as print does, member error and diversity summed. print follows: what it is "
        "not farther from than any split of ours; open where there are fewer than three splits."
    ),
)
def text_against_code(results: Results) -> pd.DataFrame:
    """One row per learner that differs and set."""
    frame, rows = components(results), []
    frame = frame[frame["members"] == last_plotted(results)]
    for text, run in AS_RUN.items():
        effect = less(frame, text, PAIRED, RUN, "_effect").query("learner == @run")
        effects = means(effect, ["dataset"], [f"{name}_effect" for name in PAIRED]).set_index("dataset")
        for dataset in sets_present(results):
            row = {"learner": text, "dataset": dataset} | effects.loc[dataset].to_dict()
            rows.append(row | beside_the_print(results, dataset, {"text": text, "code": run, "forest": "rf"}))
    return pd.DataFrame(rows)


def beside_the_print(results: Results, dataset: str, learners: dict[str, str]) -> dict[str, object]:
    """Distances of the printed curves from text, code and forest, and which of the first two they follow."""
    printed, mean, row, within = printed_pair(results, dataset, learners["text"]), curves(results), {}, {}
    for name, learner in learners.items():
        found, share = pd.Series(np.nan, ["diversity", "member_error"]), np.nan
        if len(printed):
            ours = mean.loc[dataset, learner].reindex(printed.index)
            found = apart(ours[["diversity", "member_error"]], printed)
            noise = noise_of_one_split(results, dataset, learner, printed.index)
            share = float(np.mean(at_most(found.sum(), noise))) if len(noise) >= LEAST_SPLITS else np.nan
        row |= {f"{term}_distance_of_{name}": value for term, value in found.items()}
        row[f"within_{name}"] = within[name] = share
    follows = [f"the {name}" for name in ("text", "code") if within[name] > 0]
    words = (follows or ["neither"])[0] if len(follows) < 2 else "either"
    return row | {"print_follows": "" if np.isnan(within["text"]) else words}


# ------------------------------------------------------------------ more than three trials


@table(
    title="More than three trials",
    keys=("dataset", "learner", "members", "trials"),
    sources=("trials",),
    caption=(
        "Components from the first three trials, and from more, of the same splits. The central model of 0/1 loss is "
        "a vote of the trials: three make bias and variance an artefact, while diversity and error are means."
    ),
)
def more_trials(results: Results) -> pd.DataFrame:
    """Components and differences from the standard forest by the number of trials."""
    keys = [*BY, "trials"]
    mean = with_components(results.raw["trials"]).groupby(keys, as_index=False)[list(COMPARED)].mean()
    found = less(mean, "rf", ("diversity", "error"), ["dataset", "members", "trials"], "_less_rf")
    return in_order(found, "members", "trials")


@table(
    title="Real forests under other losses and combiners",
    keys=("dataset", "learner", "loss", "combiner", "trials"),
    sources=("losses",),
    tolerance=1e-8,
    caption=(
        "Standard forests and DRF, 39 trees, means over splits with intervals of 95%: ensemble loss = bias + variance "
        "- diversity under every loss and combiner; an answer is a vote mixed with the uniform distribution. "
        "cross-entropy, mean: averaged probabilities; geometric mean: the combiner that it implies. Under squared loss "
        "T trials have (T - 1)/T of the variance on average; under 0/1 loss bias and variance move on: members pooled "
        "has the centre of trees that are alike from all trees of all trials, which is where they settle."
    ),
)
def other_losses(results: Results) -> pd.DataFrame:
    """Components by loss, combiner and number of trials."""
    terms = ["expected_ensemble_loss", "expected_member_loss", "average_bias", "average_variance", "diversity"]
    found = means(results.raw["losses"], ["dataset", "learner", "loss", "combiner", "trials"], terms)
    return in_order(found, "loss", "combiner", "trials")
