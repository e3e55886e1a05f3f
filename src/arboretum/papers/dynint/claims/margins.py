"""Section 4.3: margins (Table 3, Figure 4)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from arboretum.measures.paired import paired_tests
from arboretum.measures.ties import less
from arboretum.papers.dynint.claims.schemes import FOREST, WEIGHTED
from arboretum.papers.dynint.claims.shared import (
    interval_of_count,
    interval_of_mean,
    near,
    near_all,
    near_each,
    one,
    plain,
    sets_of_means,
    with_errors,
)
from arboretum.papers.dynint.tables.shared import (
    SCHEMES,
    STAND_IN,
    accuracies,
    at_table2,
    improved_in_print,
    margin_runs,
    margins,
    mean_and_error,
    mean_over_sets,
    others,
)
from arboretum.papers.dynint.tables.significance import outcome, outcomes_at_table2, sampled_wins
from arboretum.papers.results import Results
from arboretum.papers.verdicts import POSITIVE, Stated, Verdict, all_parts, claim, judge

Method = tuple[str, str]  # strategy and scheme
STRATEGIES = ("dv", "dvs")
LIES = {"within": "reproduced", "beyond": "not reproduced", "across the limit": "inconclusive"}


def compared(results: Results, frame: pd.DataFrame, pairs: Iterable[tuple[Method, Method]]) -> pd.DataFrame:
    """Paired differences of margins on each of the 12 sets, run by run; index dataset, better, worse."""
    runs, rows = at_table2(frame), {}
    for better, worse in pairs:
        for name in improved_in_print(results):
            key = (name, "".join(better).upper(), "".join(worse).upper())
            rows[key] = runs.loc[(name, *better)] - runs.loc[(name, *worse)]
    return pd.DataFrame(rows).T.rename_axis(["dataset", "better", "worse"])


def significant(differences: pd.DataFrame) -> list[str]:
    """Win, loss or nothing of each row, by the paired t-test."""
    tests = paired_tests(differences.to_numpy().T, 0.0)
    return [outcome(gain, p) for gain, p in zip(tests.mean, tests.p, strict=True)]


def contrary(differences: pd.DataFrame) -> str:
    """Where the mean difference is negative or zero up to rounding, by name."""
    mean = differences.mean(axis=1)
    found = [f"{name}: {better} and {worse}" for (name, better, worse), gap in mean.items() if not less(0, gap)]
    return "; ".join(found) or "none"


@claim("dynint-c12")
def margins_rise_on_every_set(results: Results, stated: Stated) -> Verdict:
    """Margins of eight methods against voting on the 12 sets, and the cells of Table 3."""
    methods = [(strategy, scheme) for strategy in STRATEGIES for scheme in SCHEMES]
    pairs = [(method, ("sv", "")) for method in methods]
    gaps, tests = compared(results, margins(results), pairs), compared(results, margin_runs(results), pairs)
    found = significant(tests)
    cells = results.tables["cells"].query("table == 'table 3'")
    cells = cells[cells["dataset"] != STAND_IN]
    return Verdict(
        {
            "raised, surely": near_all(mean_and_error(gaps), POSITIVE),
            "cells of Table 3": all_parts(*cells["lies"].map(LIES)),
        },
        {
            "wins": found.count("win"),
            "comparisons": len(found),
            "least_t": float(paired_tests(tests.to_numpy().T, 0.0).t.min()),
            "contrary": contrary(gaps),
            "allowed": stated.limit("cell"),
            "within": int((cells["lies"] == "within").sum()),
            "cells": len(cells),
            "beyond": ", ".join(sorted(set(cells.loc[cells["lies"] == "beyond", "dataset"]))) or "none",
            "largest": float(cells["value_difference"].abs().max()),
        },
        "significantly raised in {wins} of {comparisons} comparisons (least t {least_t:.1f}; not raised: {contrary}); "
        "{within} of {cells} cells of Table 3 within {allowed} with their interval; sets with cells beyond: {beyond}; "
        "largest difference {largest:.3f}",
        "images counts among the 12 sets, and is left out of the cells. What was tried on the cells beyond is in their "
        "table.",
    )


@claim("dynint-c13")
def margins_rise_on_most_other_sets(results: Results, stated: Stated) -> Verdict:
    """Sets among the other 15 on which DVSrfw raises the margin significantly."""
    names, table = others(results), results.tables["margin_wins"].query("scheme == 'rfw'").set_index("dataset")
    outcomes = outcomes_at_table2(results, "margin").xs(("dvs", "rfw"), level=["strategy", "scheme"])
    low, high = interval_of_mean((outcomes.loc[names] == 1).sum())
    known = table.loc[names]
    return Verdict(
        judge(low, high, (stated.limit("least"), np.inf)),
        {
            "raised": int((known["significant"] == "win").sum()),
            "sets": len(names),
            "low": low,
            "high": high,
            "lowered": ", ".join(known.index[known["significant"] == "loss"]) or "none",
            "mean_gain": float(known["gain"].mean()),
        },
        "significantly raised by DVSrfw on {raised} of {sets} sets (mean over replications, 95%: {low:.1f} to "
        "{high:.1f}); significantly lowered on {lowered}; mean gain {mean_gain:+.3f}",
        "The sets not among the 12 that print finds improved.",
    )


@claim("dynint-c14")
def margins_by_scheme(results: Results, stated: Stated) -> Verdict:
    """Weighted against unweighted, and forest similarity against HEOM, on each of the 12 sets."""
    parts, values = {}, {}
    for part, name, pairs in (
        ("weighted above unweighted", "weighted", WEIGHTED),
        ("forest similarity above HEOM", "forest", FOREST),
    ):
        chosen = [((s, one), (s, other)) for s in STRATEGIES for one, other in pairs]
        gaps = compared(results, margins(results), chosen)
        verdicts = near_each(mean_and_error(gaps), POSITIVE)
        parts[part] = all_parts(*verdicts)
        values |= {f"{name}_sure": verdicts.count("reproduced"), f"{name}_comparisons": len(verdicts)}
        values |= {f"{name}_contrary": contrary(gaps)}
    return Verdict(
        parts,
        values,
        "weighted surely above unweighted in {weighted_sure} of {weighted_comparisons} comparisons (contrary: "
        "{weighted_contrary}); forest similarity surely above HEOM in {forest_sure} of {forest_comparisons} (contrary: "
        "{forest_contrary})",
        "Print has one tie of its own: DVheom and DVheomw on DNAP (promoters).",
    )


@claim("dynint-c15")
def weighted_forest_similarity_stands_out(results: Results, stated: Stated) -> Verdict:
    """DVrfw and DVSrfw against the other three schemes, on each of the 12 sets."""
    pairs = [((s, "rfw"), (s, other)) for s in STRATEGIES for other in SCHEMES[:-1]]
    gaps = compared(results, margin_runs(results), pairs)
    found = significant(gaps)
    sampled = [sampled_wins(rows.to_numpy().T, name, "rfw").sum(axis=1) for name, rows in gaps.groupby(level="dataset")]
    low, high = (end / len(gaps) for end in interval_of_count(sum(sampled)))
    runs = mean_over_sets(margins(results), improved_in_print(results))
    return Verdict(
        judge(low, high, (stated.limit("share"), 1.0)),
        {
            "wins": found.count("win"),
            "losses": found.count("loss"),
            "comparisons": len(found),
            "low": 100 * low,
            "high": 100 * high,
            "contrary": contrary(gaps),
            "averages": {
                "SV": float(one(runs, "sv").mean()),
                "DVSrfw": float(one(runs, "dvs", "rfw").mean()),
            },
            "printed": {"SV": stated.printed("avg_sv"), "DVSrfw": stated.printed("avg_dvs_rfw")},
        },
        "significantly above in {wins} of {comparisons} comparisons (95% of bootstrap samples of the splits: "
        "{low:.0f}% to {high:.0f}%), significantly below in {losses}; contrary: {contrary}; mean margins "
        "{averages:.3f} (printed {printed:.3f})",
        "images counts among the 12 sets.",
    )


@claim("dynint-c16")
def dvs_has_a_larger_margin_than_dv(results: Results, stated: Stated) -> Verdict:
    """DVS against DV in each scheme, on each of the 12 sets."""
    pairs = [(("dvs", scheme), ("dv", scheme)) for scheme in SCHEMES]
    verdict = near_all(mean_and_error(compared(results, margins(results), pairs)), POSITIVE)
    gaps = compared(results, margin_runs(results), pairs)
    found = significant(gaps)
    sampled = [sampled_wins(rows.to_numpy().T, name, "dvs").sum(axis=1) for name, rows in gaps.groupby(level="dataset")]
    low, high = (end / len(gaps) for end in interval_of_count(sum(sampled)))
    return Verdict(
        {
            "always larger": verdict,
            "mostly significantly": judge(low, high, (stated.limit("mostly"), 1.0)),
        },
        {
            "wins": found.count("win"),
            "comparisons": len(found),
            "low": 100 * low,
            "high": 100 * high,
            "contrary": contrary(gaps),
        },
        "significantly larger in {wins} of {comparisons} comparisons (95% of bootstrap samples of the splits: "
        "{low:.0f}% to {high:.0f}%); contrary: {contrary}",
    )


@claim("dynint-c17")
def margins_hardly_grow_with_the_forest(results: Results, stated: Stated) -> Verdict:
    """Margin and accuracy from 10 to 100 trees and from 50 to 100, in the mean over sets."""
    names = sets_of_means(results)
    margin, accuracy = (mean_over_sets(runs, names) for runs in (margins(results), accuracies(results)))
    sizes = sorted(set(margin.index.get_level_values("trees")))
    least, before, most = sizes[0], sizes[-2], sizes[-1]
    margin_growth, last, accuracy_growth = (
        with_errors(growth(runs, first, most)) for runs, first in ((margin, least), (margin, before), (accuracy, least))
    )
    hardly = stated.limit("hardly")
    return Verdict(
        {
            "margin of voting": near(margin_growth.loc["SV"], (-np.inf, stated.limit("margin_of_voting"))),
            "margin of DVS": near(margin_growth.loc["DVS"], stated.limit("margin_of_dvs")),
            "accuracy of voting": near(accuracy_growth.loc["SV"], stated.limit("accuracy")),
            "accuracy of DVS": near(accuracy_growth.loc["DVS"], stated.limit("accuracy")),
            "margins hardly change from 50 to 100": near_all(last.loc[["SV", "DVS"]], (-hardly, hardly)),
        },
        {
            "margins": plain(margin_growth),
            "margin_errors": plain(margin_growth, "se"),
            "accuracies": plain(accuracy_growth),
            "accuracy_errors": plain(accuracy_growth, "se"),
            "last": plain(last),
            "sets": len(names),
        },
        "from 10 to 100 trees, margin: {margins:+.4f} (standard errors {margin_errors:.4f}); accuracy: "
        "{accuracies:+.4f} ({accuracy_errors:.4f}); margin from 50 to 100: {last:+.4f}",
        "Means over {sets} sets, images left out. DVS: mean of the four schemes, which decides; 15 neighbours.",
    )


def growth(runs: pd.DataFrame, first: int, last: int) -> dict[str, pd.Series]:
    """What voting, DVS in the mean of its schemes, and each scheme gain between two ensemble sizes."""
    found = {"SV": one(runs, "sv", trees=last) - one(runs, "sv", trees=first)}
    schemes = {f"DVS{scheme}": one(runs, "dvs", scheme, last) - one(runs, "dvs", scheme, first) for scheme in SCHEMES}
    return found | {"DVS": sum(schemes.values()) / len(schemes)} | schemes
