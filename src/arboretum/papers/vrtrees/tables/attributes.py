"""The data sets (Table 6), and what happens when half of their attributes go (Table 5)."""

from __future__ import annotations

import pandas as pd

from arboretum.measures import ties
from arboretum.measures.bootstrap import interval
from arboretum.papers.contract import table
from arboretum.papers.inventory import attributes, beside_print, disagreement
from arboretum.papers.kit.beside import beside
from arboretum.papers.kit.estimate import mean_of
from arboretum.papers.results import Results, once
from arboretum.papers.vrtrees.rates import LEARNER_NAMES, bootstrap_weights, fold_rates, set_means

TABLE5_COLUMNS = {"coalescence": "coalescence", "random_forest": "rf"}  # our learners as Table 5 is stored


@table(
    title="Table 6: the data sets",
    keys=("dataset",),
    caption="Attributes: n nominal with more than two values, c continuous, b binary, counted by declared values.",
)
def table6(results: Results) -> pd.DataFrame:
    """Table 6: the data sets as printed and as we have them; where they differ, the last column says why."""
    frame = beside_print(results.sets, results.printed["table6_datasets"])
    found = frame["rows"].notna()
    ours = [
        attributes(int(row.nominal), int(row.numeric), int(row.binary)) if known else None
        for row, known in zip(frame.itertuples(), found, strict=True)
    ]
    same = (
        (frame["rows"] == frame["size"])
        & (pd.Series(ours) == frame["att_printed"])
        & (frame["classes"] == frame["classes_printed"])
    )
    return pd.DataFrame(
        {
            "dataset": frame["dataset"],
            "description": frame["description"],
            "size_printed": frame["size"],
            "size": frame["rows"].astype("Int64"),
            "attributes_printed": frame["att_printed"],
            "attributes": ours,
            "classes_printed": frame["classes_printed"].astype("Int64"),
            "classes": frame["classes"].astype("Int64"),
            "classes_occurring": frame["classes_occurring"].astype("Int64"),
            "missing": frame["missing"].astype("Int64"),
            "agrees": same,
            "remark": disagreement(same, frame),
        }
    )


@once
def rates_by_attributes(results: Results) -> pd.DataFrame:
    """Error in per cent: (sets of Table 5 in the order of print, repetition) x (learner, attributes)."""
    rates = fold_rates(results.raw["half_attributes"], ["dataset", "repetition", "learner", "attributes"])
    rates = rates.unstack(["learner", "attributes"])
    known = set(rates.index.get_level_values("dataset"))
    return rates.loc[[name for name in results.printed["table5_half_attributes"]["dataset"] if name in known]]


@table(
    title="Table 5: half of the attributes",
    keys=("dataset",),
    sources=("half_attributes",),
    caption=(
        "Means over repetitions. Printed values with Full and Half exchanged for hayes and tic-tac-toe, where they "
        "contradict Table 3. half: importance from all data as printed, which leaks the test part; half without leak: "
        "from the training part of each fold."
    ),
)
def table5(results: Results) -> pd.DataFrame:
    """Table 5: all attributes against the more important half, judged as printed and without the test part."""
    errors = set_means(rates_by_attributes(results))
    text = results.printed["table5_half_attributes"].set_index("dataset").loc[errors.index]
    frame = pd.DataFrame({"dataset": list(errors.index)})
    for learner, key in TABLE5_COLUMNS.items():
        for kind, attributes_used in (("full", "all"), ("half", "all data")):
            column = f"{learner}_{kind}"
            printed, ours = text[f"{key}_{kind}_corrected"].to_numpy(), errors[learner, attributes_used].to_numpy()
            frame = frame.assign(**beside(column, printed, ours))
        frame[f"{learner}_half_without_leak"] = errors[learner, "training part"].to_numpy()
    return frame.assign(remark=text["note"].fillna("").to_numpy())


@table(
    title="Table 5: on how many sets half of the attributes is better",
    keys=("learner", "importance_from"),
    sources=("half_attributes",),
    caption=(
        "improved, equal, worse: by the mean over repetitions. in runs: how many sets improve in one run. set by set: "
        "sets whose 95% interval of the mean change over repetitions lies below, or above, 0, each by "
        "itself; one in forty would on either side by chance. low, high of the mean change: bootstrap over data sets."
    ),
)
def table5_counts(results: Results) -> pd.DataFrame:
    """On how many sets half of the attributes is better, and by how much on average."""
    rates = rates_by_attributes(results)
    text = results.printed["table5_half_attributes"].set_index("dataset").loc[set_means(rates).index]
    rows = []
    for learner, key in TABLE5_COLUMNS.items():
        for source in ("all data", "training part"):
            row = {"learner": LEARNER_NAMES[learner], "importance_from": source}
            for kind in ("printed", "corrected"):
                row[f"improved_{kind}"] = int(ties.less(text[f"{key}_half_{kind}"], text[f"{key}_full_{kind}"]).sum())
            rows.append(row | counts_of_improvement(rates[learner, "all"], rates[learner, source]))
    return pd.DataFrame(rows)


def counts_of_improvement(full: pd.Series, half: pd.Series) -> dict[str, object]:
    """How often half of the attributes is better, with the noise of repetitions; index (dataset, repetition)."""
    change = half - full
    grouped = change.groupby(level="dataset", sort=False)
    mean, ends = grouped.mean(), [mean_of(runs.to_numpy()).interval for _, runs in grouped]
    by_run = pd.Series(ties.less(change, 0), index=change.index).groupby(level="repetition").sum()
    low, high = interval(bootstrap_weights(mean.index) @ mean.to_numpy())
    means = pd.DataFrame({"full": full, "half": half}).groupby(level="dataset", sort=False).mean()
    halved = ties.less(means["half"], means["full"] / 2)
    return {
        "improved": int(ties.less(mean, 0).sum()),
        "equal": int(ties.equal(mean, 0).sum()),
        "worse": int(ties.less(0, mean).sum()),
        "improved_in_runs_least": int(by_run.min()),
        "improved_in_runs_greatest": int(by_run.max()),
        "improved_in_runs_mean": by_run.mean(),
        "improved_set_by_set": sum(bool(ties.less(high, 0)) for _, high in ends),
        "worse_set_by_set": sum(bool(ties.less(0, low)) for low, _ in ends),
        "sets": len(mean),
        "more_than_halved": ", ".join(means.index[halved]),
        "mean_change": mean.mean(),
        "mean_change_low": low,
        "mean_change_high": high,
    }
