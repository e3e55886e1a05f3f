"""Section 7 and the appendices: maps of the kernel, Corollary 5, properties i to v."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import numpy as np
from scipy.optimize import brentq

from arboretum.measures.ties import first_least
from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.infinity.experiments.axes import PAPER, Params, case_of
from arboretum.papers.infinity.experiments.engine import grown_leaves
from arboretum.seeds import generator
from arboretum.theory import grid_forests, kernels, population


def plan(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task per map or check."""
    grid = params["grid"]
    yield {"part": "surface", "grid": grid, **params["surface"]}
    for leaves in params["error_maps"]["leaves"]:
        variables = params["error_maps"]["variables"]
        yield {"part": "error_map", "grid": grid, "variables": variables, "leaves": leaves}
    for rate in params["appendix"]["rates"]:
        yield {"part": "appendix", "rate": rate, "points": params["appendix"]["points"]}
    for variables, leaves in params["corollary"]["cases"]:
        pairs = params["corollary"]["pairs"]
        yield {"part": "corollary", "variables": variables, "leaves": leaves, "pairs": pairs}
    for variables, leaves in params["corners"]["cases"]:
        yield {"part": "corners", "variables": variables, "leaves": leaves, "box": params["corners"]["box"]}
    for variables, leaves in params["level_sets"]["cases"]:
        looks = {key: params["level_sets"][key] for key in ("places", "levels")}
        yield {"part": "level_sets", "variables": variables, "leaves": leaves, **looks}
    for variables, leaves in params["bounds"]["cases"]:
        pairs = params["bounds"]["pairs"]
        yield {"part": "bounds", "variables": variables, "leaves": leaves, "pairs": pairs}
    for variables, leaves in params["gram"]["cases"]:
        case = {"variables": variables, "leaves": leaves, "points": params["gram"]["points"]}
        yield {"part": "gram", **case}
        yield {"part": "forest_gram", **case, "trees": params["gram"]["trees"]}
    for leaves in params["continuity"]["leaves"]:
        yield {"part": "continuity", **params["continuity"], "leaves": leaves}
    for trees in params["convergence"]["trees"]:
        yield {"part": "convergence", **params["convergence"], "trees": trees}
    yield {"part": "skewed", **params["skewed"]}


def run(task: Task, data: None) -> list[ResultRow]:
    """Rows of one map or check: where (at_1, at_2), which quantity, its value."""
    rows = MEASUREMENTS[task["part"]](task)
    shared = {"part": task["part"], "variables": task.get("variables", 1), "leaves": task.get("leaves", 0)}
    return [shared | {"at_1": float(a), "at_2": float(b), "quantity": q, "value": float(v)} for a, b, q, v in rows]


Found = list[tuple[float, float, str, float]]


def _mapped(first: np.ndarray, second: np.ndarray, **values: np.ndarray) -> Found:
    """Rows of maps on a product grid, to six digits: enough for a picture."""
    return [
        (a, b, name, round(float(value[i, j]), 6))
        for name, value in values.items()
        for i, a in enumerate(first)
        for j, b in enumerate(second)
    ]


def _surface(task: Task) -> Found:
    """Figure 1: K(x, z) about the centre z of the square, as printed and exactly."""
    side = np.linspace(0, 1, task["grid"])
    x = np.stack(np.meshgrid(side, side, indexing="ij"), axis=-1)
    z = np.full(2, 0.5)
    printed, exact = (kernel(x, z, task["leaves"]) for kernel in (kernels.printed_kernel, kernels.exact_kernel))
    return _mapped(side, side, printed=printed, exact=exact)


def _error_map(task: Task) -> Found:
    """Printed and exact kernel of the pairs x = (a, ..., a), z = (b, ..., b)."""
    side = np.linspace(0, 1, task["grid"])
    x, z = np.meshgrid(side, side, indexing="ij")
    x, z = (np.repeat(v[..., None], task["variables"], axis=-1) for v in (x, z))
    printed, exact = (kernel(x, z, task["leaves"]) for kernel in (kernels.printed_kernel, kernels.exact_kernel))
    return _mapped(side, side, printed=printed, exact=exact)


def _appendix(task: Task) -> Found:
    """Figure III-1: -log U(lambda, log 1/d) over d."""
    d = np.linspace(0, 1, task["points"])
    value = -np.log(kernels.poisson_mixed_tail(task["rate"], d))
    return [(task["rate"], a, "minus log U", v) for a, v in zip(d, value, strict=True)]


