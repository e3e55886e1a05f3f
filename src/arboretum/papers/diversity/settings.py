"""What conf/paper/diversity may say: one class per experiment."""

from __future__ import annotations

from arboretum.ensembles import GuidedForest
from arboretum.papers.diversity.experiments.choices import OTHER_TREES
from arboretum.papers.diversity.experiments.theory import STATEMENTS
from arboretum.papers.settings import (
    Count,
    Counts,
    Part,
    PerSet,
    Positive,
    Section,
    Sets,
    Share,
    Shares,
    Whole,
    estimator,
    learner,
    one_of,
    some,
)

Guided = estimator(GuidedForest, leave_out=("n_estimators",))
Learners = dict[str, Guided]


class Protocol(Section):
    """Trials of one split (appendix C)."""

    trials: Count
    trees: Count
    test_share: Part
    trial_share: Part


class Forests(Protocol):
    sets: Sets
    learners: Learners


class GuidedGrowth(Forests):
    each: Count
    step: Count
    splits: PerSet


class Growth(Forests):
    sizes: Counts
    splits: Count


class Printed(Forests):
    draws: PerSet
    batch: Count


class Trials(Section):
    sets: Sets
    learners: Learners
    trees: Count
    test_share: Part
    trial_share: Part
    sizes: Counts
    trial_counts: Counts
    splits: PerSet


class Losses(Section):
    sets: Sets
    learners: Learners
    trees: Count
    test_share: Part
    trial_share: Part
    trial_counts: Counts
    smoothing: Part
    splits: Count


class Margins(Forests):
    bins: Count
    along: Count
    splits: Count


class SingleTree(Section):
    noise: Positive
    seed: Whole
    test_share: Part
    depths: Counts
    cases_1_3: Count
    samples: Count
    cases_1_4: Count
    subsets: Count
    subset_share: Share
    trees: Count


class Theory(Section):
    problems: dict[one_of(["default", *STATEMENTS]), Count]


class NCL(Section):
    sets: Sets
    losses: some(one_of(["squared", "kl"]))
    lambdas: Shares
    members: Count
    hidden: Count
    learning_rate: Positive
    steps: Count
    trials: Count
    test_share: Part
    trial_share: Part
    splits: Count


class SetsOfParts(Section):
    map: Sets
    pruning: Sets


class Choices(Protocol):
    sets: Sets
    sets_of: SetsOfParts
    sizes: Counts
    splits: PerSet
    map: dict[str, Guided | learner(OTHER_TREES)]


class Ties(Forests):
    sizes: Counts
    splits: Count


class Settings(Section):
    sets: Sets | None = None
    small: Sets | None = None
    but_cover: Sets | None = None
    protocol: Protocol | None = None
    learners: Learners | None = None
    guided: GuidedGrowth | None = None
    growth: Growth | None = None
    printed: Printed | None = None
    trials: Trials | None = None
    losses: Losses | None = None
    margins: Margins | None = None
    single_tree: SingleTree | None = None
    theory: Theory | None = None
    ncl: NCL | None = None
    choices: Choices | None = None
    ties: Ties | None = None
