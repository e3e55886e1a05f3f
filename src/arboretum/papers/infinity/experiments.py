"""What `infinity` (Breiman 2000) asks, computed: kernels, boundaries, completeness and AdaBoost.

No experiment needs a data set. Rows of a Monte Carlo number carry its standard error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from contourpy import contour_generator

from arboretum.datasets.generators import breiman_plane, twonorm
from arboretum.ensembles import PurelyRandomForest, VRForest
from arboretum.measures import completeness as spans
from arboretum.measures import finite_boosting, grid_forests, kernels, population
from arboretum.measures import population_boosting as boosting
from arboretum.measures.kernel_symmetry import skewness, symmetry
from arboretum.measures.margins import strength_correlation
from arboretum.papers.shape import Experiment, Row, Task
from arboretum.seeds import generator, random_state

Params = Mapping[str, Any]
PAPER = "infinity"


# --- section 7: the kernel of trees, pair by pair ----------------------------------------------------------------

PLACES = {"face": 0.0, "third": 1 / 3, "centre": 1 / 2}  # share of the free length that lies before the pair


def plan_kernel(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a number of variables and leaves: random pairs, and pairs laid out by hand."""
    random, layouts = params["random"], params["layouts"]
    for variables, leaves in product(random["variables"], random["leaves"]):
        case = {"variables": variables, "leaves": leaves}
        yield {"kind": "random", **case, "pairs": random["pairs"], "trees": params["trees"]}
    for variables, leaves in product(layouts["variables"], layouts["leaves"]):
        shown = {key: layouts[key] for key in ("places", "distances", "trees")}
        yield {"kind": "layout", "variables": variables, "leaves": leaves, **shown}


def _pairs(task: Task) -> Iterator[tuple[str, float, np.ndarray, np.ndarray]]:
    """Place, distance and the two points of each pair; random pairs are near or far."""
    m = task["variables"]
    if task["kind"] == "layout":
        for place, d in product(task["places"], task["distances"]):
            low = (1 - d) * PLACES[place]
            yield place, d, np.full(m, low), np.full(m, low + d)
        return
    rng = generator(paper=PAPER, experiment="kernel", part="pairs", **_case(task))
    for _ in range(task["pairs"]):
        x = np.round(rng.random(m), 4)
        z = np.round(x + rng.choice([0.1, 0.3, 1.0]) * (rng.random(m) - x), 4)
        yield "anywhere", float(np.abs(x - z).mean()), x, z


def grown_leaves(points: np.ndarray, leaves: int, trees: int, axes: dict, labels: int = 0) -> np.ndarray:
    """The leaf of each point in each of ``trees`` purely random trees of the engine: (points, trees).

    The trees need classes to fill their leaves with: every other point has the other class, from ``labels`` on.
    """
    seed = random_state(paper=PAPER, **axes)
    forest = PurelyRandomForest(n_estimators=trees, n_leaves=leaves, box="unit", random_state=seed)
    return forest.fit(points, (np.arange(len(points)) + labels) % 2).apply(points)


def run_kernel(task: Task, data: None) -> list[Row]:
    """Each pair with trees of its own: how many hold it in one leaf, beside the formulas."""
    rows = []
    for number, (place, distance, x, z) in enumerate(_pairs(task)):
        axes = {"experiment": "kernel", "kind": task["kind"], **_case(task), "pair": number}
        leaf = grown_leaves(np.array([x, z]), task["leaves"], task["trees"], axes)
        formulas = {
            "theorem_4": kernels.printed_kernel(x, z, task["leaves"]),
            "exact": kernels.exact_kernel(x, z, task["leaves"]),
            "log_form": kernels.exponential_kernel(x, z, task["leaves"], "log"),
            "harmonic_form": kernels.exponential_kernel(x, z, task["leaves"], "harmonic"),
        }
        case = {"kind": task["kind"], **_case(task), "pair": number, "place": place, "distance": distance}
        points = {"x": " ".join(f"{v:g}" for v in x), "z": " ".join(f"{v:g}" for v in z)}
        counts = {"trees": task["trees"], "together": int((leaf[0] == leaf[1]).sum())}
        rows.append({**case, **points, **counts, **{name: float(value) for name, value in formulas.items()}})
    return rows


