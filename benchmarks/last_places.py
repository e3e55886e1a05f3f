"""Does any estimator hang on a last bit? ``python -m benchmarks.last_places``: part of ``make machines``.

Every estimator is fitted twice on ten small sets with 50 seeds, with and without weights: once as it is, once with
random last places (``noise.py``). Trees, votes and predicted classes must be the same.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from arboretum.ensembles import (
    PERT,
    ArcedTrees,
    BoostedTrees,
    Coalescence,
    DynamicIntegration,
    ExtraTrees,
    GuidedForest,
    NCLEnsemble,
    PurelyRandomForest,
    RandomForest,
    SearchedAlpha,
    VRForest,
    VRTree,
)
from arboretum.ensembles.growth_strategies import STRATEGIES
from arboretum.ensembles.guided_forest import MECHANISMS
from benchmarks.noise import noisy

TREES = 10
SETS, SEEDS = 10, 50


def estimators() -> dict[str, Callable]:
    """Every estimator and every option of it that computes, by name; each takes a random state."""

    def of(kind, **options):
        return lambda seed: kind(**options, random_state=seed)

    found = {
        "VRTree": of(VRTree, alpha=0.5, prune=0.25),
        "VRTree, few leaves": of(VRTree, alpha=1.0, max_leaves=5),
        "Coalescence": of(Coalescence, n_estimators=TREES),
        "SearchedAlpha": of(SearchedAlpha, n_estimators=TREES),
        "PERT": of(PERT, n_estimators=TREES),
        "ExtraTrees": of(ExtraTrees, n_estimators=TREES),
        "PurelyRandomForest": of(PurelyRandomForest, n_estimators=TREES),
        "ArcedTrees": of(ArcedTrees, n_estimators=TREES),
        "NCLEnsemble": of(NCLEnsemble, n_estimators=3, n_steps=100),
        "NCLEnsemble, kl": of(NCLEnsemble, n_estimators=3, n_steps=100, loss="kl"),
    }
    found |= {f"VRForest, alpha {alpha}": of(VRForest, alpha=alpha, n_estimators=TREES) for alpha in (0.0, 0.5, 1.0)}
    found["VRForest, bagging"] = of(VRForest, method="bagging", n_estimators=TREES)
    found |= {
        f"RandomForest, {flavour}": of(RandomForest, flavour=flavour, n_estimators=TREES) for flavour in ("r", "weka")
    }
    for base in ("c45", "j48", "cart"):
        for algorithm in ("M1", "SAMME", "C5.0"):
            depth = 2 if base == "cart" else None
            found[f"BoostedTrees, {base}, {algorithm}"] = of(
                BoostedTrees, base=base, algorithm=algorithm, n_estimators=TREES, max_depth=depth
            )
    for strategy in STRATEGIES:
        for mechanism in MECHANISMS:
            found[f"GuidedForest, {strategy}, {mechanism}"] = of(
                GuidedForest, strategy=strategy, mechanism=mechanism, n_estimators=TREES
            )
    for similarity in ("heom", "forest", "forest_oob"):
        for strategy in ("ds", "dv", "dvs"):
            found[f"DynamicIntegration, {similarity}, {strategy}"] = of(
                DynamicIntegration, similarity=similarity, strategy=strategy, forest=RandomForest("weka", TREES)
            )
    return found


def small_set(number: int) -> tuple[pd.DataFrame, np.ndarray]:
    """60 to 150 cases: numbers with ties, levels, and missing values in every other set."""
    rng = np.random.Generator(np.random.PCG64([20261118, number]))
    cases, classes = int(rng.integers(60, 150)), int(rng.integers(2, 5))
    X = pd.DataFrame({f"x{i}": np.round(rng.random(cases) * 10, int(rng.integers(0, 4))) for i in range(4)})
    X["level"] = pd.Categorical.from_codes(rng.integers(4, size=cases), list("abcd"))
    y = (X["x0"] + X["x1"] * rng.random(cases) + X["level"].cat.codes > 9).to_numpy(int)
    y = np.where(rng.random(cases) < 0.2, rng.integers(classes, size=cases), y)
    if number % 2:
        X = X.mask(rng.random(X.shape) < 0.05)
    return X, y


def cases_of(name: str, number: int) -> tuple[pd.DataFrame | np.ndarray, np.ndarray]:
    """The set as this estimator reads it: networks and purely random trees take complete numbers only."""
    X, y = small_set(number)
    if name.startswith(("NCL", "PurelyRandom")):
        numbers = X.drop(columns="level").fillna(5.0).to_numpy(float)
        return (numbers / 10 if name.startswith("Purely") else numbers), y
    return X, y


def answers(make: Callable, X, y, seed: int, weights: np.ndarray | None) -> list[np.ndarray]:
    """Trees, votes and predicted classes."""
    model = make(seed).fit(X, y) if weights is None else make(seed).fit(X, y, sample_weight=weights)
    found = [np.asarray(model.predict(X))]
    if hasattr(model, "forest_"):
        nodes = model.forest_.nodes
        found += [nodes["kind"], nodes["feature"], nodes["cut"], nodes["child"], np.asarray(model.tree_votes(X))]
    return found


def differing(sets: int, seeds: int, most: int = 10**9) -> Iterator[tuple[str, int]]:
    """(estimator, number of fits that differ under noise), for each estimator; ``most`` ends an estimator early."""
    for name, make in estimators().items():
        different = 0
        for number in range(sets):
            X, y = cases_of(name, number)
            weights = np.random.Generator(np.random.PCG64(number)).uniform(0.5, 2.0, len(y))
            for seed in range(seeds):
                takes_weights = seed % 2 == 1 and not name.startswith("NCL")
                options = (make, X, y, seed, weights if takes_weights else None)
                plain = answers(*options)
                with noisy(seed):
                    moved = answers(*options)
                same = all(one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
                           for one, other in zip(plain, moved, strict=True))  # fmt: skip
                different += not same
                if different >= most:
                    break
        yield name, different


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.last_places", description=__doc__)
    parser.add_argument("--sets", type=int, default=SETS)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    options = parser.parse_args()
    start, total = time.monotonic(), 0
    for name, different in differing(options.sets, options.seeds):
        total += different
        print(f"{name}: {different} of {options.sets * options.seeds} fits differ", flush=True)
    print(f"{len(estimators())} estimators, {total} differences, {time.monotonic() - start:.0f} s")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
