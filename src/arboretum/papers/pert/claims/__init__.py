"""The claims of pert: one small function each, from tables to a verdict.

A number is judged by its interval of two standard errors; a claim with several parts holds when all parts hold.
"""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.pert.claims import ensemble_size, errors, strength, surface, trees

CLAIMS = by_name(
    trees.trees_are_four_to_five_times_as_large,
    trees.node_counts,
    trees.cart_takes_a_hundred_times_as_long,
    errors.errors_of_table2,
    errors.pert_lies_within_the_range_of_the_others,
    errors.better_on_two_sets_and_worse_on_two,
    ensemble_size.more_trees_lower_the_error,
    ensemble_size.ringnorm_fails_in_the_tails,
    strength.lower_strength_and_much_lower_correlation,
    strength.error_is_below_the_bound,
    surface.surface_is_continuous_and_multilinear,
    trees.trees_fit_the_training_data,
)
