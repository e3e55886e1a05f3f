"""What conf/paper/dynint may say: one class per experiment."""

from __future__ import annotations

from arboretum.ensembles.dynamic_integration import SIMILARITIES
from arboretum.papers.dynint.experiments import diversity
from arboretum.papers.dynint.experiments.shared import SCHEMES
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
    replications: Count


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
    replications: Count


class Draws(Splits):
    generated: dict[SetName, Generated]
    drawings: Count
    batch: Count


class Choice(Section):
    """What one choice changes."""

    neighbours: Counts = None
    schemes: some(Scheme) = None
    estimate: one_of(["oob", "all"]) = None
    selection: one_of(["half", "midpoint"]) = None
    similarity: one_of(SIMILARITIES) = None
    power: Positive = None


class Choices(Accuracy):
    leave_out: list[SetName]
    choices: dict[str, Choice]


class Diversity(Accuracy):
    leave_out: list[SetName]
    ensembles: dict[str, learner(diversity.KINDS)]


class Settings(Section):
    sets: Sets | None = None
    accuracy: Accuracy | None = None
    replications: Replications | None = None
    bias_variance: BiasVariance | None = None
    decompositions: Decompositions | None = None
    draws: Draws | None = None
    stratified: BiasVariance | None = None
    choices: Choices | None = None
    diversity: Diversity | None = None
