"""Section 3, Table 1: how large the trees are, what growing them takes in counted steps, and in seconds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from arboretum.papers.contract import Experiment, ResultRow, Task
from arboretum.papers.pert.experiments.samples import PAPER, Params, Sets, sample
from arboretum.seeds import random_state
from arboretum.trees import CodedTable, cart_rule, extra_rule, grow_forest, pert_rule, vr_rule
from arboretum.trees.rules import LEAF

TIMING = ("seconds", "evaluation_seconds")


class EngineTree(NamedTuple):
    """A tree of this engine: its rule, and how many features a node looks at."""

    rule: Any
    searched: int

    def grow(self, table: CodedTable, classes: np.ndarray, k: int, seeds: list[int]):
        """Trees grown to purity on all cases."""
        return grow_forest(table, classes, k, self.rule, seeds, n_min=0)


def engine_trees(features: int) -> dict[str, EngineTree]:
    """The trees of Table 1, and others of the engine."""
    few = int(features).bit_length()
    return {
        "pert": EngineTree(pert_rule(), 1),
        "cart": EngineTree(cart_rule(), features),
        "cart_1_feature": EngineTree(cart_rule(n_tried=1), 1),
        "cart_log2_features": EngineTree(cart_rule(n_tried=few), few),
        "extra_1_feature": EngineTree(extra_rule(n_tried=1), 1),
        "c45": EngineTree(vr_rule(1.0), features),
        "vr_0": EngineTree(vr_rule(0.0), 1),
    }


class ScikitTree(NamedTuple):
    """A tree of scikit-learn: how to make it, and how many features a node looks at."""

    make: Callable[[int], Any]
    searched: int


def scikit_trees(features: int) -> dict[str, ScikitTree]:
    return {
        "scikit_cart": ScikitTree(lambda seed: DecisionTreeClassifier(random_state=seed), features),
        "scikit_extra_1_feature": ScikitTree(lambda seed: ExtraTreeClassifier(max_features=1, random_state=seed), 1),
    }


def plan(params: Params, sets: Sets) -> Iterator[Task]:
    """One task per generator and size: all trees of a task are timed in one run."""
    for (name, function), cases in product(params["synthetic"].items(), params["sizes"]):
        shared = {key: params[key] for key in ("samples", "timed_samples", "timed_trees", "evaluated")}
        yield {"set": name, "function": function, "cases": cases, **shared}


def run(task: Task, data: None) -> list[ResultRow]:
    """Counts over all samples, seconds over the first ones; one row per kind of tree."""
    test, _ = sample(task["function"], task["evaluated"], "evaluate", cases=task["cases"])
    engine, scikit = engine_trees(test.shape[1]), scikit_trees(test.shape[1])
    sums: dict[str, Counter] = defaultdict(Counter)
    for number in range(task["samples"]):
        X, y = sample(task["function"], task["cases"], "train", cases=task["cases"], repetition=number)
        classes, k = y.cat.codes.to_numpy(), len(y.cat.categories)
        seed = random_state(paper=PAPER, experiment="size_time", function=task["function"], repetition=number)
        timed = task["timed_trees"] if number < task["timed_samples"] else 0
        for name, tree in engine.items():
            sums[name].update(engine_counts(tree, X, classes, k, seed))
            sums[name].update(engine_seconds(tree, X, classes, k, seed, timed, test))
        for name, tree in scikit.items():
            sums[name].update(scikit_counts(tree, X, classes, seed))
            sums[name].update(scikit_seconds(tree, X, classes, seed, timed, test))
    shared = {"dataset": task["set"], "cases": task["cases"], "samples": task["samples"]}
    shared["timed_trees"] = task["timed_samples"] * task["timed_trees"]
    searched = {name: tree.searched for name, tree in (engine | scikit).items()}
    return [shared | {"tree": name, "searched": searched[name]} | dict(found) for name, found in sums.items()]


def counts_of(sizes: np.ndarray, divided: np.ndarray, wrong: int) -> dict[str, int]:
    """What is counted of one tree, from the number of cases of each node and whether the node is divided.

    ``divided_cases``: the cases of all divided nodes, which is the depth of its leaf summed over all cases.
    ``sort_comparisons``: what it takes to sort one feature in every divided node; ``root_comparisons``: at the root.
    """
    cases = np.rint(sizes[divided]).astype(np.int64)
    return {
        "nodes": len(sizes),
        "squared_nodes": len(sizes) ** 2,
        "leaves": int(np.sum(~divided)),
        "training_errors": wrong,
        "divided_cases": int(cases.sum()),
        "sort_comparisons": int(sort_comparisons(cases).sum()),
        "root_comparisons": int(sort_comparisons(np.rint(sizes[0]))),
    }


def sort_comparisons(n):
    """The comparisons of a merge sort of ``n`` values, at most: n ceil(log2 n) - 2^ceil(log2 n) + 1; elementwise."""
    n = np.asarray(n, dtype=np.int64)
    levels = np.frexp(n - 1.0)[1].astype(np.int64)  # ceil(log2 n) without rounding: the bits of n - 1
    return n * levels - 2**levels + 1


def engine_counts(tree: EngineTree, X: CodedTable, classes, k: int, seed: int) -> dict[str, int]:
    grown = tree.grow(X, classes, k, [seed])
    wrong = int(np.sum(grown.tree_votes(X)[0] != classes))
    return counts_of(grown.nodes["weight"], grown.nodes["kind"] != LEAF, wrong)


def engine_seconds(
    tree: EngineTree, X: CodedTable, classes, k: int, seed: int, trees: int, test: CodedTable
) -> dict[str, float]:
    """CPU seconds to grow ``trees`` trees and to answer with them; the columns have been ranked before."""
    if not trees:
        return dict.fromkeys(TIMING, 0.0)
    seeds = [seed + place for place in range(trees)]
    tree.grow(X, classes, k, seeds[:1]).tree_votes(test)  # compiled, and in the cache
    start = process_time()
    forest = tree.grow(X, classes, k, seeds)
    grown = process_time()
    forest.tree_votes(test)
    return dict(zip(TIMING, (grown - start, process_time() - grown), strict=True))


def scikit_counts(tree: ScikitTree, X: CodedTable, classes, seed: int) -> dict[str, int]:
    """The same for a tree of scikit-learn, its checks of the input left out."""
    cells = X.cells.astype(np.float32)
    fitted = tree.make(seed).fit(cells, classes, check_input=False)
    wrong = int(np.sum(fitted.predict(cells, check_input=False) != classes))
    return counts_of(fitted.tree_.n_node_samples, fitted.tree_.children_left >= 0, wrong)


def scikit_seconds(
    tree: ScikitTree, X: CodedTable, classes, seed: int, trees: int, test: CodedTable
) -> dict[str, float]:
    cells, asked = X.cells.astype(np.float32), test.cells.astype(np.float32)
    growing = answering = 0.0
    for place in range(trees):
        timed, start = tree.make(seed + place), process_time()
        timed.fit(cells, classes, check_input=False)
        grown = process_time()
        timed.tree_.apply(asked)
        growing, answering = growing + grown - start, answering + process_time() - grown
    return dict(zip(TIMING, (growing, answering), strict=True))


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    return task["samples"] * (100 + task["cases"])


SIZE_TIME = Experiment(plan=plan, run=run, keys=("dataset", "cases", "tree"), timing=TIMING, cost=effort)
