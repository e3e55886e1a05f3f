"""The bootstrap over clusters of data sets."""

from __future__ import annotations

import numpy as np
import pytest

from arboretum.measures.bootstrap import cluster_weights, interval


def test_weights_sum_to_one_and_related_sets_move_together():
    weights = cluster_weights(["led", "iris", "led", "glass"], 500, np.random.default_rng(1))
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    np.testing.assert_array_equal(weights[:, 0], weights[:, 2])
    assert len(np.unique(weights[:, 1])) > 1


def test_without_clusters_the_spread_is_that_of_a_mean():
    rng = np.random.default_rng(2)
    values = rng.standard_normal(60)
    means = cluster_weights([str(i) for i in range(60)], 20000, rng) @ values
    assert means.std() == pytest.approx(values.std() / np.sqrt(60), rel=0.03)
    low, high = interval(means)
    assert low == pytest.approx(values.mean() - 1.96 * values.std() / np.sqrt(60), abs=0.02)
    assert high == pytest.approx(values.mean() + 1.96 * values.std() / np.sqrt(60), abs=0.02)


def test_a_pair_of_equal_sets_widens_the_interval():
    rng = np.random.default_rng(3)
    values = np.repeat(rng.standard_normal(30), 2)
    alone = cluster_weights([str(i) for i in range(60)], 4000, rng) @ values
    paired = cluster_weights([str(i // 2) for i in range(60)], 4000, rng) @ values
    assert paired.std() > 1.3 * alone.std()
