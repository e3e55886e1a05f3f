"""``missing="branch"``: a nominal unknown takes a branch of its own, a numeric one the lower branch."""

import numpy as np
import pytest
from compare_trees import assert_same
from engine_trees import RULES, c45_rule, engine_table, grow, vr_rule
from hypothesis import given, settings
from hypothesis import strategies as st
from law_tests import assert_follows, stream
from random_tables import larger_tables, tables
from reference import c45, laws
from reference.predict import probabilities
from reference.table import nodes, table

from arboretum.trees import collapse, concatenate, prune

NAN = np.nan
EXAMPLES = settings(max_examples=200, deadline=None, derandomize=True)


def branch_tree(cases, mdl=True, **growth):
    return grow(cases, c45_rule(mdl=mdl), n_min=4.0, missing="branch", **growth)


def rows_of(cases):
    return list(zip(*cases.columns, strict=True))


@EXAMPLES
@given(cases=tables(max_rows=40), mdl=st.booleans())
def test_tree_equals_the_reference(cases, mdl):
    assert_same(branch_tree(cases, mdl).nested(), c45.grow(cases, mdl=mdl, missing="branch"))


@EXAMPLES
@given(cases=larger_tables(), mdl=st.booleans())
def test_tree_of_larger_tables_equals_the_reference(cases, mdl):
    assert_same(branch_tree(cases, mdl).nested(), c45.grow(cases, mdl=mdl, missing="branch"))


@EXAMPLES
@given(cases=larger_tables(weights=("ones", "counts")))
def test_no_case_is_divided(cases):
    """Whole weights stay whole, and the children of a node have all of its weight."""
    for node in nodes(branch_tree(cases).nested()):
        assert all(count == int(count) for count in node["counts"])
        if "children" in node:
            assert np.sum([child["counts"] for child in node["children"]], axis=0) == pytest.approx(node["counts"])


@EXAMPLES
@given(cases=tables(max_rows=40), curtail=st.booleans(), seed=st.integers(0, 99))
def test_answers_equal_the_reference(cases, curtail, seed):
    """Of the training cases, and of the same with other cells unknown, where training had no unknown value."""
    hidden = [np.where(np.random.default_rng(seed).random(len(c)) < 0.3, NAN, c) for c in cases.columns]
    tree, forest = c45.grow(cases, missing="branch"), branch_tree(cases)
    for columns in (cases.columns, hidden):
        asked = engine_table(table(columns, cases.kinds, cases.levels, cases.y, cases.n_classes))
        expected = np.array([probabilities(tree, row, curtail, "branch") for row in asked.cells])
        np.testing.assert_allclose(forest.probability(asked, curtail), expected, atol=1e-9)
        np.testing.assert_allclose(forest.tree_probability(asked, curtail)[0], expected, atol=1e-9)
        best = expected >= expected.max(axis=1, keepdims=True) - 1e-9
        assert (forest.tree_votes(asked, curtail)[0] == best.argmax(axis=1)).all()


@EXAMPLES
@given(cases=tables(max_rows=40, missing=False), alpha=st.sampled_from([0.0, 0.5, 1.0]))
def test_complete_data_grow_the_trees_of_fractions_with_one_more_empty_branch(cases, alpha):
    """Same tests and counts; in exact growth as in that with real weights."""
    own, plain = (grow(cases, vr_rule(alpha), [1, 2, 3], n_min=4.0, missing=m) for m in ("branch", "fractions"))

    def without_last(node):
        children = node.get("children", [])
        if node.get("kind") == "nominal":
            assert not any(children[-1]["counts"])
            children = children[:-1]
        return {**node, "children": [without_last(child) for child in children]} if children else node

    for tree in range(3):
        assert without_last(own.nested(tree)) == plain.nested(tree)
    asked = engine_table(cases)
    assert np.array_equal(own.probability(asked), plain.probability(asked))


