"""What conf/paper/infinity may say: one class per experiment."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from arboretum.papers.infinity.experiments.kernel import PLACES
from arboretum.papers.infinity.experiments.population_boosting import POPULATIONS
from arboretum.papers.settings import (
    Count,
    Counts,
    Number,
    Part,
    Positive,
    Section,
    Share,
    Shares,
    Whole,
    one_of,
    pair,
    some,
)
from arboretum.theory.population import GAUSSIAN_EXPONENTS

Cuts = some(one_of(["uniform", "triangular", "optimal"]))
Squares = some(pair(Number))
Masses = some(one_of(["natural", "balanced"]))
Cells = some(one_of(["share", "centre"]))
Leaves = Annotated[int, Field(ge=2)]
Case = pair(Count)  # variables, leaves
Run = Annotated[list[one_of(POPULATIONS) | Count], Field(min_length=3, max_length=3)]  # problem, cells, leaves


class RandomPairs(Section):
    variables: Counts
    leaves: some(Leaves)
    pairs: Count


class Layouts(Section):
    trees: Count
    variables: Counts
    leaves: some(Leaves)
    places: some(one_of(PLACES))
    distances: some(Part)


class Kernel(Section):
    trees: Count
    random: RandomPairs
    layouts: Layouts


class Surface(Section):
    variables: Count
    leaves: Leaves


class ErrorMaps(Section):
    variables: Count
    leaves: some(Leaves)


class Appendix(Section):
    rates: some(Positive)
    points: Count


class Pairs(Section):
    cases: some(Case)
    pairs: Count


class Corners(Section):
    box: pair(Share)
    cases: some(Case)


class LevelSets(Section):
    places: Shares
    cases: some(Case)
    levels: some(Part)


class Gram(Section):
    points: Count
    cases: some(Case)
    trees: Count


class Continuity(Section):
    variables: Count
    leaves: some(Leaves)
    shifts: some(Part)
    pairs: Count


class Convergence(Section):
    variables: Count
    leaves: Leaves
    trees: Counts
    pairs: Count


class Skewed(Section):
    cells: Count
    leaves: Leaves
    trees: Count
    at: pair(Share)


class KernelShape(Section):
    grid: Count
    surface: Surface
    error_maps: ErrorMaps
    appendix: Appendix
    corollary: Pairs
    corners: Corners
    level_sets: LevelSets
    bounds: Pairs
    gram: Gram
    continuity: Continuity
    convergence: Convergence
    skewed: Skewed


class Gaps(Section):
    variables: Counts
    leaves: some(Leaves)


class Bandwidths(Section):
    variables: Counts


class Sides(Section):
    cases: some(Case)
    trees: Count


class Finite(Section):
    layouts: some(Case)
    pairs: Count
    trees: Count


class Limits(Section):
    gaps: Gaps
    pairs: Pairs
    bandwidths: Bandwidths
    sides: Sides
    finite: Finite


class Gaussians(Section):
    deviations: pair(Positive)
    squares: Squares
    exponents: some(one_of(GAUSSIAN_EXPONENTS))
    measures: some(one_of(["density", "uniform"]))
    other_grids: list[Count]
    cuts: Cuts


class Region(Section):
    squares: Squares
    masses: Masses
    cells: Cells
    other_grids: list[Count]
    cuts: Cuts


class Sharpness(Section):
    leaves: some(Leaves)


class LargeTrees(Section):
    leaves: some(Leaves)
    grids: Counts


class Boundaries(Section):
    leaves: Leaves
    trees: Count
    forests: Count
    grid: Count
    gaussians: Gaussians
    linear: Region
    circle: Region
    sharpness: Sharpness
    large_trees: LargeTrees


class Contours(Section):
    grid: Count
    leaves: Leaves
    trees: Count


class VRTrees(Section):
    cases: Count
    trees: Count
    forests: Count


class Skewness(Section):
    grid: Count
    points: Count
    trees: Count
    forests: Count
    leaves: some(Leaves)
    problems: some(one_of(["circle-natural", "circle-balanced", "gaussians"]))
    regimes: Cuts
    alphas: Shares
    vr_trees: VRTrees


class Completeness(Section):
    in_order: ClassVar[tuple[str, ...]] = ("cells",)  # of each variable, one after the other

    cells: Counts


class PopulationBoosting(Section):
    steps: Count
    stop: Positive
    runs: some(Run)


class Ergodicity(Section):
    starts: Count
    rounds: Count


class Sample(Section):
    cases: Count
    decimals: Whole | None
    noise: Share


class DrawnAgain(Section):
    samples: list[str]
    draws: Count


class FiniteBoosting(Section):
    rounds: Count
    window: Count
    checkpoints: Counts
    ergodicity: Ergodicity
    samples: dict[str, Sample]
    again: DrawnAgain


class Settings(Section):
    kernel: Kernel | None = None
    kernel_shape: KernelShape | None = None
    limits: Limits | None = None
    boundaries: Boundaries | None = None
    contours: Contours | None = None
    skewness: Skewness | None = None
    completeness: Completeness | None = None
    population_boosting: PopulationBoosting | None = None
    finite_boosting: FiniteBoosting | None = None
