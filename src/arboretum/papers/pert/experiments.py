"""The experiments of pert.

Hold-outs and samples are drawn on streams named by set and repetition, so all learners see the same ones; a learner
draws on the stream of its own kind, so the same learner gives the same errors in whichever experiment it appears,
and the first 100 trees of a forest of 1600 are the forest of 100.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from time import process_time
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from arboretum.datasets import Dataset
from arboretum.datasets.generators import by_name
from arboretum.ensembles import PERT, ArcedTrees, ExactPERT, RandomForest, VRForest
from arboretum.measures.margins import vote_counts
from arboretum.measures.vote_sums import mean_spread, vote_sums
from arboretum.papers.inventory import DATASETS
from arboretum.papers.resampling import available, errors_of, hold_out
from arboretum.papers.shape import Experiment, Row, Task
from arboretum.seeds import generator, random_state
from arboretum.trees import Table, cart_rule, extra_rule, grow_forest, pert_rule, table_of, vr_rule

PAPER = "pert"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]


# ------------------------------------------------------------------ what all experiments share


class Part(NamedTuple):
    """What is learned from and what is held out."""

    X: Table
    y: pd.Series
    test_X: Table
    test_y: pd.Series


def learner_of(spec: Mapping[str, Any], **axes: object):
    """The learner that ``spec`` describes, on the stream named by ``axes`` and its kind."""
    options = {name: value for name, value in spec.items() if name not in ("kind", "trees")}
    seed = random_state(paper=PAPER, learner={"kind": spec["kind"], **options}, **axes)
    make = {"pert": PERT, "forest": RandomForest, "vr": VRForest, "arced": ArcedTrees}[spec["kind"]]
    return make(n_estimators=spec["trees"], random_state=seed, **options)


def sample(function: str, n: int, purpose: str, **axes: object) -> tuple[Table, pd.Series]:
    """Cases of a generator; ``purpose`` is to train or to test."""
    options = {"dimension": axes["dimension"]} if "dimension" in axes else {}
    X, y = by_name(function)(n, generator(paper=PAPER, function=function, purpose=purpose, **axes), **options)
    return table_of(X), y


def drawn_part(task: Task, repetition: int, **more: object) -> Part:
    """A new training set and a new test set."""
    sides = [sample(task["function"], task[side], side, repetition=repetition, **more) for side in ("train", "test")]
    return Part(*sides[0], *sides[1])


def batches(repetitions: int, size: int) -> Iterator[dict[str, int]]:
    """Runs of repetitions, each a task."""
    for first in range(0, repetitions, size):
        yield {"first": first, "last": min(first + size, repetitions)}


def synthetic_tasks(params: Params) -> Iterator[Task]:
    """One task a generator and run of repetitions."""
    for (name, function), run in product(params["synthetic"].items(), batches(params["repetitions"], params["batch"])):
        yield {"set": name, "function": function, "train": params["train"], "test": params["test"], **run}


# ------------------------------------------------------------------ size and time (section 3)

Grower = Callable[[Table, np.ndarray, int, list[int]], Any]


def engine_grower(rule) -> Grower:
    return lambda table, classes, k, seeds: grow_forest(table, classes, k, rule, seeds, n_min=0)


def growers(features: int) -> dict[str, Grower]:
    """The trees of Table 1, and others of the engine; all grown to purity on all cases."""
    rules = {
        "pert": pert_rule(),
        "cart": cart_rule(),
        "cart_1_feature": cart_rule(n_tried=1),
        "cart_log2_features": cart_rule(n_tried=int(np.log2(features) + 1)),
        "extra_1_feature": extra_rule(n_tried=1),
        "c45": vr_rule(1.0),
        "vr_0": vr_rule(0.0),
    }
    return {name: engine_grower(rule) for name, rule in rules.items()}


SCIKIT = {
    "scikit_cart": lambda seed: DecisionTreeClassifier(random_state=seed),
    "scikit_extra_1_feature": lambda seed: ExtraTreeClassifier(max_features=1, random_state=seed),
}


def plan_size_time(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a generator and size: all trees of a task are timed in one run."""
    for (name, function), cases in product(params["synthetic"].items(), params["sizes"]):
        shared = {key: params[key] for key in ("samples", "timed_samples", "timed_trees", "evaluated")}
        yield {"set": name, "function": function, "cases": cases, **shared}


