"""Section 4.2: which sets improve, dynamic selection, and Table 2."""

from __future__ import annotations

import numpy as np
import pandas as pd

from arboretum.measures.ties import less
from arboretum.papers.dynint.claims.shared import interval_of_mean, near, plain, with_errors
from arboretum.papers.dynint.tables.beside import accuracy_columns, tree_columns
from arboretum.papers.dynint.tables.shared import (
    SCHEMES,
    STAND_IN,
    accuracies,
    at_table2,
    gains_over_voting,
    held_out_over_learned,
    improved_in_print,
    mean_and_error,
)
from arboretum.papers.dynint.tables.significance import (
    LEVEL,
    accuracy_gains,
    improved_by_replication,
    losses_of_selection,
    outcomes_at_table2,
    tested,
)
from arboretum.papers.results import Results
from arboretum.papers.verdicts import NEGATIVE, POSITIVE, Stated, Verdict, all_parts, around, claim, decide, judge


@claim("dynint-c01")
def twelve_sets_improve_and_none_suffers(results: Results, stated: Stated) -> Verdict:
    """Sets that the best configuration improves, as print counts and corrected; losses on the rest."""
    table = results.tables["improved"]
    counts = improved_by_replication(results).sum(axis=1)
    low, high = interval_of_mean(counts)
    rest = table.loc[~table["improved"], "dataset"]
    lost = losses_at_table2(results, list(rest))
    lost_anywhere = list(table.loc[~table["improved"] & less(table["worst_max_t_p"], LEVEL), "dataset"])
    both = table["improved"] & table["improved_printed"]
    return Verdict(
        {
            "number of sets improved": judge(low, high, stated.limit("improved")),
            "no loss on the rest at 100 trees and 15 neighbours": decide(len(lost) <= stated.limit("losses")),
            "no loss on the rest in any configuration, corrected": decide(len(lost_anywhere) <= stated.limit("losses")),
        },
        {
            "improved": int(table["improved"].sum()),
            "sets": len(table),
            "low": low,
            "high": high,
            "least": int(counts.min()),
            "most": int(counts.max()),
            "both": int(both.sum()),
            "in_print": int(table["improved_printed"].sum()),
            "only_ours": ", ".join(table.loc[table["improved"] & ~table["improved_printed"], "dataset"]) or "none",
            "only_print": ", ".join(table.loc[~table["improved"] & table["improved_printed"], "dataset"]) or "none",
            "by_max_t": int(table["improved_by_max_t"].sum()),
            "by_max_t_in_print": int((table["improved_by_max_t"] & table["improved_printed"]).sum()),
            "by_corrected_test": int(table["improved_by_corrected_test"].sum()),
            "lost": ", ".join(lost) or "none",
            "lost_anywhere": ", ".join(lost_anywhere) or "none",
        },
        "{improved} of {sets} sets improve in some configuration ({least} to {most} in ten replications, 95% of "
        "their mean: {low:.1f} to {high:.1f}), {both} of them among the {in_print} of print; not in "
        "print: {only_ours}; only in print: {only_print}; significantly worse, of the sets that no configuration "
        "improves: {lost} (100 trees, 15 neighbours, some scheme of DV or DVS), {lost_anywhere} (some configuration, "
        "corrected for their number)",
        "The best of 128 configurations is bound to look good: a test that accounts for the choice (the greatest |t| "
        "under random signs) leaves {by_max_t} sets, {by_max_t_in_print} of them among those of print; one that "
        "accounts for shared cases too (Nadeau and Bengio, Bonferroni) {by_corrected_test}. Print does not say in "
        "which configurations it looked for losses.",
    )


def losses_at_table2(results: Results, names: list[str]) -> list[str]:
    """The sets on which some scheme of DV or DVS is significantly worse than voting, at 100 trees and 15 neighbours."""
    gains, ratios = at_table2(accuracy_gains(results)), held_out_over_learned(results)
    found = pd.concat([tested(gains.xs(strategy, level="strategy"), ratios, names) for strategy in ("dv", "dvs")])
    lost = set(found.loc[found["significant"] == "loss", "dataset"]) if len(found) else set()
    return [name for name in names if name in lost]


