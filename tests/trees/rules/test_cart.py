"""CART trees: every node has a best split, checked by trying all splits."""

import numpy as np
import pytest
from benchmarks.peers import Cases, r
from engine_trees import cart_rule, engine_table, grow
from hypothesis import given, settings
from random_tables import larger_tables, tables
from reference import cart
from reference.table import nodes, table

FEW_EXAMPLES = settings(max_examples=120, deadline=None, derandomize=True)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@FEW_EXAMPLES
@given(cases=tables(missing=False, max_rows=25))
def test_every_node_has_a_best_split(criterion, cases):
    tree = grow(cases, cart_rule(gini=criterion == "gini"), n_min=0.0).nested()
    cart.check(tree, cases, criterion, min_split=0)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cases=larger_tables(kinds=("numeric",), missing=False))
def test_larger_numeric_tables_too(cases):
    cart.check(grow(cases, cart_rule(), n_min=2.0).nested(), cases)


@FEW_EXAMPLES
@given(cases=tables(missing=False, max_rows=25))
def test_limits_of_size_and_depth(cases):
    tree = grow(cases, cart_rule(), n_min=5.0, max_depth=2).nested()
    cart.check(tree, cases, min_split=5, max_depth=2)


@pytest.mark.parametrize(("classes", "levels"), [(2, 14), (3, 9), (3, 10)])
def test_best_grouping_of_many_levels(classes, levels):
    """With two classes the best grouping is exact for any number of levels, with more classes for up to ten."""
    rng = np.random.default_rng(levels)
    column, y = rng.integers(0, levels, 60), rng.integers(0, classes, 60)
    cases = table([column], ["nominal"], [levels], y, classes)
    tree = grow(cases, cart_rule(), max_depth=1, n_min=2.0).nested()
    cart.check(tree, cases, max_depth=1)


@pytest.mark.parametrize("levels", [200, 3000])
def test_thousands_of_levels_are_ordered_by_class_share(levels):
    """Two classes: the root's grouping is the best prefix of the levels in the order of their share of a class."""
    rng = np.random.default_rng(levels)
    column = np.concatenate([np.arange(levels), rng.integers(0, levels, 5 * levels)])
    y = (rng.random(len(column)) < rng.random(levels)[column]).astype(int)
    tree = grow(table([column], ["nominal"], [levels], y, 2), cart_rule(), max_depth=1, n_min=2.0).nested()
    counts = np.zeros((levels, 2))
    np.add.at(counts, (column, y), 1)
    order = np.lexsort((np.arange(levels), counts[:, 0] / counts.sum(axis=1)))
    left = np.cumsum(counts[order], axis=0)[:-1]
    right = counts.sum(axis=0) - left
    purity = sum((side**2).sum(axis=1) / side.sum(axis=1) for side in (left, right))
    best = set(order[: int(np.argmax(purity)) + 1].tolist())
    assert set(tree["left_levels"]) in (best, set(range(levels)) - best)


def test_grouping_beyond_ten_levels_is_a_good_one():
    """Sampled groupings: the best split may be missed, but the tree must still separate the classes."""
    rng = np.random.default_rng(0)
    column = rng.integers(0, 22, 400)
    cases = table([column], ["nominal"], [22], column % 3)
    trees = grow(cases, cart_rule(), np.arange(5), n_min=2.0)
    for t in range(5):
        leaves = [node for node in nodes(trees.nested(t)) if "children" not in node]
        assert all(max(leaf["counts"]) == sum(leaf["counts"]) for leaf in leaves)


ABSENT = [
    pytest.param(present, levels, alone, id=f"{present}-of-{levels}-{alone}")
    for present in ((0, 2, 3), (1, 2, 3), (0, 1, 3), (0, 1, 2))
    for levels in (4, 7)
    for alone in range(3)
]


def highest_level_rule(present, levels, alone):
    """Training cases of three levels, one of which has a class of its own, and the expected class of every level."""
    column = np.repeat(present, (5, 20, 8))
    classes = np.arange(3) == alone
    y = np.repeat(classes, (5, 20, 8)).astype(int)
    expected = [int(classes[present.index(k)] if k in present else classes[2]) for k in range(levels)]
    return column * 1.0, y, expected


@pytest.mark.parametrize(("present", "levels", "alone"), ABSENT)
def test_absent_levels_go_with_the_highest_present_one(present, levels, alone):
    """R's randomForest does the same, whichever side is heavier (see the next test)."""
    column, y, expected = highest_level_rule(present, levels, alone)
    forest = grow(table([column], ["nominal"], [levels], y), cart_rule(), n_min=2.0)
    every_level = engine_table(table([np.arange(levels)], ["nominal"], [levels], np.zeros(levels, int)))
    assert forest.tree_votes(every_level)[0].tolist() == expected


@pytest.mark.skipif(not r.installed(), reason="R or its package randomForest is not installed")
@pytest.mark.parametrize(("present", "levels", "alone"), ABSENT[::5])
def test_absent_levels_in_r_itself(present, levels, alone):
    column, y, expected = highest_level_rule(present, levels, alone)
    train = Cases([column], ["nominal"], [levels], y, 2)
    test = Cases([np.arange(levels) * 1.0], ["nominal"], [levels], np.array(expected), 2)
    _, answers = r.forest("randomForest", train, test, mtry=1, trees=1, bootstrap=False, repeats=1)
    assert answers.tolist() == expected
