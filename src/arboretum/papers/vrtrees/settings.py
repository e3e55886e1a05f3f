"""What conf/paper/vrtrees may say: one class per experiment."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationInfo, model_validator

from arboretum.ensembles.vr_forest import METHODS
from arboretum.papers.settings import (
    Count,
    Folds,
    Section,
    Sets,
    Share,
    Shares,
    Whole,
    checked_learner,
    learner,
    one_of,
    refuse_unknown_keys,
    some,
)
from arboretum.papers.vrtrees.experiments import (
    boundary,
    coalescence,
    concepts,
    half_attributes,
)
from arboretum.papers.vrtrees.experiments.choices import CURTAILMENTS


class CrossValidation(Section):
    sets: Sets
    trees: Count
    folds: Folds


class Repeated(CrossValidation):
    repetitions: Count


class Treatment(Section):
    missing: one_of(["impute", "level"]) = None
    stratified: bool = None


class Leaves(Section):
    curtailment: one_of(CURTAILMENTS)
    collapse: bool


class Chosen(Section):
    """What a reading may set: see experiments/choices.py."""

    options: dict[str, Any] = None
    treatment: Treatment = None
    leaves: Leaves = None

    @model_validator(mode="after")
    def _vr_trees_take_the_options(self, info: ValidationInfo) -> Chosen:
        checked_learner({"kind": "aggregating", **(self.options or {})}, concepts.LEARNERS, {}, info)
        return self


class ManyCases(Section):
    above: Whole
    repetitions: Count


class Spectrum(Repeated, Chosen):
    many_cases: ManyCases
    methods: some(one_of(METHODS))
    alphas: Shares
    large: Count


class Coalescence(Repeated, Chosen):
    learners: dict[str, learner(coalescence.LEARNERS, repetitions=Count)]


class Condition(Section):
    n: Count
    irrelevant: Whole = None
    class_noise: Share = None


class Concepts(Chosen):
    trees: Count
    runs: Count
    runs_of: dict[str, Count]
    lattice: Count
    concepts: some(one_of("AB"))
    conditions: dict[str, Condition]
    learners: dict[str, learner(concepts.LEARNERS)]

    @model_validator(mode="after")
    def _runs_of_conditions(self) -> Concepts:
        refuse_unknown_keys(self.runs_of, self.conditions)
        return self


class HalfAttributes(Repeated):
    importance_trees: Count
    attributes: some(one_of(["all", "all data", "training part"]))
    learners: dict[str, learner(half_attributes.LEARNERS)]


class Boundary(Section):
    samples: Count
    centres: Count
    cases_per_class: Count
    test_cases_per_class: Count
    grid: Count
    learners: dict[str, learner(boundary.LEARNERS)]


class Plane(Section):
    trees: Count
    alphas: Shares
    centres: Count
    cases_per_class: Count
    test_cases_per_class: Count
    grid: Count


class Forests(Repeated):
    feature_step: Count
    alphas: Shares


class Sample(Section):
    size: Count
    noise: Share
    irrelevant: Whole


class Sizes(Section):
    values: some(Count)


class Noises(Section):
    values: Shares


class Numbers(Section):
    values: some(Whole)


class Studies(Section):
    size: Sizes
    noise: Noises
    irrelevant: Numbers


class Stability(Section):
    trees: Count
    samples: Count
    segments: Count
    test_cases: Count
    exact_up_to: Whole
    condition: Sample
    studies: Studies


class Settings(Section):
    sets: Sets | None = None
    trees: Count | None = None
    folds: Folds | None = None
    spectrum: Spectrum | None = None
    coalescence: Coalescence | None = None
    concepts: Concepts | None = None
    half_attributes: HalfAttributes | None = None
    boundary: Boundary | None = None
    plane: Plane | None = None
    forests: Forests | None = None
    stability: Stability | None = None
