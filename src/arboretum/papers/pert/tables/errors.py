"""Table 2: test errors beside print, cell by cell, on fixed splits, and where PERT stands among the other three."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from arboretum.measures.ties import at_most, first_greatest, first_least, less
from arboretum.papers.contract import table
from arboretum.papers.inventory import beside_print
from arboretum.papers.pert.tables.shared import SYNTHETIC, mean_and_error
from arboretum.papers.results import Results, once

LEARNERS = {  # the columns of print, in its order
    "adaboost": "adaboost_cart",
    "forest_multiple": "forest_ri_multiple",
    "forest_single": "forest_ri_single",
    "pert": "pert",
}
RIVALS = list(LEARNERS)[:3]
ALLOWED = 0.5  # points beside two standard errors, for the remarks: the limit of pert-c04 (a test compares the two)
QUOTED_RUNS = 100  # hold-outs of Breiman (1999), whose numbers print quotes for all but PERT

UNEXPLAINED = {  # what was tried, for cells that stay beyond
    "credit-g-numeric": (
        "unexplained; the version with 20 symbolic attributes was tried (100 hold-outs): Forest-RI 23.1 and 25.0"
    ),
}


def sets_in_print(results: Results) -> pd.DataFrame:
    """The real sets of this profile with what is printed of each, in the order of print."""
    return beside_print(results.sets, results.printed["table2_error"])


def rows_of_table2(results: Results) -> pd.DataFrame:
    """The sets of Table 2 that this profile asks for, in the order of print: dataset, printed_as, status."""
    drawn = pd.DataFrame({"dataset": SYNTHETIC, "printed_as": SYNTHETIC, "status": "available"})
    return pd.concat([sets_in_print(results)[["dataset", "printed_as", "status"]], drawn], ignore_index=True)


@once
def errors(results: Results) -> pd.DataFrame:
    """Error in per cent with its standard error; index split, learner, dataset."""
    frame = results.raw["accuracy"]
    return mean_and_error(100 * frame["errors"] / frame["cases"], [frame["split"], frame["learner"], frame["dataset"]])


@once
def held_out_errors(results: Results) -> pd.DataFrame:
    """The errors of repeated hold-outs and new samples: Table 2 as the text describes it; index learner, dataset."""
    found = errors(results)
    return pd.concat([found.xs(split, level="split") for split in ("hold-out", "new sample")]).sort_index()


@table(
    title="Table 2: test errors",
    keys=("dataset",),
    sources=("accuracy",),
    caption=(
        "Per cent. Real data: a random tenth held out; synthetic data: 300 cases to train, new ones to test. "
        "Printed AdaBoost and Forest-RI are Breiman's (1999); ours are run here, on the hold-outs of PERT. "
        "Standard error: from the spread between repetitions."
    ),
)
def table2(results: Results) -> pd.DataFrame:
    """Test errors of all four methods, and of bagged PERT."""
    sets, found = rows_of_table2(results), held_out_errors(results)
    text = results.printed["table2_error"].set_index("dataset").loc[sets["printed_as"]]
    shown = pd.DataFrame({"dataset": sets["dataset"]}).set_index("dataset")
    for learner, column in LEARNERS.items():
        shown[f"{learner}_printed"] = text[column].to_numpy()
        shown[learner], shown[f"{learner}_standard_error"] = found.loc[learner, "mean"], found.loc[learner, "se"]
        shown[f"{learner}_difference"] = shown[learner] - shown[f"{learner}_printed"]
    bagged = found.loc["pert_bagged"]
    shown["pert_bagged"], shown["pert_bagged_standard_error"] = bagged["mean"], bagged["se"]
    shown["repetitions"] = found.loc["pert", "repetitions"].astype("Int64")
    shown["repetitions_of_adaboost"] = found.loc["adaboost", "repetitions"].astype("Int64")
    shown["status"] = sets["status"].to_numpy()
    return shown.reset_index()


@table(
    title="The large sets on fixed splits",
    keys=("dataset", "learner"),
    sources=("accuracy",),
    caption=(
        "Breiman (1999) trained on one fixed part of the large sets: 15000 of letter (our copy does not say which: "
        "random parts of that size), 4435 of satimage, 7291 of usps. The standard error of an "
        "official split is that of the random trees alone."
    ),
)
def fixed_splits(results: Results) -> pd.DataFrame:
    """The large sets trained on one part of fixed size, as Breiman did, beside the repeated hold-out."""
    found, held_out = errors(results).xs("fixed", level="split"), held_out_errors(results)
    names = sets_in_print(results).set_index("dataset")["printed_as"]
    text = results.printed["table2_error"].set_index("dataset")
    rows = []
    for name in [name for name in names.index if name in found.index.get_level_values("dataset")]:
        for learner in [*LEARNERS, "pert_bagged"]:
            one, other = found.loc[learner, name], held_out.loc[learner, name]
            printed = text.loc[names[name], LEARNERS[learner]] if learner in LEARNERS else np.nan
            rows.append(
                {
                    "dataset": name,
                    "learner": learner,
                    "fixed_printed": printed,
                    "fixed": one["mean"],
                    "fixed_standard_error": one["se"],
                    "fixed_difference": one["mean"] - printed,
                    "repetitions": int(one["repetitions"]),
                    "hold_out": other["mean"],
                    "hold_out_standard_error": other["se"],
                    "hold_out_less_printed": other["mean"] - printed,
                }
            )
    return pd.DataFrame(rows)


@table(
    title="Table 2, cell by cell",
    keys=("dataset", "learner"),
    sources=("accuracy",),
    caption="allowed: two standard errors and half a point. fixed split: our error with a fixed training part.",
)
def table2_cells(results: Results) -> pd.DataFrame:
    """Every cell of Table 2 with what was allowed, and a remark where it differs by more."""
    shown, splits = results.tables["table2"], results.tables["fixed_splits"].set_index(["dataset", "learner"])
    frame = results.raw["accuracy"]
    runs = frame[frame["split"] != "fixed"].groupby(["dataset", "learner"]).size()
    rows = []
    for row, learner in product(shown[shown["status"] == "available"].to_dict("records"), LEARNERS):
        key = (row["dataset"], learner)
        error, difference = row[f"{learner}_standard_error"], row[f"{learner}_difference"]
        split = splits.loc[key] if key in splits.index else None
        cell = {"dataset": row["dataset"], "learner": learner}
        cell |= {"error_printed": row[f"{learner}_printed"], "error": row[learner]}
        cell |= {"error_standard_error": error, "error_difference": difference}
        cell |= {"allowed": 2 * error + ALLOWED, "beyond": is_beyond(difference, error)}
        cell |= {"fixed_split": split["fixed"] if split is not None else np.nan}
        cell |= {"remark": remark(key, difference, error, runs[key], split) if cell["beyond"] else ""}
        rows.append(cell)
    return pd.DataFrame(rows)


def is_beyond(difference: float, error: float) -> bool:
    """Whether a difference from print is more than two standard errors and half a point."""
    return bool(less(2 * error + ALLOWED, abs(difference)))


def remark(key: tuple[str, str], difference: float, error: float, runs: int, split: pd.Series | None) -> str:
    """Why a cell differs: print has noise of its own, a fixed split gives the printed number, or nobody knows."""
    dataset, learner = key
    quoted = error * np.sqrt(1 + runs / QUOTED_RUNS)  # standard error of the difference of print's mean and ours
    if learner != "pert" and not is_beyond(difference, quoted):
        return f"within the noise of print, quoted from {QUOTED_RUNS} hold-outs"
    if split is not None and not is_beyond(split["fixed_difference"], np.nan_to_num(split["fixed_standard_error"])):
        return "the printed number is that of a fixed split"
    return UNEXPLAINED.get(dataset, "unexplained")


@once
def paired_gaps(results: Results) -> pd.DataFrame:
    """Error of PERT less that of each rival on the same hold-outs, with its standard error; index dataset, rival."""
    frame = results.raw["accuracy"]
    frame = frame[frame["split"] != "fixed"]
    rate = 100 * frame["errors"] / frame["cases"]
    wide = rate.groupby([frame["dataset"], frame["repetition"], frame["learner"]]).first().unstack("learner")
    gaps = wide[RIVALS].rsub(wide["pert"], axis=0).stack().rename_axis(["dataset", "repetition", "rival"])
    return gaps.groupby(level=["dataset", "rival"]).agg(["mean", "sem"])


@table(
    title="PERT among the other three",
    keys=("dataset",),
    sources=("accuracy",),
    caption=(
        "less best, less worst: error of PERT less that of the best and of the worst of the other three, on the "
        "hold-outs that both have."
    ),
)
def places(results: Results) -> pd.DataFrame:
    """Where PERT stands among the three others: within their range, better or worse than all; printed and ours."""
    shown, gaps = results.tables["table2"], paired_gaps(results)
    rows = []
    for row in shown[shown["status"] == "available"].to_dict("records"):
        own = gaps.loc[row["dataset"]].loc[RIVALS]
        printed = [row[f"{rival}_printed"] for rival in RIVALS]
        found = {"dataset": row["dataset"]}
        found["place_printed"] = place(row["pert_printed"], min(printed), max(printed))
        found["place"] = place(0.0, -own["mean"].max(), -own["mean"].min())
        for name, position, against in (
            ("best", first_greatest(own["mean"]), min(printed)),
            ("worst", first_least(own["mean"]), max(printed)),
        ):
            gap = own.iloc[position]
            found |= {f"{name}_of_three": RIVALS[position]}
            found |= {f"less_{name}_printed": round(row["pert_printed"] - against, 1)}
            found |= {f"less_{name}": gap["mean"], f"less_{name}_standard_error": gap["sem"]}
        rows.append(found)
    return pd.DataFrame(rows)


def place(value: float, low: float, high: float) -> str:
    """Where a value lies, seen from a range; at its ends it is within."""
    if at_most(low, value) and at_most(value, high):
        return "within"
    return "better" if value < low else "worse"


@table(title="The real data sets of Table 2", keys=("dataset",))
def datasets(results: Results) -> pd.DataFrame:
    """Which version of a data set stands for which printed name."""
    counts = ["rows", "numeric", "categorical", "classes_occurring", "missing"]
    frame = sets_in_print(results)
    shown = frame.reindex(columns=["dataset", "printed_name", *counts, "status"])  # no set: no column of counts
    return shown.astype(dict.fromkeys(counts, "Int64")).rename(columns={"classes_occurring": "classes"})
