"""The tables of pert: ours beside print, and what section 6 and the belief on ringnorm come to."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd

from arboretum.measures import vote_sums
from arboretum.measures.margins import breiman_bound
from arboretum.papers.inventory import beside_print
from arboretum.papers.shape import Frames, Table

SYNTHETIC = ["waveform21", "twonorm", "threenorm", "ringnorm"]
LEARNERS = {  # Table 2, in the order of print
    "adaboost": "adaboost_cart",
    "forest_multiple": "forest_ri_multiple",
    "forest_single": "forest_ri_single",
    "pert": "pert",
}
RIVALS = list(LEARNERS)[:3]
ALLOWED = 0.5  # points beside two standard errors: the tolerance of the claims on Table 2


def mean_and_error(values: pd.Series, by: list[pd.Series]) -> pd.DataFrame:
    """Mean over repetitions, its standard error, and how many there are."""
    grouped = values.groupby(by)
    return pd.DataFrame({"mean": grouped.mean(), "se": grouped.sem(), "repetitions": grouped.size()})


# ------------------------------------------------------------------ Table 1


def sizes(raw: Frames) -> pd.DataFrame:
    """Mean nodes with standard error, leaves and seconds a tree; index dataset, cases, tree."""
    frame = raw["size_time"].set_index(["dataset", "cases", "tree"])
    mean = frame["nodes"] / frame["samples"]
    variance = (frame["squared_nodes"] / frame["samples"] - mean**2) * frame["samples"] / (frame["samples"] - 1)
    return pd.DataFrame(
        {
            "nodes": mean,
            "nodes_se": np.sqrt(variance / frame["samples"]),
            "leaves": frame["leaves"] / frame["samples"],
            "samples": frame["samples"],
            "training_errors": frame["training_errors"],
            "seconds": frame["seconds"] / frame["timed_trees"],
            "evaluation_seconds": frame["evaluation_seconds"] / frame["timed_trees"],
        }
    )


def of_tree(frame: pd.DataFrame, tree: str) -> pd.DataFrame:
    return frame.xs(tree, level="tree")


def table1(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 1: nodes of CART and PERT trees, and how much longer CART takes to grow."""
    frame = sizes(raw)
    text = printed["table1_size_time"].set_index(["dataset", "n_train"])
    text = text.rename_axis(["dataset", "cases"])
    cart, pert = of_tree(frame, "cart"), of_tree(frame, "pert")
    order = [(name, cases) for name in SYNTHETIC for cases in sorted(set(cart.index.get_level_values("cases")))]
    table = pd.DataFrame(index=pd.MultiIndex.from_tuples(order, names=["dataset", "cases"]))
    for name, tree in (("cart", cart), ("pert", pert)):
        table[f"{name}_nodes_printed"] = text[f"{name}_nodes_printed"]
        table[f"{name}_nodes"], table[f"{name}_nodes_standard_error"] = tree["nodes"], tree["nodes_se"]
        table[f"{name}_nodes_difference"] = table[f"{name}_nodes"] - table[f"{name}_nodes_printed"]
    ratio = pert["nodes"] / cart["nodes"]
    spread = ratio * np.hypot(pert["nodes_se"] / pert["nodes"], cart["nodes_se"] / cart["nodes"])
    table["size_ratio_printed"], table["size_ratio"] = text["size_ratio"], ratio
    table["size_ratio_low"], table["size_ratio_high"] = ratio - 2 * spread, ratio + 2 * spread
    table["cart_leaves"], table["pert_leaves"] = cart["leaves"], pert["leaves"]
    table["time_ratio_printed"], table["time_ratio"] = text["time_ratio"], cart["seconds"] / pert["seconds"]
    table["scikit_time_ratio"] = of_tree(frame, "scikit_cart")["seconds"] / pert["seconds"]
    table["answer_time_ratio"] = pert["evaluation_seconds"] / cart["evaluation_seconds"]
    return table.reset_index()


