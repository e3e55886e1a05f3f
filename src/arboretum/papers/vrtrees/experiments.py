"""The experiments of vrtrees.

Every cross-validation deals its folds on the stream (paper, dataset, repetition), so all learners of all experiments
see the same ones; a learner draws on the stream of its own kind, so the same learner gives the same errors in
whichever experiment it appears.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from arboretum.datasets import Dataset
from arboretum.datasets.generators import concept, concept_lattice, gaussian_mixture
from arboretum.ensembles import BoostedTrees, Coalescence, RandomForest, SearchedAlpha, VRForest
from arboretum.measures import stability
from arboretum.measures.vote_sums import VoteSums, mean_spread, vote_sums
from arboretum.papers.inventory import DATASETS
from arboretum.papers.resampling import Split, available, errors_of, stratified_folds
from arboretum.papers.shape import Experiment, Row, Task
from arboretum.seeds import generator, random_state
from arboretum.trees import Table, collapse, table_of

PAPER = "vrtrees"
Params = Mapping[str, Any]
Sets = Mapping[str, Mapping[str, Any]]


# ------------------------------------------------------------------ what all experiments share


def learner_of(spec: Mapping[str, Any], seed: int):
    """The learner that ``spec`` describes: its kind, its number of trees and its options."""
    options = {name: value for name, value in spec.items() if name not in ("kind", "trees")}
    common = {"n_estimators": spec["trees"], "random_state": seed}
    if spec["kind"] == "coalescence":
        return Coalescence(**common, **options)
    if spec["kind"] == "searched":
        return SearchedAlpha(**common, **options)
    if spec["kind"] == "boosting":
        return BoostedTrees(**common, **options)
    if spec["kind"] == "random_forest":
        return RandomForest(flavour="r", **common, **options)
    return VRForest(method=spec["kind"], **common, **options)


class Part(NamedTuple):
    """One fold: what is learned from and what is held out."""

    fold: int
    X: Table
    y: pd.Series
    test_X: Table
    test_y: pd.Series


def parts_of(task: Task, data: Dataset) -> Iterator[Part]:
    """The folds of a task; attributes are coded once."""
    table = table_of(data.X)
    axes = {"paper": PAPER, "dataset": task["dataset"], "repetition": task["repetition"]}
    deal = stratified_folds if task.get("stratified", True) else plain_folds
    for fold, (train, test) in enumerate(deal(data.y, task["folds"], **axes)):
        yield Part(fold, table.take(train), data.y.iloc[train], table.take(test), data.y.iloc[test])


def plain_folds(y: pd.Series, folds: int, **axes: object) -> list[Split]:
    """Folds that do not look at the class."""
    return stratified_folds(pd.Series(np.zeros(len(y), dtype=int)), folds, stratified=False, **axes)


def seed_of(task: Task, fold: int, spec: Mapping[str, Any], **more: object) -> int:
    """Options are no part of the stream: variants of a learner differ by what they do, not by luck."""
    learner = {name: spec[name] for name in ("kind", "alpha", "max_features") if name in spec}
    return random_state(
        paper=PAPER, dataset=task["dataset"], repetition=task["repetition"], fold=fold, learner=learner, **more
    )


def fitted(task: Task, part: Part, spec: Mapping[str, Any]):
    """The learner grown on the training part of one fold."""
    return learner_of(spec, seed_of(task, part.fold, spec)).fit(part.X, part.y)


def effort(task: Task, facts: Mapping[str, Any]) -> float:
    """About what a task costs: trees times cases times attributes, boosting and searching more."""
    specs = task["learners"].values() if isinstance(task["learners"], dict) else task["learners"]
    trees = sum(spec["trees"] * {"boosting": 5, "searched": 6}.get(spec["kind"], 1) for spec in specs)
    return trees * (200 + facts["rows"] * (4 + facts["attributes"]))


# ------------------------------------------------------------------ the spectrum (5.1) with its votes (5.2)


def plan_spectrum(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a set, repetition and method; of a large set, one for each alpha."""
    for name in available(sets, params["sets"]):
        alphas = [float(alpha) for alpha in params["alphas"]]
        large = sets[name]["rows"] * sets[name]["attributes"] > params["large"]
        for repetition in range(params["repetitions"]):
            for method in params["methods"]:
                for part in [[alpha] for alpha in alphas] if large else [alphas]:
                    yield {
                        "dataset": name,
                        "repetition": repetition,
                        "folds": params["folds"],
                        "learners": [{"kind": method, "alpha": alpha, "trees": params["trees"]} for alpha in part],
                    }


