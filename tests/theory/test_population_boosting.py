"""AdaBoost in distribution space against a case worked by hand, brute force and the theory it must obey."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from arboretum.seeds import generator
from arboretum.theory import completeness as co
from arboretum.theory import population_boosting as pb


def test_two_cells_by_hand():
    # p = .8 and .5, equal mass: q = (4, 5)/9, sinh r = (-3/4, 0), cosh r = (5/4, 1)
    # I_0 = 10/9, b_1 = (4/9)(3/4) / (10/9) = .3, s_1 = c h with h = (+1, +1)
    p, mass = np.array([0.8, 0.5]), np.array([0.5, 0.5])
    np.testing.assert_allclose(pb.half_log_odds(p), [-np.log(2), 0], atol=1e-15)
    np.testing.assert_allclose(pb.loss_measure(p, mass), [4 / 9, 5 / 9])
    history = pb.arc(p, mass, pb.all_trees((2,), 2), 1)
    assert history.loss[0] == pytest.approx(10 / 9)
    assert history.b[1] == pytest.approx(0.3)
    assert history.step[1] == pytest.approx(0.5 * np.log(1.3 / 0.7))
    np.testing.assert_allclose(history.function, 0.5 * np.log(1.3 / 0.7))
    assert history.loss[1] == pytest.approx(10 / 9 * np.sqrt(0.91))
    assert history.error[1] == pytest.approx((0.2 + 0.5) / 2)


def test_the_tree_is_the_best_of_all_signed_trees():
    shape, leaves = (3, 4), 3
    gradient = generator(test="best tree").normal(size=12)
    value, tree = pb.best_tree(pb.all_trees(shape, leaves), gradient)
    brute = min(
        float(np.array(signs) @ co.indicators(partition, shape) @ gradient)
        for partition in co.partitions(shape, leaves)
        for signs in itertools.product((-1, 1), repeat=leaves)
    )
    assert value == pytest.approx(brute)
    assert gradient @ tree == pytest.approx(brute)
    assert set(np.unique(tree)) <= {-1.0, 1.0}


def test_the_loss_is_the_exponential_loss_of_equation_4():
    rng = generator(test="loss")
    p, mass = rng.uniform(0.05, 0.95, 6), rng.dirichlet(np.ones(6))
    phi = rng.normal(size=6)
    exponential = (np.exp(-phi) * p + np.exp(phi) * (1 - p)) @ mass
    q = pb.loss_measure(p, mass)
    constant = 2 * np.sqrt(p * (1 - p)) @ mass
    assert constant * (np.cosh(phi + pb.half_log_odds(p)) @ q) == pytest.approx(exponential)


def test_the_step_is_the_minimum_along_its_tree():
    rng = generator(test="line")
    p, mass = rng.uniform(0.1, 0.9, 12), np.full(12, 1 / 12)
    trees = pb.all_trees((3, 4), 3)
    history = pb.arc(p, mass, trees, 3)
    r, q = pb.half_log_odds(p), pb.loss_measure(p, mass)
    before = pb.arc(p, mass, trees, 2).function
    tree = (history.function - before) / history.step[3]
    losses = [np.cosh(r + before + (history.step[3] + e) * tree) @ q for e in (-1e-3, 0.0, 1e-3)]
    assert losses[1] < min(losses[0], losses[2])
    assert history.loss[3] == pytest.approx(losses[1])


def test_large_trees_converge_and_stumps_fail_on_xor():
    shape = (4, 4)
    p = np.where(co.parity(shape) > 0, 0.9, 0.1).ravel()
    mass = np.full(16, 1 / 16)
    stumps = pb.arc(p, mass, pb.all_trees(shape, 2), 50)
    assert len(stumps.loss) == 1, "no stump lowers the loss"
    assert stumps.error[-1] == pytest.approx(0.5)
    trees = pb.arc(p, mass, pb.all_trees(shape, 3), 300)
    assert (np.diff(trees.excess) < 0).all()
    np.testing.assert_allclose(trees.excess, trees.loss - 1, atol=1e-14)
    assert trees.identity.max() < 1e-12
    assert trees.distance[-1] < 1e-5
    assert trees.error[-1] == pytest.approx(pb.bayes(p, mass))