def run_size_time(task: Task, data: None) -> list[Row]:
    """Nodes and training errors over all samples, seconds over the first ones; a row for each kind of tree."""
    test, _ = sample(task["function"], task["evaluated"], "evaluate", cases=task["cases"])
    sums: dict[str, np.ndarray] = {}
    for number in range(task["samples"]):
        X, y = sample(task["function"], task["cases"], "train", cases=task["cases"], repetition=number)
        classes, k = y.cat.codes.to_numpy(), len(y.cat.categories)
        seed = random_state(paper=PAPER, experiment="size_time", function=task["function"], repetition=number)
        trees = task["timed_trees"] if number < task["timed_samples"] else 0
        for name, grow in growers(X.shape[1]).items():
            found = engine_counts(grow, X, classes, k, seed) + engine_seconds(grow, X, classes, k, seed, trees, test)
            sums[name] = sums.get(name, 0) + np.array(found, dtype=float)
        for name, make in SCIKIT.items():
            found = scikit_counts(make, X, classes, seed, trees, test)
            sums[name] = sums.get(name, 0) + np.array(found, dtype=float)
    counts = ("nodes", "squared_nodes", "leaves", "training_errors")
    shared = {"dataset": task["set"], "cases": task["cases"], "samples": task["samples"]}
    shared["timed_trees"] = task["timed_samples"] * task["timed_trees"]
    return [
        shared
        | {"tree": name}
        | {count: int(value) for count, value in zip(counts, found, strict=False)}
        | {"seconds": found[4], "evaluation_seconds": found[5]}
        for name, found in sums.items()
    ]


def engine_counts(grow: Grower, X: Table, classes, k: int, seed: int) -> list[int]:
    """Nodes, nodes squared, leaves and training errors of one tree."""
    tree = grow(X, classes, k, [seed])
    nodes = int(tree.n_nodes[0])
    return [nodes, nodes**2, int(tree.n_leaves[0]), int(np.sum(tree.tree_votes(X)[0] != classes))]


def engine_seconds(grow: Grower, X: Table, classes, k: int, seed: int, trees: int, test: Table) -> list[float]:
    """CPU seconds to grow ``trees`` trees and to answer with them; the columns have been ranked before."""
    if not trees:
        return [0.0, 0.0]
    seeds = [seed + place for place in range(trees)]
    grow(X, classes, k, seeds[:1]).tree_votes(test)  # compiled, and in the cache
    start = process_time()
    forest = grow(X, classes, k, seeds)
    grown = process_time()
    forest.tree_votes(test)
    return [grown - start, process_time() - grown]


def scikit_counts(make, X: Table, classes, seed: int, trees: int, test: Table) -> list[float]:
    """The same for scikit-learn's trees, its checks of the input left out."""
    cells, asked = X.cells.astype(np.float32), test.cells.astype(np.float32)
    tree = make(seed).fit(cells, classes, check_input=False)
    nodes, wrong = tree.tree_.node_count, int(np.sum(tree.predict(cells, check_input=False) != classes))
    growing = answering = 0.0
    for place in range(trees):
        timed, start = make(seed + place), process_time()
        timed.fit(cells, classes, check_input=False)
        grown = process_time()
        timed.tree_.apply(asked)
        growing, answering = growing + grown - start, answering + process_time() - grown
    return [nodes, nodes**2, tree.get_n_leaves(), wrong, growing, answering]


# ------------------------------------------------------------------ accuracy (section 4, Table 2)

CELLS_A_TASK = 500_000  # of a large set a task does fewer repetitions