def run_spectrum(task: Task, data: Dataset) -> list[Row]:
    """Errors, votes and trees of VR-Trees at some alphas, a row for each fold."""
    parts = list(parts_of(task, data))
    rows = []
    for spec in task["learners"]:
        described = {"dataset": task["dataset"], "repetition": task["repetition"], "method": spec["kind"]}
        described |= {"alpha": spec["alpha"], "trees": spec["trees"]}
        rows += [described | row for row in voted_folds(task, parts, spec)]
    return rows


def voted_folds(task: Task, parts: list[Part], spec: Mapping[str, Any]) -> list[Row]:
    """One row a fold: errors, sums of votes, sizes; ``spread_pooled`` is that of all held-out cases together."""
    rows, sums = [], []
    for part in parts:
        forest = fitted(task, part, spec)
        sums.append(sums_of_votes(forest, part.test_X, part.test_y))
        row = {"fold": part.fold, "errors": errors_of(forest, part.test_X, part.test_y)}
        rows.append(row | row_of_votes(sums[-1]) | row_of_trees(forest))
    pooled = VoteSums(*(reduce(np.add, column) for column in zip(*sums, strict=True)))
    spread = mean_spread(pooled.right, pooled.rival, pooled.cases)
    return [row | {"spread_pooled": spread} for row in rows]


def sums_of_votes(forest, X: Table, y: pd.Series) -> VoteSums:
    """The votes of the trees against the true classes; codes are those of the declared classes."""
    declared = y.cat.categories.get_indexer(forest.classes_)
    return vote_sums(declared[forest.tree_votes(X)], y.cat.codes.to_numpy(), len(y.cat.categories))


def row_of_votes(sums: VoteSums) -> Row:
    return {
        "cases": sums.cases,
        "tree_errors": int(sums.cases * len(sums.right) - sums.right.sum()),
        "margins": sums.margins,
        "squared_margins": sums.squared_margins,
        "agreements": sums.agreements,
        "spread": mean_spread(sums.right, sums.rival, sums.cases),
    }


def row_of_trees(forest) -> Row:
    """Leaves, inner nodes and deterministic ones among them, summed over the trees."""
    tests = forest.feature_use_.sum(axis=1)
    return {
        "leaves": int(forest.n_leaves_.sum()),
        "tests": int(tests.sum()),
        "deterministic": round(float(np.nansum(forest.deterministic_share_ * tests))),
    }


# ------------------------------------------------------------------ coalescence and its benchmarks (5.3)


