"""Claims on coalescence and its benchmarks: Table 3, Figures 5 to 7, section 5.3."""

from __future__ import annotations

import numpy as np

from arboretum.measures import ties
from arboretum.measures.significance import bonferroni_dunn, rank_methods
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import beside_print, in_per_cent, one_run, one_run_of_each, share_of
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.estimates import mean_over_sets, redrawn, redrawn_by_set
from arboretum.papers.vrtrees.rates import (
    LEARNER_NAMES,
    OPERATING_POINTS,
    TABLE3_LEARNERS,
    available_sets,
    bootstrap_weights,
    case_counts,
    errors_by_repetition,
    learner_rates,
    mean_ranks,
    printed_errors,
    ranks_among,
    set_means,
    whole_spectrum,
)
from arboretum.papers.vrtrees.tables.ranks import BEATEN_IN_FIGURE6, FIGURE5_LEARNERS

ORDER = (("random_subspace", "coalescence"), ("bagging", "random_subspace"), ("max_diverse", "random_subspace"))
PECULIAR = "tic-tac-toe"  # no setting explains its printed error of Bagging


@claim("vrtrees-c14", evidence=("figure5", "rank_differences"))
def coalescence_ranks_first_among_alphas(results: Results):
    """Mean rank of each operating point of aggregating less that of coalescence."""
    whole_spectrum(results)  # has the operating points
    ranks = ranks_among(results, FIGURE5_LEARNERS)
    behind = {f"alpha {alpha:g}": ranks[name] - ranks["coalescence"] for name, alpha in OPERATING_POINTS.items()}
    return {"ranks behind coalescence": {name: mean_over_sets(values) for name, values in behind.items()}}


def cells_of_table3(results: Results):
    """One further run of every cell of Table 3, beside print."""
    rates, names, text = learner_rates(results), available_sets(results), printed_errors(results)
    found = {}
    for learner in TABLE3_LEARNERS:
        cells = [f"{name}, {LEARNER_NAMES[learner]}" for name in names]
        runs = map(in_per_cent, one_run_of_each(rates[learner] / 100, case_counts(results)))
        found |= beside_print(dict(zip(cells, runs, strict=True)), dict(zip(cells, text[learner], strict=True)))
    return found


@claim("vrtrees-c15", evidence=("table3", "table3_means", "table3_cells", "mean_differences", "noise"))
def means_of_table_3(results: Results):
    """The order of the means of the ensembles of VR-Trees, the six means, and every cell beside print."""
    errors, text = errors_by_repetition(results), printed_errors(results)

    def gap(more, less, frame=errors):
        return mean_over_sets(frame[more] - frame[less])

    means = {LEARNER_NAMES[name]: mean_over_sets(errors[name]) for name in TABLE3_LEARNERS}
    return {
        "mean error, the later less the earlier": {
            f"{LEARNER_NAMES[more]} less {LEARNER_NAMES[less]}": gap(more, less) for more, less in ORDER
        },
        "mean error": beside_print(means, {LEARNER_NAMES[name]: text[name].mean() for name in TABLE3_LEARNERS}),
        "error": cells_of_table3(results),
        "Bagging less Random Subspace without tic-tac-toe": gap(
            *ORDER[1], errors.drop(PECULIAR, level="dataset", errors="ignore")
        ),
    }


def first_in_samples(ranks: np.ndarray, names: list[str]):
    """The share of bootstrap samples of the sets in which the first column has the best mean rank."""
    first = ties.first_least(bootstrap_weights(names) @ ranks) == 0
    return share_of(int(first.sum()), len(first), "bootstrap samples of the sets")


@claim("vrtrees-c16", evidence=("figure6", "figure6_fragility", "rank_differences"))
def coalescence_ranks_first_among_six(results: Results):
    """How far the others rank behind coalescence, and who is a critical difference ahead of both lowest."""
    ranks, names, text = ranks_among(results, TABLE3_LEARNERS), available_sets(results), printed_errors(results)
    apart = ranks / bonferroni_dunn(len(names), len(TABLE3_LEARNERS))
    places = [TABLE3_LEARNERS.index(name) for name in BEATEN_IN_FIGURE6]
    others = [name for name in TABLE3_LEARNERS if name not in ("coalescence", *BEATEN_IN_FIGURE6)]

    def ahead_of_both(name):
        return redrawn(apart, lambda mean: mean[..., places].min(-1) - mean[..., TABLE3_LEARNERS.index(name)])

    runs = ranks.groupby(level="repetition").mean()
    one = {LEARNER_NAMES[name]: one_run(runs[name].to_numpy()) for name in TABLE3_LEARNERS}
    return {
        "ranks behind coalescence": {
            LEARNER_NAMES[name]: mean_over_sets(ranks[name] - ranks["coalescence"]) for name in TABLE3_LEARNERS[1:]
        },
        "coalescence ahead of both": ahead_of_both("coalescence"),
        "another ahead of both": {LEARNER_NAMES[name]: ahead_of_both(name) for name in others},
        "rank": beside_print(one, dict(zip(one, mean_ranks(text), strict=True))),
        "samples of the sets with coalescence first": {
            "printed errors": first_in_samples(rank_methods(text.to_numpy(), lower_is_better=True), names),
            "our errors": first_in_samples(set_means(ranks).to_numpy(), names),
        },
    }


@claim("vrtrees-c17", evidence=("figure6", "rank_differences"))
def forest_ranks_as_coalescence_and_boosting(results: Results):
    """Random forest less coalescence in critical differences, C5.0 less random forest in ranks."""
    ranks = ranks_among(results, TABLE3_LEARNERS)
    critical = bonferroni_dunn(len(available_sets(results)), len(TABLE3_LEARNERS))
    return {
        "random forest behind coalescence": mean_over_sets((ranks["random_forest"] - ranks["coalescence"]) / critical),
        "C5.0 behind random forest": mean_over_sets(ranks["c50"] - ranks["random_forest"]),
    }


@claim("vrtrees-c18", evidence=("table3", "table3_means"))
def oracle_alpha(results: Results):
    """Mean error of coalescence less that of the best alpha of each set and run, and the latter itself."""
    whole_spectrum(results)  # what the oracle chooses from
    errors = errors_by_repetition(results)
    return {
        "coalescence above the oracle": mean_over_sets(errors["coalescence"] - errors["oracle"]),
        "oracle": mean_over_sets(errors["oracle"]),
    }


@claim("vrtrees-c19", evidence=("figure7",))
def coalescence_reaches_the_first_half(results: Results):
    """Share of the sets of Figure 7 on which coalescence errs no more than alpha 0 to 0.5 in the mean."""
    first_half = whole_spectrum(results)["aggregating"].loc[:, :0.5].mean(axis=1)
    gaps = errors_by_repetition(results)[["coalescence"]].sub(first_half, axis=0).dropna()
    sets = list(dict.fromkeys(results.tables["figure7"]["dataset"]))
    return {
        "sets on which it does": redrawn_by_set(gaps.loc[sets], lambda mean: ties.at_most(mean, 0).mean(axis=(-2, -1)))
    }
