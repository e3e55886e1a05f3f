"""The experiments of dynint, one file for each; ``integrated`` is the forest of a split and what comes of it."""

from __future__ import annotations

from arboretum.papers.dynint.experiments.accuracy import ACCURACY
from arboretum.papers.dynint.experiments.bias_variance import BIAS_VARIANCE
from arboretum.papers.dynint.experiments.decompositions import DECOMPOSITIONS
from arboretum.papers.dynint.experiments.diversity import DIVERSITY
from arboretum.papers.dynint.experiments.replications import DRAWS, REPLICATIONS
from arboretum.papers.dynint.experiments.selectors import SELECTORS
from arboretum.papers.dynint.experiments.ties import TIES

EXPERIMENTS = {
    "accuracy": ACCURACY,
    "replications": REPLICATIONS,
    "further": REPLICATIONS,  # more studies of fewer configurations
    "bias_variance": BIAS_VARIANCE,
    "decompositions": DECOMPOSITIONS,
    "draws": DRAWS,
    "diversity": DIVERSITY,
    "selectors": SELECTORS,
    "ties": TIES,
}
