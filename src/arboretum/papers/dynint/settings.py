"""What conf/paper/dynint may say: one class per experiment."""

from __future__ import annotations

from arboretum.ensembles.integration import SCALES
from arboretum.papers.dynint.experiments import diversity
from arboretum.papers.dynint.experiments.integrated import SCHEMES
from arboretum.papers.settings import (
    Count,
    Counts,
    Folds,
    Generated,
    Part,
    Positive,
    Section,
    SetName,
    Sets,
    learner,
    one_of,
    some,
)

Scheme = one_of(SCHEMES)


class Integration(Section):
    estimate: one_of(["oob", "all"])
    selection: one_of(["half", "midpoint"])
    power: Positive
    scale: one_of(SCALES)
    ties: one_of(["first", "vote"])
    similarity: one_of(["forest", "forest_oob"])


class Splits(Section):
    train_share: Part
    repetitions: Count
    trees: Counts
    neighbours: Counts
    schemes: some(Scheme)
    integration: Integration


class Accuracy(Splits):
    sets: Sets
    batch: Count


class Replications(Splits):
    sets: Sets
    leave_out: list[SetName]
    first: Count
    studies: dict[str, Count]


class BiasVariance(Section):
    sets: Sets
    repetitions: Count
    folds: Folds
    stratified: bool
    trees: Count
    neighbours: Count
    scheme: Scheme
    integration: Integration


class Decompositions(BiasVariance):
    studies: dict[str, Count]


class Draws(Splits):
    generated: dict[SetName, Generated]
    drawings: Count


class Diversity(Accuracy):
    leave_out: list[SetName]
    ensembles: dict[str, learner(diversity.KINDS)]


class Selectors(Section):
    sets: Sets
    train_share: Part
    grown_share: Part
    repetitions: Count
    trees: Count
    neighbours: Count
    integration: Integration
    batch: Count


class Ties(Section):
    sets: Sets
    train_share: Part
    repetitions: Count
    trees: Counts
    neighbours: Count
    scheme: Scheme
    integration: Integration
    batch: Count


class Settings(Section):
    sets: Sets | None = None
    accuracy: Accuracy | None = None
    replications: Replications | None = None
    further: Replications | None = None
    bias_variance: BiasVariance | None = None
    decompositions: Decompositions | None = None
    draws: Draws | None = None
    diversity: Diversity | None = None
    selectors: Selectors | None = None
    ties: Ties | None = None
