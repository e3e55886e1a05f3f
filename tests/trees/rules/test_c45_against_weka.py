"""C4.5 trees against Weka's J48: its stored answers on a dozen sets, and Weka itself if it is installed.

Every prediction and every tree size must be equal, on all sets but glass. J48 treats numbers less than 1e-5 apart as
equal, the engine does not, and the refractive indices of glass are that close. With the same numbers times 1000
(glass-rescaled) everything is equal again.
"""

import numpy as np
import pandas as pd
import pytest
import weka_fixtures as fixtures
from benchmarks.peers import Cases, weka
from compare_trees import assert_same
from engine_trees import c45_rule, grow
from reference import c45

from arboretum.ensembles import BoostedTrees, VRTree
from arboretum.trees import prune, table_of

LEARNERS = {
    "unpruned": {"collapse": True},
    "pruned": {"collapse": True, "prune": 0.25},
}


def as_cases(table):
    return Cases(table.columns, table.kinds, table.levels, table.y, table.n_classes)


def fit(model, train):
    y = pd.Categorical.from_codes(train.y, categories=np.arange(train.n_classes))
    return model.fit(as_cases(train).frame(), y)


def fitted(train, **settings):
    return fit(VRTree(alpha=1.0, **settings), train)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("name", [name for name in fixtures.SETS if name != "glass"])
def test_equals_stored_answers_of_weka(name, learner):
    frame = as_cases(fixtures.whole(name)).frame()
    for part in fixtures.PARTS:
        model = fitted(fixtures.training(name, part), **LEARNERS[learner])
        assert model.n_nodes_[0] == fixtures.sizes()[name, learner, part]
        answers = fixtures.expected(name)[f"{learner}-{part}"].to_numpy()
        assert np.array_equal(model.predict(frame), answers), f"part {part}"


def test_glass_differs_by_the_merged_values_alone():
    """Without J48's merging the reference grows the engine's tree; with it, Weka's tree (test_reference_c45)."""
    for part in fixtures.PARTS:
        train = fixtures.training("glass", part)
        assert_same(fitted(train, collapse=True).forest_.nested(), c45.grow(train, collapse=True))


@pytest.mark.parametrize("weights", ["whole weights", "real weights"])
@pytest.mark.parametrize("name", [name for name in fixtures.SETS if name != "glass"])
def test_under_weights_equals_weka_when_limits_count_cases(name, weights):
    frame = as_cases(fixtures.whole(name)).frame()
    for part in fixtures.PARTS:
        train = fixtures.training(name, part, weights)
        forest = prune(grow(train, c45_rule(by_cases=True), n_min=4), 0.25)
        assert forest.n_nodes[0] == fixtures.sizes()[name, weights, part]
        answers = fixtures.expected(name)[f"{weights}-{part}"].to_numpy()
        assert np.array_equal(forest.tree_votes(table_of(frame))[0], answers), f"part {part}"


@pytest.mark.parametrize("name", ["diabetes", "mixed", "ties"])
def test_elsewhere_a_weight_stands_for_so_many_rows(name):
    """The same tree as from repeated rows, which is not the one that J48 grows from the weights."""
    train = fixtures.training(name, 0, "whole weights")
    rows = np.repeat(np.arange(len(train.y)), train.weights.astype(int))
    weighted = grow(train, c45_rule(), n_min=4)
    repeated = grow(train.take(rows, np.ones(len(rows))), c45_rule(), n_min=4)
    assert_same(weighted.nested(), repeated.nested())
    assert prune(weighted, 0.25).n_nodes[0] != fixtures.sizes()[name, "whole weights", 0]


@pytest.mark.parametrize("name", ["credit-g", "mixed"])
def test_unpruned_j48_collapses(name):
    """The first tree of the boosting is the tree without weights."""
    model = fit(BoostedTrees("j48", 1, prune=None), fixtures.training(name, 0))
    assert model.n_nodes_[0] == fixtures.sizes()[name, "unpruned", 0]


@pytest.mark.parametrize("name", ["breast-cancer", "credit-g", "diabetes", "mixed", "soybean", "ties"])
def test_boosted_j48_equals_wekas(name):
    """AdaBoost.M1 of five trees, on sets where none of them is without error."""
    frame = as_cases(fixtures.whole(name)).frame()
    for part in fixtures.PARTS:
        model = fit(BoostedTrees("j48", 5), fixtures.training(name, part))
        assert len(model.estimator_weights_) == 5
        answers = fixtures.expected(name)[f"boosted-{part}"].to_numpy()
        assert np.array_equal(model.predict(frame), answers), f"part {part}"


@pytest.mark.skipif(not weka.installed(), reason="Weka or a Java development kit is not installed")
@pytest.mark.parametrize("name", ["credit-g", "soybean"])
def test_equals_weka_itself(name):
    """Class probabilities are equal too."""
    cases = fixtures.whole(name)
    train = fixtures.training(name, 1)
    nodes, expected = weka.tree(as_cases(train), as_cases(cases))
    model = fitted(train, collapse=True)
    assert model.n_nodes_[0] == nodes
    np.testing.assert_allclose(model.predict_proba(as_cases(cases).frame()), expected, atol=1e-9)
