"""The experiments of dynint, one file for each; ``shared`` is what they have in common."""

from __future__ import annotations

from arboretum.papers.dynint.experiments.accuracy import ACCURACY
from arboretum.papers.dynint.experiments.bias_variance import BIAS_VARIANCE
from arboretum.papers.dynint.experiments.choices import CHOICES
from arboretum.papers.dynint.experiments.decompositions import DECOMPOSITIONS
from arboretum.papers.dynint.experiments.diversity import DIVERSITY
from arboretum.papers.dynint.experiments.draws import DRAWS
from arboretum.papers.dynint.experiments.replications import REPLICATIONS

EXPERIMENTS = {
    "accuracy": ACCURACY,
    "replications": REPLICATIONS,
    "bias_variance": BIAS_VARIANCE,
    "decompositions": DECOMPOSITIONS,
    "draws": DRAWS,
    "stratified": BIAS_VARIANCE,  # beyond print: the same on stratified folds
    "choices": CHOICES,
    "diversity": DIVERSITY,
}
