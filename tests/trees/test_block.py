"""Blocks of a large table do not change its trees."""

import numpy as np
import pytest

from arboretum.trees import buffers, cart_rule, grow_forest, table_of, vr_rule


@pytest.mark.parametrize(("missing", "classes"), [(False, 3), (True, 3), (False, 27)])
def test_blocks_do_not_change_a_tree(monkeypatch, missing, classes):
    """Small nodes of large tables use ranks of their own; the trees must be those grown from the whole columns."""
    rng = np.random.default_rng(5)
    n = 20_000
    X = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 50, n)])
    y = (X[:, 0] + X[:, 1] + rng.normal(size=n) > 0).astype(int) + (X[:, 3] > 25)
    y += 3 * rng.integers(0, classes // 3, n)
    if missing:
        X[rng.random(X.shape) < 0.02] = np.nan
    table = table_of(X)
    assert n > buffers.LARGE
    for rule in (vr_rule(1.0), vr_rule(0.5), cart_rule()):  # rules that search all features
        with_blocks = grow_forest(table, y, classes, rule, [1], n_min=50)
        with monkeypatch.context() as patch:
            patch.setattr(buffers, "LARGE", n)
            without = grow_forest(table, y, classes, rule, [1], n_min=50)
        assert np.array_equal(with_blocks.nodes, without.nodes)
        assert with_blocks.n_leaves[0] > 20