# Nominal: levels a and b, unknown for four cases of class 1. Numeric: the cut is 1, unknown for two of class 1.
NOMINAL = table([[0, 0, 0, 1, 1, 1, NAN, NAN, NAN, NAN]], ["nominal"], [2], [0, 0, 0, 1, 1, 1, 1, 1, 1, 0])
NUMERIC = table([[0, 1, 1, 2, 3, 3, NAN, NAN]], ["numeric"], [0], [0, 0, 0, 1, 1, 1, 1, 1])


def test_nominal_unknown_by_hand():
    tree = branch_tree(NOMINAL).nested()
    assert [child["counts"] for child in tree["children"]] == [[3, 0], [0, 3], [1, 3]]
    asked = engine_table(table([[0, 1, NAN]], ["nominal"], [2], [0, 0, 0], 2))
    assert branch_tree(NOMINAL).probability(asked).tolist() == [[1, 0], [0, 1], [0.25, 0.75]]
    assert branch_tree(NOMINAL).apply(asked)[:, 0].tolist() == [1, 2, 3]


def test_numeric_unknown_by_hand():
    tree = branch_tree(NUMERIC).nested()
    assert tree["cut"] == 1 and [child["counts"] for child in tree["children"]] == [[3, 2], [0, 3]]
    asked = engine_table(table([[0, 5, NAN]], ["numeric"], [0], [0, 0, 0], 2))
    assert branch_tree(NUMERIC).probability(asked) == pytest.approx(np.array([[0.6, 0.4], [0, 1], [0.6, 0.4]]))


def test_unknown_where_training_had_none_by_hand():
    """The branch is empty: the node answers, here the root with 3 of 6 cases. A numeric one takes the lower side."""
    cases = table([[0, 0, 0, 1, 1, 1]], ["nominal"], [2], [0, 0, 0, 1, 1, 1])
    asked = engine_table(table([[NAN, 0]], ["nominal"], [2], [0, 0], 2))
    assert branch_tree(cases).probability(asked).tolist() == [[0.5, 0.5], [1, 0]]
    cases = table([[0, 0, 0, 1, 1, 1]], ["numeric"], [0], [0, 0, 0, 1, 1, 1])
    asked = engine_table(table([[NAN, 1]], ["numeric"], [0], [0, 0], 2))
    assert branch_tree(cases).probability(asked).tolist() == [[1, 0], [0, 1]]


def test_the_gain_is_that_of_the_known_cases_by_hand():
    """A feature known for half of the cases and perfect there has gain 1/2; one with all cases known has more.

    The second feature separates 7 of 8 cases of each class: 1 - H(1/8) = 0.456 bits. The first has 0.5 and the greater
    gain, but its split information is 1.5 (a quarter, a quarter, a half unknown): ratio 1/3 against 0.456.
    """
    y = [0] * 8 + [1] * 8
    half = [0, 0, 0, 0, NAN, NAN, NAN, NAN, 1, 1, 1, 1, NAN, NAN, NAN, NAN]
    seven = [0] * 7 + [1] + [1] * 7 + [0]
    cases = table([half, seven], ["nominal"] * 2, [2, 2], y)
    tests = {test.feature: test for f in (0, 1) for test in c45._test(cases, f, True, 0.0)}
    assert (tests[0].gain, tests[0].ratio) == pytest.approx((0.5, 1 / 3))
    assert (tests[1].gain, tests[1].ratio) == pytest.approx((0.456436, 0.456436), abs=1e-6)
    assert branch_tree(cases).nested()["feature"] == 0  # the second is below the average gain less 0.001
    quarter = [0, 0, *[NAN] * 6, 1, 1, *[NAN] * 6]  # gain 1/4, although it is perfect where it is known
    cases = table([quarter, seven], ["nominal"] * 2, [2, 2], y)
    assert branch_tree(cases).nested()["feature"] == 1


