"""A forest does not depend on threads or blocks of trees, and survives pickling."""

import pickle

import numpy as np
import pytest
from engine_trees import engine_table, grow, vr_rule
from reference.table import table

from arboretum.trees import extra_rule, grow_forest, grow_purely_random, pert_rule
from arboretum.trees import vr_rule as full_vr_rule

SEEDS = np.arange(1, 41, dtype=np.uint64)


def cases(missing):
    rng = np.random.default_rng(5)
    n = 150
    columns = [rng.normal(size=n), rng.integers(0, 4, n) * 1.0, np.round(rng.normal(size=n), 1)]
    y = (columns[0] + columns[1] > 1).astype(int) + (rng.uniform(size=n) < 0.1)
    for column in columns:
        column[rng.uniform(size=n) < missing] = np.nan
    return table(columns, ["numeric", "nominal", "numeric"], [0, 4, 0], y, 3)


def same(one, other):
    """Are all arrays of the two forests equal to the last bit?"""
    names = ("nodes", "counts", "sides", "starts")
    return all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in names)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(
    "settings", [{"n_jobs": 2}, {"n_jobs": 4}, {"block": 1}, {"block": 7}, {"n_jobs": 2, "block": 3}]
)
def test_threads_and_blocks_do_not_matter(settings, missing):
    data = cases(missing)
    plain = grow(data, vr_rule(0.5), SEEDS, n_min=4.0, bootstrap=True)
    assert same(plain, grow(data, vr_rule(0.5), SEEDS, n_min=4.0, bootstrap=True, **settings))


def test_a_tree_depends_on_its_own_seed_only():
    data = cases(0.0)
    whole = grow(data, vr_rule(0.5), SEEDS, n_min=4.0)
    for t in (0, 7, 39):
        assert grow(data, vr_rule(0.5), SEEDS[t : t + 1], n_min=4.0).nested() == whole.nested(t)


def test_the_first_trees_are_a_smaller_forest():
    data = cases(0.1)
    whole = grow(data, vr_rule(0.0), SEEDS, n_min=4.0)
    few = grow(data, vr_rule(0.0), SEEDS[:9], n_min=4.0)
    answers = [forest.probability(engine_table(data)) for forest in (whole.head(9), few)]
    np.testing.assert_array_equal(*answers)


def test_a_pickled_forest_predicts_the_same():
    data = cases(0.1)
    forest = grow(data, vr_rule(0.5), SEEDS, n_min=4.0)
    again = pickle.loads(pickle.dumps(forest))
    assert same(forest, again)
    np.testing.assert_array_equal(
        forest.probability(engine_table(data)), again.probability(engine_table(data), n_jobs=2)
    )


def test_row_order_does_not_matter_to_a_deterministic_tree():
    data = cases(0.0)
    order = np.random.default_rng(1).permutation(len(data.y))
    assert grow(data, vr_rule(1.0), n_min=4.0).nested() == grow(data.take(order), vr_rule(1.0), n_min=4.0).nested()


def test_more_nodes_than_can_be_numbered_are_refused(monkeypatch):
    monkeypatch.setattr("arboretum.trees.forest.MOST_NODES", 20)
    with pytest.raises(MemoryError, match=r"nodes; at most 20 can be numbered. Grow fewer or smaller trees"):
        grow(cases(0.0), vr_rule(0.0), SEEDS, n_min=4.0)


NEVER_SCAN = {"vr": vr_rule(0.0), "pert": pert_rule(), "extra": extra_rule(n_tried=2), "one": extra_rule(False)}


@pytest.mark.parametrize("rule", NEVER_SCAN.values(), ids=NEVER_SCAN)
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("bootstrap", [False, True])
def test_rules_that_never_scan_sort_no_column_and_grow_the_same_trees(rule, missing, bootstrap):
    data, coded = engine_table(cases(missing)), engine_table(cases(missing))
    assert coded.ranks.n_values.max() > 100
    found, expected = (
        grow_forest(table, cases(missing).y, 3, rule, SEEDS, bootstrap=bootstrap) for table in (data, coded)
    )
    assert same(found, expected) and len(found.nodes) > 3 * len(SEEDS)
    assert "ranks" not in vars(data)
    assert np.array_equal(found.probability(data), expected.probability(coded))


def test_purely_random_trees_sort_no_column():
    data = engine_table(cases(0.0))
    grow_purely_random(data, cases(0.0).y, 3, SEEDS, n_leaves=4, box=np.array([[-3.0] * 3, [3.0] * 3]))
    assert "ranks" not in vars(data)


@pytest.mark.parametrize(
    "rule", [vr_rule(0.1), full_vr_rule(0.0, from_values=True)], ids=["alpha above 0", "from values"]
)
def test_rules_that_scan_have_their_columns_coded(rule):
    data = engine_table(cases(0.0))
    grow_forest(data, cases(0.0).y, 3, rule, SEEDS)
    assert "ranks" in vars(data)
