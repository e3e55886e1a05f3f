"""Claims on the spectrum of predictive performance: Figures 1 and 2, Table 1, section 5.1."""

from __future__ import annotations

import numpy as np

from arboretum.measures import ties
from arboretum.papers.results import Results
from arboretum.papers.verdicts import (
    INCONCLUSIVE,
    NOT_REPRODUCED,
    POSITIVE,
    REPRODUCED,
    Stated,
    Verdict,
    around,
    claim,
    decide,
    judge,
)
from arboretum.papers.vrtrees.claims.shared import row_of
from arboretum.papers.vrtrees.rates import METHODS


@claim("vrtrees-c01")
def best_inside_the_spectrum(results: Results, stated: Stated) -> Verdict:
    """The mean error of aggregating is least inside the spectrum, and its ends are as printed."""
    best = row_of(results.tables["best_alphas"], method="aggregating")
    curve = results.tables["spectrum"].query("method == 'aggregating'")
    low, high = best["best_by_error_low"], best["best_by_error_high"]
    parts = {
        "best alpha": judge(low, high, stated.limit("best_alpha")),
        "ends are worse": decide(ties.less(curve["error"].min(), curve["error"].iloc[[0, -1]].min())),
    }
    means = {}
    for row in curve[curve["error_printed"].notna()].itertuples():
        name = f"alpha {row.alpha:g}"
        parts[f"mean at {name}"] = judge(
            row.error_low, row.error_high, around(row.error_printed, stated.limit("mean_error"))
        )
        means[name] = row.error
    return Verdict(
        parts,
        {"best_alpha": best["best_by_error"], "best_alpha_low": low, "best_alpha_high": high, "mean_error": means},
        "lowest mean error at alpha {best_alpha:g} (bootstrap {best_alpha_low:g} to {best_alpha_high:g}); mean error: "
        "{mean_error:.2f}",
    )


@claim("vrtrees-c02")
def drop_from_the_end_to_the_middle(results: Results, stated: Stated) -> Verdict:
    """From the deterministic end to alpha 0.5 the mean error of aggregating drops as printed."""
    end = row_of(results.tables["spectrum"], method="aggregating", alpha=1.0)
    middle = row_of(results.tables["spectrum"], method="aggregating", alpha=0.5)
    drop = end["error"] - middle["error"]
    half = np.sqrt(2) * (end["error_high"] - end["error_low"]) / 2
    return Verdict(
        judge(drop - half, drop + half, around(stated.printed("drop"), stated.limit("drop"))),
        {"end": end["error"], "middle": middle["error"], "drop": drop, "half_width": half},
        "from {end:.2f} to {middle:.2f}: a drop of {drop:.2f} (± {half_width:.2f})",
    )


def region_values(results: Results, method: str) -> dict[str, float]:
    """Where a method ranks best, and the region that is not significantly worse."""
    best = row_of(results.tables["best_alphas"], method=method)
    columns = ("best_by_rank", "best_by_rank_low", "best_by_rank_high", "region_from", "region_to")
    columns += ("rank_above_best_at_one", "critical_difference")
    return {name: best[name] for name in columns}


REGION = (
    "best rank at {best_by_rank:g} (bootstrap {best_by_rank_low:g} to {best_by_rank_high:g}); not significantly "
    "worse: {region_from:g} to {region_to:g}"
)


def best_alpha_verdict(values: dict[str, float], stated: Stated) -> str:
    accepted = around(stated.printed("best_alpha"), stated.limit("best_alpha"))
    return judge(values["best_by_rank_low"], values["best_by_rank_high"], accepted)


@claim("vrtrees-c03")
def best_region_of_aggregating(results: Results, stated: Stated) -> Verdict:
    """Aggregating ranks best at alpha 0.4, and its best region is 0.1 to 0.6."""
    values = region_values(results, "aggregating")
    start, stop = stated.printed("region")
    parts = {
        "best alpha": best_alpha_verdict(values, stated),
        "region starts": decide(ties.at_most(abs(values["region_from"] - start), stated.limit("region_end"))),
        "region ends": decide(ties.at_most(abs(values["region_to"] - stop), stated.limit("region_end"))),
    }
    return Verdict(parts, values, REGION)


def best_alpha_and_end(results: Results, stated: Stated, method: str) -> Verdict:
    """The best alpha of a method is as printed, and alpha 1 is significantly worse."""
    values = region_values(results, method)
    parts = {
        "best alpha": best_alpha_verdict(values, stated),
        "alpha 1 is worse": decide(ties.less(values["critical_difference"], values["rank_above_best_at_one"])),
    }
    behind = "alpha 1 is {rank_above_best_at_one:.2f} ranks behind (critical: {critical_difference:.2f})"
    return Verdict(parts, values, f"{REGION}; {behind}")


@claim("vrtrees-c04")
def bagging_is_best_at_06(results: Results, stated: Stated) -> Verdict:
    """Bagging ranks best at alpha 0.6, and conventional bagging is significantly worse."""
    return best_alpha_and_end(results, stated, "bagging")


@claim("vrtrees-c05")
def subspacing_is_best_at_05(results: Results, stated: Stated) -> Verdict:
    """Subspacing ranks best at alpha 0.5, and the random subspace method is significantly worse."""
    return best_alpha_and_end(results, stated, "subspacing")


