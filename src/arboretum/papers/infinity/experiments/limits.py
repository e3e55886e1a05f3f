"""Beyond the paper: the kernel of many variables, bandwidths, and kernels of trees on a finite sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np

from arboretum.ensembles import PERT, VRForest
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params, case_of
from arboretum.seeds import generator, random_state
from arboretum.theory import finite_kernels, kernel_limits, kernels, leaf_sides

Found = Iterator[tuple[str, float]]
WEIGHTS = (0, 1, 2)  # of a leaf: the power of its volume


PLACES = 3  # of the distance of a flat maximum: no value of the grids lies within 2e-5 of where rounding turns


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per part and case."""
    gaps = params["gaps"]
    for variables, leaves in product(gaps["variables"], gaps["leaves"]):
        yield {"part": "gap", "variables": variables, "leaves": leaves}
    for part in ("pairs", "sides"):
        shared = {key: value for key, value in params[part].items() if key != "cases"}
        for variables, leaves in params[part]["cases"]:
            yield {"part": part, "variables": variables, "leaves": leaves, **shared}
    for variables, leaves in product(params["bandwidths"]["variables"], gaps["leaves"]):
        yield {"part": "bandwidth", "variables": variables, "leaves": leaves}
    for rule, (features, cases) in product(finite_kernels.RULES, params["finite"]["layouts"]):
        shared = {key: params["finite"][key] for key in ("pairs", "trees")}
        yield {"part": rule, "variables": features, "leaves": cases, **shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows of one case: which quantity, its value; of ``pert`` and ``vr`` the leaves are training cases."""
    found = MEASUREMENTS.get(task["part"], _finite)(task)
    shared = {"part": task["part"], **case_of(task)}
    return [{**shared, "quantity": quantity, "value": float(value)} for quantity, value in found]


def _gap(task: Task) -> Found:
    """The largest U - K, its bounds, and the constant that M times it goes to."""
    variables, leaves = task["variables"], task["leaves"]
    gap, distance = kernel_limits.largest_gap(variables, leaves)
    yield "gap", gap
    yield "distance", round(distance, PLACES)
    yield "constant", kernel_limits.gap_constant(leaves)[0]
    yield "repeat_bound", kernel_limits.repeat_bound(variables, leaves)
    if np.isfinite(bound := kernel_limits.gap_bound(variables, leaves)):  # elsewhere it was not proved
        yield "bound", bound
    total = kernel_limits.harmonic_sums(leaves)[0]
    yield "regime", total * np.log(total) / variables


def _pairs(task: Task) -> Found:
    """Random pairs, near and far, some from faces: U - K, U - Theorem 4, and three leaves in closed form."""
    variables, leaves = task["variables"], task["leaves"]
    rng = generator(paper=PAPER, experiment="limits", part="pairs", **case_of(task))
    x, z = rng.random((2, task["pairs"], variables))
    z = x + rng.choice([0.03, 0.1, 0.3, 1.0], size=(task["pairs"], 1)) * (z - x)
    faces = np.arange(task["pairs"]) % 4 == 0
    x[faces] = np.round(x[faces])
    upper = kernels.upper_bound(x, z, leaves)
    gap, printed = (upper - kernel(x, z, leaves) for kernel in (kernels.exact_kernel, kernels.printed_kernel))
    yield "least U - K", gap.min()
    yield "largest (U - K) - (U - Theorem 4)", (gap - printed).max()
    yield (
        "largest U - Theorem 4, less its largest at equal distances",
        (printed.max() - kernel_limits.largest_gap(variables, leaves)[0]),
    )
    d = np.abs(x - z).mean(axis=1)
    by_hand = (d * np.log(1 / d) - d * (1 - d)) / (2 * variables)
    gap3 = kernel_limits.limit_of_many_variables(d, 3) - kernel_limits.from_a_corner(d, variables, 3)
    yield "largest error of the closed form at T = 3", np.abs(gap3 - by_hand).max()


def _bandwidth(task: Task) -> Found:
    """Squared bandwidths by product, and how far an exact recursion over the number of cuts is from them."""
    variables, leaves = task["variables"], task["leaves"]
    count = kernels.cut_count(leaves)
    for rule, weight in (("proportion", 1), ("kernel", 2)):
        exact = leaf_sides.squared_bandwidth(variables, leaves, rule)
        # what a cut leaves in the leaf of a uniform point, of volume^(q-1) and of volume^(q-1) times the squared side
        left, own = 2 / (weight + 1), 2 / (weight + 3)
        squared = (1 - 1 / variables) * left + own / variables
        powers = [count @ factor ** np.arange(len(count)) for factor in (left, squared)]
        yield rule, exact
        yield f"{rule}, error", abs(powers[1] / powers[0] / 6 - exact)
    if variables == 2:
        yield "diagonal", kernel_limits.bandwidth_along_diagonal(leaves)


def _sides(task: Task) -> Found:
    """Whole trees against the products: how many standard errors the means are off."""
    variables, leaves = task["variables"], task["leaves"]
    rng = generator(paper=PAPER, experiment="limits", part="sides", **case_of(task))
    sides = leaf_sides.grow_sides(variables, leaves, task["trees"], rng)
    volume = sides.prod(axis=2)
    for weight in WEIGHTS:
        found = (volume**weight * sides[..., 0] ** 2).sum(axis=1)
        exact = leaf_sides.mean_squared_side(variables, leaves, weight) * leaf_sides.mean_leaf_sum(weight, leaves)
        yield f"z, weight {weight}", (found.mean() - exact) / (found.std(ddof=1) / np.sqrt(len(found)))


def _finite(task: Task) -> Found:
    """The kernel of PERT or of VR-Trees at alpha 0: its properties, and forests of the engine against it."""
    features, cases, rule = task["variables"], task["leaves"], task["part"]
    axes = {"experiment": "limits", "part": rule, **case_of(task)}
    rng = generator(paper=PAPER, **axes)
    X, y = rng.random((cases, features)), np.arange(cases) % 2
    one, two = (index.ravel() for index in np.indices((cases, cases)))
    gram = finite_kernels.finite_kernel(X, y, X[one], X[two], rule).reshape(cases, cases)
    yield "asymmetry", np.abs(gram - gram.T).max()
    yield "diagonal off 1", np.abs(np.diag(gram) - 1).max()
    yield "least eigenvalue", np.linalg.eigvalsh(gram).min()
    yield "largest K between classes", np.abs(gram[np.ix_(y == 0, y == 1)]).max()
    yield "mean K within a class", gram[np.ix_(y == 0, y == 0)][~np.eye((cases + 1) // 2, dtype=bool)].mean()
    x, z = rng.random((2, task["pairs"], features))
    exact = finite_kernels.finite_kernel(X, y, x, z, rule)
    shared = {"n_estimators": task["trees"], "random_state": random_state(paper=PAPER, **axes)}
    model = PERT(**shared) if rule == "pert" else VRForest(alpha=0, n_min=2, **shared)
    model.fit(X, y)
    share = np.mean(model.apply(x) == model.apply(z), axis=1)
    spread = np.sqrt(np.maximum(exact * (1 - exact), 1e-9) / task["trees"])
    yield "largest |z| of forests", np.abs((share - exact) / spread).max()


MEASUREMENTS = {"gap": _gap, "pairs": _pairs, "bandwidth": _bandwidth, "sides": _sides}


EXPERIMENT = Experiment(
    plan,
    run,
    keys=("part", "variables", "leaves", "quantity"),
    cost=lambda task, facts: np.log(task["leaves"]) ** 2 * (1 + np.log(task["variables"])),
)
