"""Is it significant, is it noise, does it hold: what follows from the ranks and errors of vrtrees."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy import stats

from arboretum.measures import repetitions, significance
from arboretum.measures.bootstrap import interval
from arboretum.papers.shape import Frames
from arboretum.papers.vrtrees.rates import (
    METHODS,
    NAMES,
    OPERATING,
    SIX,
    cases_of,
    first_run,
    fold_rates,
    learner_rates,
    mean_ranks,
    names_of,
    printed_errors,
    resampled,
    spectrum_errors,
)
from arboretum.papers.vrtrees.remarks import remark
from arboretum.seeds import generator


def better_pairs(ranks: np.ndarray, names: list[str], critical: float) -> list[str]:
    """Pairs whose mean ranks differ by more than ``critical``, the better one first."""
    order = np.argsort(ranks, kind="stable")
    return [
        f"{names[i]} < {names[j]}"
        for place, i in enumerate(order)
        for j in order[place + 1 :]
        if ranks[j] - ranks[i] > critical
    ]


def tested(figure: str, source: str, errors: pd.DataFrame, control: str) -> dict[str, object]:
    """One row of the significance table: as printed, and valid for what the text concludes."""
    scores, names = errors.to_numpy(), [str(name) for name in errors.columns]
    plain = significance.friedman(scores, lower_is_better=True)
    tied = significance.friedman(scores, lower_is_better=True, correct_ties=True)
    dunn, nemenyi = significance.bonferroni_dunn(*scores.shape), significance.nemenyi(*scores.shape)
    adjusted = significance.holm(plain.ranks, names.index(control), len(scores))
    differs = [
        f"{name} ({'worse' if rank > plain.ranks[names.index(control)] else 'better'})"
        for name, rank, p in zip(names, plain.ranks, adjusted, strict=True)
        if p < 0.05
    ]
    return {
        "figure": figure,
        "errors": source,
        "sets": len(scores),
        "methods": len(names),
        "best": names[int(plain.ranks.argmin())],
        "best_rank": plain.ranks.min(),
        "friedman_chi_square": plain.chi_square,
        "friedman_p": plain.chi_square_p,
        "friedman_p_ties_corrected": tied.chi_square_p,
        "iman_davenport_p": plain.f_p,
        "iman_davenport_p_ties_corrected": tied.f_p,
        "critical_difference_as_printed": dunn,
        "pairs_as_printed": listed(better_pairs(plain.ranks, names, dunn)),
        "critical_difference_all_pairs": nemenyi,
        "pairs_all_pairs": listed(better_pairs(plain.ranks, names, nemenyi)),
        "control": control,
        "differ_from_control_holm": listed(differs),
    }


def listed(items: list[str], most: int = 20) -> str:
    if len(items) > most:
        return f"{len(items)} pairs"
    return "; ".join(items) if items else "none"


def significance_table(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Friedman's test and what follows it, for Figures 2, 5 and 6, our errors raw and rounded to 0.1 as printed."""
    names = names_of(raw, printed)
    ours = first_run(raw, names)
    tests: list[tuple[str, pd.DataFrame, str]] = []
    for figure, method in zip(("2a", "2b", "2c"), METHODS, strict=True):
        errors = spectrum_errors(raw, names)[method]
        tests.append((figure, errors.rename(columns=lambda alpha: f"{alpha:g}"), "0"))
    tests.append(("5", ours[["coalescence", *OPERATING]], "coalescence"))
    tests.append(("6", ours[SIX], "coalescence"))
    rows = []
    for figure, errors, control in tests:
        rows.append(tested(figure, "ours", errors, control))
        rows.append(tested(figure, "ours, rounded", errors.round(1), control))
    rows.append(tested("6", "printed", printed_errors(raw, printed, ours_only=False), "coalescence"))
    rows.append(tested("6", "printed, same sets", printed_errors(raw, printed), "coalescence"))
    return pd.DataFrame(rows)


