"""Weka's RandomTree: every node has a best test, checked by trying all tests."""

from engine_trees import grow, weka_rule
from hypothesis import given, settings
from random_tables import larger_tables, tables
from reference import randomtree


@settings(max_examples=120, deadline=None, derandomize=True)
@given(cases=tables(max_rows=25))
def test_every_node_has_a_best_test(cases):
    tree = grow(cases, weka_rule(cases.n_features), n_min=2.0).nested()
    randomtree.check(tree, cases)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(cases=larger_tables())
def test_larger_tables_too(cases):
    randomtree.check(grow(cases, weka_rule(cases.n_features), n_min=2.0).nested(), cases)
