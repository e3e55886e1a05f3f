"""Sums over forest cells equal averages over cases."""

import numpy as np
import pytest

from arboretum.ensembles import RandomForest
from arboretum.measures.decomposition import decompose
from arboretum.measures.forest_cells import cell_terms, forest_cells, is_constant_in_cells
from arboretum.measures.losses import ZeroOne


def test_cells_are_intersections_of_leaves():
    assert forest_cells([[0, 1], [0, 2], [0, 1], [3, 1]]).tolist() == [0, 1, 0, 2]
    assert forest_cells([[5], [5]]).tolist() == [0, 0]


def test_the_error_is_a_sum_over_cells():
    rng = np.random.default_rng(1)
    X, noise = rng.integers(6, size=(300, 3)).astype(float), rng.random(300) < 0.2
    y = ((X.sum(axis=1) > 7) ^ noise).astype(int)
    forest = RandomForest(n_estimators=5, max_depth=4, random_state=1).fit(X[:100], y[:100])
    votes, cells = forest.tree_votes(X[100:]), forest_cells(forest.apply(X[100:]))
    truth = y[100:]
    vote = ZeroOne(2).centre(votes)
    terms = cell_terms(cells, votes != truth, vote != truth)
    found = decompose(truth, votes[None], ZeroOne(2))
    assert 5 < len(terms.mass) < 200 and terms.mass.sum() == pytest.approx(1)
    assert terms.error == pytest.approx(found.expected_ensemble_loss, abs=1e-12)
    assert np.sum(terms.mass * terms.diversity) == pytest.approx(found.diversity, abs=1e-12)
    assert is_constant_in_cells(cells, votes)
    assert not is_constant_in_cells(np.zeros(200, int), votes)
    assert len({tuple(row) for row in zip(cells, truth, strict=True)}) > len(terms.mass)  # labels vary within cells
