"""Trees on a grid of cells: partitions, cut laws, fields, strength and correlation against plain oracles."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import kstest, triang

from arboretum.seeds import generator
from arboretum.theory import grid_forests as gf
from arboretum.theory import kernels
from arboretum.theory.population import Masses, region, unit_points
from arboretum.theory.population import circle as circle_level


def circle(cells, balanced=False):
    return region(circle_level, unit_points(cells), 0, 1, "share", balanced)


def leaf_of(tree, i, j):
    inside = [k for k, (i0, i1, j0, j1) in enumerate(tree) if i0 <= i < i1 and j0 <= j < j1]
    assert len(inside) == 1, "every cell lies in exactly one leaf"
    return inside[0]


@pytest.mark.parametrize("regime", gf.REGIMES)
def test_leaves_partition_the_square(regime):
    forest = gf.grow(circle(9), 6, 30, regime, generator(test="partition", regime=regime), alpha=0.5)
    for tree in forest:
        for i, j in itertools.product(range(9), range(9)):
            leaf_of(tree, i, j)


def test_best_cut_is_the_brute_force_minimum():
    masses = circle(20)
    leaf = np.array([2, 18, 5, 20], dtype=np.int32)
    plus, minus = masses.plus[2:18, 5:20], masses.minus[2:18, 5:20]
    errors = {}
    for line in range(1, 16):
        halves = (slice(0, line), slice(line, None))
        errors[0, line + 2] = sum(min(plus[h].sum(), minus[h].sum()) for h in halves)
    for line in range(1, 15):
        halves = (slice(0, line), slice(line, None))
        errors[1, line + 5] = sum(min(plus[:, h].sum(), minus[:, h].sum()) for h in halves)
    least = min(errors.values())
    best = {cut for cut, value in errors.items() if value <= least + 1e-12}
    prefixes = gf._prefix(masses.plus), gf._prefix(masses.minus)
    found = {gf._best_cut(*prefixes, leaf, 0, 1, u) for u in np.linspace(0, 0.999, 40)}
    assert found == best


def test_ties_among_cuts_are_drawn_uniformly():
    flat = Masses(np.full((8, 8), 1 / 64), np.zeros((8, 8)))
    forest = gf.grow(flat, 2, 14_000, "variable-random", generator(test="ties"), alpha=1.0)
    cuts = [(0, t[0, 1]) if t[0, 1] < 8 else (1, t[0, 3]) for t in forest]
    _, counts = np.unique(cuts, axis=0, return_counts=True)
    assert len(counts) == 14
    assert np.sum((counts - 1000) ** 2 / 1000) < 40  # chi-square, 13 degrees of freedom: p < 2e-4


def test_triangular_cuts_have_the_triangular_law():
    # class +1 left of 0.3: the optimal cut on x1 is at 0.3, and no cut on x2 is better than another
    cells = 400
    plus = np.zeros((cells, cells))
    plus[:120] = 1.0
    masses = Masses(plus / cells**2, (1 - plus) / cells**2)
    forest = gf.grow(masses, 2, 6000, "triangular", generator(test="triangular"))
    lines = forest[:, 0, 1][forest[:, 0, 1] < cells] / cells
    spread = generator(test="triangular jitter").uniform(-0.5, 0.5, len(lines)) / cells
    assert 2700 < len(lines) < 3300
    assert kstest(lines + spread, triang(0.3).cdf).pvalue > 1e-3


def test_uniform_cuts_give_the_exact_kernel():
    cells, trees = 200, 20_000
    forest = gf.grow(circle(cells), 5, trees, "uniform", generator(test="grid kernel"))
    rows, columns = np.array([20, 60, 100, 150, 199]), np.array([30, 90, 110, 10, 199])
    simulated = gf.gram(forest, rows, columns)
    points = np.column_stack([rows, columns]) / cells + 0.5 / cells
    exact = kernels.exact_kernel(points[:, None], points[None, :], 5)
    error = np.sqrt(exact * (1 - exact) / trees) + 1.0 / cells  # a grid line is 1/cells wide
    assert (np.abs(simulated - exact) < 4.5 * error)[~np.eye(5, dtype=bool)].all()


def test_fields_are_the_averages_they_say():
    masses = circle(6, balanced=True)
    forest = gf.grow(masses, 4, 25, "triangular", generator(test="fields"))
    for rule in ("kernel", "vote", "proportion"):
        field = gf.combine(forest, masses, rule)
        for i, j in ((0, 0), (3, 2), (5, 5)):
            values = []
            for tree in forest:
                i0, i1, j0, j1 = tree[leaf_of(tree, i, j)]
                p, m = masses.plus[i0:i1, j0:j1].sum(), masses.minus[i0:i1, j0:j1].sum()
                values.append({"kernel": p - m, "vote": 1.0 if p >= m else -1.0, "proportion": (p - m) / (p + m)}[rule])
            assert field[i, j] == pytest.approx(np.mean(values), abs=1e-12)


def test_kernel_field_is_the_gram_matrix_on_the_signed_mass():
    masses = circle(7)
    forest = gf.grow(masses, 4, 40, "optimal", generator(test="field gram"))
    rows, columns = (a.ravel() for a in np.indices((7, 7)))
    through_gram = gf.gram(forest, rows, columns) @ masses.signed.ravel()
    np.testing.assert_allclose(gf.combine(forest, masses, "kernel").ravel(), through_gram, atol=1e-13)


def test_strength_and_correlation_are_the_pairwise_definitions():
    masses = circle(8)
    forest = gf.grow(masses, 3, 12, "uniform", generator(test="correlation"))
    labels = []
    for tree in forest:
        signed = gf.leaf_masses(tree[None], masses.plus)[0] - gf.leaf_masses(tree[None], masses.minus)[0]
        labels.append([[1.0 if signed[leaf_of(tree, i, j)] >= 0 else -1.0 for j in range(8)] for i in range(8)])
    margins = np.array(labels).reshape(12, -1)
    margins = np.concatenate([margins, -margins], axis=1)  # y = +1, then y = -1
    weight = np.concatenate([masses.plus.ravel(), masses.minus.ravel()])
    mean = margins @ weight
    covariance = (margins * weight) @ margins.T - np.outer(mean, mean)
    deviations = np.sqrt(np.diag(covariance))
    pairs = ~np.eye(12, dtype=bool)
    assert gf.strength(forest, masses) == pytest.approx((1 + mean.mean()) / 2)
    assert gf.correlation(forest, masses) == pytest.approx(covariance[pairs].mean() / deviations.mean() ** 2)


def test_a_leaf_of_one_cell_is_left_alone():
    forest = gf.grow(circle(2), 12, 5, "uniform", generator(test="small"))
    for tree in forest:
        assert sum((i1 - i0) * (j1 - j0) for i0, i1, j0, j1 in tree) == 4


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="triangular"):
        gf.grow(circle(4), 3, 2, "best", generator(test="bad"))
    with pytest.raises(ValueError, match="proportion"):
        gf.combine(gf.grow(circle(4), 3, 2, "uniform", generator(test="bad")), circle(4), "median")


@pytest.mark.parametrize(("drawn", "deterministic"), [(0.0, True), (0.599, True), (0.6, False), (0.99, False)])
def test_a_node_is_deterministic_with_probability_alpha(drawn, deterministic):
    """All but the draw of its kind is fixed, so that the random cut of this node is not the optimal one."""
    masses = circle(9)
    plus, minus = gf._prefix(masses.plus), gf._prefix(masses.minus)
    leaf = np.array([0, 9, 0, 9], dtype=np.int32)
    best = gf._best_cut(plus, minus, leaf, 0, 1, 0.5)
    random = (0, 1 + min(int(0.999 * 8), 7))
    assert tuple(best) != random
    u = np.array([0.0, 0.0, 0.999, 0.5, drawn])
    found = gf._choose_cut(plus, minus, leaf, gf.REGIMES["variable-random"], 0.6, u)
    assert tuple(found) == (tuple(best) if deterministic else random)