@claim("dynint-c02")
def selection_is_worse_on_most_sets(results: Results, stated: Stated) -> Verdict:
    """The configuration of DS that is significantly worse than voting on the fewest sets."""
    table = results.tables["selection"]
    low, high = interval_of_mean(losses_of_selection(results).min())
    sets = int(table["sets"].iloc[0])
    best = sorted({name for names in table["better_on"] for name in names.split(", ") if name})
    return Verdict(
        judge(low, high, (stated.limit("least"), np.inf)),
        {
            "least": int(table["worse"].min()),
            "most": int(table["worse"].max()),
            "sets": sets,
            "low": low,
            "high": high,
            "configurations": len(table),
            "better_on": ", ".join(best) or "none",
            "printed_better": ", ".join(stated.printed("better_only_on")),
            "mean_loss": float(-100 * table["mean_gain"].max()),
        },
        "significantly worse than voting on {least} to {most} of {sets} sets over the {configurations} schemes and "
        "neighbourhoods (least of these, mean over replications, 95%: {low:.1f} to {high:.1f}); at best "
        "{mean_loss:.1f} points below voting in the mean; better, in some configuration, on {better_on} "
        "(print: {printed_better})",
        "100 trees. Print's own Table 4 has DS worse than voting on parity2 and better on parity3.",
    )


@claim("dynint-c08")
def wins_on_the_twelve_sets(results: Results, stated: Stated) -> Verdict:
    """Significant wins of DVS over voting for each scheme, and losses."""
    names, table = improved_in_print(results), results.tables["wins"]
    table = table[table["dataset"].isin(names)]
    found = outcomes_at_table2(results, "right").xs("dvs", level="strategy").loc[names]
    parts, ends, counts = {}, {}, {}
    for scheme in SCHEMES:
        counts[scheme] = int((table.loc[table["scheme"] == scheme, "significant"] == "win").sum())
        ends[scheme] = list(interval_of_mean((found.xs(scheme, level="scheme") == 1).sum()))
        parts[f"wins of {scheme}"] = judge(*ends[scheme], around(stated.printed(scheme), stated.limit("wins")))
    lost = table[table["significant"] == "loss"]
    parts["no significant loss"] = decide(len(lost) <= stated.limit("losses"))
    corrected = table[table["significant_corrected"] == "win"].groupby("scheme").size()
    stand_in = table[(table["dataset"] == STAND_IN) & (table["significant"] == "win")]
    return Verdict(
        parts,
        {
            "wins": counts,
            "ends": ends,
            "sets": len(names),
            "lost": ", ".join(f"{row.dataset} ({row.scheme})" for row in lost.itertuples()) or "none",
            "corrected": {scheme: int(corrected.get(scheme, 0)) for scheme in SCHEMES},
            "lost_over_replications": int((found == -1).to_numpy().sum()),
            "comparisons": found.size,
            "on_stand_in": ", ".join(stand_in["scheme"]) or "none",
        },
        "wins of {sets}: {wins}; mean over replications, 95%: {ends:.1f}; significant losses: {lost}; over all "
        "replications {lost_over_replications} of {comparisons} comparisons",
        "By the corrected resampled t-test: {corrected}. On images, which here are windows of other photographs, these "
        "schemes win: {on_stand_in}.",
    )


@claim("dynint-c09")
def forest_beats_its_best_tree(results: Results, stated: Stated) -> Verdict:
    """Voting less the best of 100 trees on the cases held out."""
    voting = accuracy_columns(results).xs("sv", level="column")
    best = tree_columns(results).xs("max", level="column")
    names = improved_in_print(results)
    found = mean_and_error(voting.loc[names] - best.loc[names])
    text = results.printed["table2_accuracy"].set_index("dataset")
    exceptions = [name for name in stated.printed("exceptions") if name in names]
    against = [name for name in names if name not in exceptions and text.loc[name, "max"] > text.loc[name, "sv"]]
    others = [name for name in names if name not in [*exceptions, *against]]
    expected = {name: NEGATIVE if name in exceptions else POSITIVE for name in names}
    verdicts = {name: near(found.loc[name], expected[name]) for name in names}
    parts = {}
    for part, chosen in (
        ("below the best tree on the exceptions", exceptions),
        ("above the best tree on the others", others),
        ("above it where print's own table contradicts the sentence", against),
    ):
        if chosen:
            parts[part] = all_parts(*(verdicts[name] for name in chosen))
    return Verdict(
        parts,
        {
            "gaps": {name: float(100 * found.loc[name, "mean"]) for name in names},
            "errors": {name: float(100 * found.loc[name, "se"]) for name in names},
            "against": ", ".join(against) or "none",
            "wrong": ", ".join(name for name in names if verdicts[name] == "not reproduced") or "none",
        },
        "voting less the best tree, points: {gaps:+.1f}; standard errors: {errors:.1f}; contrary to the sentence: "
        "{wrong}",
        "Print's own Table 2 contradicts its sentence on {against}.",
    )


