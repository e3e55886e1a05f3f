"""What `infinity` (Breiman 2000) asks, computed: kernels, boundaries, completeness and AdaBoost.

No experiment needs a data set. Rows of a Monte Carlo number carry its standard error.
"""

from arboretum.papers.infinity.experiments import (
    boundaries,
    completeness,
    contours,
    finite_boosting,
    kernel,
    kernel_shape,
    limits,
    population_boosting,
    skewness,
)

EXPERIMENTS = {
    "kernel": kernel.EXPERIMENT,
    "kernel_shape": kernel_shape.EXPERIMENT,
    "limits": limits.EXPERIMENT,
    "boundaries": boundaries.EXPERIMENT,
    "contours": contours.EXPERIMENT,
    "skewness": skewness.EXPERIMENT,
    "completeness": completeness.EXPERIMENT,
    "population_boosting": population_boosting.EXPERIMENT,
    "finite_boosting": finite_boosting.EXPERIMENT,
}
