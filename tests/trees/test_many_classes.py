"""Nodes of so many classes that a rank has several words: the trees equal those of the reference growers."""

import numpy as np
import pytest
from compare_trees import assert_same
from engine_trees import c45_rule, cart_rule, grow
from reference import c45, cart
from reference.table import size, table


def cases_of(classes, n=400):
    """Columns with few and with many values by turns: a large node counts the former and sorts by the latter."""
    rng = np.random.default_rng(classes)
    y = np.concatenate([np.arange(classes), rng.integers(0, classes, n - classes)])
    columns = list((rng.normal(size=(n, 5)) + rng.normal(scale=2, size=(classes, 5))[y]).T)
    for f in (0, 2, 4):
        columns[f] = np.clip(columns[f].round(), -2, 2)
    return table(columns, ["numeric"] * 5, [0] * 5, y, classes)


@pytest.mark.parametrize("classes", [20, 64, 65, 150])
@pytest.mark.parametrize("mdl", [False, True])
def test_c45_equals_the_reference(classes, mdl):
    cases = cases_of(classes)
    tree = c45.grow(cases, mdl=mdl)
    assert size(tree) > 20
    assert_same(grow(cases, c45_rule(mdl=mdl), n_min=4.0).nested(), tree)


@pytest.mark.parametrize("classes", [20, 64, 65, 150])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_every_node_of_cart_has_a_best_split(classes, criterion):
    cases = cases_of(classes, 250)
    tree = grow(cases, cart_rule(gini=criterion == "gini"), n_min=0.0).nested()
    cart.check(tree, cases, criterion, min_split=0)


@pytest.mark.parametrize("classes", [64, 65])
def test_counts_of_one_tree_do_not_reach_the_next(classes):
    """Trees of one call share their buffers; each must be the tree that a call of its own gives."""
    cases, rule, seeds = cases_of(classes), cart_rule(n_tried=2), np.arange(4)
    together = grow(cases, rule, seeds, bootstrap=True)
    for tree, seed in enumerate(seeds):
        assert together.nested(tree) == grow(cases, rule, [seed], bootstrap=True).nested()
