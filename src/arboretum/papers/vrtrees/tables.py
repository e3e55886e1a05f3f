"""The tables of vrtrees, printed beside ours."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import significance
from arboretum.measures.bootstrap import interval
from arboretum.measures.margins import breiman_bound
from arboretum.papers.inventory import attributes, beside_print, disagreement
from arboretum.papers.shape import Frames, Table
from arboretum.papers.vrtrees.ranking import (
    figure6_fragility,
    mean_differences,
    missing_values,
    noise,
    rank_differences,
    sensitivity,
    significance_table,
    table3_cells,
    variants,
)
from arboretum.papers.vrtrees.rates import (
    METHODS,
    NAMES,
    OPERATING,
    PRINTED,
    SIX,
    cases_of,
    first_run,
    fold_rates,
    forest_measures,
    learner_rates,
    mean_interval,
    mean_ranks,
    names_of,
    printed_errors,
    resampled,
    roster,
    run_deviation,
    run_interval,
    spectrum_errors,
    spectrum_measures,
)


def table6(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 6: the data sets. The printed attributes are shown as printed; they are compared as corrected."""
    frame = beside_print(raw["datasets"], printed["table6_datasets"])
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


def spectrum(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Means over sets at every point of the spectrum."""
    names = names_of(raw, printed)
    measures = spectrum_measures(raw)
    ends = measures["leaves"].groupby(level=["method", "dataset"]).transform("last")  # alpha = 1
    measures = measures.assign(log_ratio=np.log(measures["leaves"] / ends))
    means = measures.groupby(level=["method", "alpha"]).mean().reset_index()
    noise = 1.96 * run_deviation(raw, names)
    means["error_low"], means["error_high"] = means["error"] - noise, means["error"] + noise
    means["leaves_ratio"] = np.exp(means["log_ratio"])
    means["error_printed"] = [
        spectrum_in_print(method, alpha, printed) for method, alpha in zip(means["method"], means["alpha"], strict=True)
    ]
    columns = ["method", "alpha", "error_printed", "error", "error_low", "error_high", "tree_error", "strength"]
    columns += ["correlation", "disagreement", "leaves", "leaves_ratio", "deterministic_share"]
    return means[columns]


def spectrum_in_print(method: str, alpha: float, printed: Frames) -> float:
    """The means that the text and Table 3 print (over all 45 sets)."""
    means = printed["table3_error"].set_index("dataset").loc["mean"]
    values = printed["text_values"].set_index("quantity")["value"]
    points = {
        ("aggregating", 0.0): means["agg_alpha0"],
        ("aggregating", 0.5): values["agg_mean_error_alpha05"],
        ("aggregating", 1.0): values["agg_mean_error_alpha1"],
        ("bagging", 1.0): means["bag_alpha1"],
        ("subspacing", 1.0): means["subspace_alpha1"],
    }
    return float(points.get((method, alpha), np.nan))


def spectrum_by_set(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Error of every set, method and alpha; the best alpha of each row."""
    names = names_of(raw, printed)
    parts = []
    for method, errors in spectrum_errors(raw, names).items():
        best = errors.columns.to_numpy()[errors.to_numpy().argmin(axis=1)]
        wide = errors.rename(columns=lambda alpha: f"alpha_{alpha:g}").assign(best_alpha=best)
        parts.append(wide.rename_axis("dataset").reset_index().assign(method=method))
    frame = pd.concat(parts)
    order = {name: place for place, name in enumerate(names)}
    frame = frame.sort_values("dataset", key=lambda column: column.map(order), kind="stable")
    return frame[["dataset", "method", *[name for name in frame if name not in ("dataset", "method")]]]


def table1(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 1, measured: each half of the spectrum, the mean over its alphas and over sets."""
    points = spectrum(raw, printed)
    points = points[points["method"].isin(METHODS)]
    half = np.where(points["alpha"] <= 0.5, "random", "deterministic")
    measured = ["leaves", "leaves_ratio", "disagreement", "tree_error", "error"]
    frame = points.groupby([half, points["method"]])[measured].mean().rename_axis(["half", "method"]).reset_index()
    text = printed["table1_halves"].set_index("half")
    best = frame.groupby("half")["error"].transform("min")
    return frame.assign(
        preferred=np.where(frame["error"] == best, "lowest error", ""),
        size_printed=text["size"].reindex(frame["half"]).to_numpy(),
        diversity_printed=text["diversity"].reindex(frame["half"]).to_numpy(),
        preferred_printed=text["preferred"].reindex(frame["half"]).to_numpy(),
    ).sort_values(["half", "method"], ascending=[False, True])


def curve_shapes(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The strength-correlation curve of aggregating on every set: how far it spans and where its corner is."""
    measures = spectrum_measures(raw)
    rows = []
    for name in names_of(raw, printed):
        curve = measures.loc["aggregating", name]
        middle = curve.index[np.argmin(np.abs(curve.index - 0.5))]
        strength, correlation = curve["strength"], curve["correlation"]
        rows.append(
            {
                "dataset": name,
                "strength_range": np.ptp(strength),
                "correlation_range": np.ptp(correlation),
                "strength_gained_by_half": share(strength.loc[middle] - strength.iloc[0], np.ptp(strength)),
                "correlation_gained_by_half": share(
                    correlation.loc[middle] - correlation.iloc[0], correlation.iloc[-1] - correlation.iloc[0]
                ),
                "greatest_correlation_at": correlation.idxmax(),
                "corner_at": corner(curve),
            }
        )
    return pd.DataFrame(rows)


def share(part: float, whole: float) -> float:
    return part / whole if whole else np.nan


def corner(curve: pd.DataFrame) -> float:
    """alpha of the point farthest from the chord of the curve, both axes scaled to the range of the curve."""
    points = curve[["strength", "correlation"]].to_numpy()
    span = np.ptp(points, axis=0)
    points = (points - points[0]) / np.where(span > 0, span, 1)
    chord = points[-1]
    distance = np.abs(points[:, 0] * chord[1] - points[:, 1] * chord[0])
    return float(curve.index[distance.argmax()])


def table2(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 2: ranges of strength and correlation over alpha, averaged over sets."""
    names = names_of(raw, printed)
    weights = resampled(names)
    text = printed["table2_ranges"].set_index("method")
    ranges = spectrum_measures(raw).groupby(level=["method", "dataset"]).agg(np.ptp)
    rows = []
    for method, key in METHODS.items():
        row = {"method": method}
        for measure in ("strength", "correlation"):
            values = ranges.loc[method].loc[names, measure].to_numpy()
            low, high = interval(weights @ values)
            name = f"{measure}_range"
            row |= {f"{name}_printed": text.loc[key, name], name: values.mean()}
            row |= {f"{name}_low": low, f"{name}_high": high}
            row |= {f"{name}_difference": values.mean() - text.loc[key, name]}
        row["correlation_range_by_fold"] = ranges.loc[method].loc[names, "correlation_by_fold"].mean()
        row["correlation_range_equation_5"] = ranges.loc[method].loc[names, "correlation_as_printed"].mean()
        rows.append(row)
    return pd.DataFrame(rows)


def bound_check(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Breiman's inequality on every forest of the spectrum, in his direction and in the printed one."""
    measures = spectrum_measures(raw)
    strong = measures[measures["strength"] > 0]
    error, bound = strong["error"] / 100, breiman_bound(strong["strength"], strong["correlation"])
    frame = pd.DataFrame({"error_below_bound": error <= bound, "error_above_bound": error >= bound, "bound": bound})
    grouped = frame.groupby(level="method")
    counts = grouped[["error_below_bound", "error_above_bound"]].sum()
    counts.insert(0, "forests", measures.groupby(level="method").size())
    counts.insert(1, "with_positive_strength", grouped.size())
    return counts.assign(
        median_bound=grouped["bound"].median(), median_error=error.groupby(level="method").median()
    ).reset_index()


def best_alphas(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The best alpha by mean rank and by mean error, and the region not significantly worse (Figure 2)."""
    names = names_of(raw, printed)
    weights = resampled(names)
    text = printed["text_values"].set_index("quantity")["value"]
    rows = []
    for method, errors in spectrum_errors(raw, names).items():
        if method not in METHODS:
            continue
        alphas = errors.columns.to_numpy()
        ranks = significance.rank_methods(errors.to_numpy(), lower_is_better=True)
        mean = ranks.mean(axis=0)
        near = alphas[mean - mean.min() <= significance.bonferroni_dunn(*ranks.shape)]
        low, high = interval(alphas[(weights @ ranks).argmin(axis=1)])
        error_low, error_high = interval(alphas[(weights @ errors.to_numpy()).argmin(axis=1)])
        key = METHODS[method]
        rows.append(
            {
                "method": method,
                "best_by_rank_printed": text[f"best_rank_alpha_{key}"],
                "best_by_rank": alphas[mean.argmin()],
                "best_by_rank_low": low,
                "best_by_rank_high": high,
                "best_by_error": alphas[errors.to_numpy().mean(axis=0).argmin()],
                "best_by_error_low": error_low,
                "best_by_error_high": error_high,
                "region_from_printed": text[f"best_region_{key}_low"],
                "region_from": near.min(),
                "region_to_printed": text[f"best_region_{key}_high"],
                "region_to": near.max(),
                "rank_above_best_at_half": mean[np.abs(alphas - 0.5).argmin()] - mean.min(),
                "rank_above_best_at_one": mean[-1] - mean.min(),
                "critical_difference": significance.bonferroni_dunn(*ranks.shape),
            }
        )
    return pd.DataFrame(rows)


def methods_compared(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The four methods at each alpha: differences of mean error with their intervals over sets, and Wilcoxon's p."""
    names = names_of(raw, printed)
    weights = resampled(names)
    errors = {method: frame.to_numpy() for method, frame in spectrum_errors(raw, names).items()}
    alphas = next(iter(spectrum_errors(raw, names).values())).columns
    pairs = {
        "aggregating_less_bagging": errors["aggregating"] - errors["bagging"],
        "aggregating_less_subspacing": errors["aggregating"] - errors["subspacing"],
        "both_less_worse_parent": errors["bagging+subspacing"] - _worse(errors["bagging"], errors["subspacing"]),
    }
    frame = pd.DataFrame({"alpha": alphas} | {method: values.mean(axis=0) for method, values in errors.items()})
    for name, values in pairs.items():
        low, high = interval(weights @ values)
        frame[name], frame[f"{name}_low"], frame[f"{name}_high"] = values.mean(axis=0), low, high
    frame["wilcoxon_p_aggregating_bagging"] = [wilcoxon(column) for column in pairs["aggregating_less_bagging"].T]
    return frame


def _worse(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """At each alpha the errors of the method with the greater mean."""
    return np.where(one.mean(axis=0) >= two.mean(axis=0), one, two)


def wilcoxon(differences: np.ndarray) -> float:
    """p of Wilcoxon's signed-rank test; 1 where nothing differs."""
    return float(stats.wilcoxon(differences).pvalue) if np.any(differences) else 1.0


def swings(raw: Frames, printed: Frames) -> pd.DataFrame:
    """How far the mean error of each method moves over the spectrum (section 5.1 iii)."""
    names = names_of(raw, printed)
    weights = resampled(names)
    rows, samples = [], {}
    for method, errors in spectrum_errors(raw, names).items():
        samples[method] = np.ptp(weights @ errors.to_numpy(), axis=1)
        low, high = interval(samples[method])
        rows.append(
            {"method": method, "swing": np.ptp(errors.to_numpy().mean(axis=0)), "swing_low": low, "swing_high": high}
        )
    ordered = (samples["aggregating"] > samples["bagging"]) & (samples["bagging"] > samples["subspacing"])
    return pd.DataFrame(rows).assign(share_of_draws_in_printed_order=ordered.mean())


def table3(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 3: error of six methods, with searched and oracle alpha and ten trials of boosting beside them."""
    sets = roster(raw, printed)
    names = names_of(raw, printed)
    rates, cases = learner_rates(raw, names), cases_of(raw, names)
    text = printed["table3_error"].set_index("dataset")
    frame = pd.DataFrame({"dataset": sets["dataset"]}).set_index("dataset")
    same = text.loc[sets.set_index("dataset").loc[names, "printed_as"]]
    extra = first_run(raw, names)
    means = {}
    for learner, column in PRINTED.items():
        low, high = run_interval(rates[learner], cases)
        frame[f"{learner}_printed"] = text.loc[sets["printed_as"], column].to_numpy()
        frame[learner] = pd.Series(rates[learner][:, 0], index=names)
        frame[f"{learner}_low"], frame[f"{learner}_high"] = pd.Series(low, index=names), pd.Series(high, index=names)
        frame[f"{learner}_difference"] = frame[learner] - frame[f"{learner}_printed"]
        means |= mean_row(learner, rates[learner], cases, float(same[column].mean()))
    for learner in ("boosting_10", "searched", "oracle"):
        frame[learner] = extra[learner]
        means[learner] = extra[learner].mean()
    frame["status"] = sets.set_index("dataset")["status"]
    frame.loc["mean over these sets"] = pd.Series({**means, "status": "available"})
    frame.loc["mean as printed (45 sets)"] = pd.Series(
        {f"{learner}_printed": float(text.loc["mean", column]) for learner, column in PRINTED.items()}
        | {"status": "available"}
    )
    return frame.rename_axis("dataset").reset_index()


def mean_row(name: str, rates: np.ndarray, cases: np.ndarray, print_mean: float) -> dict[str, float]:
    low, high = mean_interval(rates, cases)
    ours = rates[:, 0].mean()
    row = {f"{name}_printed": print_mean, name: ours, f"{name}_low": low, f"{name}_high": high}
    return row | {f"{name}_difference": ours - print_mean}


def table3_means(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Means of Table 3 and ranks of Figure 6 over the same sets, and the learners beyond the printed six."""
    names = names_of(raw, printed)
    rates, cases = learner_rates(raw, names), cases_of(raw, names)
    text, ours = printed_errors(raw, printed), first_run(raw, names)
    print_ranks = dict(zip(SIX, mean_ranks(text), strict=True))
    ranks = dict(zip(SIX, mean_ranks(ours[SIX]), strict=True))
    weights = resampled(names)
    low, high = interval(weights @ significance.rank_methods(ours[SIX].to_numpy(), lower_is_better=True))
    spread = {name: (low[place], high[place]) for place, name in enumerate(SIX)}
    oracle = printed["text_values"].set_index("quantity").loc["oracle_best_alpha_mean_error", "value"]
    rows = []
    for learner in [*SIX, "boosting_10", "searched", "oracle", *OPERATING]:
        row = {"learner": NAMES[learner]}
        if learner in rates:
            row |= mean_row("error", rates[learner], cases, text[learner].mean() if learner in SIX else np.nan)
        else:
            row |= {"error": ours[learner].mean()}
        if learner == "oracle":
            row |= {"error_printed": oracle, "error_difference": ours[learner].mean() - oracle}
        if learner in SIX:
            row |= {"rank_printed": print_ranks[learner], "rank": ranks[learner]}
            row |= {"rank_low": spread[learner][0], "rank_high": spread[learner][1]}
        rows.append(row | {"sets": len(names)})
    return pd.DataFrame(rows)


CONCEPT_LEARNERS = ("vr_alpha0", "coalescence", "vr_alpha05", "random_forest")


def table4(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 4: mean error over runs on concepts A and B, with standard errors."""
    frame = raw["concepts"]
    rates = (100 * frame["errors"] / frame["cases"]).groupby([frame["concept"], frame["condition"], frame["learner"]])
    mean, error = rates.mean(), rates.sem()
    rows = []
    for text in printed["table4_concepts"].itertuples():
        row = {"concept": text.concept, "condition": text.condition, "printed_row": text.printed_row}
        for learner in CONCEPT_LEARNERS:
            key, value = (text.concept, text.condition, learner), getattr(text, learner)
            row |= {f"{learner}_printed": value, learner: mean[key], f"{learner}_standard_error": error[key]}
            row |= {f"{learner}_difference": mean[key] - value}
        rows.append(row)
    return pd.DataFrame(rows)


def half_errors(raw: Frames) -> pd.DataFrame:
    """Error in per cent by set: columns (learner, attributes)."""
    return fold_rates(raw["half_attributes"], ["dataset", "learner", "attributes"]).unstack(["learner", "attributes"])


def table5(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Table 5: all attributes against the more important half, judged as printed and without the test part."""
    errors = half_errors(raw)
    text = printed["table5_half_attributes"].set_index("dataset")
    names = [name for name in text.index if name in errors.index]
    frame = pd.DataFrame({"dataset": names})
    for learner, key in (("coalescence", "coalescence"), ("random_forest", "rf")):
        for kind, attributes_used in (("full", "all"), ("half", "all data")):
            column = f"{learner}_{kind}"
            frame[f"{column}_printed"] = text.loc[names, f"{key}_{kind}_corrected"].to_numpy()
            frame[column] = errors.loc[names, (learner, attributes_used)].to_numpy()
            frame[f"{column}_difference"] = frame[column] - frame[f"{column}_printed"]
        frame[f"{learner}_half_without_leak"] = errors.loc[names, (learner, "training part")].to_numpy()
    return frame.assign(remark=text.loc[names, "note"].fillna("").to_numpy())


def table5_counts(raw: Frames, printed: Frames) -> pd.DataFrame:
    """On how many sets half of the attributes is better, and by how much on average."""
    errors = half_errors(raw)
    text = printed["table5_half_attributes"].set_index("dataset")
    names = [name for name in text.index if name in errors.index]
    weights = resampled(names)
    rows = []
    for learner, key in (("coalescence", "coalescence"), ("random_forest", "rf")):
        printed_change = {
            kind: text.loc[names, f"{key}_half_{kind}"] - text.loc[names, f"{key}_full_{kind}"]
            for kind in ("printed", "corrected")
        }
        full = errors.loc[names, (learner, "all")].to_numpy()
        for judged in ("all data", "training part"):
            half = errors.loc[names, (learner, judged)].to_numpy()
            low, high = interval(weights @ (half - full))
            rows.append(
                {
                    "learner": NAMES[learner],
                    "importance_from": judged,
                    "improved_printed": int(np.sum(printed_change["printed"] < 0)),
                    "improved_corrected": int(np.sum(printed_change["corrected"] < 0)),
                    "improved": int(np.sum(half < full)),
                    "equal": int(np.sum(half == full)),
                    "worse": int(np.sum(half > full)),
                    "sets": len(names),
                    "more_than_halved": ", ".join(
                        name for name, a, b in zip(names, half, full, strict=True) if a < b / 2
                    ),
                    "mean_change": np.mean(half - full),
                    "mean_change_low": low,
                    "mean_change_high": high,
                }
            )
    return pd.DataFrame(rows)


def boundary(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Test error on samples of the Gaussian mixture, and how often each learner departs from the Bayes rule."""
    frame = raw["boundary"]
    frame = frame[frame["kind"] == "score"]
    rows = []
    for learner, scores in frame.groupby("learner", sort=False):
        row = {"learner": learner, "samples": len(scores)}
        for name, column in (
            ("error", "errors"),
            ("departs_from_bayes", "unlike_bayes"),
            ("bayes_error", "bayes_errors"),
        ):
            rate = 100 * scores[column] / scores["cases"]
            row |= {name: rate.mean(), f"{name}_standard_error": rate.sem()}
        rows.append(row)
    wide = (frame["unlike_bayes"] / frame["cases"]).groupby([frame["sample"], frame["learner"]]).first().unstack()
    gain = 100 * (wide["tree"] - wide["ensemble"])
    return pd.DataFrame(rows).assign(
        tree_less_ensemble=gain.mean(),
        tree_less_ensemble_standard_error=gain.sem(),
        samples_better=int((gain > 0).sum()),
    )


def forest_points(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Strength and correlation of random forests at every F and of aggregating at every alpha (Figure 9)."""
    by = ["dataset", "learner", "setting"]
    measures = forest_measures(raw["forests"], by).assign(error=fold_rates(raw["forests"], by))
    return measures[["strength", "correlation", "error"]].reset_index()


def forest_ranges(raw: Frames, printed: Frames) -> pd.DataFrame:
    """How far strength, correlation and error move over all F and over all alpha."""
    points = forest_points(raw, printed)
    ranges = points.groupby(["dataset", "learner"])[["strength", "correlation", "error"]].agg(np.ptp)
    wide = ranges.unstack("learner")
    frame = pd.DataFrame({"dataset": wide.index})
    for measure in ("strength", "correlation", "error"):
        for learner in ("random_forest", "aggregating"):
            frame[f"{measure}_range_{learner}"] = wide[measure, learner].to_numpy()
    return frame.assign(
        correlation_ratio=frame["correlation_range_random_forest"] / frame["correlation_range_aggregating"]
    )


def stability_table(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Leave-one-out instability beside the bound mu_S / k of appendix B, over samples of each condition."""
    frame = raw["stability"]
    rate = pd.DataFrame(
        {
            "study": frame["study"],
            "value": frame["value"],
            "size": frame["size"],
            "bound": frame["transitions"] / frame["size"],
            "bound_all_attributes": frame["mean_transitions"] / frame["size"],
            "instability": frame["left_out_loss"] / frame["size"],
            "training_error": frame["training_loss"] / frame["size"],
            "test_error": frame["test_loss"] / frame["test_cases"],
            "instability_exact": frame["left_out_loss_exact"] / frame["size"],
            "above_bound": frame["left_out_loss"] > frame["transitions"],
            "above_bound_exact": (frame["left_out_loss_exact"] > frame["transitions"]).where(
                frame["left_out_loss_exact"].notna()
            ),
            "above_twice_the_bound": frame["left_out_loss"] > 2 * frame["transitions"],
        }
    )
    grouped = rate.groupby(["study", "value"], sort=False)
    counts = ["above_bound", "above_bound_exact", "above_twice_the_bound"]
    means = grouped.mean().drop(columns=counts)
    means["instability_standard_error"] = grouped["instability"].sem()
    means["samples"] = grouped.size()
    for name in counts:
        means[f"samples_{name}"] = grouped[name].sum().astype(int)
    return means.reset_index()


TABLES = {
    "table1": Table(
        build=table1,
        title="Table 1: the two halves of the spectrum, measured",
        keys=("half", "method"),
        sources=("datasets", "spectrum", "coalescence"),
        caption=(
            "Means over the alphas of each half (0 to 0.5; above 0.5) and over the data sets. leaves ratio: leaves "
            "relative to those at alpha 1 of the same set and method, geometric mean. disagreement: the chance that "
            "two trees vote differently on a held-out case. tree error: of a single tree. The paper gives words only."
        ),
    ),
    "table2": Table(
        build=table2,
        title="Table 2: ranges of strength and correlation",
        keys=("method",),
        sources=("datasets", "spectrum"),
        caption=(
            "Greatest less least value over alpha, averaged over the data sets; intervals by bootstrap over data sets. "
            "The held-out cases of the ten folds are taken together; by fold: the mean of the ten folds' own "
            "correlations; equation 5: the formula as printed, var(s) / mean sd, without the square."
        ),
    ),
    "table3": Table(
        build=table3,
        title="Table 3: error of coalescence and five benchmarks",
        keys=("dataset",),
        sources=("datasets", "spectrum", "coalescence"),
        caption=(
            "Per cent, ten-fold cross-validation. Ours: the first repetition. Interval: where 95% of single "
            "cross-validations fall, from all repetitions, their spread pooled over the data sets. Boosted C4.5 "
            "stands in for C5 (100 trials; the paper does not say how many); boosting 10: ten trials. searched: alpha "
            "by equation 2; oracle: the best alpha of each data set in hindsight."
        ),
    ),
    "table3_means": Table(
        build=table3_means,
        title="Table 3 and Figure 6: means and ranks",
        keys=("learner",),
        sources=("datasets", "spectrum", "coalescence"),
        caption=(
            "Means over the same data sets on both sides (the printed oracle mean is over all 45). Interval of an "
            "error: 95% of single cross-validations; of a rank: bootstrap over data sets."
        ),
    ),
    "table3_cells": Table(
        build=table3_cells,
        title="Table 3, cell by cell",
        keys=("dataset", "method"),
        sources=("datasets", "coalescence"),
        caption=(
            "Ours: the mean of all repetitions. deviations: the difference in standard errors of one "
            "cross-validation about that mean, rounding of print included. remark: why, where it is beyond three."
        ),
    ),
    "mean_differences": Table(
        build=mean_differences,
        title="Table 3: what the differences of the means are made of",
        keys=("method",),
        sources=("datasets", "coalescence"),
        caption="Points of the mean over all sets; ours: the mean of all repetitions. Remarks on cells: above.",
    ),
    "noise": Table(
        build=noise,
        title="Table 3: differences beyond noise",
        keys=("method",),
        sources=("datasets", "coalescence"),
        caption=(
            "How many cells differ from print by more than two and three standard errors, and how many would if "
            "only the folds and the random trees differed. dispersion: variance between repetitions as a share of "
            "the binomial one."
        ),
    ),
    "table4": Table(
        build=table4,
        title="Table 4: concepts A and B",
        keys=("concept", "condition"),
        sources=("concepts",),
        caption="Per cent of 10,000 lattice points, mean of the runs with its standard error.",
    ),
    "table5": Table(
        build=table5,
        title="Table 5: half of the attributes",
        keys=("dataset",),
        sources=("datasets", "half_attributes"),
        caption=(
            "Printed values with Full and Half exchanged for hayes and tic-tac-toe, where they contradict Table 3. "
            "half: importance from all data as printed, which leaks the test part; half without leak: from the "
            "training part of each fold."
        ),
    ),
    "table5_counts": Table(
        build=table5_counts,
        title="Table 5: on how many sets half of the attributes is better",
        keys=("learner", "importance_from"),
        sources=("datasets", "half_attributes"),
    ),
    "table6": Table(
        build=table6,
        title="Table 6: the data sets",
        keys=("dataset",),
        sources=("datasets",),
        caption="Attributes: n nominal with more than two values, c continuous, b binary, counted by declared values.",
    ),
    "spectrum": Table(
        build=spectrum,
        title="Every point of the spectrum",
        keys=("method", "alpha"),
        sources=("datasets", "spectrum", "coalescence"),
        caption=(
            "Means over data sets. Interval: 95% of single cross-validations. Printed means are over all 45 sets."
        ),
    ),
    "spectrum_by_set": Table(
        build=spectrum_by_set,
        title="The spectrum of each data set",
        keys=("dataset", "method"),
        sources=("datasets", "spectrum"),
        caption="Error in per cent at each alpha.",
    ),
    "best_alphas": Table(
        build=best_alphas,
        title="The best operating points",
        keys=("method",),
        sources=("datasets", "spectrum"),
        caption=(
            "Intervals by bootstrap over data sets. region: the alphas whose mean rank is within one critical "
            "difference (Bonferroni-Dunn, 95%) of the best."
        ),
    ),
    "methods_compared": Table(
        build=methods_compared,
        title="Aggregating, bagging and subspacing against each other",
        keys=("alpha",),
        sources=("datasets", "spectrum"),
        caption="Differences of mean error in points, intervals by bootstrap over data sets.",
    ),
    "swings": Table(
        build=swings,
        title="Swing of the mean error over the spectrum",
        keys=("method",),
        sources=("datasets", "spectrum"),
    ),
    "curve_shapes": Table(
        build=curve_shapes,
        title="Strength-correlation curves of aggregating, set by set",
        keys=("dataset",),
        sources=("datasets", "spectrum"),
        caption=(
            "gained by half: the share of the range (strength) or of the rise from alpha 0 to 1 (correlation) that "
            "is reached at alpha 0.5. corner: the point farthest from the chord, both axes scaled."
        ),
    ),
    "bound_check": Table(
        build=bound_check,
        title="Breiman's inequality on every forest",
        keys=("method",),
        sources=("datasets", "spectrum"),
        caption=(
            "Error against rho (1 - s^2) / s^2, all data sets and alphas. Section 5.2 prints the inequality the wrong "
            "way round; the bound says something only where the strength s is positive."
        ),
    ),
    "rank_differences": Table(
        build=rank_differences,
        title="Ranks behind coalescence",
        keys=("figure", "method"),
        sources=("datasets", "spectrum", "coalescence"),
        caption="Mean rank less that of coalescence, with its interval by bootstrap over data sets, and Holm's p.",
    ),
    "significance": Table(
        build=significance_table,
        title="Friedman tests",
        keys=("figure", "errors"),
        sources=("datasets", "spectrum", "coalescence"),
        caption=(
            "As printed: Bonferroni-Dunn with k - 1 comparisons, applied to every pair. All pairs: Nemenyi. Holm: "
            "against a control chosen beforehand (alpha 0; coalescence), p < 0.05. Rounded: our errors to 0.1 as in "
            "print. a < b: a is better."
        ),
    ),
    "figure6_fragility": Table(
        build=figure6_fragility,
        title="Figure 6: how firm its verdict is",
        keys=("errors",),
        sources=("datasets", "coalescence"),
        caption=(
            "holds: coalescence ranks first and is the only method significantly better than both Max-Diverse and "
            "Bagging; strictly: and no other pair differs. without one set: in how many of the ways to leave out one "
            "data set. within rounding: share of 300 draws of what the rounded errors may have been."
        ),
    ),
    "variants": Table(
        build=variants,
        title="Four variants of C4.5",
        keys=("variant",),
        sources=("datasets", "spectrum", "coalescence", "variants"),
        caption="The first is the default. Boosting and random forest do not change.",
    ),
    "sensitivity": Table(
        build=sensitivity,
        title="Choices that the paper leaves open",
        keys=("variant",),
        sources=("datasets", "sensitivity"),
        caption=(
            "One choice changed at a time, everything else as in Table 3, random streams included. sets changed: data "
            "sets on which some learner's error differs from the first row."
        ),
    ),
    "missing_values": Table(
        build=missing_values,
        title="Missing values three ways",
        keys=("dataset", "method"),
        sources=("datasets", "sensitivity"),
        caption=(
            "Sets with missing values, per cent errors of one run. fractions: a case goes down every branch "
            "in part, as C4.5 has it and as in Table 3; imputed: median or most frequent level of the training part."
        ),
    ),
    "boundary": Table(
        build=boundary,
        title="Figure 8 in numbers: the Gaussian mixture",
        keys=("learner",),
        sources=("boundary",),
        caption="Per cent of test cases, mean over samples of the mixture with its standard error.",
    ),
    "forest_ranges": Table(
        build=forest_ranges,
        title="Figure 9 in numbers: F of random forests against alpha",
        keys=("dataset",),
        sources=("forests",),
    ),
    "stability": Table(
        build=stability_table,
        title="Appendix B, measured: leave-one-out instability and its bound",
        keys=("study", "value"),
        sources=("stability",),
        caption=(
            "bound: class transitions of the relevant attribute over cases; bound all attributes: the mean over "
            "attributes. exact: infinitely many trees. above bound: samples whose leave-one-out losses exceed mu_S."
        ),
    ),
}
