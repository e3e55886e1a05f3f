"""Ad-hoc measures of diversity: by hand, at their ends, and the Kohavi-Wolpert identity."""

import numpy as np
import pytest

from arboretum.measures.diversity_measures import (
    contingency,
    correctness_entropy,
    correctness_variance,
    disagreement,
    kohavi_wolpert,
    mean_over_pairs,
    q_statistic,
    vote_entropy,
)


def test_contingency_by_hand():
    table = contingency([1, 1, 1, 0, 0, 0], [1, 1, 0, 1, 0, 0])
    assert table == (2, 1, 1, 2)
    assert disagreement(table) == pytest.approx(1 / 3)
    assert q_statistic(table) == pytest.approx(3 / 5)


def test_q_at_its_ends():
    assert q_statistic(contingency([1, 0], [1, 0])) == 1
    assert q_statistic(contingency([1, 0], [0, 1])) == -1
    assert q_statistic(contingency([1, 1, 0, 0], [1, 0, 1, 0])) == 0
    assert np.isnan(q_statistic(contingency([1, 1], [1, 1])))


def test_means_over_pairs():
    table = np.array([[1, 0, 1, 0], [1, 0, 1, 0], [0, 1, 0, 1]])
    assert mean_over_pairs(disagreement, table) == pytest.approx(2 / 3)
    assert mean_over_pairs(q_statistic, table) == pytest.approx((1 - 1 - 1) / 3)
    assert np.isnan(mean_over_pairs(q_statistic, np.ones((2, 3))))


def test_kohavi_wolpert_is_an_identity():
    rng = np.random.default_rng(1)
    label, vote = rng.dirichlet(np.ones(4), size=30), rng.dirichlet(np.ones(4), size=30)
    parts = kohavi_wolpert(label, vote)
    assert parts.error == pytest.approx(1 - np.mean(np.sum(label * vote, axis=1)), abs=1e-12)
    printed = (0 + parts.bias + parts.variance) / 2  # 1 - sum P(y) is 0
    assert printed < parts.error - 0.1


def test_impurity_and_entropies():
    assert correctness_variance([0, 4], 4) == 0
    assert correctness_variance([2, 2], 4) == 0.5
    assert vote_entropy([[4, 0], [0, 4]]) == 0
    assert vote_entropy([[2, 2]]) == pytest.approx(np.log(2))
    assert correctness_entropy([0, 5], 5) == 0
    assert correctness_entropy([2, 3], 5) == 1
    assert correctness_entropy([2], 4) == 1
    with pytest.raises(ValueError, match="two members"):
        correctness_entropy([1], 1)
