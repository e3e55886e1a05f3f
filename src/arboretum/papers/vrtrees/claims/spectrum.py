"""Claims on the spectrum of predictive performance: Figures 1 and 2, Table 1, section 5.1."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from arboretum.measures import ties
from arboretum.measures.significance import bonferroni_dunn
from arboretum.papers.kit.claims import claim
from arboretum.papers.kit.estimate import beside_print
from arboretum.papers.results import Results
from arboretum.papers.vrtrees.estimates import mean_over_sets, redrawn, redrawn_by_set
from arboretum.papers.vrtrees.rates import (
    METHODS,
    available_sets,
    measures_by_repetition,
    printed_errors,
    ranks_by_repetition,
    spectrum_rates,
    whole_spectrum,
)
from arboretum.papers.vrtrees.tables.performance import printed_in_text, wilcoxon

RANDOM_HALF_ENDS, DETERMINISTIC_FROM = 0.5, 0.8
LACKING = 1  # sets of the paper that cannot be had: with more of them missing its means are over other sets


@claim("vrtrees-c01", evidence=("figure1", "spectrum", "best_alphas"))
def best_inside_the_spectrum(results: Results):
    """Where the mean error of aggregating is least, how far its ends lie above that, and the printed means."""
    rates = spectrum_rates(results)["aggregating"]
    alphas = rates.columns.to_numpy()
    printed = {alpha: printed_in_text(results, "aggregating", alpha) for alpha in (0.5, 1.0)}
    if len(available_sets(results)) + LACKING < len(results.printed["table6_datasets"]):
        printed = {}
    printed[0.0] = printed_errors(results)["max_diverse"].mean()
    means = {f"alpha {alpha:g}": mean_over_sets(rates[alpha]) for alpha in sorted(printed)}
    return {
        "best alpha": redrawn(rates, lambda mean: alphas[ties.first_least(mean)]),
        "end less the lowest point inside": {
            f"alpha {alphas[end]:g}": redrawn(rates, lambda mean, end=end: mean[..., end] - mean[..., 1:-1].min(-1))
            for end in (0, -1)
        },
        "mean error": beside_print(means, {f"alpha {alpha:g}": value for alpha, value in printed.items()}),
    }


@claim("vrtrees-c02", evidence=("figure1", "spectrum"))
def fall_from_the_end_to_the_middle(results: Results):
    """Mean error of aggregating at alpha 1 less that at 0.5."""
    rates = spectrum_rates(results)["aggregating"]
    fall = mean_over_sets(rates[1.0] - rates[0.5])
    return {"fall of the error": fall, "size of the fall": fall}


def ranks_along(results: Results, method: str) -> pd.DataFrame:
    """Ranks of the alphas of a method within each set and repetition, in critical differences (Bonferroni-Dunn)."""
    ranks = ranks_by_repetition(whole_spectrum(results)[method])
    return ranks / bonferroni_dunn(len(available_sets(results)), ranks.shape[1])


def behind_the_best(ranks: np.ndarray) -> np.ndarray:
    return ranks - ranks.min(axis=-1, keepdims=True)


def best_alpha(ranks: pd.DataFrame):
    return redrawn(ranks, lambda mean: ranks.columns.to_numpy()[ties.first_least(mean)])


@claim("vrtrees-c03", evidence=("figure2", "best_alphas"))
def best_region_of_aggregating(results: Results):
    """The alpha of the best mean rank, and the first and last alpha within a critical difference of it."""
    ranks = ranks_along(results, "aggregating")
    alphas = ranks.columns.to_numpy()

    def first_near(mean, step):
        return alphas[::step][np.argmax(ties.at_most(behind_the_best(mean), 1)[..., ::step], axis=-1)]

    return {
        "best alpha": best_alpha(ranks),
        "region starts": redrawn(ranks, lambda mean: first_near(mean, 1)),
        "region ends": redrawn(ranks, lambda mean: first_near(mean, -1)),
    }


def best_alpha_and_end(results: Results, method: str):
    ranks = ranks_along(results, method)
    at_one = redrawn(ranks, lambda mean: behind_the_best(mean)[..., -1])
    return {"best alpha": best_alpha(ranks), "alpha 1 behind the best": at_one}


@claim("vrtrees-c04", evidence=("figure2", "best_alphas"))
def bagging_is_best_at_06(results: Results):
    """The alpha at which bagging ranks best, and how far alpha 1 is behind it."""
    return best_alpha_and_end(results, "bagging")


@claim("vrtrees-c05", evidence=("figure2", "best_alphas"))
def subspacing_is_best_at_05(results: Results):
    """The alpha at which subspacing ranks best, and how far alpha 1 is behind it."""
    return best_alpha_and_end(results, "subspacing")


@claim("vrtrees-c06", evidence=("figure2", "best_alphas"))
def alpha_half_is_never_significantly_worse(results: Results):
    """How far alpha 0.5 is behind the best alpha of each method."""
    ranks = {method: ranks_along(results, method) for method in METHODS}
    half = ranks["aggregating"].columns.get_loc(0.5)
    return {
        "alpha 0.5 behind the best": {
            method: redrawn(found, lambda mean: behind_the_best(mean)[..., half]) for method, found in ranks.items()
        }
    }


@claim("vrtrees-c07", evidence=("figure1", "swings"))
def aggregating_swings_most(results: Results):
    """Swing of the mean error over alpha of each method less that of the next in the printed order."""
    rates = spectrum_rates(results)
    every = pd.concat({method: rates[method] for method in METHODS}, axis=1)

    def swings(mean, pair):
        return [np.ptp(mean[..., every.columns.get_loc(method)], axis=-1) for method in pair]

    return {
        "difference of swings": {
            f"{more} less {less}": redrawn(every, lambda mean, pair=(more, less): np.subtract(*swings(mean, pair)))
            for more, less in pairwise(METHODS)
        }
    }


@claim("vrtrees-c08", evidence=("figure1", "methods_compared"))
def bagging_and_subspacing_win_the_deterministic_half(results: Results):
    """Wilcoxon's least p in the random half (Bonferroni); aggregating less its rivals towards the other end."""
    rates = spectrum_rates(results)
    gaps = rates["aggregating"] - rates["bagging"]
    random = gaps[[alpha for alpha in gaps if alpha <= RANDOM_HALF_ENDS]]

    def least_p(differences):
        p = wilcoxon(np.moveaxis(differences, -1, -2))
        return np.minimum(1, p.min(axis=-1) * p.shape[-1])

    late = [alpha for alpha in gaps if ties.at_most(DETERMINISTIC_FROM, alpha)]
    return {
        "least p in the random half": redrawn_by_set(random, least_p),
        "aggregating less its rival": {
            f"alpha {alpha:g}, {rival}": mean_over_sets(rates["aggregating"][alpha] - rates[rival][alpha])
            for alpha in late
            for rival in ("bagging", "subspacing")
        },
    }


