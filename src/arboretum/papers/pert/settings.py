"""What conf/paper/pert may say: one class per experiment."""

from __future__ import annotations

from arboretum.datasets.generators import GENERATORS
from arboretum.papers.pert.experiments import accuracy, kernel_classifier, ringnorm, strength
from arboretum.papers.settings import (
    Count,
    Counts,
    Part,
    Positive,
    Section,
    SetName,
    Sets,
    Shares,
    learner,
    one_of,
    pair,
    some,
)

Synthetic = dict[SetName, one_of(GENERATORS)]
Ties = one_of(["first", "random"])
Repetitions = dict[SetName, Count]
COMPARED = {kind: accuracy.KINDS[kind] for kind in ("arced", "forest", "pert")}


class SizeTime(Section):
    synthetic: Synthetic
    sizes: Counts
    samples: Count
    timed_samples: Count
    timed_trees: Count
    evaluated: Count


class FixedPart(Section):
    set: SetName
    train: Count
    official: bool
    repetitions: Count


class Drawn(Section):
    """Samples drawn anew in every repetition."""

    synthetic: Synthetic
    train: Count
    test: Count
    repetitions: Count
    batch: Count


class Accuracy(Drawn):
    sets: Sets
    test_share: Part
    fewer: Repetitions
    fixed: list[FixedPart]
    learners: dict[str, learner(COMPARED, repetitions=Count, fewer=Repetitions)]
    doubled: list[SetName]


class Larger(Drawn):
    trees: Counts
    ties: Ties


class Strength(Drawn):
    trees: Count
    learners: dict[str, learner(strength.KINDS)]


class Checks(Section):
    samples: Count
    layouts: some(pair(Count))
    points: Count
    trees: Count
    shifts: some(Positive)


class Map(Section):
    cases: Count
    grid: Count
    trees: Counts


class Convergence(Section):
    cases: Count
    points: Count
    trees: Counts
    forests: Count


class Posterior(Section):
    checks: Checks
    surface: Map
    line: Map
    convergence: Convergence


class Ringnorm(Section):
    dimensions: Counts
    train: Count
    test: Count
    trees: Count
    repetitions: Count
    bin: Positive
    bins: Count
    learners: dict[str, learner(ringnorm.KINDS)]
    alphas: Shares


class KernelClassifier(Section):
    sets: Sets
    test_share: Part
    repetitions: Count
    learners: dict[str, learner(kernel_classifier.KINDS)]
    batch: Count


class Constants(Section):
    sets: Sets
    test_share: Part
    repetitions: Count
    trees: Count
    rules: dict[str, bool | one_of(["until_one_varies"])]
    ties: Ties
    batch: Count


class Settings(Section):
    sets: Sets | None = None
    synthetic: Synthetic | None = None
    size_time: SizeTime | None = None
    accuracy: Accuracy | None = None
    larger: Larger | None = None
    strength: Strength | None = None
    posterior: Posterior | None = None
    ringnorm: Ringnorm | None = None
    kernel_classifier: KernelClassifier | None = None
    constants: Constants | None = None
