"""The experiments of vrtrees, one file each.

Every cross-validation deals its folds on the stream (paper, dataset, repetition), so all learners of all experiments
see the same ones; a learner draws on the stream of its own kind, so the same learner gives the same errors in
whichever experiment it appears.
"""

from arboretum.papers.vrtrees.experiments.boundary import BOUNDARY
from arboretum.papers.vrtrees.experiments.coalescence import COALESCENCE
from arboretum.papers.vrtrees.experiments.concepts import CONCEPTS
from arboretum.papers.vrtrees.experiments.forests import FORESTS
from arboretum.papers.vrtrees.experiments.half_attributes import HALF_ATTRIBUTES
from arboretum.papers.vrtrees.experiments.plane import PLANE
from arboretum.papers.vrtrees.experiments.spectrum import SPECTRUM
from arboretum.papers.vrtrees.experiments.stability import STABILITY

EXPERIMENTS = {
    "spectrum": SPECTRUM,
    "coalescence": COALESCENCE,
    "concepts": CONCEPTS,
    "half_attributes": HALF_ATTRIBUTES,
    "boundary": BOUNDARY,
    "plane": PLANE,
    "forests": FORESTS,
    "stability": STABILITY,
}
