"""Small sets for the tests of dynamic integration: ties, missing values, constant columns, absent classes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from arboretum.ensembles import DynamicIntegration, RandomForest
from arboretum.trees import table_of

SCHEMES = list(product(("heom", "forest"), ("none", "local")))
STRATEGIES = ("sv", "ds", "dv", "dvs", "ds_vote")


def nominal_data(n=70, missing=0.0, seed=0):
    """Nominal and numeric columns, ties everywhere, a constant column, three classes and one that never occurs."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": pd.Categorical.from_codes(rng.integers(0, 3, n), list("xyz")),
            "b": pd.Categorical.from_codes(rng.integers(0, 2, n), list("pqr")),
            "c": rng.integers(0, 5, n) / 10,
            "d": np.full(n, 7.0),
            "e": rng.random(n),
        }
    )
    label = (X["a"].cat.codes + (X["c"] > 0.2) + (rng.random(n) < 0.2)) % 3
    y = pd.Series(pd.Categorical.from_codes(label, ["one", "two", "three", "never"]))
    if missing:
        X = X.mask(rng.random(X.shape) < missing)
    return X, y


def levels_alone():
    """Nominal columns only, with missing values: HEOM is then a count of differences."""
    X, y = nominal_data(missing=0.2, seed=2)
    return X.assign(c=X["c"].astype("category"), d=X["d"].astype("category"), e=X["a"]), y


def iris():
    X, y = load_iris(return_X_y=True, as_frame=True)
    shuffled = np.random.default_rng(3).permutation(len(X))
    return X.iloc[shuffled], y.iloc[shuffled].astype("category")


SETS = {
    "iris": iris(),
    "nominal": nominal_data(),
    "missing": nominal_data(missing=0.15, seed=1),
    "levels": levels_alone(),
}


def halves(name, train=45, test=20):
    X, y = SETS[name]
    table = table_of(X)
    rows, asked = np.arange(train), np.arange(train, train + test)
    return table.take(rows), y.iloc[rows], table.take(asked), y.iloc[asked]


def fitted(name, trees=12, **options):
    X, y, asked, _ = halves(name)
    forest = RandomForest("weka", trees, random_state=5)
    return DynamicIntegration(forest, random_state=2, **options).fit(X, y), X, y, asked


def noisy(n, seed):
    rng = np.random.default_rng(seed)
    X = rng.random((n, 5))
    y = (X[:, 0] > 0.5) ^ (rng.random(n) < 0.25)
    return X, y.astype(int)
