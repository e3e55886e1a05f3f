"""Claims on the spectrum of predictive performance: Figures 1 and 2, Table 1, section 5.1."""

from __future__ import annotations

import numpy as np
import pandas as pd

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
from arboretum.papers.vrtrees.rates import METHODS, over_repetitions, spectrum_rates


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
        "lowest mean error at alpha {best_alpha:g} (95%: {best_alpha_low:g} to {best_alpha_high:g}); mean error: "
        "{mean_error:.2f}",
    )


@claim("vrtrees-c02")
def drop_from_the_end_to_the_middle(results: Results, stated: Stated) -> Verdict:
    """From the deterministic end to alpha 0.5 the mean error of aggregating drops as printed."""
    means = results.tables["spectrum"].query("method == 'aggregating'").set_index("alpha")["error"]
    rates = spectrum_rates(results)["aggregating"]
    drop = over_repetitions(pd.DataFrame({"drop": rates[1.0] - rates[0.5]}))
    low, high = (end[0] for end in drop.interval)
    return Verdict(
        judge(low, high, around(stated.printed("drop"), stated.limit("drop"))),
        {"end": means[1.0], "middle": means[0.5], "drop": drop.mean[0], "drop_low": low, "drop_high": high},
        "from {end:.2f} to {middle:.2f}: a drop of {drop:.2f} ({drop_low:.2f} to {drop_high:.2f})",
    )


def region_values(results: Results, method: str) -> dict[str, float]:
    """Where a method ranks best, and the region that is not significantly worse."""
    best = row_of(results.tables["best_alphas"], method=method)
    columns = ("best_by_rank", "region_from", "region_to", "rank_above_best_at_one")
    values = {f"{name}{end}": best[f"{name}{end}"] for name in columns for end in ("", "_low", "_high")}
    over_sets = {name: best[name] for name in ("best_by_rank_low_over_sets", "best_by_rank_high_over_sets")}
    return values | over_sets | {"critical_difference": best["critical_difference"]}


REGION = (
    "best rank at {best_by_rank:g} (95%, repetitions: {best_by_rank_low:g} to {best_by_rank_high:g}; over sets: "
    "{best_by_rank_low_over_sets:g} to {best_by_rank_high_over_sets:g}); not significantly worse: {region_from:g} "
    "({region_from_low:g} to {region_from_high:g}) to {region_to:g} ({region_to_low:g} to {region_to_high:g})"
)


def within(values: dict[str, float], name: str, accepted: tuple[float, float]) -> str:
    """The verdict of the interval of a value."""
    return judge(values[f"{name}_low"], values[f"{name}_high"], accepted)


@claim("vrtrees-c03")
def best_region_of_aggregating(results: Results, stated: Stated) -> Verdict:
    """Aggregating ranks best at alpha 0.4, and its best region is 0.1 to 0.6."""
    values = region_values(results, "aggregating")
    start, stop = stated.printed("region")
    best = around(stated.printed("best_alpha"), stated.limit("best_alpha"))
    parts = {
        "best alpha": within(values, "best_by_rank", best),
        "region starts": within(values, "region_from", around(start, stated.limit("region_end"))),
        "region ends": within(values, "region_to", around(stop, stated.limit("region_end"))),
    }
    return Verdict(parts, values, REGION)


def best_alpha_and_end(results: Results, stated: Stated, method: str) -> Verdict:
    """The best alpha of a method is as printed, and alpha 1 is significantly worse."""
    values = region_values(results, method)
    best = around(stated.printed("best_alpha"), stated.limit("best_alpha"))
    parts = {
        "best alpha": within(values, "best_by_rank", best),
        "alpha 1 is worse": within(values, "rank_above_best_at_one", (values["critical_difference"], np.inf)),
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
    critical = best["critical_difference"].iloc[0]
    low, high = best["rank_above_best_at_half_low"], best["rank_above_best_at_half_high"]
    return Verdict(
        {method: judge(low[method], high[method], (-np.inf, critical)) for method in METHODS},
        {"ranks_behind": best["rank_above_best_at_half"].to_dict(), "critical_difference": critical},
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
        {
            "swings": swings.loc[list(METHODS), "swing"].to_dict(),
            "share_of_draws": share,
            "share_over_sets": swings["share_of_draws_in_printed_order_over_sets"].iloc[0],
        },
        "swings: {swings:.2f}; in this order in {share_of_draws:.0%} of draws of repetitions, in {share_over_sets:.0%} "
        "of draws of sets",
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


OVER_SETS = "both_less_worse_parent_low_over_sets"


@claim("vrtrees-c09")
def both_together_are_worse_than_either(results: Results, stated: Stated) -> Verdict:
    """Bagging plus subspacing is worse than either alone, at every alpha but perhaps one."""
    table = results.tables["methods_compared"]
    gap, low, high = (table[f"both_less_worse_parent{end}"] for end in ("", "_low", "_high"))
    excepted, allowed = gap[ties.at_most(gap, 0)], stated.limit("exceptions")
    small = len(excepted) <= allowed and bool(ties.less(-stated.limit("exception_gap"), excepted).all())
    surely, surely_over_sets = (int(ties.less(0, ends).sum()) for ends in (low, table[OVER_SETS]))
    if ties.less(high, 0).sum() > allowed:
        verdict = NOT_REPRODUCED
    else:
        verdict = REPRODUCED if small and surely >= len(table) - allowed else INCONCLUSIVE
    return Verdict(
        verdict,
        {
            "worse": len(table) - len(excepted),
            "alphas": len(table),
            "surely": surely,
            "surely_over_sets": surely_over_sets,
            "surely_not": int(ties.less(high, 0).sum()),
            "smallest_gap": gap.min(),
        },
        "worse than both parents at {worse} of {alphas} alphas (95%, repetitions: surely at {surely}, surely not at "
        "{surely_not}; over sets: surely at {surely_over_sets}); smallest gap {smallest_gap:+.2f} points",
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