@claim("vrtrees-c06")
def alpha_half_is_never_significantly_worse(results: Results, stated: Stated) -> Verdict:
    """Alpha 0.5 is the best or not significantly worse, for each of the three methods."""
    best = results.tables["best_alphas"].set_index("method")
    behind, critical = best["rank_above_best_at_half"], best["critical_difference"]
    return Verdict(
        {method: decide(ties.less(behind[method], critical[method])) for method in METHODS},
        {"ranks_behind": behind.to_dict(), "critical_difference": critical.iloc[0]},
        "ranks behind the best: {ranks_behind:.2f} (critical: {critical_difference:.2f})",
    )


@claim("vrtrees-c07")
def aggregating_swings_most(results: Results, stated: Stated) -> Verdict:
    """The swing of the mean error over alpha is largest for aggregating, then bagging, then subspacing."""
    swings = results.tables["swings"].set_index("method")
    share = swings["share_of_draws_in_printed_order"].iloc[0]
    refuted, shown = stated.limit("share_of_draws")
    verdict = REPRODUCED if ties.at_most(shown, share) else INCONCLUSIVE
    verdict = NOT_REPRODUCED if ties.at_most(share, refuted) else verdict
    return Verdict(
        verdict,
        {"swings": swings.loc[list(METHODS), "swing"].to_dict(), "share_of_draws": share},
        "swings: {swings:.2f}; in this order in {share_of_draws:.0%} of bootstrap draws",
    )


@claim("vrtrees-c08")
def bagging_and_subspacing_win_the_deterministic_half(results: Results, stated: Stated) -> Verdict:
    """No significant difference of aggregating and bagging in the random half; both rivals win the other half."""
    table = results.tables["methods_compared"]
    random = table[table["alpha"] <= 0.5]
    late = table[ties.at_most(stated.limit("deterministic_from"), table["alpha"])]
    least = min(1.0, random["wilcoxon_p_aggregating_bagging"].min() * len(random))
    parts = {"no difference in the random half": decide(ties.at_most(stated.limit("level"), least))}
    gaps = {}
    for row in late.to_dict("records"):
        for rival in ("bagging", "subspacing"):
            pair = f"aggregating_less_{rival}"
            name = f"{rival} wins at alpha {row['alpha']:g}"
            parts[name] = judge(row[f"{pair}_low"], row[f"{pair}_high"], POSITIVE)
        gaps[f"alpha {row['alpha']:g}"] = row["aggregating_less_bagging"]
    return Verdict(
        parts,
        {"least_p": least, "tests": len(random), "aggregating_less_bagging": gaps},
        "least p of {tests} Wilcoxon tests, Bonferroni: {least_p:.3f}; aggregating less bagging: "
        "{aggregating_less_bagging:+.2f}",
    )


@claim("vrtrees-c09")
def both_together_are_worse_than_either(results: Results, stated: Stated) -> Verdict:
    """Bagging plus subspacing is worse than either alone, at every alpha but perhaps one."""
    table = results.tables["methods_compared"]
    gap, low, high = (table[f"both_less_worse_parent{end}"] for end in ("", "_low", "_high"))
    excepted, allowed = gap[ties.at_most(gap, 0)], stated.limit("exceptions")
    small = len(excepted) <= allowed and bool(ties.less(-stated.limit("exception_gap"), excepted).all())
    surely = int(ties.less(0, low).sum())
    if ties.less(high, 0).sum() > allowed:
        verdict = NOT_REPRODUCED
    else:
        verdict = REPRODUCED if small and surely >= len(table) - allowed else INCONCLUSIVE
    return Verdict(
        verdict,
        {"worse": len(table) - len(excepted), "alphas": len(table), "surely": surely, "smallest_gap": gap.min()},
        "worse than both parents at {worse} of {alphas} alphas (surely at {surely}); smallest gap {smallest_gap:+.2f} "
        "points",
    )


@claim("vrtrees-c10")
def trees_grow_and_differ_as_alpha_falls(results: Results, stated: Stated) -> Verdict:
    """Trees get larger and more diverse as alpha falls; alpha is about the share of deterministic nodes."""
    curve = results.tables["spectrum"].query("method == 'aggregating'")
    off = (curve["deterministic_share"] - curve["alpha"]).abs().max()
    parts = {
        "larger": decide(ties.less(np.diff(curve["leaves_ratio"]), 0).all()),
        "more diverse": decide(ties.less(np.diff(curve["disagreement"]), 0).all()),
        "share of deterministic nodes": decide(ties.at_most(off, stated.limit("share"))),
    }
    return Verdict(
        parts,
        {
            "leaves_ratio": curve["leaves_ratio"].iloc[0],
            "disagreement_at_0": curve["disagreement"].iloc[0],
            "disagreement_at_1": curve["disagreement"].iloc[-1],
            "departure": off,
        },
        "leaves at alpha 0: {leaves_ratio:.1f} times those at 1; disagreement {disagreement_at_0:.3f} to "
        "{disagreement_at_1:z.3f}; greatest departure of the share of deterministic nodes from alpha: {departure:.3f}",
    )