TREES = {
    "pert": "PERT",
    "cart": "CART",
    "cart_log2_features": "CART, int(log2 M + 1) features a node",
    "cart_1_feature": "CART, one feature a node",
    "extra_1_feature": "Extra-Tree, one feature a node",
    "c45": "C4.5 (VR-Tree, alpha 1)",
    "vr_0": "complete-random (VR-Tree, alpha 0)",
    "scikit_cart": "scikit-learn DecisionTree",
    "scikit_extra_1_feature": "scikit-learn ExtraTree, one feature a node",
}


def tree_times(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Every kind of tree of the engine and two of scikit-learn's: size, fit and time relative to PERT."""
    frame = sizes(raw).reset_index()
    pert = of_tree(sizes(raw), "pert").loc[pd.MultiIndex.from_frame(frame[["dataset", "cases"]])]
    frame["nodes_over_pert"] = frame["nodes"].to_numpy() / pert["nodes"].to_numpy()
    frame["microseconds_to_grow"] = 1e6 * frame["seconds"]
    frame["growing_time_over_pert"] = frame["seconds"].to_numpy() / pert["seconds"].to_numpy()
    frame["answering_time_over_pert"] = frame["evaluation_seconds"].to_numpy() / pert["evaluation_seconds"].to_numpy()
    place = {name: number for number, name in enumerate([*SYNTHETIC, *TREES])}
    frame = frame.sort_values(["cases"], kind="stable")
    frame = frame.sort_values("tree", key=lambda column: column.map(place), kind="stable")
    frame = frame.sort_values("dataset", key=lambda column: column.map(place), kind="stable")
    shown = ["dataset", "cases", "tree", "nodes", "leaves", "training_errors", "nodes_over_pert", *TIMES]
    return frame.assign(tree=frame["tree"].map(TREES))[shown].reset_index(drop=True)


TIMES = ("microseconds_to_grow", "growing_time_over_pert", "answering_time_over_pert")


# ------------------------------------------------------------------ Table 2


def roster(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The sets of Table 2 that this profile asks for, in the order of print: dataset, printed_as, status."""
    real = beside_print(raw["datasets"], printed["table2_error"])[["dataset", "printed_as", "status"]]
    drawn = pd.DataFrame({"dataset": SYNTHETIC, "printed_as": SYNTHETIC, "status": "available"})
    return pd.concat([real, drawn], ignore_index=True)


def errors(raw: Frames) -> pd.DataFrame:
    """Error in per cent with its standard error; index split, learner, dataset."""
    frame = raw["accuracy"]
    return mean_and_error(100 * frame["errors"] / frame["cases"], [frame["split"], frame["learner"], frame["dataset"]])


def repeated(raw: Frames) -> pd.DataFrame:
    """The errors of repeated hold-outs and new samples: Table 2 as the text describes it; index learner, dataset."""
    found = errors(raw)
    return pd.concat([found.xs(split, level="split") for split in ("hold-out", "new sample")]).sort_index()


def table2(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 2: test errors of all four methods, and of bagged PERT."""
    sets, found = roster(raw, printed), repeated(raw)
    text = printed["table2_error"].set_index("dataset").loc[sets["printed_as"]]
    table = pd.DataFrame({"dataset": sets["dataset"]}).set_index("dataset")
    for learner, column in LEARNERS.items():
        table[f"{learner}_printed"] = text[column].to_numpy()
        table[learner], table[f"{learner}_standard_error"] = found.loc[learner, "mean"], found.loc[learner, "se"]
        table[f"{learner}_difference"] = table[learner] - table[f"{learner}_printed"]
    bagged = found.loc["pert_bagged"]
    table["pert_bagged"], table["pert_bagged_standard_error"] = bagged["mean"], bagged["se"]
    table["repetitions"] = found.loc["pert", "repetitions"].astype("Int64")
    table["repetitions_of_adaboost"] = found.loc["adaboost", "repetitions"].astype("Int64")
    table["status"] = sets["status"].to_numpy()
    return table.reset_index()


def fixed_splits(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The large sets trained on one part of fixed size, as Breiman did, beside the repeated hold-out."""
    found, held_out = errors(raw).xs("fixed", level="split"), repeated(raw)
    names = beside_print(raw["datasets"], printed["table2_error"]).set_index("dataset")["printed_as"]
    text = printed["table2_error"].set_index("dataset")
    rows = []
    for name in [name for name in names.index if name in found.index.get_level_values("dataset")]:
        for learner in [*LEARNERS, "pert_bagged"]:
            one, other = found.loc[learner, name], held_out.loc[learner, name]
            print_error = text.loc[names[name], LEARNERS[learner]] if learner in LEARNERS else np.nan
            rows.append(
                {
                    "dataset": name,
                    "learner": learner,
                    "fixed_printed": print_error,
                    "fixed": one["mean"],
                    "fixed_standard_error": one["se"],
                    "fixed_difference": one["mean"] - print_error,
                    "repetitions": int(one["repetitions"]),
                    "hold_out": other["mean"],
                    "hold_out_standard_error": other["se"],
                    "hold_out_less_printed": other["mean"] - print_error,
                }
            )
    return pd.DataFrame(rows)


def table2_cells(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Every cell of Table 2 with what was allowed, and a remark where it differs by more."""
    table, splits = table2(raw, printed), fixed_splits(raw, printed).set_index(["dataset", "learner"])
    frame = raw["accuracy"][raw["accuracy"]["split"] != "fixed"]
    runs = frame.groupby(["dataset", "learner"]).size()
    rows = []
    for row, learner in product(table[table["status"] == "available"].to_dict("records"), LEARNERS):
        difference, allowed = row[f"{learner}_difference"], 2 * row[f"{learner}_standard_error"] + ALLOWED
        cell = {"dataset": row["dataset"], "learner": learner}
        cell |= {"error_printed": row[f"{learner}_printed"], "error": row[learner]}
        cell |= {"error_standard_error": row[f"{learner}_standard_error"], "error_difference": difference}
        cell |= {"allowed": allowed, "beyond": abs(difference) > allowed, "fixed_split": np.nan, "remark": ""}
        off, room = np.inf, 0.0
        if (row["dataset"], learner) in splits.index:
            split = splits.loc[(row["dataset"], learner)]
            cell["fixed_split"] = split["fixed"]
            off, room = split["fixed_difference"], ALLOWED + 2 * np.nan_to_num(split["fixed_standard_error"])
        if cell["beyond"]:
            cell["remark"] = remark(row["dataset"], off, room)
            quoted = np.sqrt(1 + runs[row["dataset"], learner] / QUOTED_RUNS)  # times our standard error
            if learner != "pert" and abs(difference) <= 2 * quoted * row[f"{learner}_standard_error"] + ALLOWED:
                cell["remark"] = f"within the noise of print, quoted from {QUOTED_RUNS} hold-outs"
        rows.append(cell)
    return pd.DataFrame(rows)


QUOTED_RUNS = 100  # hold-outs of Breiman (1999), whose numbers print quotes for all but PERT

UNEXPLAINED = {  # what was tried, for cells that stay beyond
    "credit-g-numeric": (
        "unexplained; the version with 20 symbolic attributes was tried (100 hold-outs): Forest-RI 23.1 and 25.0"
    ),
}


def remark(dataset: str, difference: float, allowed: float) -> str:
    """Why a cell differs: a fixed split gives the printed number, or nobody knows."""
    if abs(difference) <= allowed:
        return "the printed number is that of a fixed split"
    return UNEXPLAINED.get(dataset, "unexplained")


def paired_gaps(raw: Frames) -> pd.DataFrame:
    """Error of PERT less that of each rival on the same hold-outs, with its standard error; index dataset, rival."""
    frame = raw["accuracy"]
    frame = frame[frame["split"] != "fixed"]
    rate = 100 * frame["errors"] / frame["cases"]
    wide = rate.groupby([frame["dataset"], frame["repetition"], frame["learner"]]).first().unstack("learner")
    gaps = wide[RIVALS].rsub(wide["pert"], axis=0).stack().rename_axis(["dataset", "repetition", "rival"])
    return gaps.groupby(level=["dataset", "rival"]).agg(["mean", "sem"])


def places(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Where PERT stands among the three others: within their range, better or worse than all; printed and ours."""
    table, gaps = table2(raw, printed), paired_gaps(raw)
    rows = []
    for row in table[table["status"] == "available"].to_dict("records"):
        own = gaps.loc[row["dataset"]]
        said = [row[f"{rival}_printed"] for rival in RIVALS]
        found = {"dataset": row["dataset"]}
        found["place_printed"] = place(row["pert_printed"], min(said), max(said))
        found["place"] = place(0.0, -own["mean"].max(), -own["mean"].min())
        for name, rival, against in (
            ("best", own["mean"].idxmax(), min(said)),
            ("worst", own["mean"].idxmin(), max(said)),
        ):
            found |= {f"{name}_of_three": rival, f"less_{name}_printed": round(row["pert_printed"] - against, 1)}
            found |= {f"less_{name}": own.loc[rival, "mean"], f"less_{name}_standard_error": own.loc[rival, "sem"]}
        rows.append(found)
    return pd.DataFrame(rows)


def place(value: float, low: float, high: float) -> str:
    return "better" if value < low else "worse" if value > high else "within"


# ------------------------------------------------------------------ Table 3


def table3(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 3: error of the first 100, 200, 400 and 1600 trees of one forest."""
    text = printed["table3_ensemble_size"].set_index("dataset")
    curve = tree_curve(raw, printed).set_index(["dataset", "trees"])
    sizes_ = [trees for trees in sorted(set(raw["larger"]["trees"])) if trees >= 100]
    table = pd.DataFrame(index=pd.Index(SYNTHETIC, name="dataset"))
    for trees in sizes_:
        name, ours = f"trees_{trees}", curve.xs(trees, level="trees")
        if f"n{trees}" in text:
            table[f"{name}_printed"] = text[f"n{trees}"]
        table[name], table[f"{name}_standard_error"] = ours["error"], ours["error_standard_error"]
        if f"n{trees}" in text:
            table[f"{name}_difference"] = table[name] - table[f"{name}_printed"]
    return table.reset_index()


def tree_curve(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Error against the number of trees, and the fall from the size before it on the same samples."""
    frame = raw["larger"]
    rate = (100 * frame["errors"] / frame["cases"]).groupby([frame["dataset"], frame["trees"], frame["repetition"]])
    wide = rate.first().unstack("repetition")
    share = (frame["errors_class_1"].groupby([frame["dataset"], frame["trees"]]).sum()) / frame["errors"].groupby(
        [frame["dataset"], frame["trees"]]
    ).sum()
    text = printed["table3_ensemble_size"].set_index("dataset")
    rows = []
    for name in SYNTHETIC:
        before = None
        for trees, values in wide.loc[name].iterrows():
            fall = (before - values) if before is not None else values * np.nan
            rows.append(
                {
                    "dataset": name,
                    "trees": trees,
                    "error_printed": text.loc[name].get(f"n{trees}", np.nan),
                    "error": values.mean(),
                    "error_standard_error": values.sem(),
                    "fall": fall.mean(),
                    "fall_standard_error": fall.sem(),
                    "share_of_errors_on_class_1": share[name, trees],
                }
            )
            before = values
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ Table 4


def strength_points(raw: Frames) -> pd.DataFrame:
    """Strength, correlation, bound and error of every forest; index dataset, learner, repetition.

    ``correlation_infinite`` takes the spread that is due to the finite number of trees out of the variance of the
    margin: of the pairs of votes on a case, those of a tree with itself are left out. ``right_less_wrong`` counts all
    wrong votes, not only those for the strongest rival: the same for two classes.
    """
    frame = raw["strength"].set_index(["dataset", "learner", "repetition"])
    cases, trees = frame["cases"], frame["trees"]
    strength = vote_sums.strength(frame["margins"], cases, trees)
    variance = vote_sums.margin_variance(frame["margins"], frame["squared_margins"], cases, trees)
    own = frame["right_votes"] + frame["rival_votes"]
    infinite = (frame["squared_margins"] - own) / (cases * trees * (trees - 1)) - strength**2
    correlation = vote_sums.correlation(variance, frame["spread"])
    lead_variance = vote_sums.margin_variance(frame["leads"], frame["squared_leads"], cases, trees)
    return pd.DataFrame(
        {
            "strength_right_less_wrong": vote_sums.strength(frame["leads"], cases, trees),
            "correlation_right_less_wrong": vote_sums.correlation(lead_variance, frame["lead_spread"]),
            "strength": strength,
            "correlation": correlation,
            "correlation_infinite": vote_sums.correlation(infinite, frame["spread"]),
            "bound": breiman_bound(strength, correlation),
            "error": frame["errors"] / cases,
            "tree_error": 1 - frame["right_votes"] / (cases * trees),
        }
    )


def table4(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 4: strength and correlation of bagged CART and PERT, with Breiman's bound and the error itself."""
    points = strength_points(raw)
    grouped = points.groupby(level=["dataset", "learner"])
    mean, error = grouped.mean(), grouped.sem()
    violated = (points["error"] > points["bound"]).groupby(level=["dataset", "learner"]).sum()
    text = printed["table4_strength_correlation"].set_index("dataset")
    rows = []
    for name in SYNTHETIC:
        for learner in ("bagged_cart", "pert", "pert_bagged"):
            row = {"dataset": name, "learner": learner}
            for measure in ("strength", "correlation"):
                said = text.loc[name].get(f"{measure}_{learner}", np.nan)
                row |= {f"{measure}_printed": said, measure: mean.loc[(name, learner), measure]}
                row |= {f"{measure}_standard_error": error.loc[(name, learner), measure]}
                row |= {f"{measure}_difference": row[measure] - said}
            for measure in ("strength", "correlation"):
                row[f"{measure}_right_less_wrong"] = mean.loc[(name, learner), f"{measure}_right_less_wrong"]
            row["correlation_of_infinitely_many"] = mean.loc[(name, learner), "correlation_infinite"]
            row["bound_printed"] = text.loc[name].get(f"bound_{learner}_derived", np.nan)
            row["bound"] = mean.loc[(name, learner), "bound"]
            row["error"], row["tree_error"] = (mean.loc[(name, learner), key] for key in ("error", "tree_error"))
            row["forests"] = int(grouped.size()[name, learner])
            row["forests_above_bound"] = int(violated[name, learner])
            rows.append(row)
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ section 6


def posterior_checks(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Interpolation, continuity and multilinearity of Q, worst case of all samples; and forests against Q."""
    frame = raw["posterior"]
    frame = frame[frame["part"] == "checks"]
    rows = []
    for (features, cases), group in frame.groupby(["features", "cases"]):
        by = group.groupby("quantity")["value"]
        worst, total = by.max(), by.sum()
        row = {"features": features, "cases": cases, "samples": group["number"].nunique()}
        row["sets_of_cases"] = int(worst["sets of cases"])
        row["largest_departure_from_the_labels"] = worst["largest departure from the labels"]
        jumps = group[group["quantity"] == "largest jump"].groupby("at_1")["value"].max()
        row |= {f"largest_jump_at_{shift:g}": jump for shift, jump in jumps.items()}
        for where in ("within a block", "across a border"):
            row[f"largest_bend_{where.replace(' ', '_')}"] = worst[f"largest second difference {where}"]
        row["trees"] = int(group.loc[group["quantity"] == "training errors of the trees", "at_1"].max())
        row["training_errors_of_trees"] = int(total["training errors of the trees"])
        for short, name in (("forest", "forest less Q"), ("forest_bend", "second difference of the forest")):
            row[f"{short}_tests"] = int(total[f"{name}: tests"])
            row[f"{short}_beyond_three"] = int(total[f"{name}: beyond three standard errors"])
            row[f"{short}_largest_z"] = worst[f"{name}: largest"]
            row[f"{short}_mean_squared_z"] = total[f"{name}: sum of squares"] / total[f"{name}: tests"]
        rows.append(row)
    return pd.DataFrame(rows)


def convergence(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Distance of forests from Q, mean over forests, as the number of trees grows."""
    frame = raw["posterior"]
    frame = frame[frame["part"] == "convergence"]
    wide = frame.pivot_table(index="at_1", columns="quantity", values="value", aggfunc="mean")
    error = frame[frame["quantity"] == "root mean square"].groupby("at_1")["value"].sem()
    return pd.DataFrame(
        {
            "trees": wide.index.astype(int),
            "distance": wide["root mean square"].to_numpy(),
            "distance_standard_error": error.to_numpy(),
            "expected_distance": wide["expected root mean square"].to_numpy(),
            "largest_distance": wide["largest"].to_numpy(),
        }
    )


# ------------------------------------------------------------------ ringnorm

RING_NAMES = {"bayes": "Bayes rule", "pert": "PERT", "forest_single": "Forest-RI, F = 1"}


def ring_name(learner: str) -> str:
    return RING_NAMES.get(learner) or f"VR-Trees, alpha {learner.removeprefix('vr_')}"


def ringnorm(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Error of every learner by dimension, and which class it errs on."""
    frame = raw["ringnorm"]
    keys = ["dimension", "learner", "repetition"]
    sums = frame.groupby(keys, sort=False)[["errors", "cases"]].sum()
    rate = 100 * sums["errors"] / sums["cases"]
    by = [rate.index.get_level_values(key) for key in keys[:2]]
    means = mean_and_error(rate, by)
    wide = rate.unstack("learner")
    above = wide.sub(wide["bayes"], axis=0)
    first = frame[frame["class"] == 1].groupby(keys[:2])[["errors", "cases"]].sum()
    second = frame[frame["class"] == 2].groupby(keys[:2])[["errors", "cases"]].sum()
    order = list(dict.fromkeys(frame["learner"]))
    order = ["pert", "forest_single", *sorted(name for name in order if name.startswith("vr_")), "bayes"]
    rows = []
    for dimension in sorted(set(frame["dimension"])):
        for learner in order:
            key, excess = (dimension, learner), above.loc[dimension, learner]
            wrong = first.loc[key, "errors"] + second.loc[key, "errors"]
            rows.append(
                {
                    "dimension": dimension,
                    "learner": learner,
                    "name": ring_name(learner),
                    "error": means.loc[key, "mean"],
                    "error_standard_error": means.loc[key, "se"],
                    "above_bayes": excess.mean(),
                    "above_bayes_standard_error": excess.sem(),
                    "error_class_1": 100 * first.loc[key, "errors"] / first.loc[key, "cases"],
                    "error_class_2": 100 * second.loc[key, "errors"] / second.loc[key, "cases"],
                    "share_of_errors_on_class_1": first.loc[key, "errors"] / wrong if wrong else np.nan,
                }
            )
    return pd.DataFrame(rows)


def ringnorm_rings(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Error by distance from the origin and class, all repetitions together, in the dimension of the paper."""
    frame = raw["ringnorm"]
    sums = frame.groupby(["dimension", "learner", "class", "from"])[["cases", "errors"]].sum().reset_index()
    total = sums.groupby(["dimension", "learner"])["errors"].transform("sum")
    sums["error"] = 100 * sums["errors"] / sums["cases"]
    sums["share_of_errors"] = (sums["errors"] / total).fillna(0.0)
    return sums


def inventory(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The real sets: which version stands for which printed name."""
    frame = beside_print(raw["datasets"], printed["table2_error"])
    table = frame[["dataset", "printed_name", "rows", "numeric", "categorical", "classes_occurring", "missing"]].copy()
    for name in ("rows", "numeric", "categorical", "classes_occurring", "missing"):
        table[name] = table[name].astype("Int64")
    return table.rename(columns={"classes_occurring": "classes"}).assign(status=frame["status"])


TABLES = {
    "table1": Table(
        table1,
        "Table 1: size of the trees, and time to grow them",
        ("dataset", "cases"),
        ("size_time",),
        timing=("time_ratio", "scikit_time_ratio", "answer_time_ratio"),
        caption=(
            "Mean over samples. Print calls the nodes terminal, but a tree cannot have more leaves than cases: all "
            "nodes are counted, and the leaves stand beside them. time ratio: CPU time to grow a CART tree over that "
            "of a PERT tree, both of this engine, columns ranked beforehand; scikit time ratio: scikit-learn's CART "
            "over our PERT; answer time ratio: PERT over CART."
        ),
    ),
    "tree_times": Table(
        tree_times,
        "Other trees: size, fit and time",
        ("dataset", "cases", "tree"),
        ("size_time",),
        timing=TIMES,
        caption="All grown to purity on all cases. training errors: of one tree on each sample, summed.",
    ),
    "table2": Table(
        table2,
        "Table 2: test errors",
        ("dataset",),
        ("datasets", "accuracy"),
        caption=(
            "Per cent. Real data: a random tenth held out; synthetic data: 300 cases to train, new ones to test. "
            "Printed AdaBoost and Forest-RI are Breiman's (1999); ours are run here, on the hold-outs of PERT. "
            "Standard error: from the spread between repetitions."
        ),
    ),
    "table2_cells": Table(
        table2_cells,
        "Table 2, cell by cell",
        ("dataset", "learner"),
        ("datasets", "accuracy"),
        caption="allowed: two standard errors and half a point. fixed split: our error with a fixed training part.",
    ),
    "fixed_splits": Table(
        fixed_splits,
        "The large sets on fixed splits",
        ("dataset", "learner"),
        ("datasets", "accuracy"),
        caption=(
            "Breiman (1999) trained on one fixed part of the large sets: 15000 of letter (whose official part cannot "
            "be told in our copy: random parts of that size), 4435 of satimage, 7291 of usps. The standard error of an "
            "official split is that of the random trees alone."
        ),
    ),
    "places": Table(
        places,
        "PERT among the other three",
        ("dataset",),
        ("datasets", "accuracy"),
        caption=(
            "less best, less worst: error of PERT less that of the best and of the worst of the other three, on the "
            "hold-outs that both have."
        ),
    ),
    "table3": Table(
        table3,
        "Table 3: larger ensembles",
        ("dataset",),
        ("larger",),
        caption="Per cent, all sizes from one forest; differences along a row are paired.",
    ),
    "tree_curve": Table(
        tree_curve,
        "Error against the number of trees",
        ("dataset", "trees"),
        ("larger",),
        caption="fall: from the size above it, on the same samples.",
    ),
    "table4": Table(
        table4,
        "Table 4: strength and correlation",
        ("dataset", "learner"),
        ("strength",),
        caption=(
            "On test sets of 3000, mean over samples. right less wrong: with all wrong votes in place of those for the "
            "strongest rival, which differs for the three classes of waveform. correlation of infinitely many: without "
            "the share of the variance that is due to the finite number of trees. Printed bounds are computed from the "
            "printed values."
        ),
    ),
    "posterior": Table(
        posterior_checks,
        "Section 6: the surface Q",
        ("features", "cases"),
        ("posterior",),
        caption=(
            "Worst case over random samples. bend: second difference along one axis, within a block and across its "
            "border. jump: change of Q from a shift before a border to the same shift behind it. z: forests against Q, "
            "in standard errors; the tests of one sample share a forest and are not independent."
        ),
    ),
    "convergence": Table(
        convergence,
        "Section 6: forests approach Q",
        ("trees",),
        ("posterior",),
        caption="Root mean square over points, mean over forests; expected: of independent trees with these Q.",
    ),
    "ringnorm": Table(
        ringnorm,
        "Why ringnorm fails: dimension and class",
        ("dimension", "learner"),
        ("ringnorm",),
        caption="Per cent. Class 1 is the wide normal, class 2 the narrow one inside it.",
    ),
    "ringnorm_rings": Table(
        ringnorm_rings,
        "Why ringnorm fails: distance from the origin",
        ("dimension", "learner", "class", "from"),
        ("ringnorm",),
        caption="from: |x| / sqrt(dimension), lower end of the bin; the last bin is open.",
    ),
    "datasets": Table(inventory, "The real data sets of Table 2", ("dataset",), ("datasets",)),
}
