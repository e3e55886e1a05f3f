"""C4.5 trees and their answers equal those of the reference grower."""

import numpy as np
import pytest
from compare_trees import assert_same
from engine_trees import c45_rule, engine_table, grow, vr_rule
from hypothesis import given, settings
from hypothesis import strategies as st
from random_tables import larger_tables, tables
from reference import c45
from reference.predict import probabilities
from reference.table import nodes, size, table

# derandomize: every run has the same examples, so a failure can be repeated.
FEW_EXAMPLES = settings(max_examples=120, deadline=None, derandomize=True)


def engine_tree(cases, **rule):
    return grow(cases, c45_rule(**rule), n_min=4.0).nested()


@FEW_EXAMPLES
@given(cases=tables(max_rows=40), mdl=st.booleans())
def test_tree_equals_the_reference(cases, mdl):
    assert_same(engine_tree(cases, mdl=mdl), c45.grow(cases, mdl=mdl))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(cases=larger_tables(), mdl=st.booleans())
def test_tree_of_larger_tables_equals_the_reference(cases, mdl):
    assert_same(engine_tree(cases, mdl=mdl), c45.grow(cases, mdl=mdl))


@FEW_EXAMPLES
@given(cases=tables(max_rows=40, missing=False, weights=("ones", "counts")), mdl=st.booleans())
def test_tree_without_missing_values_equals_the_reference(cases, mdl):
    assert_same(engine_tree(cases, mdl=mdl), c45.grow(cases, mdl=mdl))


@FEW_EXAMPLES
@given(cases=tables(max_rows=40))
def test_alpha_one_is_c45(cases):
    assert_same(grow(cases, vr_rule(1.0), n_min=4.0).nested(), c45.grow(cases))


@FEW_EXAMPLES
@given(cases=tables(max_rows=30, weights=("counts",), missing=True))
def test_whole_weights_equal_repeated_rows(cases):
    repeated = cases.take(np.repeat(np.arange(len(cases.y)), cases.weights.astype(int)), np.ones(int(cases.total)))
    assert_same(engine_tree(cases), engine_tree(repeated))


@FEW_EXAMPLES
@given(cases=tables(max_rows=40), curtail=st.booleans())
def test_probabilities_equal_the_reference(cases, curtail):
    """Missing values mix branches; an ancestor answers for empty branches and small leaves."""
    forest = grow(cases, c45_rule(), n_min=4.0)
    ours = forest.probability(engine_table(cases), curtail=curtail)
    tree = c45.grow(cases)
    expected = [probabilities(tree, row, curtail) for row in zip(*cases.columns, strict=True)]
    np.testing.assert_allclose(ours, expected, atol=1e-9)


def test_examples_reach_deep_trees():
    """The comparisons above mean something only if the random tables give trees with several splits."""
    sizes = []

    @settings(max_examples=120, deadline=None, derandomize=True)
    @given(cases=tables(max_rows=40))
    def look(cases):
        tree = c45.grow(cases, mdl=False)
        sizes.append((size(tree), {node.get("kind") for node in nodes(tree)}))

    look()
    assert sum(s >= 5 for s, _ in sizes) >= 20
    assert {"numeric", "nominal"} <= set.union(*(kinds for _, kinds in sizes))


@pytest.mark.parametrize("classes", [2, 3, 5, 20])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_many_classes_and_ties(classes, missing):
    """A few hundred cases: many classes (packed counts do not fit), many ties, deep trees."""
    rng = np.random.default_rng(classes)
    n = 300
    columns = [
        np.round(rng.normal(size=n), 1),
        rng.integers(0, 7, n) * 1.0,
        rng.uniform(size=n),
        rng.integers(0, 3, n) * 1.0,
    ]
    y = (np.digitize(columns[0] + columns[2], np.linspace(-1, 2, classes - 1)) + rng.integers(0, 2, n)) % classes
    for column in columns:
        column[rng.uniform(size=n) < missing] = np.nan
    cases = table(columns, ["numeric", "nominal", "numeric", "nominal"], [0, 8, 0, 3], y, classes)
    tree = c45.grow(cases)
    assert size(tree) > 20
    assert_same(engine_tree(cases), tree)
