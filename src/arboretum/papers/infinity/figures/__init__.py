"""The figures of `infinity`: those of the paper whose plots we have only in words, and those it conjectures."""

from arboretum.papers.contract import by_name
from arboretum.papers.infinity.figures import boosting, boundaries, kernels, limits, skewness

FIGURES = by_name(
    kernels.figure1,
    boundaries.figure2,
    boundaries.figure3,
    boundaries.figure5,
    kernels.figure6,
    boundaries.figure7,
    kernels.figure_iii_1,
    kernels.kernel_error_map,
    kernels.kernel_between_bounds,
    limits.limit_of_many_variables,
    limits.bandwidth_and_loss,
    boundaries.sharpness_curve,
    boundaries.loss_to_bayes,
    skewness.skewness_strength,
    boosting.boosting_population,
    boosting.boosting_rate_curve,
    boosting.boosting_finite,
)