# --- section 7: maps of the kernel, Corollary 5, properties i-v ---------------------------------------------


def plan_kernel_shape(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a map or a check."""
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
    for variables, leaves in params["gram"]["cases"]:
        case = {"variables": variables, "leaves": leaves, "points": params["gram"]["points"]}
        yield {"part": "gram", **case}
        yield {"part": "forest_gram", **case, "trees": params["gram"]["trees"]}
    for leaves in params["continuity"]["leaves"]:
        yield {"part": "continuity", **params["continuity"], "leaves": leaves}
    for trees in params["convergence"]["trees"]:
        yield {"part": "convergence", **params["convergence"], "trees": trees}
    yield {"part": "skewed", **params["skewed"]}


def run_kernel_shape(task: Task, data: None) -> list[Row]:
    """Rows of one map or check: where (at_1, at_2), which quantity, its value."""
    rows = SHAPES[task["part"]](task)
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
    """Largest and mean difference of both exponential forms from the printed and the exact kernel.

    Half of the pairs are uniform in the cube; the other half, and the whole diagonal, probe its faces and
    corners, where the largest difference lies.
    """
    rng = generator(paper=PAPER, experiment="kernel_shape", part="corollary", **_case(task))
    shape = (task["pairs"] // 2, task["variables"])
    uniform = rng.random((2, *shape))
    corners = rng.choice([0.0, 0.5, 1.0], size=(2, *shape))
    mixed = np.where(rng.random((2, *shape)) < 0.5, corners, rng.random((2, *shape)))
    mixed[:, 0] = np.array([0.0, 1.0])[:, None]
    found = []
    for at, (x, z) in enumerate((uniform, np.concatenate([uniform, mixed], axis=1))):
        for form, name in product(("log", "harmonic"), ("printed", "exact")):
            kernel = kernels.printed_kernel if name == "printed" else kernels.exact_kernel
            difference = np.abs(kernels.exponential_kernel(x, z, task["leaves"], form) - kernel(x, z, task["leaves"]))
            found.append((at, 0, f"{form} - {name}, largest", difference.max()))
            found.append((at, 0, f"{form} - {name}, mean", difference.mean()))
    return found


def _case(task: Task) -> dict[str, int]:
    return {"variables": task["variables"], "leaves": task["leaves"]}


def _gram(task: Task) -> Found:
    """Symmetry, diagonal and least eigenvalue of Gram matrices of random points; permuting the variables."""
    rng = generator(paper=PAPER, experiment="kernel_shape", part="gram", **_case(task))
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
    values = kernels.exact_kernel(moved, moved + 0.25, task["leaves"])
    found.append((0, 0, "exact, change by moving the pair", np.abs(values[:, 0] - values[:, 1]).max()))
    return found


def _continuity(task: Task) -> Found:
    """Appendix II: how far the kernel moves when both points move by e, and the bound v_x(e) + v_z(e).

    A cut comes within e of x (in some variable) if and only if the corners x - e and x + e part, so that
    v_x(e) = 1 - K(x - e, x + e), exactly; sup_x v_x(e) -> 0 is Condition C.
    """
    rng = generator(paper=PAPER, experiment="kernel_shape", part="continuity", **_case(task))
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
    axes = {"experiment": "kernel_shape", "part": "forest_gram", **_case(task)}
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
    axes = {"experiment": "kernel_shape", "part": "convergence", **_case(task)}
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
    here = np.argmin((points[rows] - task["at"][0]) ** 2 + (points[columns] - task["at"][1]) ** 2)
    found = []
    for cuts in ("uniform", "triangular"):
        rng = generator(paper=PAPER, experiment="kernel_shape", part="skewed", cuts=cuts)
        forest = grid_forests.grow(masses, task["leaves"], task["trees"], cuts, rng)
        window = grid_forests.share_with(forest, int(rows[here]), int(columns[here]), cells)
        found += _mapped(points, points, **{cuts: window})
    return [*found, (points[rows[here]], points[columns[here]], "x", 1.0)]


SHAPES = {
    "surface": _surface,
    "error_map": _error_map,
    "appendix": _appendix,
    "corollary": _corollary,
    "gram": _gram,
    "forest_gram": _forest_gram,
    "continuity": _continuity,
    "convergence": _convergence,
    "skewed": _skewed,
}


# --- section 8: boundaries under every reading ----------------------------------------------------------------


def plan_boundaries(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a reading of a problem: square, masses, cells, grid, leaves."""
    shared = {"trees": params["trees"], "forests": params["forests"]}
    problems = ("gaussians", "linear", "circle")
    for problem in problems:
        options = params[problem]
        for reading in _readings(problem, options):
            grids = [params["grid"]] + (options["other_grids"] if reading["square"] == [0, 1] else [])
            for grid in grids:
                yield {**reading, "grid": grid, "leaves": params["leaves"], "cuts": options["cuts"], **shared}
    for leaves, problem in product(params["sharpness"]["leaves"], problems):
        if leaves == params["leaves"]:
            continue
        for reading in _readings(problem, params[problem]):
            if reading["square"] == [0, 1] and reading["cells"] in ("share", ""):
                yield {**reading, "grid": params["grid"], "leaves": leaves, "cuts": ["uniform"], **shared}


def _readings(problem: str, options: Params) -> Iterator[Task]:
    """Every reading of one problem; a choice that a problem does not have is an empty string."""
    if problem == "gaussians":
        for square, exponent, measure in product(options["squares"], options["exponents"], options["measures"]):
            reading = {"exponent": exponent, "masses": measure, "cells": ""}
            yield {"problem": problem, "square": square, "deviations": options["deviations"], **reading}
    else:
        for square, masses, cells in product(options["squares"], options["masses"], options["cells"]):
            yield {"problem": problem, "square": square, "exponent": "", "masses": masses, "cells": cells}


def masses_of(reading: Task) -> population.Masses:
    """The class masses of one reading of a problem of section 8."""
    points = population.unit_points(reading["grid"])
    low, high = reading["square"]
    if reading["problem"] == "gaussians":
        deviations = tuple(reading["deviations"])
        return population.gaussians(points, low, high, deviations, reading["exponent"], reading["masses"])
    level = {"linear": population.half_plane, "circle": population.circle}[reading["problem"]]
    return population.region(level, points, low, high, reading["cells"], reading["masses"] == "balanced")


def analytic_field(masses: population.Masses, leaves: int, name: str) -> np.ndarray:
    """The integral of K(x, z) D(z) P(dz) with the printed or the exact kernel."""
    misses = misses_on_grid(masses.plus.shape[0], leaves, name)
    return kernels.smooth_on_square(masses.signed, misses, misses, leaves)


@lru_cache(maxsize=8)
def misses_on_grid(grid: int, leaves: int, name: str) -> np.ndarray:
    """The chance that k cuts miss each pair of cell centres: shape (grid, grid, cuts + 1)."""
    cuts = len(kernels.cut_count(leaves)) - 1
    points = population.unit_points(grid)
    one_variable = kernels.printed_misses if name == "printed" else kernels.exact_misses
    return np.stack([one_variable(x, points, cuts) for x in points])


RULES = {"kernel": "kernel average", "vote": "vote", "proportion": "node proportion"}


def run_boundaries(task: Task, data: None) -> list[Row]:
    """Error of every rule under one reading: analytic kernels, and forests of each kind of cut."""
    masses = masses_of(task)
    square = f"[{task['square'][0]:g}, {task['square'][1]:g}]^2"
    reading = {key: task[key] for key in ("problem", "exponent", "masses", "cells", "grid", "leaves")}
    reading |= {"square": square, "bayes": population.bayes_risk(masses)}
    rows = []
    for name in ("printed", "exact"):
        predicted = population.positive(analytic_field(masses, task["leaves"], name))
        numbers = {"rule": f"{name} kernel", **_means([_judged(masses, predicted, predicted)])}
        rows.append({**reading, "cuts": "uniform", "forests": 0, **numbers})
    for cuts in task["cuts"]:
        outcomes: dict[str, list[dict[str, float]]] = {rule: [] for rule in RULES}
        for forest_number in range(task["forests"]):
            axes = {key: task[key] for key in ("problem", "square", "exponent", "masses", "cells", "grid", "leaves")}
            rng = generator(paper=PAPER, experiment="boundaries", **axes, cuts=cuts, forest=forest_number)
            forest = grid_forests.grow(masses, task["leaves"], task["trees"], cuts, rng)
            fields = {rule: population.positive(grid_forests.combine(forest, masses, rule)) for rule in RULES}
            for rule in RULES:
                outcomes[rule].append(_judged(masses, fields[rule], fields["kernel"]))
        for rule, name in RULES.items():
            numbers = {"rule": f"{name}, {task['trees']} trees", **_means(outcomes[rule])}
            rows.append({**reading, "cuts": cuts, "forests": task["forests"], **numbers})
    return rows


def _judged(masses: population.Masses, predicted: np.ndarray, averaged: np.ndarray) -> dict[str, float]:
    """Rise over Bayes, area in error, area given to class +1 in excess, gap of the bound, agreement."""
    rise = population.error(masses, predicted) - population.bayes_risk(masses)
    return {
        "increase": rise,
        "area": population.area_error(masses, predicted),
        "bias": float(np.mean(predicted) - np.mean(masses.signed > 0)),
        "bound_gap": population.disagreement(masses, predicted) - rise,
        "agreement": float((masses.plus + masses.minus)[predicted == averaged].sum()),
    }


def _means(outcomes: list[dict[str, float]]) -> Row:
    """Mean of each number over forests, with its standard error (zero for a number without chance)."""
    row: Row = {}
    for name in outcomes[0]:
        values = np.array([outcome[name] for outcome in outcomes])
        row[name] = float(np.abs(values).max() if name == "bound_gap" else values.mean())
        if name != "bound_gap":
            row[f"{name}_se"] = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return row


# --- section 8: the lines of Figures 2, 3, 5 and 7 --------------------------------------------------------------

GAUSSIAN = {"problem": "gaussians", "deviations": [0.71, 1.36], "square": [0, 1], "cells": "", "masses": "density"}
PLANE = {"square": [0, 1], "exponent": "", "cells": "share"}
CONTOURS = {  # figure, panel -> reading, cuts
    ("figure2", "as stated: exp(-r²/2s²)"): ({**GAUSSIAN, "exponent": "exp(-r2/(2 s^2))"}, "uniform"),
    ("figure2", "nearest to print: exp(-r²/s²)"): ({**GAUSSIAN, "exponent": "exp(-r2/s^2)"}, "uniform"),
    ("figure3", "x1 + x2 ≤ 1"): ({**PLANE, "problem": "linear", "masses": "natural"}, "uniform"),
    ("figure5", "as stated: uniform P"): ({**PLANE, "problem": "circle", "masses": "natural"}, "uniform"),
    ("figure5", "scaled: each class ½"): ({**PLANE, "problem": "circle", "masses": "balanced"}, "uniform"),
    ("figure7", "as stated: uniform P"): ({**PLANE, "problem": "circle", "masses": "natural"}, "triangular"),
    ("figure7", "scaled: each class ½"): ({**PLANE, "problem": "circle", "masses": "balanced"}, "triangular"),
}


def plan_contours(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a panel of a figure."""
    for (figure, panel), (reading, cuts) in CONTOURS.items():
        yield {"figure": figure, "panel": panel, **reading, "cuts": cuts, **params}


def run_contours(task: Task, data: None) -> list[Row]:
    """The zero lines of the true D and of each rule's field, as points of polylines."""
    masses = masses_of(task)
    fields = {"true": masses.signed / (masses.plus + masses.minus)}
    if task["cuts"] == "uniform":
        fields |= {name: analytic_field(masses, task["leaves"], name) for name in ("printed", "exact")}
    axes = {"figure": task["figure"], "panel": task["panel"]}
    rng = generator(paper=PAPER, experiment="contours", **axes)
    forest = grid_forests.grow(masses, task["leaves"], task["trees"], task["cuts"], rng)
    fields |= {rule: grid_forests.combine(forest, masses, rule) for rule in RULES}
    points = population.unit_points(task["grid"])
    rows = []
    for line, field in fields.items():
        level = np.where(np.abs(field) > population.TIE * np.abs(field).max(), field, 0.0)
        zero = contour_generator(x=points, y=points, z=level.T).lines(0.0)
        for piece, vertices in enumerate(zero):
            for point, (x1, x2) in enumerate(vertices[:: 1 if len(vertices) < 40 else 3]):
                place = {"piece": piece, "point": point, "x1": round(float(x1), 5), "x2": round(float(x2), 5)}
                rows.append({**axes, "line": line, **place})
    return rows


# --- section 8: symmetry and skewness against correlation and strength -------------------------------------------


def plan_skewness(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a problem, tree size and regime of cuts."""
    shared = {key: params[key] for key in ("grid", "points", "trees", "forests")}
    for problem, leaves in product(params["problems"], params["leaves"]):
        for regime in params["regimes"]:
            yield {"problem": problem, "leaves": leaves, "regime": regime, "alpha": 0.0, **shared}
        for alpha in params["alphas"]:
            yield {"problem": problem, "leaves": leaves, "regime": "variable-random", "alpha": alpha, **shared}
    for alpha in params["alphas"]:  # grown out, on samples: the number of leaves is not set
        shared = {"grid": params["grid"], "points": params["points"], **params["vr_trees"]}
        yield {"problem": "circle-natural", "leaves": 0, "regime": "VR-Trees", "alpha": alpha, **shared}


def run_skewness(task: Task, data: None) -> list[Row]:
    """Strength, correlation, symmetry, skewness and error: means over forests with standard errors."""
    name, _, balance = task["problem"].partition("-")
    reading = {"grid": task["grid"], "square": [0, 1], "cells": "share", "masses": balance, "problem": name}
    if name == "gaussians":
        reading = {**reading, **GAUSSIAN, "exponent": "exp(-r2/s^2)"}
    masses = masses_of(reading)
    step = task["grid"] // task["points"]
    rows, columns = (step // 2 + step * index.ravel() for index in np.indices((task["points"],) * 2))
    label = masses.signed[rows, columns] > 0
    outcomes = []
    identity = {key: task[key] for key in ("problem", "leaves", "regime", "alpha")}
    for number in range(task["forests"]):
        axes = {"paper": PAPER, "experiment": "skewness", **identity, "forest": number}
        grown = _grown_out if task["regime"] == "VR-Trees" else _grown_on_grid
        measured, gram = grown(task, masses, axes, rows, columns)
        shape = {"symmetry": symmetry(gram, rows, columns), "skewness": skewness(gram, rows, columns, label)}
        outcomes.append({**measured, **shape})
    return [{**identity, "bayes": population.bayes_risk(masses), "forests": task["forests"], **_means(outcomes)}]


def _grown_on_grid(task: Task, masses: population.Masses, axes: dict, rows: np.ndarray, columns: np.ndarray):
    """Strength, correlation and error of a forest in distribution space, and its kernel at the points."""
    regime, rng = task["regime"], generator(**axes)
    forest = grid_forests.grow(masses, task["leaves"], task["trees"], regime, rng, task["alpha"])
    votes = population.positive(grid_forests.combine(forest, masses, "vote"))
    measured = {
        "strength": grid_forests.strength(forest, masses),
        "correlation": grid_forests.correlation(forest, masses),
        "vote_error": population.error(masses, votes),
    }
    return measured, grid_forests.gram(forest, rows, columns)


def _grown_out(task: Task, masses: population.Masses, axes: dict, rows: np.ndarray, columns: np.ndarray):
    """The same of VR-Trees of the engine, grown out on a sample of the circle and measured on the grid."""
    x, y = breiman_plane("circle", task["cases"], generator(**axes))
    seed = random_state(**axes, of="trees")
    forest = VRForest(alpha=task["alpha"], n_estimators=task["trees"], random_state=seed).fit(x.to_numpy(), y)
    points = population.unit_points(task["grid"])
    cells = np.stack(np.meshgrid(points, points, indexing="ij"), axis=-1)
    inside = np.asarray(forest.classes_) == y.cat.categories[y.cat.codes[(x**2).sum(axis=1).idxmin()]]
    votes = inside[forest.tree_votes(cells.reshape(-1, 2))].astype(int)
    quality = strength_correlation(votes, (masses.signed > 0).ravel().astype(int), 2)
    leaf = forest.apply(cells[rows, columns])
    measured = {
        "strength": (1 + quality.strength) / 2,
        "correlation": quality.correlation,
        "vote_error": population.error(masses, votes.mean(axis=0).reshape(masses.plus.shape) > 0.5),
    }
    return measured, np.mean(leaf[:, None] == leaf[None], axis=2)


# --- section 3: completeness --------------------------------------------------------------------------------------


def plan_completeness(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a number of variables and leaves, up to one leaf more than Proposition 2 needs."""
    for variables, cells in enumerate(params["cells"], start=1):
        for leaves in range(2, variables + 2):
            yield {"variables": variables, "cells": cells, "leaves": leaves}


def run_completeness(task: Task, data: None) -> list[Row]:
    """The rank of trees' leaves on the grid, the rank by counting, and parity's largest inner product."""
    shape = (task["cells"],) * task["variables"]
    found = {
        "functions": int(np.prod(shape)),
        "boxes": len(spans.leaf_boxes(shape, task["leaves"])),
        "rank": spans.rank(shape, task["leaves"]),
        "counted": spans.rank_by_counting(task["cells"], task["variables"], task["leaves"]),
        "parity": spans.largest_inner_product(shape, task["leaves"]),
    }
    return [{**task, **found}]


# --- sections 4 and 5: AdaBoost in distribution space ---------------------------------------------------------------


def _centred(cells: int, variables: int) -> list[np.ndarray]:
    """The coordinates of the cells' centres in [-1, 1]."""
    side = 2 * population.unit_points(cells) - 1
    return list(np.meshgrid(*[side] * variables, indexing="ij"))


def _logistic(score: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-score))


# problem -> number of variables and P(1|x) on the grid; r is minus half the score
POPULATIONS = {
    "ramp": (1, lambda n: _logistic(3 * _centred(n, 1)[0])),
    "additive": (2, lambda n: _logistic(2 * np.sin(np.pi * _centred(n, 2)[0]) + 1.5 * _centred(n, 2)[1])),
    "interaction": (2, lambda n: _logistic(0.5 * _centred(n, 2)[0] + 3 * _centred(n, 2)[0] * _centred(n, 2)[1])),
    "xor": (2, lambda n: np.where(spans.parity((n, n)) > 0, 0.9, 0.1)),
    "parity": (3, lambda n: np.where(spans.parity((n, n, n)) > 0, 0.9, 0.1)),
}


def plan_population_boosting(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a problem and tree size."""
    for problem, cells, leaves in params["runs"]:
        limits = {"steps": params["steps"], "stop": params["stop"]}
        yield {"problem": problem, "cells": cells, "leaves": leaves, **limits}


def run_population_boosting(task: Task, data: None) -> list[Row]:
    """Loss, distance to -r and error at steps spaced as powers; checks as the worst up to each."""
    variables, probability = POPULATIONS[task["problem"]]
    p = probability(task["cells"]).ravel()
    mass = np.full(p.size, 1 / p.size)
    trees = boosting.all_trees((task["cells"],) * variables, task["leaves"])
    history = boosting.arc(p, mass, trees, task["steps"], task["stop"])
    rise = np.maximum.accumulate(np.diff(history.excess, prepend=history.excess[0]))
    identity = np.maximum.accumulate(history.identity)
    last = len(history.loss) - 1
    kept = sorted({0, last} | {round(10 ** (e / 8)) for e in range(60) if round(10 ** (e / 8)) <= last})
    shared = {"problem": task["problem"], "variables": variables, "cells": task["cells"], "leaves": task["leaves"]}
    return [
        shared
        | {
            "step": step,
            "last": step == last,
            "stopped": last < task["steps"],
            "excess": float(history.excess[step]),
            "b": float(history.b[step]),
            "c": float(history.step[step]),
            "sum_b2": float((history.b[: step + 1] ** 2).sum()),
            "distance": float(history.distance[step]),
            "size_of_r": float(history.distance[0]),
            "error": float(history.error[step]),
            "bayes": boosting.bayes(p, mass),
            "largest_rise": float(rise[step]),
            "identity_gap": float(identity[step]),
        }
        for step in kept
    ]


# --- section 9.1: AdaBoost on finite data --------------------------------------------------------------------------


def plan_finite_boosting(params: Params, sets: Mapping) -> Iterator[Task]:
    """One task a sample."""
    shared = {key: params[key] for key in ("rounds", "window", "checkpoints")}
    for name, sample in params["samples"].items():
        yield {"sample": name, **sample, **shared}


def _sample(task: Task) -> tuple[np.ndarray, np.ndarray]:
    rng = generator(paper=PAPER, experiment="finite_boosting", sample=task["sample"])
    draw = twonorm if task["sample"] == "twonorm" else lambda n, rng: breiman_plane("circle", n, rng)
    x, y = draw(task["cases"], rng)
    x, y = x.to_numpy(), np.where(y.cat.codes == 0, 1, -1)
    if task["decimals"] is not None:
        x = np.round(x, task["decimals"])
    flipped = rng.permutation(len(y))[: round(task["noise"] * len(y))]
    y[flipped] *= -1
    return x, y


def run_finite_boosting(task: Task, data: None) -> list[Row]:
    """The path of the weights: edges and movement by round, margins at checkpoints, cycling at the end."""
    x, y = _sample(task)
    wrong = finite_boosting.stump_errors(x, y)
    run = finite_boosting.boost(wrong, task["rounds"], task["checkpoints"])
    rows = [
        *_trace(run, task["window"]),
        *(("margin", t, i, float(m)) for t, margins in run.margins.items() for i, m in enumerate(np.sort(margins))),
        *(("summary", name, 0, value) for name, value in _ending(run, wrong, task["window"]).items()),
    ]
    return [
        {"sample": task["sample"], "part": part, "at": str(at), "index": index, "value": float(value)}
        for part, at, index, value in rows
    ]


def _trace(run: finite_boosting.Run, window: int) -> Iterator[tuple[str, str, int, float]]:
    """Edge, and movement of the weights over one round and over a window, at rounds spaced as powers."""
    last = len(run.chosen)
    kept = sorted({round(10 ** (e / 12)) for e in range(1, 60)} & set(range(1, last - 1)))
    for t in kept:
        yield "edge", t, 0, 1 - 2 * run.weight_of_chosen[t - 1]
        yield "moved in one round", t, 0, float(np.abs(run.weights[t] - run.weights[t - 1]).sum() / 2)
        if t + window < last:
            far = np.abs(run.weights[t + window - 1] - run.weights[t - 1]).sum() / 2
            yield "moved in a window", t, 0, float(far)
    recent = run.weights[-window // 5 :]
    heaviest = np.argsort(-recent.mean(axis=0), kind="stable")[:3]
    for rank, instance in enumerate(heaviest):
        for t, weight in enumerate(recent[:, instance]):
            yield f"weight {rank}", t, 0, float(weight)


def _ending(run: finite_boosting.Run, wrong: np.ndarray, window: int) -> dict[str, float]:
    """How the run ended: cycling, returns, the heap of section 9.1, and how equal the margins are."""
    lag, near = finite_boosting.nearest_return(run.weights, min(window, len(run.chosen) - 1))
    chosen = run.chosen[-window:]
    first, last = run.margins[min(run.margins)], run.margins[max(run.margins)]
    ranks = [
        finite_boosting.heap_rank(wrong, run.weights[t + 1].astype(float), run.chosen[t])
        for t in range(len(run.chosen) - 51, len(run.chosen) - 1)
    ]
    movement = finite_boosting.moved(run.weights[-window:], 1)
    early = finite_boosting.moved(run.weights[: window // 10], 1)
    weight = run.weights[-window:].mean(axis=0)
    return {
        "cases": wrong.shape[1],
        "sets Q": len(wrong),
        "rounds": len(run.chosen),
        "period": finite_boosting.period(run.chosen, window // 2),
        "nearest return, lag": lag,
        "nearest return, distance": near,
        "distinct Q chosen in the window": len(np.unique(chosen)),
        "median rounds between choices of a Q": float(np.median(finite_boosting.return_times(chosen))),
        "movement a round, early": float(early.mean()),
        "movement a round, window": float(movement.mean()),
        "least movement a round, window": float(movement.min()),
        "edge, window": float(np.mean(1 - 2 * run.weight_of_chosen[-window:])),
        "lighter sets after a round, share": float(np.mean(ranks)),
        "margin sd, first checkpoint": float(first.std()),
        "margin sd, last checkpoint": float(last.std()),
        "least margin, last checkpoint": float(last.min()),
        "share of cases within 0.02 of the least margin": float(np.mean(last < last.min() + 0.02)),
        "weight on those cases, window": float(weight[last < last.min() + 0.02].sum()),
    }


EXPERIMENTS = {
    "kernel": Experiment(
        plan_kernel,
        run_kernel,
        ("kind", "variables", "leaves", "pair"),
        cost=lambda task, facts: task["leaves"] * task["trees"],
    ),
    "kernel_shape": Experiment(
        plan_kernel_shape, run_kernel_shape, ("part", "variables", "leaves", "quantity", "at_1", "at_2")
    ),
    "boundaries": Experiment(
        plan_boundaries,
        run_boundaries,
        ("problem", "square", "exponent", "masses", "cells", "grid", "leaves", "cuts", "rule"),
        cost=lambda task, facts: task["grid"] ** 2 * task["leaves"],
    ),
    "contours": Experiment(plan_contours, run_contours, ("figure", "panel", "line", "piece", "point")),
    "skewness": Experiment(
        plan_skewness,
        run_skewness,
        ("problem", "leaves", "regime", "alpha"),
        cost=lambda task, facts: task["leaves"] * (1 + 4 * (task["regime"] != "uniform")),
    ),
    "completeness": Experiment(plan_completeness, run_completeness, ("variables", "cells", "leaves")),
    "population_boosting": Experiment(
        plan_population_boosting, run_population_boosting, ("problem", "cells", "leaves", "step")
    ),
    "finite_boosting": Experiment(plan_finite_boosting, run_finite_boosting, ("sample", "part", "at", "index")),
}
