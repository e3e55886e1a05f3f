"""The claims of vrtrees, in the order in which claims.yaml states them."""

from arboretum.papers.contract import by_name
from arboretum.papers.vrtrees.claims.artificial import (
    alpha_half_withstands_irrelevance_and_noise,
    coalescence_is_near_the_better_end,
    complete_random_trees_are_best_on_a,
    complete_random_trees_are_worst_on_b,
    ensemble_follows_the_boundary_better,
    forest_against_coalescence,
    instability_is_bounded,
)
from arboretum.papers.vrtrees.claims.attributes import half_of_the_attributes
from arboretum.papers.vrtrees.claims.coalescence import (
    coalescence_ranks_first_among_alphas,
    coalescence_ranks_first_among_six,
    coalescence_reaches_the_first_half,
    forest_ranks_as_coalescence_and_boosting,
    means_of_table_3,
    oracle_alpha,
)
from arboretum.papers.vrtrees.claims.performance import (
    aggregating_swings_most,
    alpha_half_is_never_significantly_worse,
    bagging_and_subspacing_win_the_deterministic_half,
    bagging_is_best_at_06,
    best_inside_the_spectrum,
    best_region_of_aggregating,
    both_together_are_worse_than_either,
    drop_from_the_end_to_the_middle,
    subspacing_is_best_at_05,
    trees_grow_and_differ_as_alpha_falls,
)
from arboretum.papers.vrtrees.claims.strength import (
    breiman_bounds_the_error,
    corner_at_half,
    forests_span_less_correlation,
    ranges_of_strength_and_correlation,
    strength_first_then_correlation,
)

CLAIMS = by_name(
    best_inside_the_spectrum,
    drop_from_the_end_to_the_middle,
    best_region_of_aggregating,
    bagging_is_best_at_06,
    subspacing_is_best_at_05,
    alpha_half_is_never_significantly_worse,
    aggregating_swings_most,
    bagging_and_subspacing_win_the_deterministic_half,
    both_together_are_worse_than_either,
    trees_grow_and_differ_as_alpha_falls,
    ranges_of_strength_and_correlation,
    strength_first_then_correlation,
    corner_at_half,
    coalescence_ranks_first_among_alphas,
    means_of_table_3,
    coalescence_ranks_first_among_six,
    forest_ranks_as_coalescence_and_boosting,
    oracle_alpha,
    coalescence_reaches_the_first_half,
    complete_random_trees_are_best_on_a,
    complete_random_trees_are_worst_on_b,
    alpha_half_withstands_irrelevance_and_noise,
    forest_against_coalescence,
    coalescence_is_near_the_better_end,
    half_of_the_attributes,
    forests_span_less_correlation,
    ensemble_follows_the_boundary_better,
    instability_is_bounded,
    breiman_bounds_the_error,
)
