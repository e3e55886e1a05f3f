"""Verdicts on the claims of `infinity`, each from the tables alone.

Most claims are mathematics: a statement about all x or all T falls by one counter-example. The numbers of section 8
depend on readings that the paper does not give; there the interval is the range over readings, and a reading that
contradicts the text in another respect does not count.
"""

from arboretum.papers.contract import by_name
from arboretum.papers.infinity.claims import boosting, finite_boosting, kernels, section8

CLAIMS = by_name(
    boosting.large_trees_are_complete,
    boosting.small_trees_are_incomplete,
    boosting.boosting_converges_to_bayes,
    boosting.small_trees_reach_bayes_where_they_can,
    boosting.one_step_shrinks_the_loss,
    kernels.kernel_is_positive_definite,
    kernels.kernel_is_continuous,
    kernels.vote_agrees_with_kernel_average,
    kernels.theorem_4_is_the_kernel_of_trees,
    kernels.printed_kernel_is_permutation_invariant,
    kernels.kernel_is_exponential_in_distance,
    kernels.minus_log_u_is_linear,
    kernels.sharper_pyramid_less_error,
    section8.gaussians,
    section8.linear_boundary,
    section8.circle,
    section8.triangular_cuts_reduce_the_error,
    section8.rise_is_bounded,
    section8.skewness_is_strength,
    finite_boosting.weights_wander,
    finite_boosting.margins_become_equal,
    finite_boosting.chosen_classifier_goes_to_the_top,
)