def plan_accuracy(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a set, way of splitting, learner and run of repetitions."""
    for learner, spec in params["learners"].items():
        for name in available(sets, params["sets"]):
            split = {"split": "hold-out", "test_share": params["test_share"]}
            most = {"repetitions": params["fewer"].get(name, params["repetitions"])}
            yield from real_tasks(params, sets, name, learner, spec, split, most)
        for item in params["fixed"]:
            if sets[item["set"]]["status"] == "available":
                split = {"split": "fixed", "train": item["train"], "official": item["official"]}
                yield from real_tasks(params, sets, item["set"], learner, spec, split, item)
        for task in synthetic_tasks(params | {"repetitions": repetitions_of(spec, "", params)}):
            yield task | {"split": "new sample", "learner": learner, "spec": plain(spec, 1)}


def real_tasks(params: Params, sets: Sets, name: str, learner: str, spec, split, most) -> Iterator[Task]:
    times = 2 if name in params["doubled"] else 1
    size = max(1, min(params["batch"], CELLS_A_TASK // (sets[name]["rows"] * sets[name]["attributes"])))
    for run in batches(repetitions_of(spec, name, most), size):
        yield {"dataset": name, "learner": learner, "spec": plain(spec, times), **split, **run}


def repetitions_of(spec: Mapping[str, Any], name: str, most: Mapping[str, Any]) -> int:
    """A dear learner may have fewer repetitions than the others, and fewer still on a large set."""
    own = spec.get("fewer", {}).get(name, spec.get("repetitions", most["repetitions"]))
    return min(own, most["repetitions"])


def plain(spec: Mapping[str, Any], times: int) -> dict[str, Any]:
    """The learner alone, with so many times its trees."""
    kept = {name: value for name, value in spec.items() if name not in ("repetitions", "fewer")}
    return kept | {"trees": times * spec["trees"]}


def run_accuracy(task: Task, data: Dataset | None) -> list[Row]:
    """Errors of one learner, a row for each repetition."""
    name = task["dataset"] if data is not None else task["set"]
    table = table_of(data.X) if data is not None else None
    rows = []
    for repetition in range(task["first"], task["last"]):
        part = real_part(task, table, data.y, repetition) if data is not None else drawn_part(task, repetition)
        described = {"dataset": name, "split": task["split"], "repetition": repetition}
        axes = {"dataset": name, "split": task["split"], "repetition": repetition}
        for learner, model, features in grown(task, part, axes):
            counts = {
                "errors": errors_of(model, part.test_X, part.test_y),
                "cases": len(part.test_y),
                "features": features,
            }
            rows.append(described | {"learner": learner} | counts)
    return rows


def real_part(task: Task, table: Table, y: pd.Series, repetition: int) -> Part:
    """A random tenth held out; or a training part of fixed size, the official one or a random one."""
    axes = {"paper": PAPER, "dataset": task["dataset"], "split": task["split"], "repetition": repetition}
    cut = task["train"] if task["split"] == "fixed" else len(y) - round(task["test_share"] * len(y))
    train, test = hold_out(len(y), cut, **axes) if not task.get("official") else np.split(np.arange(len(y)), [cut])
    return Part(table.take(train), y.iloc[train], table.take(test), y.iloc[test])


def grown(task: Task, part: Part, axes: dict[str, Any]) -> Iterator[tuple[str, Any, int]]:
    """The learner of a task; of forests, F = 1 and the better of F = 1 and int(log2 M + 1) by out-of-bag error."""
    spec = task["spec"]
    if spec["kind"] != "forest":
        yield task["learner"], learner_of(spec, **axes).fit(part.X, part.y), 0
        return
    tried = (1, int(np.log2(part.X.shape[1]) + 1))
    forests = {
        features: learner_of(spec | {"max_features": features}, **axes).fit(part.X, part.y) for features in tried
    }
    chosen = min(tried, key=lambda features: out_of_bag_errors(forests[features], part))
    yield "forest_single", forests[1], 1
    yield "forest_multiple", forests[chosen], chosen


def out_of_bag_errors(forest: RandomForest, part: Part) -> int:
    """Training cases that the trees which did not see them get wrong; cases seen by all are left out."""
    votes = forest.oob_votes(part.X)
    known = ~np.isnan(votes[:, 0])
    return int(np.sum(votes[known].argmax(axis=1) != part.y.cat.codes.to_numpy()[known]))


def accuracy_effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: repetitions times trees times cases, times attributes where all are searched."""
    cases = facts.get("rows", 1300)
    searched = {"pert": 3, "forest": 12, "arced": 15 + facts.get("attributes", 20)}[task["spec"]["kind"]]
    return (task["last"] - task["first"]) * task["spec"]["trees"] * (200 + cases * searched)


# ------------------------------------------------------------------ larger ensembles (section 4, Table 3)


def plan_larger(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a generator and run of repetitions."""
    for task in synthetic_tasks(params):
        yield task | {"trees": list(params["trees"])}


def run_larger(task: Task, data: None) -> list[Row]:
    """Errors of the first trees of one forest, by true class."""
    rows = []
    for repetition in range(task["first"], task["last"]):
        part = drawn_part(task, repetition)
        axes = {"dataset": task["set"], "split": "new sample", "repetition": repetition}
        votes = learner_of({"kind": "pert", "trees": max(task["trees"])}, **axes).fit(part.X, part.y)
        votes, truth = votes.tree_votes(part.test_X), part.test_y.cat.codes.to_numpy()
        counts, done = 0, 0
        for trees in sorted(task["trees"]):
            counts, done = counts + vote_counts(votes[done:trees], len(part.test_y.cat.categories)), trees
            wrong = counts.argmax(axis=1) != truth
            described = {"dataset": task["set"], "repetition": repetition, "trees": trees, "cases": len(truth)}
            by_class = {"errors": int(wrong.sum()), "errors_class_1": int(wrong[truth == 0].sum())}
            rows.append(described | by_class)
    return rows


# ------------------------------------------------------------------ strength and correlation (section 5, Table 4)


def plan_strength(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a generator and run of repetitions, with all learners."""
    learners = {name: {"trees": params["trees"], **spec} for name, spec in params["learners"].items()}
    for task in synthetic_tasks(params):
        yield task | {"learners": learners}


def run_strength(task: Task, data: None) -> list[Row]:
    """Sums of votes on a test set, a row for each repetition and learner."""
    rows = []
    for repetition, (learner, spec) in product(range(task["first"], task["last"]), task["learners"].items()):
        part = drawn_part(task, repetition)
        forest = learner_of(spec, dataset=task["set"], split="new sample", repetition=repetition).fit(part.X, part.y)
        votes, truth = forest.tree_votes(part.test_X), part.test_y.cat.codes.to_numpy()
        sums = vote_sums(votes, truth, len(part.test_y.cat.categories))
        counts = {"cases": sums.cases, "trees": len(votes), "errors": errors_of(forest, part.test_X, part.test_y)}
        counts |= {"margins": sums.margins, "squared_margins": sums.squared_margins}
        counts |= {"right_votes": int(sums.right.sum()), "rival_votes": int(sums.rival.sum())}
        lead = 2 * np.sum(votes == truth, axis=0) - len(votes)  # right votes less wrong ones, whichever they are for
        counts |= {"leads": int(lead.sum()), "squared_leads": int(np.sum(lead**2))}
        described = {"dataset": task["set"], "learner": learner, "repetition": repetition}
        spread = {"spread": mean_spread(sums.right, sums.rival, sums.cases)}
        spread["lead_spread"] = mean_spread(sums.right, sums.cases - sums.right, sums.cases)
        rows.append(described | counts | spread)
    return rows


# ------------------------------------------------------------------ the surface Q_j (section 6)


def plan_posterior(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a check or drawing."""
    checks = params["checks"]
    for (features, cases), number in product(checks["layouts"], range(checks["samples"])):
        shared = {key: checks[key] for key in ("points", "trees", "shifts")}
        yield {"part": "checks", "features": features, "cases": cases, "number": number, **shared}
    for part, features in (("line", 1), ("surface", 2)):
        yield {"part": part, "features": features, "number": 0, **params[part]}
    for number in range(params["convergence"]["forests"]):
        yield {"part": "convergence", "features": 2, "number": number, **_without(params["convergence"], "forests")}


def _without(section: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in section.items() if key != name}


def run_posterior(task: Task, data: None) -> list[Row]:
    """Rows (quantity, at_1, at_2, value) of one part."""
    make = {"checks": check_rows, "line": map_rows, "surface": map_rows, "convergence": convergence_rows}[task["part"]]
    described = {name: task[name] for name in ("part", "features", "cases", "number")}
    return [
        described | {"quantity": quantity, "at_1": float(at_1), "at_2": float(at_2), "value": float(value)}
        for quantity, at_1, at_2, value in make(task)
    ]


def small_sample(task: Task) -> tuple[np.ndarray, np.ndarray]:
    """Uniform points; for checks the classes are drawn at random, else class 1 lies in the middle half."""
    number = task["number"] if task["part"] == "checks" else 0
    axes = {"experiment": "posterior", "part": task["part"], "features": task["features"], "cases": task["cases"]}
    rng = generator(paper=PAPER, number=number, **axes)
    X = rng.random((task["cases"], task["features"]))
    y = rng.permutation(np.arange(task["cases"]) % 2)
    if task["part"] != "checks":
        radius = 0.25 if task["features"] == 1 else np.sqrt(0.5 / np.pi)
        y = (np.sqrt(np.sum((X - 0.5) ** 2, axis=1)) < radius).astype(int)
    return X, y


def small_forest(task: Task, X: np.ndarray, y: np.ndarray, trees: int) -> PERT:
    axes = {"experiment": "posterior", "part": task["part"], "features": task["features"], "number": task["number"]}
    return learner_of({"kind": "pert", "trees": trees}, cases=task["cases"], **axes).fit(X, y)


def blocks(X: np.ndarray, points: int, rng: np.random.Generator) -> Iterator[tuple[np.ndarray, int, float, float]]:
    """A random point, an axis, and the ends of the block along that axis that hold the point."""
    for _ in range(points):
        point, axis = rng.uniform(X.min(axis=0), X.max(axis=0)), int(rng.integers(X.shape[1]))
        values = np.sort(X[:, axis])
        place = min(int(np.searchsorted(values, point[axis])), len(values) - 1)
        yield point, axis, values[place - 1], values[place]


def at(point: np.ndarray, axis: int, value: float) -> np.ndarray:
    moved = point.copy()
    moved[axis] = value
    return moved


def check_rows(task: Task) -> Iterator[tuple]:
    """Interpolation, jumps across borders, second differences within blocks and across borders; then the forest."""
    X, y = small_sample(task)
    exact = ExactPERT().fit(X, y)
    axes = {"experiment": "posterior", "features": task["features"], "number": task["number"]}
    found = list(blocks(X, task["points"], generator(paper=PAPER, purpose="points", **axes)))
    inside = [[at(p, a, low + share * (high - low)) for share in (0.1, 0.5, 0.9)] for p, a, low, high in found]
    width = [0.4 * (high - low) for _, _, low, high in found]
    across = [[at(p, a, low + s * w) for s in (-1, 0, 1)] for (p, a, low, high), w in zip(found, width, strict=True)]

    def q(points) -> np.ndarray:
        points = np.array(points)
        return exact.predict_proba(points.reshape(-1, X.shape[1]))[:, 1].reshape(points.shape[:-1])

    second = np.array([1, -2, 1])
    surface = q(inside)
    yield "sets of cases", 0, 0, len(exact.nodes_)
    yield "largest departure from the labels", 0, 0, np.abs(exact.predict_proba(X)[:, 1] - y).max()
    for shift in task["shifts"]:
        sides = [[at(p, a, low - shift), at(p, a, low + shift)] for p, a, low, _ in found]
        yield "largest jump", shift, 0, np.abs(np.diff(q(sides), axis=1)).max()
    yield "largest second difference within a block", 0, 0, np.abs(surface @ second).max()
    yield "largest second difference across a border", 0, 0, np.abs(q(across) @ second).max()
    yield from forest_check_rows(task, X, y, np.array(inside), surface)


def forest_check_rows(task: Task, X, y, inside: np.ndarray, surface: np.ndarray) -> Iterator[tuple]:
    """A forest of many trees: wrong on no training case, near Q, and straight within blocks."""
    forest = small_forest(task, X, y, task["trees"])
    votes = forest.tree_votes(inside.reshape(-1, X.shape[1])).reshape(-1, *surface.shape)
    yield "training errors of the trees", task["trees"], 0, np.sum(forest.tree_votes(X) != y)
    variance = np.maximum(surface * (1 - surface), 0.0)
    firm = variance * task["trees"] >= 10  # else the normal approximation does not hold
    z = (votes.mean(axis=0) - surface)[firm] / np.sqrt(variance[firm] / task["trees"])
    bend = votes.astype(float) @ np.array([1, -2, 1])
    spread = bend.std(axis=0) / np.sqrt(task["trees"])
    bent = bend.mean(axis=0)[spread > 0] / spread[spread > 0]
    for name, values in (("forest less Q", z), ("second difference of the forest", bent)):
        yield f"{name}: tests", 0, 0, len(values)
        yield f"{name}: beyond three standard errors", 0, 0, np.sum(np.abs(values) > 3)
        yield f"{name}: largest", 0, 0, np.abs(values).max(initial=0)
        yield f"{name}: sum of squares", 0, 0, np.sum(values**2)


def map_rows(task: Task) -> Iterator[tuple]:
    """Q of class 1 and the shares of votes of forests on a grid, and the training cases; to six digits."""
    X, y = small_sample(task)
    side = np.round(np.linspace(0, 1, task["grid"]), 6)
    points = np.stack(np.meshgrid(*[side] * task["features"], indexing="ij"), axis=-1).reshape(-1, task["features"])
    maps = {"exact": ExactPERT().fit(X, y)}
    maps |= {f"{trees} trees": small_forest(task, X, y, trees) for trees in task["trees"]}
    places = np.column_stack([points, np.zeros(len(points))])[:, :2]
    for name, model in maps.items():
        share = model.predict_proba(points)[:, 1]
        yield from ((name, *place, round(value, 6)) for place, value in zip(places.tolist(), share, strict=True))
    cases = np.column_stack([X, np.zeros(len(X))])[:, :2]
    yield from (("case", *place, label) for place, label in zip(cases.tolist(), y, strict=True))


def convergence_rows(task: Task) -> Iterator[tuple]:
    """How far the first trees of one forest are from Q on random points."""
    X, y = small_sample(task)
    points = generator(paper=PAPER, experiment="posterior", purpose="convergence").random((task["points"], X.shape[1]))
    exact = ExactPERT().fit(X, y).predict_proba(points)[:, 1]
    votes = small_forest(task, X, y, max(task["trees"])).tree_votes(points)
    for trees in task["trees"]:
        gap = votes[:trees].mean(axis=0) - exact
        yield "root mean square", trees, 0, np.sqrt(np.mean(gap**2))
        yield "largest", trees, 0, np.abs(gap).max()
        yield "expected root mean square", trees, 0, np.sqrt(np.mean(exact * (1 - exact)) / trees)


# ------------------------------------------------------------------ why ringnorm fails (section 4)


def plan_ringnorm(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a dimension and repetition."""
    specs = dict(params["learners"])
    specs |= {f"vr_{alpha:g}": {"kind": "vr", "alpha": float(alpha)} for alpha in params["alphas"]}
    learners = {name: {"trees": params["trees"], **spec} for name, spec in specs.items()}
    for dimension, repetition in product(params["dimensions"], range(params["repetitions"])):
        shared = {key: params[key] for key in ("train", "test", "bin", "bins")}
        task = {"function": "ringnorm", "dimension": dimension, "repetition": repetition, "learners": learners}
        yield task | shared


def run_ringnorm(task: Task, data: None) -> list[Row]:
    """Cases and errors of every learner and of the Bayes rule, by class and by distance from the origin."""
    dimension, repetition = task["dimension"], task["repetition"]
    part = drawn_part(task, repetition, dimension=dimension)
    truth, values = part.test_y.cat.codes.to_numpy(), part.test_X.cells
    distance = np.sqrt(np.sum(values**2, axis=1) / dimension)
    place = np.minimum((distance / task["bin"]).astype(int), task["bins"] - 1)
    answers = {"bayes": ringnorm_rule(values)}
    for name, spec in task["learners"].items():
        model = learner_of(spec, dataset="ringnorm", dimension=dimension, repetition=repetition)
        label = model.fit(part.X, part.y).predict(part.test_X)
        answers[name] = part.test_y.cat.categories.get_indexer(label)
    rows = []
    for name, answer in answers.items():
        described = {"dimension": dimension, "repetition": repetition, "learner": name}
        for code, bin_ in product(range(2), range(task["bins"])):
            here = (truth == code) & (place == bin_)
            counts = {"cases": int(here.sum()), "errors": int(np.sum(answer[here] != code))}
            rows.append(described | {"class": code + 1, "bin": bin_, "from": bin_ * task["bin"]} | counts)
    return [row for row in rows if row["cases"]]


def ringnorm_rule(values: np.ndarray) -> np.ndarray:
    """The class of greater density: N(0, 4 I) against N((a, ..., a), I), a = 1/sqrt(d)."""
    dimension = values.shape[1]
    wide = -np.sum(values**2, axis=1) / 8 - dimension * np.log(2)
    narrow = -np.sum((values - 1 / np.sqrt(dimension)) ** 2, axis=1) / 2
    return (narrow > wide).astype(int)


EXPERIMENTS = {
    "datasets": DATASETS,
    "size_time": Experiment(
        plan=plan_size_time,
        run=run_size_time,
        keys=("dataset", "cases", "tree"),
        timing=("seconds", "evaluation_seconds"),
        cost=lambda task, facts: task["samples"] * (100 + task["cases"]),
    ),
    "accuracy": Experiment(
        plan=plan_accuracy,
        run=run_accuracy,
        keys=("dataset", "split", "learner", "repetition"),
        cost=accuracy_effort,
    ),
    "larger": Experiment(
        plan=plan_larger,
        run=run_larger,
        keys=("dataset", "repetition", "trees"),
        cost=lambda task, facts: (task["last"] - task["first"]) * max(task["trees"]) * (task["train"] + task["test"]),
    ),
    "strength": Experiment(
        plan=plan_strength,
        run=run_strength,
        keys=("dataset", "learner", "repetition"),
        cost=lambda task, facts: (task["last"] - task["first"]) * (task["train"] + task["test"]),
    ),
    "posterior": Experiment(
        plan=plan_posterior,
        run=run_posterior,
        keys=("part", "features", "cases", "number", "quantity", "at_1", "at_2"),
        cost=lambda task, facts: (task["cases"] ** (2 * task["features"])) * task.get("grid", 3) ** task["features"],
    ),
    "ringnorm": Experiment(
        plan=plan_ringnorm,
        run=run_ringnorm,
        keys=("dimension", "repetition", "learner", "class", "bin"),
        cost=lambda task, facts: (task["train"] + task["test"]) * (5 + task["dimension"]),
    ),
}