def plan_learners(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a set, learner and repetition; a dear learner may have fewer ``repetitions`` than the others."""
    for name in available(sets, params["sets"]):
        for learner, spec in params["learners"].items():
            for repetition in range(spec.get("repetitions", params["repetitions"])):
                yield {
                    "dataset": name,
                    "repetition": repetition,
                    "folds": params["folds"],
                    "learner": learner,
                    "learners": [{"trees": params["trees"]} | with_floats(spec)],
                }


def with_floats(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The learner alone; alpha: 1 and alpha: 1.0 are the same and must name the same stream."""
    return {name: float(value) if name == "alpha" else value for name, value in spec.items() if name != "repetitions"}


def run_learners(task: Task, data: Dataset) -> list[Row]:
    """Errors of one learner, a row for each fold."""
    spec = task["learners"][0]
    rows = []
    for part in parts_of(task, data):
        model = fitted(task, part, spec)
        row = {name: task[name] for name in ("dataset", "repetition", "learner")} | {"fold": part.fold}
        row |= {"errors": errors_of(model, part.test_X, part.test_y), "cases": len(part.test_y)}
        rows.append(row | ({"alpha": model.alpha_} if spec["kind"] == "searched" else {}))
    return rows


def plan_variants(params: Params, sets: Sets) -> Iterator[Task]:
    """The learners on VR-Trees with each C4.5; curtailment is read from the same trees."""
    for mdl in params["mdl"]:
        learners = {learner: {**spec, "mdl": mdl} for learner, spec in params["learners"].items()}
        yield from plan_learners({**params, "learners": learners}, sets)


def run_variants(task: Task, data: Dataset) -> list[Row]:
    """Errors with and without curtailment, a row for each fold and either."""
    spec = task["learners"][0]
    rows = []
    for part in parts_of(task, data):
        model = fitted(task, part, spec)
        described = {name: task[name] for name in ("dataset", "repetition", "learner")}
        for curtailment in (True, False):
            model.set_params(curtailment=curtailment)
            described |= {"mdl": spec["mdl"], "curtailment": curtailment, "fold": part.fold}
            counts = {"errors": errors_of(model, part.test_X, part.test_y), "cases": len(part.test_y)}
            rows.append(described | counts)
    return rows


# ------------------------------------------------------------------ choices that the paper leaves open (extended)


def plan_sensitivity(params: Params, sets: Sets) -> Iterator[Task]:
    """The learners of Table 3 again under each choice: options of the learner, or of its treatment.

    What concerns missing values changes nothing on a set that has none: such sets are left out.
    """
    for choice, settings in params["choices"].items():
        wanted = settings.get("learners", params["vr_learners"])
        learners = {name: {**params["learners"][name], **settings.get("options", {})} for name in wanted}
        concerned = params["sets"]
        if "missing" in settings.get("treatment", {}):
            concerned = [name for name in available(sets, concerned) if sets[name]["missing"]]
        for task in plan_learners({**params, "sets": concerned, "learners": learners}, sets):
            yield task | {"choice": choice} | dict(settings.get("treatment", {}))


def run_sensitivity(task: Task, data: Dataset) -> list[Row]:
    """Errors of one learner under one choice, a row for each fold."""
    spec = task["learners"][0]
    rows = []
    if task.get("missing") == "level":
        data = replace(data, X=missing_as_level(data.X))
    for part in parts_of(task, data):
        if task.get("missing") == "impute":
            fill = part.X.fill_values()
            part = part._replace(X=part.X.filled(fill), test_X=part.test_X.filled(fill))
        model = fitted(task, part, spec)
        if task.get("collapse", False):
            model.forest_ = collapse(model.forest_)
        row = {name: task[name] for name in ("choice", "dataset", "learner")} | {"fold": part.fold}
        rows.append(row | {"errors": errors_of(model, part.test_X, part.test_y), "cases": len(part.test_y)})
    return rows


def missing_as_level(X: pd.DataFrame) -> pd.DataFrame:
    """A missing nominal value becomes a level of its own: "-" where that is declared (not applicable), else "?"."""
    columns = {}
    for name, column in X.items():
        if isinstance(column.dtype, pd.CategoricalDtype) and column.isna().any():
            level = "-" if "-" in column.cat.categories else "?"
            declared = column.cat.categories.union([level], sort=False)
            columns[name] = column.cat.set_categories(declared).fillna(level)
    return X.assign(**columns)


# ------------------------------------------------------------------ concepts A and B (5.4)


def plan_concepts(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a concept, condition and run."""
    for kind in params["concepts"]:
        for condition, settings in params["conditions"].items():
            for run in range(params["runs"]):
                yield {
                    "concept": kind,
                    "condition": condition,
                    "run": run,
                    "lattice": params["lattice"],
                    "settings": dict(settings),
                    "learners": {
                        name: {"trees": params["trees"]} | with_floats(spec)
                        for name, spec in params["learners"].items()
                    },
                }


def run_concepts(task: Task, data: None) -> list[Row]:
    """Errors on the lattice of learners trained on one sample."""
    axes = {"paper": PAPER, "concept": task["concept"], "condition": task["condition"], "run": task["run"]}
    irrelevant = task["settings"].get("irrelevant", 0)
    X, y = concept(task["concept"], rng=generator(purpose="sample", **axes), **task["settings"])
    points, truth = concept_lattice(task["concept"], task["lattice"], irrelevant, generator(purpose="lattice", **axes))
    rows = []
    for name, spec in task["learners"].items():
        model = learner_of(spec, random_state(learner=name, **axes)).fit(X, y)
        described = {"concept": task["concept"], "condition": task["condition"], "run": task["run"], "learner": name}
        rows.append(described | {"errors": errors_of(model, points, truth), "cases": len(truth)})
    return rows


# ------------------------------------------------------------------ half of the attributes (5.4)


def plan_half(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a set and way of choosing attributes."""
    for name in available(sets, params["sets"]):
        for attributes in params["attributes"]:
            yield {
                "dataset": name,
                "repetition": 0,
                "folds": params["folds"],
                "attributes": attributes,
                "importance_trees": params["importance_trees"],
                "learners": {
                    learner: {"trees": params["trees"]} | with_floats(spec)
                    for learner, spec in params["learners"].items()
                },
            }


def run_half(task: Task, data: Dataset) -> list[Row]:
    """Errors on all attributes, or on the half that a random forest finds more important, a row for each fold."""
    kept = np.arange(data.X.shape[1])
    if task["attributes"] == "all data":
        kept = important_half(task, table_of(data.X), data.y, fold=-1)
    rows = []
    for part in parts_of(task, data):
        if task["attributes"] == "training part":
            kept = important_half(task, part.X, part.y, part.fold)
        reduced = part._replace(X=columns(part.X, kept), test_X=columns(part.test_X, kept))
        for learner, spec in task["learners"].items():
            errors = errors_of(fitted(task, reduced, spec), reduced.test_X, part.test_y)
            row = {"dataset": task["dataset"], "attributes": task["attributes"], "learner": learner, "fold": part.fold}
            rows.append(row | {"errors": errors, "cases": len(part.test_y), "kept": " ".join(data.X.columns[kept])})
    return rows


def columns(table: Table, kept: np.ndarray) -> Table:
    return Table(np.ascontiguousarray(table.cells[:, kept]), tuple(table.levels[f] for f in kept))


def important_half(task: Task, X: Table, y: pd.Series, fold: int) -> np.ndarray:
    """The attributes that stay when the less important half goes (of an odd number the middle one stays)."""
    spec = {"kind": "random_forest", "trees": task["importance_trees"]}
    seed = seed_of(task, fold, spec, purpose="importance")
    importance = learner_of(spec, seed).fit(X, y).permutation_importances(X, y, seed)
    order = np.argsort(importance, kind="stable")
    return np.sort(order[X.shape[1] // 2 :])


# ------------------------------------------------------------------ the boundary picture (5.4)


def plan_boundary(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a sample of the Gaussian mixture; the first one is drawn."""
    for sample in range(params["samples"]):
        yield {
            "sample": sample,
            "cases_per_class": params["cases_per_class"],
            "test_cases_per_class": params["test_cases_per_class"],
            "centres": params["centres"],
            "grid": params["grid"] if sample == 0 else 0,
            "learners": {name: with_floats(spec) for name, spec in params["learners"].items()},
        }


def run_boundary(task: Task, data: None) -> list[Row]:
    """Errors of each learner and of the Bayes rule; of the first sample also its cases and a map of its plane."""
    axes = {"paper": PAPER, "experiment": "boundary", "sample": task["sample"]}
    per_class = task["cases_per_class"] + task["test_cases_per_class"]
    X, y = gaussian_mixture(per_class, generator(**axes), task["centres"])
    middles = mixture_centres(task["centres"], generator(**axes))
    train = np.arange(len(y)) % per_class < task["cases_per_class"]
    models = {
        name: learner_of(spec, random_state(learner=name, **axes)).fit(X[train], y[train])
        for name, spec in task["learners"].items()
    }
    bayes = bayes_share(X[~train].to_numpy(), middles) > 0.5
    scores = {"cases": int(np.sum(~train)), "bayes_errors": int(np.sum(bayes != y[~train].cat.codes))}
    rows = []
    for index, (name, model) in enumerate(models.items()):
        said = y.cat.categories.get_indexer(model.predict(X[~train]))
        errors = {"errors": int(np.sum(said != y[~train].cat.codes)), "unlike_bayes": int(np.sum(said != bayes))}
        rows.append({"sample": task["sample"], "kind": "score", "index": index, "learner": name} | scores | errors)
    if task["grid"]:
        rows += picture(task, X[train], y[train], models, middles)
    return rows


def mixture_centres(centres: int, rng: np.random.Generator) -> np.ndarray:
    """The centres that ``gaussian_mixture`` draws first on the same stream: (classes, centres, 2)."""
    return np.array([[[1.0, 0.0]], [[0.0, 1.0]]]) + rng.standard_normal((2, centres, 2))


def bayes_share(points: np.ndarray, middles: np.ndarray) -> np.ndarray:
    """Probability of the second class: the classes are equal mixtures of N(centre, I/5)."""
    distance = np.sum((points[:, None, None, :] - middles[None]) ** 2, axis=-1)
    density = np.exp(-distance * 5 / 2).sum(axis=2)
    return density[:, 1] / density.sum(axis=1)


def picture(task: Task, X: pd.DataFrame, y: pd.Series, models: Mapping[str, Any], middles: np.ndarray) -> list[Row]:
    """The training cases, and at the points of a grid the share of the second class and the Bayes rule."""
    cases = [
        {
            "sample": 0,
            "kind": "case",
            "index": index,
            "x1": round(float(x1), 4),
            "x2": round(float(x2), 4),
            "label": float(code),
        }
        for index, (x1, x2, code) in enumerate(zip(X.iloc[:, 0], X.iloc[:, 1], y.cat.codes, strict=True))
    ]
    low, high = X.min().to_numpy() - 0.3, X.max().to_numpy() + 0.3
    sides = [np.linspace(low[axis], high[axis], task["grid"]) for axis in (0, 1)]
    points = np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, 2)
    frame = pd.DataFrame(points, columns=X.columns)
    shares = {name: model.predict_proba(frame)[:, 1] for name, model in models.items()}
    shares["bayes"] = bayes_share(points, middles)
    return cases + [
        {"sample": 0, "kind": "map", "index": index, "x1": round(float(x1), 4), "x2": round(float(x2), 4)}
        | {name: round(float(share[index]), 4) for name, share in shares.items()}
        for index, (x1, x2) in enumerate(points)
    ]


# ------------------------------------------------------------------ F of random forests against alpha (6.1)


def plan_forests(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a set and forest: every F from 1 to the number of attributes, and every alpha."""
    for name in available(sets, params["sets"]):
        features = range(1, sets[name]["attributes"] + 1, params["feature_step"])
        specs = [{"kind": "random_forest", "max_features": F, "trees": params["trees"]} for F in features]
        specs += [{"kind": "aggregating", "alpha": float(a), "trees": params["trees"]} for a in params["alphas"]]
        for spec in specs:
            yield {"dataset": name, "repetition": 0, "folds": params["folds"], "learners": [spec]}


def run_forests(task: Task, data: Dataset) -> list[Row]:
    """Errors and votes of one forest, a row for each fold."""
    spec = task["learners"][0]
    setting = spec["max_features"] if spec["kind"] == "random_forest" else spec["alpha"]
    described = {"dataset": task["dataset"], "learner": spec["kind"], "setting": setting, "trees": spec["trees"]}
    return [described | row for row in voted_folds(task, list(parts_of(task, data)), spec)]


# ------------------------------------------------------------------ stability (appendix B)


def plan_stability(params: Params, sets: Sets) -> Iterator[Task]:
    """One task a condition and sample: each condition changes one thing."""
    for study, settings in params["studies"].items():
        for value in settings["values"]:
            for sample in range(params["samples"]):
                yield {
                    "study": study,
                    "value": value,
                    "sample": sample,
                    "condition": dict(params["condition"]) | {study: value},
                    "segments": params["segments"],
                    "exact_up_to": params["exact_up_to"],
                    "test_cases": params["test_cases"],
                    "trees": params["trees"],
                }


def run_stability(task: Task, data: None) -> list[Row]:
    """Leave-one-out losses of complete-random ensembles beside the class transitions of the sample."""
    axes = {"paper": PAPER, "experiment": "stability", **task["condition"], "sample": task["sample"]}
    rng = generator(**axes)
    size, noise, irrelevant = (task["condition"][name] for name in ("size", "noise", "irrelevant"))
    X, truth = segments(size, task["segments"], irrelevant, rng)
    flipped = rng.permutation(size)[: round(noise * size)]
    y = truth.copy()
    y[flipped] *= -1
    test, test_truth = segments(task["test_cases"], task["segments"], irrelevant, rng)
    whole = random_trees(task["trees"], X, y, random_state(**axes))
    row = {"study": task["study"], "value": float(task["value"]), "sample": task["sample"], "size": size}
    row |= {
        "transitions": stability.transitions(X[:, 0], y),
        "mean_transitions": float(np.mean([stability.transitions(column, y) for column in X.T])),
        "training_loss": float(np.sum(stability.loss(output_of(whole, X), y))),
        "left_out_loss": left_out_loss(task["trees"], X, y, axes),
        "test_loss": float(np.sum(stability.loss(output_of(whole, test), test_truth))),
        "test_cases": task["test_cases"],
    }
    if irrelevant == 0 and size <= task["exact_up_to"]:
        row["left_out_loss_exact"] = float(stability.left_out_losses(X[:, 0], y).sum())
    return [row]


def segments(size: int, count: int, irrelevant: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Uniform attributes; the class changes its sign between ``count`` equal segments of the first one."""
    X = rng.random((size, 1 + irrelevant))
    return X, 1 - 2 * (np.floor(X[:, 0] * count).astype(int) % 2)


def random_trees(trees: int, X: np.ndarray, y: np.ndarray, seed: int):
    """Complete-random trees with pure leaves, as appendix B assumes."""
    spec = {"kind": "aggregating", "alpha": 0.0, "trees": trees, "n_min": 2, "curtailment": False}
    return learner_of(spec, seed).fit(X, y)


def output_of(forest, X: np.ndarray) -> np.ndarray:
    """f(x) in [-1, 1]: the mean of the trees' answers -1 and +1."""
    return forest.predict_proba(X) @ np.asarray(forest.classes_, dtype=float)


def left_out_loss(trees: int, X: np.ndarray, y: np.ndarray, axes: Mapping[str, Any]) -> float:
    """The summed loss at each case of the ensemble grown without it."""
    total = 0.0
    for i in range(len(y)):
        others = np.arange(len(y)) != i
        forest = random_trees(trees, X[others], y[others], random_state(left_out=i, **axes))
        total += float(stability.loss(output_of(forest, X[i : i + 1]), y[i : i + 1])[0])
    return total


def stability_effort(task: Task, facts: Mapping[str, Any]) -> float:
    return task["condition"]["size"] ** 2


EXPERIMENTS = {
    "datasets": DATASETS,
    "spectrum": Experiment(
        plan_spectrum, run_spectrum, keys=("dataset", "repetition", "method", "alpha", "fold"), cost=effort
    ),
    "coalescence": Experiment(
        plan_learners, run_learners, keys=("dataset", "repetition", "learner", "fold"), cost=effort
    ),
    "variants": Experiment(
        plan_variants,
        run_variants,
        keys=("dataset", "repetition", "learner", "mdl", "curtailment", "fold"),
        cost=effort,
    ),
    "concepts": Experiment(plan_concepts, run_concepts, keys=("concept", "condition", "run", "learner")),
    "half_attributes": Experiment(plan_half, run_half, keys=("dataset", "attributes", "learner", "fold"), cost=effort),
    "boundary": Experiment(plan_boundary, run_boundary, keys=("sample", "kind", "index")),
    "forests": Experiment(plan_forests, run_forests, keys=("dataset", "learner", "setting", "fold"), cost=effort),
    "stability": Experiment(plan_stability, run_stability, keys=("study", "value", "sample"), cost=stability_effort),
    "sensitivity": Experiment(
        plan_sensitivity, run_sensitivity, keys=("choice", "dataset", "learner", "fold"), cost=effort
    ),
}
