"""The experiments of pert, one file each.

Hold-outs and samples are drawn on streams named by set and repetition, so all learners see the same ones. A learner
draws on the stream of its own kind, so the same learner gives the same errors in whichever experiment it appears, and
the first 100 trees of a forest of 1600 are the forest of 100.
"""

from __future__ import annotations

from arboretum.papers.pert.experiments.accuracy import ACCURACY
from arboretum.papers.pert.experiments.constants import CONSTANTS
from arboretum.papers.pert.experiments.kernel_classifier import KERNEL_CLASSIFIER
from arboretum.papers.pert.experiments.larger import LARGER
from arboretum.papers.pert.experiments.posterior import POSTERIOR
from arboretum.papers.pert.experiments.ringnorm import RINGNORM
from arboretum.papers.pert.experiments.size_time import SIZE_TIME
from arboretum.papers.pert.experiments.strength import STRENGTH

EXPERIMENTS = {
    "size_time": SIZE_TIME,
    "accuracy": ACCURACY,
    "larger": LARGER,
    "strength": STRENGTH,
    "posterior": POSTERIOR,
    "ringnorm": RINGNORM,
    "kernel_classifier": KERNEL_CLASSIFIER,
    "constants": CONSTANTS,
}