LAWS = {
    "nominal": table([[0, 0, 1, NAN, NAN], [0, NAN, 0, 0, NAN]], ["nominal"] * 2, [2, 2], [0, 1, 0, 1, 0]),
    "numeric": table([[0, 1, 3, NAN, NAN], [5, NAN, 4, 4, 7]], ["numeric"] * 2, [0, 0], [0, 1, 0, 1, 0]),
    "both": table([[0, 1, 3, NAN, 2, 2], [0, NAN, 0, 0, NAN, 1]], ["numeric", "nominal"], [0, 2], [0, 1, 0, 1, 0, 1]),
    "weights": table(
        [[0, 1, 3, NAN, 2], [0, NAN, 0, 0, NAN]],
        ["numeric", "nominal"],
        [0, 2],
        [0, 1, 0, 1, 0],
        weights=[1, 3, 2, 1, 2],
    ),
}


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("name", LAWS)
def test_random_trees_follow_their_exact_law(name, alpha):
    """A nominal feature with one known value and unknown ones can be drawn; cuts are drawn from known values."""
    cases = LAWS[name]
    forest = grow(cases, vr_rule(alpha), seeds=stream("branch", name, alpha), n_min=3.0, missing="branch")
    assert_follows(forest, cases, laws.vr_trees(cases, alpha, n_min=3, own_branch=True))


def test_nominal_unknowns_grow_random_trees_as_a_level_does():
    """At alpha 0 nothing is scored: seed by seed, the trees are those of a table with one more level."""
    rng = np.random.default_rng(2)
    columns = [np.where(rng.random(120) < 0.3, NAN, rng.integers(0, 4, 120)) for _ in range(5)]
    y = rng.integers(0, 2, 120)
    own = grow(table(columns, ["nominal"] * 5, [4] * 5, y), vr_rule(0.0), range(20), n_min=4.0, missing="branch")
    levels = [np.nan_to_num(column, nan=4) for column in columns]
    plain = grow(table(levels, ["nominal"] * 5, [5] * 5, y), vr_rule(0.0), range(20), n_min=4.0)
    for tree in range(20):
        assert own.nested(tree) == plain.nested(tree)


def test_collapsed_and_pruned_trees_keep_the_branch():
    cases = table([NOMINAL.columns[0], np.arange(10) % 3], ["nominal", "numeric"], [2, 0], NOMINAL.y)
    grown = grow(cases, vr_rule(0.0), range(5), n_min=2.0, missing="branch")
    for forest in (collapse(grown), prune(grown, 0.25), concatenate([grown, grown]).head(2), grown.tree(3)):
        for node in (node for tree in range(len(forest)) for node in nodes(forest.nested(tree))):
            if node.get("kind") == "nominal":
                assert len(node["children"]) == 3
        assert forest.probability(engine_table(cases)).sum(axis=1) == pytest.approx(np.ones(10))


def test_threads_do_not_matter():
    cases = table([np.tile(c, 9) for c in NOMINAL.columns], ["nominal"], [2], np.tile(NOMINAL.y, 9))
    one, two = (
        grow(cases, vr_rule(0.5), range(8), n_min=4.0, missing="branch", bootstrap=True, n_jobs=jobs) for jobs in (1, 2)
    )
    assert one.nodes.tobytes() == two.nodes.tobytes() and one.counts.tobytes() == two.counts.tobytes()


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match=r"missing='level' must be one of 'fractions', 'branch'"):
        grow(NOMINAL, vr_rule(0.5), missing="level")
    for name in ("cart", "weka", "pert"):
        with pytest.raises(ValueError, match=r"missing='branch' is for C45 and VR rules, not for \w+; fill in"):
            grow(NOMINAL, RULES[name][0], missing="branch")
    own, plain = (grow(NOMINAL, vr_rule(0.5), n_min=4.0, missing=m) for m in ("branch", "fractions"))
    with pytest.raises(ValueError, match="different settings of `missing`"):
        concatenate([own, plain])
