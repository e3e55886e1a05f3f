"""The tables of `infinity`: kernels three ways, the readings of section 8, and what boosting did."""

from arboretum.papers.contract import by_name
from arboretum.papers.infinity.tables import boosting, kernels, limits, section8, skewness

TABLES = by_name(
    section8.section8,
    kernels.kernel,
    kernels.kernel_test,
    kernels.kernel_errors,
    kernels.corollary,
    kernels.kernel_properties,
    kernels.level_sets,
    kernels.kernel_bounds,
    limits.theorems,
    limits.kernel_limit,
    limits.bandwidths,
    limits.finite_kernel,
    section8.readings,
    section8.skewing,
    section8.sharpness,
    section8.large_trees,
    section8.vote_or_average,
    section8.bound,
    skewness.skewness,
    skewness.skewness_conjecture,
    boosting.completeness,
    boosting.population_boosting,
    boosting.boosting_rate,
    boosting.finite_boosting,
    boosting.ergodicity,
    boosting.boosting_samples,
)