@claim("dynint-c10")
def cells_of_table2(results: Results, stated: Stated) -> Verdict:
    """Every cell of Table 2 but those of the stand-in."""
    table = results.tables["cells"].query("table == 'table 2'")
    table = table[table["dataset"] != STAND_IN]
    groups = {
        "accuracy of single trees": ("min", "aver", "max"),
        "agreement and coverage": ("agreement", "coverage"),
        "accuracy of voting": ("sv",),
        "accuracy of DVS": tuple(f"dvs_{scheme}" for scheme in SCHEMES),
    }
    verdicts = {"within": "reproduced", "beyond": "not reproduced", "across the limit": "inconclusive"}
    parts = {
        name: all_parts(*table.loc[table["column"].isin(columns), "lies"].map(verdicts))
        for name, columns in groups.items()
    }
    return Verdict(
        parts,
        {
            "within": int((table["lies"] == "within").sum()),
            "cells": len(table),
            "beyond": named_cells(table, "beyond"),
            "across": named_cells(table, "across the limit"),
            "mean_difference": float(table["value_difference"].mean()),
        },
        "{within} of {cells} cells lie within their tolerance with their interval; beyond (ours / printed): "
        "{beyond:.3f}; across the limit: {across:.3f}; mean difference {mean_difference:+.4f}",
        "images is left out. What was tried on the cells beyond is in their table.",
    )


def named_cells(table: pd.DataFrame, lies: str) -> dict[str, list[float]]:
    """Ours and print of the cells that lie so, by set and column."""
    return {
        f"{row.dataset} {row.column}": [float(row.value), float(row.value_printed)]
        for row in table[table["lies"] == lies].itertuples()
    }


@claim("dynint-c11")
def categorical_sets_gain_more(results: Results, stated: Stated) -> Verdict:
    """Gain of DVSrfw on numeric and on categorical sets; how many of each kind improve."""
    kinds = kinds_of_sets(results)
    gains = at_table2(gains_over_voting(accuracies(results))).xs(("dvs", "rfw"), level=["strategy", "scheme"])
    text = results.printed["table2_accuracy"].set_index("dataset")
    runs, printed, parts = {}, {}, {}
    for kind in ("numeric", "categorical"):
        names = [name for name in improved_in_print(results) if kinds[name] == kind and name != STAND_IN]
        runs[kind] = 100 * gains.loc[names].mean()
        printed[kind] = float(100 * (text.loc[names, "dvs_rfw"] - text.loc[names, "sv"]).mean())
    found = with_errors(runs | {"gap": runs["categorical"] - runs["numeric"]})
    for kind in runs:
        parts[f"gain on {kind} sets"] = near(found.loc[kind], around(printed[kind], stated.limit("points")))
    parts["categorical sets gain more"] = near(found.loc["gap"], POSITIVE)
    low, high = interval_of_shares(improved_by_replication(results), kinds)
    parts["a larger share of the categorical sets improves"] = judge(low, high, POSITIVE)
    counts = improved_by_replication(results).mean().groupby(kinds).agg(["sum", "size"])
    return Verdict(
        parts,
        {
            "gains": plain(found.loc[list(runs)]),
            "errors": plain(found.loc[list(runs)], "se"),
            "printed": printed,
            "improved": {kind: counts.loc[kind].tolist() for kind in ("categorical", "numeric")},
            "share_low": low,
            "share_high": high,
        },
        "gain of DVSrfw, points: {gains:.2f} (standard errors {errors:.2f}); print on the same sets: {printed:.2f}; "
        "sets improved in some configuration / all, mean over replications: {improved:.1f}; difference of the two "
        "shares, 95%: {share_low:+.2f} to {share_high:+.2f}",
        "images is left out of the gains on both sides.",
    )


def kinds_of_sets(results: Results) -> dict[str, str]:
    return results.tables["improved"].set_index("dataset")["features"].to_dict()


def interval_of_shares(improved: pd.DataFrame, kinds: dict[str, str]) -> tuple[float, float]:
    """Share of the categorical sets that improve less that of the numeric ones, in the mean over replications."""
    chosen = {kind: [name for name in improved if kinds[name] == kind] for kind in ("categorical", "numeric")}
    return interval_of_mean(improved[chosen["categorical"]].mean(axis=1) - improved[chosen["numeric"]].mean(axis=1))