def rank_differences(raw: Frames, printed: Frames) -> pd.DataFrame:
    """How much worse than coalescence each method of Figures 5 and 6 ranks; intervals by bootstrap over sets."""
    names = names_of(raw, printed)
    weights = resampled(names)
    ours = first_run(raw, names)
    rows = []
    for figure, methods in (("5", ["coalescence", *OPERATING]), ("6", SIX)):
        ranks = significance.rank_methods(ours[methods].to_numpy(), lower_is_better=True)
        adjusted = significance.holm(ranks.mean(axis=0), 0, len(names))
        behind = ranks[:, 1:] - ranks[:, :1]
        low, high = interval(weights @ behind)
        for place, method in enumerate(methods[1:]):
            row = {"figure": figure, "method": NAMES[method], "rank_behind": behind[:, place].mean()}
            row |= {"rank_behind_low": low[place], "rank_behind_high": high[place]}
            rows.append(row | {"holm_p": adjusted[place + 1]})
    return pd.DataFrame(rows)


ROUNDINGS = 300
BOTH = ("bagging", "max_diverse")


def figure6_holds(errors: np.ndarray, critical: Callable[[int, int], float] = significance.bonferroni_dunn) -> bool:
    """The verdict of Figure 6: coalescence ranks first, and it alone is significantly better than both of BOTH."""
    ranks = significance.rank_methods(errors, lower_is_better=True).mean(axis=0)
    rivals = ranks[[SIX.index(name) for name in BOTH]].min()
    winners = [name for name, rank in zip(SIX, ranks, strict=True) if rivals - rank > critical(*errors.shape)]
    return bool(ranks.argmin() == 0 and winners == ["coalescence"])


def figure6_holds_strictly(errors: np.ndarray) -> bool:
    """The same read strictly: besides those two pairs no other differs."""
    ranks = significance.rank_methods(errors, lower_is_better=True).mean(axis=0)
    pairs = better_pairs(ranks, SIX, significance.bonferroni_dunn(*errors.shape))
    return bool(ranks.argmin() == 0 and set(pairs) == {f"coalescence < {name}" for name in BOTH})


def figure6_fragility(raw: Frames, printed: Frames) -> pd.DataFrame:
    """The verdict of Figure 6 from print and from each of our repetitions, and how easily it changes."""
    names = names_of(raw, printed)
    rates = learner_rates(raw, names)
    sources = {
        "printed, all sets": printed_errors(raw, printed, ours_only=False).to_numpy(),
        "printed, the sets we have": printed_errors(raw, printed).to_numpy(),
    }
    for repetition in range(min(rates[name].shape[1] for name in SIX)):
        sources[f"ours, repetition {repetition + 1}"] = np.stack([rates[name][:, repetition] for name in SIX], axis=1)
    sources["ours, mean of repetitions"] = np.stack([rates[name].mean(axis=1) for name in SIX], axis=1)
    reference = mean_ranks(printed_errors(raw, printed))
    return pd.DataFrame([fragility_row(name, errors, reference) for name, errors in sources.items()])


def fragility_row(source: str, errors: np.ndarray, reference: np.ndarray) -> dict[str, object]:
    ranks = significance.rank_methods(errors, lower_is_better=True).mean(axis=0)
    critical = significance.bonferroni_dunn(*errors.shape)
    row = {
        "errors": source,
        "sets": len(errors),
        **{f"rank_{name}": rank for name, rank in zip(SIX, ranks, strict=True)},
        "critical_difference": critical,
        "significant_pairs": listed(better_pairs(ranks, SIX, critical)),
        "rank_correlation_with_print": stats.spearmanr(ranks, reference).statistic,
        "holds_for_all_pairs": figure6_holds(errors, significance.nemenyi),
    }
    without = [np.delete(errors, place, axis=0) for place in range(len(errors))]
    rng = generator(paper="vrtrees", purpose="rounding", source=source)
    unrounded = [errors.round(1) + rng.uniform(-0.05, 0.05, errors.shape) for _ in range(ROUNDINGS)]
    for name, holds in (("holds", figure6_holds), ("holds_strictly", figure6_holds_strictly)):
        row[name] = holds(errors)
        row[f"{name}_without_one_set"] = f"{sum(map(holds, without))} of {len(without)}"
        row[f"{name}_within_rounding"] = float(np.mean([holds(drawn) for drawn in unrounded]))
    return row


