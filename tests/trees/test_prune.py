"""Collapsing, pruning and limiting the number of leaves."""

import numpy as np
import pytest

from arboretum.trees import collapse, grow_forest, limit_leaves, prune, table_of, vr_rule
from arboretum.trees.prune import added_errors


@pytest.fixture
def forest():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] > 0).astype(int) ^ (rng.random(200) < 0.25)
    return grow_forest(table_of(X), y, 2, vr_rule(0.5), np.arange(3), n_min=4), table_of(X), y


def test_quinlans_example():
    """Quinlan 1993, chapter 4: the upper limits of 0 errors in 6 and 9 cases at 25% are 0.206 and 0.143.

    That of 1 error in 16 cases is 0.157, which the normal approximation meets to two digits.
    """
    assert added_errors(6, 0, 0.25) == pytest.approx(6 * 0.206, abs=0.005)
    assert added_errors(9, 0, 0.25) == pytest.approx(9 * 0.143, abs=0.005)
    assert 1 + added_errors(16, 1, 0.25) == pytest.approx(16 * 0.157, abs=0.05)


def test_collapse_keeps_training_errors(forest):
    grown, table, y = forest
    small = collapse(grown)
    assert (small.n_leaves < grown.n_leaves).any()
    before, after = (f.tree_votes(table) != y for f in (grown, small))
    assert (after.sum(axis=1) == before.sum(axis=1)).all()


def test_pruned_trees_are_smaller_and_their_counts_add_up(forest):
    grown, _, _ = forest
    small = prune(grown, 0.25)
    assert (small.n_leaves < grown.n_leaves).all()
    assert (small.class_weights[small.starts[:-1]] == grown.class_weights[grown.starts[:-1]]).all()
    inner = np.flatnonzero(small.nodes["kind"])
    child = small.nodes["child"][inner]
    assert (small.class_weights[child] + small.class_weights[child + 1] == small.class_weights[inner]).all()


@pytest.mark.parametrize("most", [1, 2, 5])
def test_leaf_limit(forest, most):
    grown, _, _ = forest
    assert (limit_leaves(grown, most).n_leaves == most).all()


def test_a_limit_beyond_the_tree_changes_nothing(forest):
    grown, table, _ = forest
    assert (limit_leaves(grown, 10_000).probability(table) == grown.probability(table)).all()