@claim("vrtrees-c09", evidence=("figure1", "methods_compared"))
def both_together_are_worse_than_either(results: Results):
    """Bagging plus subspacing less the worse of the two: at how many alphas it is positive, and where it is least."""
    rates, methods = whole_spectrum(results), ("bagging+subspacing", "bagging", "subspacing")
    every = pd.concat({method: rates[method] for method in methods}, axis=1)

    def gaps(mean):
        both, *parents = (mean[..., every.columns.get_loc(method)] for method in methods)
        return both - np.maximum(*parents)

    return {
        "alphas at which it is worse": redrawn(every, lambda mean: ties.less(0, gaps(mean)).sum(axis=-1)),
        "smallest gap": redrawn(every, lambda mean: gaps(mean).min(axis=-1)),
    }


@claim("vrtrees-c10", evidence=("table1", "spectrum"))
def trees_grow_and_differ_as_alpha_falls(results: Results):
    """Growth of trees and of their disagreement from step to step; share of deterministic nodes less alpha."""
    measures = measures_by_repetition(results).loc["aggregating"].unstack("alpha")
    leaves, disagreement, share = np.log(measures["leaves"]), measures["disagreement"], measures["deterministic_share"]

    def growth(values):
        return {f"{high:g} to {low:g}": mean_over_sets(values[low] - values[high]) for low, high in pairwise(values)}

    return {
        "growth of the logarithm of leaves": growth(leaves),
        "growth of disagreement": growth(disagreement),
        "share of deterministic nodes less alpha": {
            f"alpha {alpha:g}": mean_over_sets(share[alpha] - alpha) for alpha in share
        },
    }
