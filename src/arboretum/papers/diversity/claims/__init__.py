"""The claims of diversity: one small function each, from tables to a verdict.

A measured difference is judged by its interval of two standard errors, over splits that all learners share; a claim
with several parts holds when all parts hold. Theory is computed exactly on random finite problems: an identity may not
deviate, an inequality may not be violated.
"""

from __future__ import annotations

from arboretum.papers.contract import by_name
from arboretum.papers.diversity.claims import errors, growth, losses, votes

CLAIMS = by_name(
    losses.risk_is_noise_bias_and_variance,
    losses.centroids_of_bregman_divergences,
    losses.implied_combiners,
    losses.alike_members_share_their_centre,
    losses.averaging_never_hurts_convex_losses,
    losses.variance_of_a_mean,
    votes.variance_of_the_margin,
    votes.chebyshev_bounds_the_error,
    losses.impurities_are_leaf_losses,
    losses.no_division_raises_the_loss,
    losses.forms_of_gini,
    losses.kohavi_and_wolpert,
    losses.bias_variance_covariance,
    losses.omega_links_ambiguity_and_covariance,
    losses.ambiguity_effect,
    losses.diversity_effect,
    losses.bregman_terms_need_no_label,
    losses.diversity_is_a_part_of_the_variance,
    losses.ensembling_never_hurts_bregman_losses,
    votes.error_is_at_most_twice_the_member_error,
    votes.binary_ambiguity_is_disagreement,
    votes.good_and_bad_diversity,
    votes.weak_learners_are_competent,
    votes.two_competence_and_the_effect,
    votes.k_competence_and_the_effect,
    votes.effect_is_at_most_the_disagreement,
    votes.competence_bounds_the_effect_from_below,
    votes.improvement_rate_and_disagreement,
    losses.metric_losses_bound_the_effect,
    growth.only_diversity_grows,
    growth.member_error_and_diversity_trade_off,
    growth.weighted_bootstrapping_raises_diversity,
    growth.early_rise_and_later_fall,
    growth.member_error_of_drf_is_not_lower,
    growth.clipping_and_interpolation,
    growth.dynamic_threshold,
    growth.margins_move_towards_one_half,
    errors.cells_of_table_5_1,
    errors.cells_of_table_5_2,
    errors.some_weighting_helps_somewhere,
    errors.sigmoid_is_worse_than_lerp,
    errors.curves_of_figures_5_12_and_5_13,
    losses.share_of_a_bootstrap_sample,
    losses.gradient_of_negative_correlation,
    losses.general_objective_of_negative_correlation,
    votes.error_is_a_sum_over_cells,
)
