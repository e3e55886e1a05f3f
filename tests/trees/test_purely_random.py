"""Purely random trees (infinity, sections 7 and 8) follow their exact laws."""

from collections import Counter

import numpy as np
import pytest
from reference import laws
from scipy.stats import binomtest, chisquare, kstest, triang

from arboretum.ensembles import PurelyRandomForest
from arboretum.seeds import random_state

TREES = 8000
REJECT = 1e-4


def forest(X, y, name, **settings):
    model = PurelyRandomForest(TREES, box="unit", random_state=random_state(proof=name), **settings)
    return model.fit(X, y)


def shape_and_cuts(node, low, high, cuts):
    """Shape of the tree with its split variables. Appends to ``cuts`` where each cut lies on its side, from 0 to 1."""
    if "children" not in node:
        return None
    f, cut = node["feature"], node["cut"]
    cuts.append((cut - low[f]) / (high[f] - low[f]))
    left, right = high.copy(), low.copy()
    left[f] = right[f] = cut
    first, second = node["children"]
    return f, shape_and_cuts(first, low, left, cuts), shape_and_cuts(second, right, high, cuts)


@pytest.mark.parametrize(("n_leaves", "n_features"), [(3, 2), (4, 2), (5, 1)])
def test_shapes_and_cuts(n_leaves, n_features):
    """Terminal node, variable and cut are uniform, whatever the data."""
    X = np.random.default_rng(0).uniform(size=(6, n_features))
    model = forest(X, [0, 1, 0, 1, 0, 1], f"shapes-{n_leaves}-{n_features}", n_leaves=n_leaves)
    cuts, seen = [], Counter()
    for t in range(TREES):
        low, high = np.zeros(n_features), np.ones(n_features)
        seen[shape_and_cuts(model.forest_.nested(t), low, high, cuts)] += 1
    law = laws.purely_random_shapes(n_leaves, n_features)
    assert set(seen) <= set(law)
    assert chisquare([seen[shape] for shape in law], [TREES * p for p in law.values()]).pvalue > REJECT
    assert kstest(cuts, "uniform").pvalue > REJECT


@pytest.mark.parametrize("n_leaves", [2, 3, 8, 20])
@pytest.mark.parametrize("z", [(0.5,), (0.2, 0.6), (0.1, 0.1, 0.3)])
def test_kernel_of_theorem_4(z, n_leaves):
    """The share of trees in which the origin and z are in the same terminal node."""
    X = np.array([np.zeros(len(z)), z])
    model = forest(X, [0, 1], f"kernel-{n_leaves}-{len(z)}", n_leaves=n_leaves)
    leaves = model.apply(X)
    together = int((leaves[0] == leaves[1]).sum())
    assert binomtest(together, TREES, laws.corner_kernel(list(z), n_leaves)).pvalue > REJECT


def test_triangular_cut():
    """Section 8: a triangular density that peaks at the cut of fewest errors and is 0 at both ends."""
    X = np.linspace(0, 1, 2001)[:, None]
    model = forest(X, (X[:, 0] > 0.3).astype(int), "triangular", n_leaves=2, cut="triangular")
    cuts = [model.forest_.nested(t)["cut"] for t in range(TREES)]
    assert kstest(cuts, triang(0.3).cdf).pvalue > REJECT
    assert kstest(cuts, triang(0.33).cdf).pvalue < REJECT


def test_leaf_frequencies_are_those_of_the_cases_in_the_leaf():
    rng = np.random.default_rng(1)
    X, y = rng.uniform(size=(40, 2)), rng.integers(0, 3, 40)
    model = PurelyRandomForest(20, n_leaves=7, box="unit", random_state=0).fit(X, y)
    leaves = model.apply(X)
    for t in range(20):
        assert model.n_nodes_[t] == 13
        for leaf in np.unique(leaves[:, t]):
            inside = leaves[:, t] == leaf
            share = np.bincount(y[inside], minlength=3) / inside.sum()
            np.testing.assert_allclose(model.tree_proba(X)[t, inside], np.tile(share, (inside.sum(), 1)))
