"""What must hold for every grown forest: counts add up, and both kinds of growth agree."""

import numpy as np
import pytest
from engine_trees import RULES, three_classes

from arboretum.trees import grow_forest


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("name", RULES)
def test_counts_add_up(name, missing):
    """Class weights of a node are those of its children, and those of the root are those of the data."""
    table, y = three_classes(missing)
    rule, n_min = RULES[name]
    forest = grow_forest(table, y, 3, rule, np.arange(5), n_min=n_min, bootstrap=True)
    weights = forest.class_weights
    assert weights[forest.starts[:-1]].sum(axis=1) == pytest.approx(len(y))
    inner = np.flatnonzero(forest.nodes["kind"] != 0)
    child = forest.nodes["child"][inner]
    assert weights[child] + weights[child + 1] == pytest.approx(weights[inner])
    assert weights.sum(axis=1) == pytest.approx(forest.nodes["weight"])


@pytest.mark.parametrize("name", RULES)
def test_fractional_growth_without_fractions_is_exact_growth(name):
    """Weights that differ from whole numbers by 1e-13 use fractional growth, which must choose the same tests."""
    table, y = three_classes(missing=False)
    rule, n_min = RULES[name]
    whole = np.random.default_rng(0).integers(1, 4, len(y)).astype(float)
    near = whole + 1e-13
    exact = grow_forest(table, y, 3, rule, np.arange(10), weights=whole, n_min=n_min)
    real = grow_forest(table, y, 3, rule, np.arange(10), weights=near, n_min=n_min)
    assert (exact.starts == real.starts).all()
    for column in ("kind", "feature", "child", "cut", "deterministic"):
        assert (exact.nodes[column] == real.nodes[column]).all()
    assert real.class_weights == pytest.approx(exact.class_weights, abs=1e-9)
