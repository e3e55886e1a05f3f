"""The exact laws, checked by hand on tiny tables."""

from math import isclose, log

import pytest

from reference import laws
from reference.table import gini, table


def one_column(values, y):
    return table([values], ["numeric"], [0], y)


MIXED = table([[0, 1, 2, 2, 4, 5], [0, 0, 1, 1, 2, 0]], ["numeric", "nominal"], [0, 3], [0, 1, 0, 1, 1, 0])
NUMERIC = table([[0, 1, 2, 2, 4], [3, 1, 1, 0, 7]], ["numeric", "numeric"], [0, 0], [0, 1, 0, 1, 1])


@pytest.mark.parametrize(
    "law",
    [
        laws.vr_trees(MIXED, 0.0),
        laws.vr_trees(MIXED, 0.5),
        laws.pert_trees(NUMERIC),
        laws.extra_trees(NUMERIC, 1, gini),
        laws.extra_trees(NUMERIC, 2, gini),
        laws.purely_random_shapes(4, 2),
    ],
)
def test_probabilities_add_up_to_one(law):
    assert len(law) > 5
    assert isclose(sum(law.values()), 1)


def test_random_cut_of_three_values_by_hand():
    """Values 0, 0, 1, 10: the pairs {0,1}, {0,10}, {1,10} have probabilities 5/12, 5/12, 1/6.

    Drawing 0 first (1/2) and then 1 (1/2) is 1/4, 1 first (1/4) and then 0 (2/3) is 1/6: together 5/12. The
    midpoint of 0 and 10 lies above 1, so it makes the same two sides as that of 1 and 10.
    """
    law = laws.vr_trees(one_column([0, 0, 1, 10], [0, 1, 0, 1]), 0.0)
    assert law == pytest.approx({(0, ((0, 1), (2, 3))): 5 / 12, (0, ((0, 1, 2), (3,))): 7 / 12})


def test_deterministic_half_by_hand():
    """Two classes at 0, 0 and 1, 1: the only cut there is, or C4.5's (log2(1) = 0 penalty): one tree."""
    law = laws.vr_trees(one_column([0, 0, 1, 1], [0, 0, 1, 1]), 0.5)
    assert law == pytest.approx({(0, ((0, 1), (2, 3))): 1.0})


def test_pert_of_three_points_by_hand():
    """Classes a, b, b at 0, 1, 4: the pair is (0,1) or (0,4), each 1/2; the cut lies in (0,1) or in (1,4).

    Below 1: 1/2 + 1/2 x 1/4 = 5/8, and the tree is done; else the left node {0, 1} is cut for certain.
    """
    law = laws.pert_trees(one_column([0, 1, 4], [0, 1, 1]))
    assert law == pytest.approx({(0, ((0,), (1, 2))): 5 / 8, (0, ((0, (((0,), (1,)))), (2,))): 3 / 8})


def test_pert_ties_end_after_ten_tries():
    """Two cases that differ in one of two features: ten tries all fall on the other one with 1/1024."""
    law = laws.pert_trees(table([[0, 1], [7, 7]], ["numeric", "numeric"], [0, 0], [0, 1]))
    assert law == pytest.approx({(0, 1): 1 / 1024, (0, ((0,), (1,))): 1023 / 1024})


def test_extra_trees_cut_by_hand():
    """Classes a, b, b at 0, 1, 4: the cut lies in (0,1) with probability 1/4."""
    law = laws.extra_trees(one_column([0, 1, 4], [0, 1, 1]), 1, gini)
    assert law == pytest.approx({(0, ((0,), (1, 2))): 1 / 4, (0, ((0, (((0,), (1,)))), (2,))): 3 / 4})


def test_purely_random_shapes_by_hand():
    """Three splits of one variable: balanced by two orders of six, the four chains by one each."""
    law = laws.purely_random_shapes(4, 1)
    assert law[(0, (0, None, None), (0, None, None))] == pytest.approx(1 / 3)
    assert sorted(law.values()) == pytest.approx([1 / 6] * 4 + [1 / 3])


def test_kernel_by_hand():
    """Two terminal nodes, one variable: together unless the cut falls between, 1 - z; two variables: the mean."""
    assert laws.corner_kernel([0.3], 2) == pytest.approx(0.7)
    assert laws.corner_kernel([0.3, 0.5], 2) == pytest.approx((0.7 + 0.5) / 2)


def test_kernel_of_three_nodes_by_hand():
    """Three terminal nodes, one variable, z = 1/2: cut at u > 1/2, then with 1/2 the left part is cut again.

    Together: P(u > 1/2) x (1/2 + 1/2 x E[1 - 1/(2u) | u > 1/2]) = 1/2 - (log 2) / 4.
    """
    assert laws.corner_kernel([0.5], 3) == pytest.approx(0.5 - log(2) / 4)