def variants(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each C4.5 that the paper may have built on."""
    names = names_of(raw, printed)
    default, reference = first_run(raw, names)[SIX], printed_errors(raw, printed)
    frame = raw["variants"]
    frame = frame[frame["repetition"] == 0]
    rates = fold_rates(frame, ["mdl", "curtailment", "learner", "dataset"])
    rows = []
    for mdl in (True, False):
        for curtailment in (True, False):
            ours = rates.loc[mdl, curtailment].unstack(level="learner").loc[names]
            label = f"MDL correction {on(mdl)}, curtailment {on(curtailment)}"
            rows.append(variant_row(label, ours, default, reference))
    return pd.DataFrame(rows)


DEFAULT = "as in Table 3"  # the choice that changes nothing


def sensitivity(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Means, ranks and the verdict of Figure 6 under each choice that the paper leaves open."""
    names = names_of(raw, printed)
    rates = fold_rates(raw["sensitivity"], ["choice", "learner", "dataset"])
    choices = list(dict.fromkeys(raw["sensitivity"]["choice"]))
    default, reference = rates.loc[DEFAULT].unstack(level="learner").loc[names, SIX], printed_errors(raw, printed)
    rows = []
    for choice in sorted(choices, key=lambda choice: choice != DEFAULT):
        ours = rates.loc[choice].unstack(level="learner").reindex(names)  # no row: the choice changes nothing there
        row = variant_row(choice, ours.fillna(default), default, reference)
        rows.append(row | {"sets_changed": changed(rates, DEFAULT, choice)})
    return pd.DataFrame(rows)


def missing_values(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Errors on the sets with missing values under each treatment of them, beside print."""
    names = names_of(raw, printed)
    text = printed_errors(raw, printed).set_axis(names, axis=0).stack()
    rates = fold_rates(raw["sensitivity"], ["dataset", "learner", "choice"]).unstack(level="choice")
    ways = [choice for choice in rates if choice.startswith("missing")]
    rates = rates.dropna(subset=ways).reindex(pd.MultiIndex.from_product([names, SIX])).dropna(subset=ways)
    return pd.DataFrame(
        {
            "dataset": rates.index.get_level_values(0),
            "method": [NAMES[learner] for learner in rates.index.get_level_values(1)],
            "error_printed": text.reindex(rates.index).to_numpy(),
            "fractions": rates[DEFAULT].to_numpy(),
            **{way.replace(" ", "_"): rates[way].to_numpy() for way in ways},
        }
    )


def changed(rates: pd.Series, default: str, choice: str) -> int:
    """On how many sets the choice changes the error of some learner."""
    difference = (rates.loc[choice] - rates.loc[default]).dropna().abs()
    return int((difference.groupby(level="dataset").max() > 0).sum())


def on(setting: bool) -> str:
    return "on" if setting else "off"


def variant_row(label: str, ours: pd.DataFrame, default: pd.DataFrame, printed: pd.DataFrame) -> dict[str, object]:
    """One way of building some learners; the others are as by default."""
    six = default.assign(**{name: ours[name] for name in ours if name in SIX})
    ranks = mean_ranks(six)
    critical = significance.bonferroni_dunn(*six.shape)
    return {
        "variant": label,
        **{f"error_{name}": six[name].mean() for name in SIX},
        **{f"rank_{name}": rank for name, rank in zip(SIX, ranks, strict=True)},
        "best_rank": SIX[int(ranks.argmin())],
        "significant_pairs": listed(better_pairs(ranks, SIX, critical)),
        "holds": figure6_holds(six.to_numpy()),
        "holds_strictly": figure6_holds_strictly(six.to_numpy()),
        "rank_correlation_with_print": stats.spearmanr(ranks, mean_ranks(printed)).statistic,
    }


def table3_cells(raw: Frames, printed: Frames) -> pd.DataFrame:
    """Every cell of Table 3 in deviations of one cross-validation, the farthest first."""
    names = names_of(raw, printed)
    rates, cases, text = learner_rates(raw, names), cases_of(raw, names), printed_errors(raw, printed)
    parts = []
    for learner in SIX:
        error = 100 * repetitions.single_run_error(rates[learner] / 100, cases)
        error = np.sqrt(error**2 + 0.1**2 / 12)  # print is rounded to 0.1
        centre = rates[learner].mean(axis=1)
        parts.append(
            pd.DataFrame(
                {
                    "dataset": names,
                    "method": NAMES[learner],
                    "error_printed": text[learner].to_numpy(),
                    "error": centre,
                    "error_difference": centre - text[learner].to_numpy(),
                    "standard_error": error,
                    "deviations": (centre - text[learner].to_numpy()) / error,
                }
            )
        )
    frame = pd.concat(parts)
    beyond = frame["deviations"].abs() > 3
    remarks = [
        remark(*cell) if far else "" for *cell, far in zip(frame["dataset"], frame["method"], beyond, strict=True)
    ]
    frame = frame.assign(beyond_three=beyond, remark=remarks)
    return frame.sort_values("deviations", key=lambda column: -column.abs(), kind="stable")


def mean_differences(raw: Frames, printed: Frames) -> pd.DataFrame:
    """What the differences of the means of Table 3 are made of: a set adds its own over the number of sets."""
    rows = []
    for method, cells in table3_cells(raw, printed).groupby("method", sort=False):
        shares = (cells.set_index("dataset")["error_difference"] / len(cells)).sort_values(
            key=lambda share: -share.abs()
        )
        rows.append(
            {
                "method": method,
                "error_printed": cells["error_printed"].mean(),
                "error": cells["error"].mean(),
                "error_difference": cells["error_difference"].mean(),
                "from_cells_beyond_three": shares[cells.loc[cells["beyond_three"], "dataset"]].sum(),
                "largest_shares": ", ".join(f"{name} {share:+.2f}" for name, share in shares.head(4).items()),
            }
        )
    return pd.DataFrame(rows).set_index("method").loc[[NAMES[name] for name in SIX]].reset_index()


def noise(raw: Frames, printed: Frames) -> pd.DataFrame:
    """How many cells of Table 3 differ from print by more than one cross-validation differs from another."""
    names = names_of(raw, printed)
    rates, cases = learner_rates(raw, names), cases_of(raw, names)
    cells = table3_cells(raw, printed)
    rows = []
    for learner in SIX:
        z = cells.loc[cells["method"] == NAMES[learner], "deviations"].to_numpy()
        rows.append(noise_row(NAMES[learner], z, repetitions.dispersion(rates[learner] / 100, cases)))
    return pd.DataFrame([*rows, noise_row("all methods", cells["deviations"].to_numpy(), np.nan)])


def noise_row(name: str, z: np.ndarray, dispersion: float) -> dict[str, object]:
    return {
        "method": name,
        "cells": len(z),
        "beyond_two": int(np.sum(np.abs(z) > 2)),
        "expected_beyond_two": len(z) * 2 * stats.norm.sf(2),
        "beyond_three": int(np.sum(np.abs(z) > 3)),
        "expected_beyond_three": len(z) * 2 * stats.norm.sf(3),
        "mean_deviations": float(np.mean(z)),
        "root_mean_square_deviations": float(np.sqrt(np.mean(z**2))),
        "dispersion": dispersion,
    }
