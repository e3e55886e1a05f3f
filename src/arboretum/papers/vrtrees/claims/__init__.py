"""The claims of vrtrees as estimates, in the order of claims.yaml, which says what is expected of them."""

from arboretum.papers.contract import by_name
from arboretum.papers.vrtrees.claims import artificial, coalescence, spectrum, strength

CLAIMS = by_name(
    spectrum.best_inside_the_spectrum,
    spectrum.fall_from_the_end_to_the_middle,
    spectrum.best_region_of_aggregating,
    spectrum.bagging_is_best_at_06,
    spectrum.subspacing_is_best_at_05,
    spectrum.alpha_half_is_never_significantly_worse,
    spectrum.aggregating_swings_most,
    spectrum.bagging_and_subspacing_win_the_deterministic_half,
    spectrum.both_together_are_worse_than_either,
    spectrum.trees_grow_and_differ_as_alpha_falls,
    strength.ranges_of_strength_and_correlation,
    strength.strength_first_then_correlation,
    strength.corner_at_half,
    coalescence.coalescence_ranks_first_among_alphas,
    coalescence.means_of_table_3,
    coalescence.coalescence_ranks_first_among_six,
    coalescence.forest_ranks_as_coalescence_and_boosting,
    coalescence.oracle_alpha,
    coalescence.coalescence_reaches_the_first_half,
    artificial.complete_random_trees_are_best_on_a,
    artificial.complete_random_trees_are_worst_on_b,
    artificial.alpha_half_withstands_irrelevance_and_noise,
    artificial.forest_against_coalescence,
    artificial.coalescence_is_near_the_better_end,
    artificial.half_of_the_attributes,
    strength.forests_span_less_correlation,
    artificial.ensemble_follows_the_boundary_better,
    artificial.instability_is_bounded,
    strength.breiman_bounds_the_error,
)
