"""The claims of `infinity`: what each sentence is about, as estimates; claims.yaml says what is expected of them.

Most claims are mathematics: a statement about all x or all T falls by one counter-example. The numbers of section 8
depend on readings that the paper does not give; there an interval is the range over readings.
"""

from arboretum.papers.contract import by_name
from arboretum.papers.infinity.claims import boosting, kernels, section8

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
    boosting.weights_wander,
    boosting.margins_become_equal,
    boosting.chosen_classifier_goes_to_the_top,
)
