"""What trees span: ranks against all +-1 trees enumerated, against counting, and the parity function."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from arboretum.theory import completeness as co


def test_trees_span_what_their_leaves_span():
    for shape, leaves in (((3, 3), 2), ((3, 3), 3), ((4,), 2), ((2, 2, 2), 3)):
        signed = []
        for partition in co.partitions(shape, leaves):
            leaf = co.indicators(partition, shape)
            np.testing.assert_array_equal(leaf.sum(axis=0), 1.0)
            signed += [np.array(signs) @ leaf for signs in itertools.product((-1, 1), repeat=leaves)]
        assert np.linalg.matrix_rank(np.array(signed)) == co.rank(shape, leaves)


@pytest.mark.parametrize(("variables", "cells"), [(1, 5), (2, 4), (3, 3), (4, 2)])
def test_the_rank_is_full_exactly_when_leaves_exceed_variables(variables, cells):
    for leaves in range(1, variables + 2):
        rank = co.rank((cells,) * variables, leaves)
        assert rank == co.rank_by_counting(cells, variables, leaves)
        assert (rank == cells**variables) == (leaves > variables)


def test_three_cells_have_two_cuts_and_one_partition_of_three():
    assert co.partitions((3,), 2) == ((((0, 1),), ((1, 3),)), (((0, 2),), ((2, 3),)))
    assert co.partitions((3,), 3) == ((((0, 1),), ((1, 2),), ((2, 3),)),)


def test_a_square_has_the_partitions_counted_by_hand():
    # 2 x 2: two cuts; T=3: cut once (2 ways), then either half of it (2 ways): 4 distinct
    assert [len(co.partitions((2, 2), leaves)) for leaves in (1, 2, 3, 4)] == [1, 2, 4, 1]


def test_parity_is_orthogonal_to_small_trees_only():
    np.testing.assert_array_equal(co.parity((2, 2)), [[1, -1], [-1, 1]])
    for variables in (2, 3):
        shape = (4,) * variables
        assert co.largest_inner_product(shape, variables) == 0
        assert co.largest_inner_product(shape, variables + 1) > 0
    with pytest.raises(ValueError, match="even"):
        co.parity((3, 4))