def _corollary(task: Task) -> Found:
    """Difference of both exponential forms from the printed and the exact kernel: largest, mean, largest relative.

    Half of the pairs are uniform in the cube; the other half, and the whole diagonal, probe its faces and
    corners, where the largest difference lies.
    """
    rng = generator(paper=PAPER, experiment="kernel_shape", part="corollary", **case_of(task))
    shape = (task["pairs"] // 2, task["variables"])
    uniform = rng.random((2, *shape))
    corners = rng.choice([0.0, 0.5, 1.0], size=(2, *shape))
    mixed = np.where(rng.random((2, *shape)) < 0.5, corners, rng.random((2, *shape)))
    mixed[:, 0] = np.array([0.0, 1.0])[:, None]
    found = []
    for at, (x, z) in enumerate((uniform, np.concatenate([uniform, mixed], axis=1))):
        for form, name in product(("log", "harmonic"), ("printed", "exact")):
            kernel = (kernels.printed_kernel if name == "printed" else kernels.exact_kernel)(x, z, task["leaves"])
            difference = np.abs(kernels.exponential_kernel(x, z, task["leaves"], form) - kernel)
            relative = (difference[kernel > 0] / kernel[kernel > 0]).max()  # zero only between opposite corners
            found.append((at, 0, f"{form} - {name}, largest", difference.max()))
            found.append((at, 0, f"{form} - {name}, mean", difference.mean()))
            found.append((at, 0, f"{form} - {name}, relative", relative))
    return found


def _gram(task: Task) -> Found:
    """Symmetry, diagonal and least eigenvalue of Gram matrices of random points; permuting the variables."""
    rng = generator(paper=PAPER, experiment="kernel_shape", part="gram", **case_of(task))
    points = rng.random((task["points"], task["variables"]))
    shuffled = points[:, rng.permutation(task["variables"])]
    found = []
    for name, kernel in (("printed", kernels.printed_kernel), ("exact", kernels.exact_kernel)):
        gram = kernel(points[:, None], points[None], task["leaves"])
        permuted = kernel(shuffled[:, None], shuffled[None], task["leaves"])
        found += [
            (0, 0, f"{name}, asymmetry", np.abs(gram - gram.T).max()),
            (0, 0, f"{name}, diagonal off 1", np.abs(np.diag(gram) - 1).max()),
            (0, 0, f"{name}, least eigenvalue", np.linalg.eigvalsh(gram).min()),
            (0, 0, f"{name}, change by permuting variables", np.abs(gram - permuted).max()),
        ]
    # the same differences |x_m - z_m| elsewhere in the cube: the printed kernel cannot tell
    moved = points[:, None] / 2 + np.array([0.0, 0.25])[:, None]
    for name, kernel in (("printed", kernels.printed_kernel), ("exact", kernels.exact_kernel)):
        values = kernel(moved, moved + 0.25, task["leaves"])
        found.append((0, 0, f"{name}, change by moving the pair", np.abs(values[:, 0] - values[:, 1]).max()))
    return found


def _corners(task: Task) -> Found:
    """Property iii: the least eigenvalue on the corners of a box, where parity is in the null space if T <= M."""
    points = np.array(list(product(task["box"], repeat=task["variables"])))
    return [
        (0, 0, f"{name}, least eigenvalue", np.linalg.eigvalsh(kernel(points[:, None], points, task["leaves"])).min())
        for name, kernel in (("printed", kernels.printed_kernel), ("exact", kernels.exact_kernel))
    ]


def _level_sets(task: Task) -> Found:
    """The city-block distance from z at which K(x, z) falls to a level: x along an axis and along the diagonal.

    z lies at one place in every variable, and x leaves it away from the nearer faces. Levels that K does not reach
    inside the cube along both lines are left out.
    """
    axis = np.eye(task["variables"])[0]
    diagonal = np.full(task["variables"], 1 / task["variables"])
    kinds = (("printed", kernels.printed_kernel), ("exact", kernels.exact_kernel))
    found = []
    for (name, kernel), place, level in product(kinds, task["places"], task["levels"]):
        at = [_level_distance(kernel, place, line, task["leaves"], level) for line in (axis, diagonal)]
        if None not in at:
            found.append((level, place, f"{name}, along an axis", at[0]))
            found.append((level, place, f"{name}, along a diagonal", at[1]))
    return found


def _level_distance(kernel, place: float, line: np.ndarray, leaves: int, level: float) -> float | None:
    """How far along ``line``, a direction of city-block length one, the kernel falls to ``level`` inside the cube."""
    z = np.full(len(line), place)

    def above(distance: float) -> float:
        return float(kernel(z + distance * line, z, leaves)) - level

    farthest = (1 - place) / line.max()
    return None if above(farthest) > 0 else brentq(above, 0.0, farthest, xtol=1e-12)


def _bounds(task: Task) -> Found:
    """Random pairs, near and far, some from faces: the kernels between the bounds of docs/infinity-kernel.md."""
    rng = generator(paper=PAPER, experiment="kernel_shape", part="bounds", **case_of(task))
    shape = (task["pairs"], task["variables"])
    x, z = rng.random((2, *shape))
    z = x + rng.choice([0.03, 0.1, 0.3, 1.0], size=(task["pairs"], 1)) * (z - x)
    faces = np.arange(task["pairs"]) % 4 == 0
    x[faces] = np.round(x[faces])
    values = {
        "distance": np.abs(x - z).mean(axis=1),
        "Theorem 4": kernels.printed_kernel(x, z, task["leaves"]),
        "exact kernel": kernels.exact_kernel(x, z, task["leaves"]),
        "upper bound": kernels.upper_bound(x, z, task["leaves"]),
        "Laplace kernel": kernels.exponential_kernel(x, z, task["leaves"], "harmonic"),
    }
    return [(pair, 0, name, value) for name, column in values.items() for pair, value in enumerate(column)]


def _continuity(task: Task) -> Found:
    """Appendix II: how far the kernel moves when both points move by e, and the bound v_x(e) + v_z(e).

    A cut comes within e of x (in some variable) if and only if the corners x - e and x + e part, so that
    v_x(e) = 1 - K(x - e, x + e), exactly; sup_x v_x(e) -> 0 is Condition C.
    """
    rng = generator(paper=PAPER, experiment="kernel_shape", part="continuity", **case_of(task))
    x, z = rng.random((2, task["pairs"], task["variables"]))
    sign_x, sign_z = rng.choice([-1.0, 1.0], size=(2, task["pairs"], task["variables"]))
    found = []
    for e in task["shifts"]:
        near = [np.clip(point + e * sign, 0, 1) for point, sign in ((x, sign_x), (z, sign_z))]
        change = np.abs(kernels.exact_kernel(x, z, task["leaves"]) - kernels.exact_kernel(*near, task["leaves"]))
        chance = [1 - kernels.exact_kernel(*np.clip([p - e, p + e], 0, 1), task["leaves"]) for p in (x, z)]
        found += [
            (e, 0, "largest change", change.max()),
            (e, 0, "largest chance of a cut nearby", np.max(chance)),
            (e, 0, "largest excess over the bound", (change - chance[0] - chance[1]).max()),
        ]
    return found


def _forest_gram(task: Task) -> Found:
    """Properties i to iv of a forest's own kernel; classes are exchanged to see whether it minds."""
    axes = {"experiment": "kernel_shape", "part": "forest_gram", **case_of(task)}
    points = generator(paper=PAPER, **axes, of="points").random((task["points"], task["variables"]))
    grams = []
    for labels in (0, 1):
        leaf = grown_leaves(points, task["leaves"], task["trees"], axes, labels)
        grams.append(np.mean(leaf[:, None, :] == leaf[None, :, :], axis=2))
    gram = grams[0]
    return [
        (0, 0, "asymmetry", np.abs(gram - gram.T).max()),
        (0, 0, "diagonal off 1", np.abs(np.diag(gram) - 1).max()),
        (0, 0, "least eigenvalue", np.linalg.eigvalsh(gram).min()),
        (0, 0, "change by other labels", np.abs(gram - grams[1]).max()),
    ]


def _convergence(task: Task) -> Found:
    """Appendix II: the largest difference between the kernel of N trees and K, over fixed pairs."""
    axes = {"experiment": "kernel_shape", "part": "convergence", **case_of(task)}
    x, z = generator(paper=PAPER, **axes, of="points").random((2, task["pairs"], task["variables"]))
    leaf = grown_leaves(np.concatenate([x, z]), task["leaves"], task["trees"], axes)
    share = np.mean(leaf[: task["pairs"]] == leaf[task["pairs"] :], axis=1)
    gap = np.abs(share - kernels.exact_kernel(x, z, task["leaves"]))
    return [(task["trees"], 0, "largest difference from K", gap.max())]


def _skewed(task: Task) -> Found:
    """Figures 4 and 6: K(x, z) at a point x just inside the circle, uniform and triangular cuts."""
    cells = task["cells"]
    points = population.unit_points(cells)
    masses = population.region(population.circle, points, 0, 1, "share", True)
    rows, columns = (index.ravel() for index in np.indices((cells, cells)))
    here = first_least((points[rows] - task["at"][0]) ** 2 + (points[columns] - task["at"][1]) ** 2)
    found = []
    for cuts in ("uniform", "triangular"):
        rng = generator(paper=PAPER, experiment="kernel_shape", part="skewed", cuts=cuts)
        forest = grid_forests.grow(masses, task["leaves"], task["trees"], cuts, rng)
        window = grid_forests.share_with(forest, int(rows[here]), int(columns[here]), cells)
        found += _mapped(points, points, **{cuts: window})
    return [*found, (points[rows[here]], points[columns[here]], "x", 1.0)]


MEASUREMENTS = {
    "surface": _surface,
    "error_map": _error_map,
    "appendix": _appendix,
    "corollary": _corollary,
    "corners": _corners,
    "level_sets": _level_sets,
    "bounds": _bounds,
    "gram": _gram,
    "forest_gram": _forest_gram,
    "continuity": _continuity,
    "convergence": _convergence,
    "skewed": _skewed,
}


EXPERIMENT = Experiment(plan, run, keys=("part", "variables", "leaves", "quantity", "at_1", "at_2"))
